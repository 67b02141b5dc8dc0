// 2mm by BLAS: two matrix products.
#include <cblas.h>
#include "sizes.h" // NI, NJ, ...; after cblas.h, which uses such names

void kernel(double alpha, double beta, double *tmp, double *A, double *B,
            double *C, double *D) {
  cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, NI, NJ, NK, alpha, A,
              NK, B, NJ, 0.0, tmp, NJ);
  cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, NI, NL, NJ, 1.0, tmp,
              NJ, C, NL, beta, D, NL);
}
