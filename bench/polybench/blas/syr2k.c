// syr2k by BLAS.
#include <cblas.h>
#include "sizes.h" // NI, NJ, ...; after cblas.h, which uses such names

void kernel(double alpha, double beta, double *C, double *A, double *B) {
  cblas_dsyr2k(CblasRowMajor, CblasLower, CblasNoTrans, N, M, alpha, A, M, B, M,
               beta, C, N);
}
