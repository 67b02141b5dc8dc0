// syrk by BLAS.
#include <cblas.h>
#include "sizes.h" // NI, NJ, ...; after cblas.h, which uses such names

void kernel(double alpha, double beta, double *C, double *A) {
  cblas_dsyrk(CblasRowMajor, CblasLower, CblasNoTrans, N, M, alpha, A, M, beta, C,
              N);
}
