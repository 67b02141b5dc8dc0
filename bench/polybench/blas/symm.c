// symm by BLAS.
#include <cblas.h>
#include "sizes.h" // NI, NJ, ...; after cblas.h, which uses such names

void kernel(double alpha, double beta, double *C, double *A, double *B) {
  cblas_dsymm(CblasRowMajor, CblasLeft, CblasLower, M, N, alpha, A, M, B, N, beta,
              C, N);
}
