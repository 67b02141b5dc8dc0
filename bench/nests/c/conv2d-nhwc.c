// conv2d-nhwc: a 2-D convolution of stride 2, channels last; H and W are those of the result.
void kernel(float I[restrict BATCH][2 * H + K - 2][2 * W + K - 2][C],
            float Wt[restrict K][K][C][F], float O[restrict BATCH][H][W][F]) {
  for (int b = 0; b < BATCH; b++)
    for (int y = 0; y < H; y++)
      for (int x = 0; x < W; x++)
        for (int f = 0; f < F; f++)
          O[b][y][x][f] = 0.0f;
  for (int b = 0; b < BATCH; b++)
    for (int y = 0; y < H; y++)
      for (int x = 0; x < W; x++)
        for (int f = 0; f < F; f++)
          for (int p = 0; p < K; p++)
            for (int q = 0; q < K; q++)
              for (int c = 0; c < C; c++)
                O[b][y][x][f] += I[b][2 * y + p][2 * x + q][c] * Wt[p][q][c][f];
}
