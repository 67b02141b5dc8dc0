// symm: C := alpha*A*B + beta*C for symmetric A, of which only the lower
// triangle is read.
void kernel(double alpha, double beta, double C[restrict M][N],
            double A[restrict M][M], double B[restrict M][N]) {
  double temp2;

  for (int i = 0; i < M; i++)
    for (int j = 0; j < N; j++) {
      temp2 = 0.0;
      for (int k = 0; k < i; k++) {
        C[k][j] += alpha * B[i][j] * A[i][k];
        temp2 += B[k][j] * A[i][k];
      }
      C[i][j] = beta * C[i][j] + alpha * B[i][j] * A[i][i] + alpha * temp2;
    }
}
