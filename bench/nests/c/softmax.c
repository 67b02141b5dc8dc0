// softmax: softmax of every row of X, written as three passes over the row.
#include <math.h>

void kernel(float X[restrict M][N], float Y[restrict M][N]) {
  for (int i = 0; i < M; i++) {
    float largest = -3.0e38f, sum = 0.0f;
    for (int j = 0; j < N; j++)
      largest = X[i][j] > largest ? X[i][j] : largest;
    for (int j = 0; j < N; j++) {
      Y[i][j] = expf(X[i][j] - largest);
      sum += Y[i][j];
    }
    for (int j = 0; j < N; j++)
      Y[i][j] /= sum;
  }
}
