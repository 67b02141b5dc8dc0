// sobel: the magnitude of the gradient by Sobel's two 3x3 filters.
#include <math.h>

void kernel(float I[restrict H + 2][W + 2], float GX[restrict H][W],
            float GY[restrict H][W], float O[restrict H][W]) {
  for (int y = 0; y < H; y++)
    for (int x = 0; x < W; x++)
      GX[y][x] = I[y][x + 2] - I[y][x] + 2.0f * (I[y + 1][x + 2] - I[y + 1][x]) +
                 I[y + 2][x + 2] - I[y + 2][x];
  for (int y = 0; y < H; y++)
    for (int x = 0; x < W; x++)
      GY[y][x] = I[y + 2][x] - I[y][x] + 2.0f * (I[y + 2][x + 1] - I[y][x + 1]) +
                 I[y + 2][x + 2] - I[y][x + 2];
  for (int y = 0; y < H; y++)
    for (int x = 0; x < W; x++)
      O[y][x] = sqrtf(GX[y][x] * GX[y][x] + GY[y][x] * GY[y][x]);
}
