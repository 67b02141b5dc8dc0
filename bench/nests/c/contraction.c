// contraction: Z[a][b][c][d] := the sum over e and f of X[a][e][b][f] * Y[f][d][e][c].
void kernel(double X[restrict A][E][B][F], double Y[restrict F][D][E][C],
            double Z[restrict A][B][C][D]) {
  for (int a = 0; a < A; a++)
    for (int b = 0; b < B; b++)
      for (int c = 0; c < C; c++)
        for (int d = 0; d < D; d++) {
          Z[a][b][c][d] = 0.0;
          for (int e = 0; e < E; e++)
            for (int f = 0; f < F; f++)
              Z[a][b][c][d] += X[a][e][b][f] * Y[f][d][e][c];
        }
}
