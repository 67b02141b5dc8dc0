// transpose-copy: B := A^T.
void kernel(float A[restrict M][N], float B[restrict N][M]) {
  for (int i = 0; i < N; i++)
    for (int j = 0; j < M; j++)
      B[i][j] = A[j][i];
}
