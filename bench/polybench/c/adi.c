// adi: 2-D heat equation by alternating direction implicit sweeps; each sweep
// solves one tridiagonal system per line, with p and q its elimination
// coefficients.
void kernel(double u[restrict N][N], double v[restrict N][N],
            double p[restrict N][N], double q[restrict N][N]) {
  const double dx = 1.0 / (double)N;
  const double dy = 1.0 / (double)N;
  const double dt = 1.0 / (double)TSTEPS;
  const double mul1 = 2.0 * dt / (dx * dx);
  const double mul2 = 1.0 * dt / (dy * dy);
  const double a = -mul1 / 2.0;
  const double b = 1.0 + mul1;
  const double c = a;
  const double d = -mul2 / 2.0;
  const double e = 1.0 + mul2;
  const double f = d;

  for (int t = 1; t < TSTEPS + 1; t++) {
    // Column sweep: v from u.
    for (int i = 1; i < N - 1; i++) {
      v[0][i] = 1.0;
      p[i][0] = 0.0;
      q[i][0] = v[0][i];
      for (int j = 1; j < N - 1; j++) {
        p[i][j] = -c / (a * p[i][j - 1] + b);
        q[i][j] = (-d * u[j][i - 1] + (1.0 + 2.0 * d) * u[j][i] -
                   f * u[j][i + 1] - a * q[i][j - 1]) /
                  (a * p[i][j - 1] + b);
      }
      v[N - 1][i] = 1.0;
      for (int j = N - 2; j >= 1; j--)
        v[j][i] = p[i][j] * v[j + 1][i] + q[i][j];
    }
    // Row sweep: u from v.
    for (int i = 1; i < N - 1; i++) {
      u[i][0] = 1.0;
      p[i][0] = 0.0;
      q[i][0] = u[i][0];
      for (int j = 1; j < N - 1; j++) {
        p[i][j] = -f / (d * p[i][j - 1] + e);
        q[i][j] = (-a * v[i - 1][j] + (1.0 + 2.0 * a) * v[i][j] -
                   c * v[i + 1][j] - d * q[i][j - 1]) /
                  (d * p[i][j - 1] + e);
      }
      u[i][N - 1] = 1.0;
      for (int j = N - 2; j >= 1; j--)
        u[i][j] = p[i][j] * u[i][j + 1] + q[i][j];
    }
  }
}
