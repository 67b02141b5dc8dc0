// banded-mv: y := A*x for a matrix of W diagonals, stored by rows of its band.
void kernel(double A[restrict N][W], double x[restrict N + W - 1],
            double y[restrict N]) {
  for (int i = 0; i < N; i++) {
    y[i] = 0.0;
    for (int d = 0; d < W; d++)
      y[i] += A[i][d] * x[i + d];
  }
}
