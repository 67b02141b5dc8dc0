// conv2d-nchw: a 2-D convolution of stride 2, channels first; H and W are those of the result.
void kernel(float I[restrict BATCH][C][2 * H + K - 2][2 * W + K - 2],
            float Wt[restrict F][C][K][K], float O[restrict BATCH][F][H][W]) {
  for (int b = 0; b < BATCH; b++)
    for (int f = 0; f < F; f++)
      for (int y = 0; y < H; y++)
        for (int x = 0; x < W; x++)
          O[b][f][y][x] = 0.0f;
  for (int b = 0; b < BATCH; b++)
    for (int f = 0; f < F; f++)
      for (int y = 0; y < H; y++)
        for (int x = 0; x < W; x++)
          for (int c = 0; c < C; c++)
            for (int p = 0; p < K; p++)
              for (int q = 0; q < K; q++)
                O[b][f][y][x] += I[b][c][2 * y + p][2 * x + q] * Wt[f][c][p][q];
}
