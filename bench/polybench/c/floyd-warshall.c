// floyd-warshall: path := the lengths of all shortest paths, by relaxing over
// every intermediate node k.
static inline int min(int a, int b) { return a < b ? a : b; }

void kernel(int path[restrict N][N]) {
  for (int k = 0; k < N; k++)
    for (int i = 0; i < N; i++)
      for (int j = 0; j < N; j++)
        path[i][j] = min(path[i][j], path[i][k] + path[k][j]);
}
