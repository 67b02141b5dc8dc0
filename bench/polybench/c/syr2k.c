// syr2k: C := alpha*A*B^T + alpha*B*A^T + beta*C, lower triangle of C only.
void kernel(double alpha, double beta, double C[restrict N][N],
            double A[restrict N][M], double B[restrict N][M]) {
  for (int i = 0; i < N; i++) {
    for (int j = 0; j < i + 1; j++)
      C[i][j] *= beta;
    for (int k = 0; k < M; k++)
      for (int j = 0; j < i + 1; j++)
        C[i][j] += A[j][k] * alpha * B[i][k] + B[j][k] * alpha * A[i][k];
  }
}
