// batch-matmul: C[b] := A[b]*B[b] for a batch of matrices.
void kernel(float A[restrict BATCH][M][K], float B[restrict BATCH][K][N],
            float C[restrict BATCH][M][N]) {
  for (int b = 0; b < BATCH; b++)
    for (int i = 0; i < M; i++)
      for (int j = 0; j < N; j++)
        C[b][i][j] = 0.0f;
  for (int b = 0; b < BATCH; b++)
    for (int i = 0; i < M; i++)
      for (int j = 0; j < N; j++)
        for (int k = 0; k < K; k++)
          C[b][i][j] += A[b][i][k] * B[b][k][j];
}
