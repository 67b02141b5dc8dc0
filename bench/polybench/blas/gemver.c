// gemver by BLAS: two rank-1 updates, two matrix-vector products.
#include <cblas.h>
#include "sizes.h" // NI, NJ, ...; after cblas.h, which uses such names

void kernel(double alpha, double beta, double *A, double *u1, double *v1,
            double *u2, double *v2, double *w, double *x, double *y, double *z) {
  cblas_dger(CblasRowMajor, N, N, 1.0, u1, 1, v1, 1, A, N);
  cblas_dger(CblasRowMajor, N, N, 1.0, u2, 1, v2, 1, A, N);
  cblas_dgemv(CblasRowMajor, CblasTrans, N, N, beta, A, N, y, 1, 1.0, x, 1);
  cblas_daxpy(N, 1.0, z, 1, x, 1);
  cblas_dgemv(CblasRowMajor, CblasNoTrans, N, N, alpha, A, N, x, 1, 1.0, w, 1);
}
