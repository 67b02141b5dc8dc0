// depthwise-conv: a depthwise 2-D convolution, channels last; H and W are those of the result.
void kernel(float I[restrict BATCH][H + K - 1][W + K - 1][C],
            float Wt[restrict K][K][C], float O[restrict BATCH][H][W][C]) {
  for (int b = 0; b < BATCH; b++)
    for (int y = 0; y < H; y++)
      for (int x = 0; x < W; x++)
        for (int c = 0; c < C; c++)
          O[b][y][x][c] = 0.0f;
  for (int b = 0; b < BATCH; b++)
    for (int y = 0; y < H; y++)
      for (int x = 0; x < W; x++)
        for (int c = 0; c < C; c++)
          for (int p = 0; p < K; p++)
            for (int q = 0; q < K; q++)
              O[b][y][x][c] += I[b][y + p][x + q][c] * Wt[p][q][c];
}
