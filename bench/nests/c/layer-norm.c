// layer-norm: every row of X, shifted and scaled to mean 0 and variance 1, then by weights and bias.
#include <math.h>

void kernel(float X[restrict M][N], float gamma[restrict N],
            float beta[restrict N], float Y[restrict M][N]) {
  for (int i = 0; i < M; i++) {
    float mean = 0.0f, variance = 0.0f;
    for (int j = 0; j < N; j++)
      mean += X[i][j];
    mean /= (float)N;
    for (int j = 0; j < N; j++)
      variance += (X[i][j] - mean) * (X[i][j] - mean);
    const float deviation = sqrtf(variance / (float)N + 1.0e-5f);
    for (int j = 0; j < N; j++)
      Y[i][j] = (X[i][j] - mean) / deviation * gamma[j] + beta[j];
  }
}
