// trisolv: solves L*x = b for lower triangular L, by forward substitution.
void kernel(double L[restrict N][N], double x[restrict N],
            double b[restrict N]) {
  for (int i = 0; i < N; i++) {
    x[i] = b[i];
    for (int j = 0; j < i; j++)
      x[i] -= L[i][j] * x[j];
    x[i] = x[i] / L[i][i];
  }
}
