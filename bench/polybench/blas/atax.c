// atax by BLAS: two matrix-vector products.
#include <cblas.h>
#include "sizes.h" // NI, NJ, ...; after cblas.h, which uses such names

void kernel(double *A, double *x, double *y, double *tmp) {
  cblas_dgemv(CblasRowMajor, CblasNoTrans, M, N, 1.0, A, N, x, 1, 0.0, tmp, 1);
  cblas_dgemv(CblasRowMajor, CblasTrans, M, N, 1.0, A, N, tmp, 1, 0.0, y, 1);
}
