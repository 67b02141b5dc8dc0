// stencil-27pt: T double sweeps of a 3-D 27-point stencil between A and B.
void kernel(double A[restrict N][N][N], double B[restrict N][N][N]) {
  const double centre = 0.2, face = 0.05, edge = 0.025, corner = 0.025;
  for (int t = 0; t < T; t++) {
    for (int i = 1; i < N - 1; i++)
      for (int j = 1; j < N - 1; j++)
        for (int k = 1; k < N - 1; k++)
          B[i][j][k] =
              centre * A[i][j][k] +
              face * (A[i - 1][j][k] +
                A[i][j - 1][k] +
                A[i][j][k - 1] +
                A[i][j][k + 1] +
                A[i][j + 1][k] +
                A[i + 1][j][k]) +
              edge * (A[i - 1][j - 1][k] +
                A[i - 1][j][k - 1] +
                A[i - 1][j][k + 1] +
                A[i - 1][j + 1][k] +
                A[i][j - 1][k - 1] +
                A[i][j - 1][k + 1] +
                A[i][j + 1][k - 1] +
                A[i][j + 1][k + 1] +
                A[i + 1][j - 1][k] +
                A[i + 1][j][k - 1] +
                A[i + 1][j][k + 1] +
                A[i + 1][j + 1][k]) +
              corner * (A[i - 1][j - 1][k - 1] +
                A[i - 1][j - 1][k + 1] +
                A[i - 1][j + 1][k - 1] +
                A[i - 1][j + 1][k + 1] +
                A[i + 1][j - 1][k - 1] +
                A[i + 1][j - 1][k + 1] +
                A[i + 1][j + 1][k - 1] +
                A[i + 1][j + 1][k + 1]);
    for (int i = 1; i < N - 1; i++)
      for (int j = 1; j < N - 1; j++)
        for (int k = 1; k < N - 1; k++)
          A[i][j][k] =
              centre * B[i][j][k] +
              face * (B[i - 1][j][k] +
                B[i][j - 1][k] +
                B[i][j][k - 1] +
                B[i][j][k + 1] +
                B[i][j + 1][k] +
                B[i + 1][j][k]) +
              edge * (B[i - 1][j - 1][k] +
                B[i - 1][j][k - 1] +
                B[i - 1][j][k + 1] +
                B[i - 1][j + 1][k] +
                B[i][j - 1][k - 1] +
                B[i][j - 1][k + 1] +
                B[i][j + 1][k - 1] +
                B[i][j + 1][k + 1] +
                B[i + 1][j - 1][k] +
                B[i + 1][j][k - 1] +
                B[i + 1][j][k + 1] +
                B[i + 1][j + 1][k]) +
              corner * (B[i - 1][j - 1][k - 1] +
                B[i - 1][j - 1][k + 1] +
                B[i - 1][j + 1][k - 1] +
                B[i - 1][j + 1][k + 1] +
                B[i + 1][j - 1][k - 1] +
                B[i + 1][j - 1][k + 1] +
                B[i + 1][j + 1][k - 1] +
                B[i + 1][j + 1][k + 1]);
  }
}
