// matmul-rect: C := A*B, as in a layer of a neural network: no two extents are equal.
void kernel(float A[restrict M][K], float B[restrict K][N], float C[restrict M][N]) {
  for (int i = 0; i < M; i++)
    for (int j = 0; j < N; j++)
      C[i][j] = 0.0f;
  for (int i = 0; i < M; i++)
    for (int j = 0; j < N; j++)
      for (int k = 0; k < K; k++)
        C[i][j] += A[i][k] * B[k][j];
}
