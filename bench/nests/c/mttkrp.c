// mttkrp: M := X(1)*(C (.) B): the matricized tensor times a Khatri-Rao product.
void kernel(double X[restrict I][J][K], double B[restrict J][R],
            double C[restrict K][R], double M[restrict I][R]) {
  for (int i = 0; i < I; i++)
    for (int r = 0; r < R; r++)
      M[i][r] = 0.0;
  for (int i = 0; i < I; i++)
    for (int j = 0; j < J; j++)
      for (int k = 0; k < K; k++)
        for (int r = 0; r < R; r++)
          M[i][r] += X[i][j][k] * B[j][r] * C[k][r];
}
