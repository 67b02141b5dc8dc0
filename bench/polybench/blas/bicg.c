// bicg by BLAS: two matrix-vector products.
#include <cblas.h>
#include "sizes.h" // NI, NJ, ...; after cblas.h, which uses such names

void kernel(double *A, double *s, double *q, double *p, double *r) {
  cblas_dgemv(CblasRowMajor, CblasTrans, N, M, 1.0, A, M, r, 1, 0.0, s, 1);
  cblas_dgemv(CblasRowMajor, CblasNoTrans, N, M, 1.0, A, M, p, 1, 0.0, q, 1);
}
