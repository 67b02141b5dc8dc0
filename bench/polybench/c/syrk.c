// syrk: C := alpha*A*A^T + beta*C, lower triangle of C only.
void kernel(double alpha, double beta, double C[restrict N][N],
            double A[restrict N][M]) {
  for (int i = 0; i < N; i++) {
    for (int j = 0; j < i + 1; j++)
      C[i][j] *= beta;
    for (int k = 0; k < M; k++)
      for (int j = 0; j < i + 1; j++)
        C[i][j] += alpha * A[i][k] * A[j][k];
  }
}
