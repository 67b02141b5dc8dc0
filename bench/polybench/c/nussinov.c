// nussinov: table[i][j] := the largest number of base pairs of the RNA
// sub-sequence i..j, by dynamic programming. Bases are 0..3 and pair when they
// sum to 3; neighbours do not pair.
static inline int max(int a, int b) { return a >= b ? a : b; }

void kernel(int seq[restrict N], int table[restrict N][N]) {
  for (int i = N - 1; i >= 0; i--)
    for (int j = i + 1; j < N; j++) {
      if (j - 1 >= 0)
        table[i][j] = max(table[i][j], table[i][j - 1]);
      if (i + 1 < N)
        table[i][j] = max(table[i][j], table[i + 1][j]);
      if (j - 1 >= 0 && i + 1 < N) {
        if (i < j - 1)
          table[i][j] = max(table[i][j], table[i + 1][j - 1] +
                                             (seq[i] + seq[j] == 3 ? 1 : 0));
        else
          table[i][j] = max(table[i][j], table[i + 1][j - 1]);
      }
      for (int k = i + 1; k < j; k++)
        table[i][j] = max(table[i][j], table[i][k] + table[k + 1][j]);
    }
}
