// attention-scores: P[h] := softmax of the rows of scale*Q[h]*K[h]^T, for every head h.
#include <math.h>

void kernel(float scale, float Q[restrict HEADS][L][D],
            float K[restrict HEADS][L][D], float P[restrict HEADS][L][L]) {
  for (int h = 0; h < HEADS; h++)
    for (int i = 0; i < L; i++)
      for (int j = 0; j < L; j++) {
        P[h][i][j] = 0.0f;
        for (int d = 0; d < D; d++)
          P[h][i][j] += Q[h][i][d] * K[h][j][d];
        P[h][i][j] *= scale;
      }
  for (int h = 0; h < HEADS; h++)
    for (int i = 0; i < L; i++) {
      float largest = -3.0e38f, sum = 0.0f;
      for (int j = 0; j < L; j++)
        largest = P[h][i][j] > largest ? P[h][i][j] : largest;
      for (int j = 0; j < L; j++) {
        P[h][i][j] = expf(P[h][i][j] - largest);
        sum += P[h][i][j];
      }
      for (int j = 0; j < L; j++)
        P[h][i][j] /= sum;
    }
}
