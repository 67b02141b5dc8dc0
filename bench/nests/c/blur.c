// blur: a 3x3 box blur: rows into T, then columns.
void kernel(float I[restrict H + 2][W + 2], float T[restrict H + 2][W],
            float O[restrict H][W]) {
  const float third = 0.333333343f;
  for (int y = 0; y < H + 2; y++)
    for (int x = 0; x < W; x++)
      T[y][x] = (I[y][x] + I[y][x + 1] + I[y][x + 2]) * third;
  for (int y = 0; y < H; y++)
    for (int x = 0; x < W; x++)
      O[y][x] = (T[y][x] + T[y + 1][x] + T[y + 2][x]) * third;
}
