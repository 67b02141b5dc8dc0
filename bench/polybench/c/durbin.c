// durbin: solves the Yule-Walker equations T*y = -r, T the symmetric Toeplitz
// matrix of 1, r[0], r[1], ..., by the Levinson-Durbin recursion.
void kernel(double r[restrict N], double y[restrict N], double z[restrict N]) {
  double alpha, beta, sum;

  y[0] = -r[0];
  beta = 1.0;
  alpha = -r[0];
  for (int k = 1; k < N; k++) {
    beta = (1.0 - alpha * alpha) * beta;
    sum = 0.0;
    for (int i = 0; i < k; i++)
      sum += r[k - i - 1] * y[i];
    alpha = -(r[k] + sum) / beta;
    for (int i = 0; i < k; i++)
      z[i] = y[i] + alpha * y[k - i - 1];
    for (int i = 0; i < k; i++)
      y[i] = z[i];
    y[k] = alpha;
  }
}
