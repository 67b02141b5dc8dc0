// bicg: s := A^T * r and q := A * p.
void kernel(double A[restrict N][M], double s[restrict M], double q[restrict N],
            double p[restrict M], double r[restrict N]) {
  for (int i = 0; i < M; i++)
    s[i] = 0.0;
  for (int i = 0; i < N; i++) {
    q[i] = 0.0;
    for (int j = 0; j < M; j++) {
      s[j] = s[j] + r[i] * A[i][j];
      q[i] = q[i] + A[i][j] * p[j];
    }
  }
}
