// gesummv by BLAS: two matrix-vector products.
#include <cblas.h>
#include "sizes.h" // NI, NJ, ...; after cblas.h, which uses such names

void kernel(double alpha, double beta, double *A, double *B, double *tmp,
            double *x, double *y) {
  cblas_dgemv(CblasRowMajor, CblasNoTrans, N, N, 1.0, A, N, x, 1, 0.0, tmp, 1);
  cblas_dgemv(CblasRowMajor, CblasNoTrans, N, N, beta, B, N, x, 1, 0.0, y, 1);
  cblas_daxpy(N, alpha, tmp, 1, y, 1);
}
