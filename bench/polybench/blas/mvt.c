// mvt by BLAS: two matrix-vector products.
#include <cblas.h>
#include "sizes.h" // NI, NJ, ...; after cblas.h, which uses such names

void kernel(double *x1, double *x2, double *y_1, double *y_2, double *A) {
  cblas_dgemv(CblasRowMajor, CblasNoTrans, N, N, 1.0, A, N, y_1, 1, 1.0, x1, 1);
  cblas_dgemv(CblasRowMajor, CblasTrans, N, N, 1.0, A, N, y_2, 1, 1.0, x2, 1);
}
