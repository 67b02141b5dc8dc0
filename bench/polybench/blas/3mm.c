// 3mm by BLAS: three matrix products.
#include <cblas.h>
#include "sizes.h" // NI, NJ, ...; after cblas.h, which uses such names

void kernel(double *E, double *A, double *B, double *F, double *C, double *D,
            double *G) {
  cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, NI, NJ, NK, 1.0, A, NK,
              B, NJ, 0.0, E, NJ);
  cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, NJ, NL, NM, 1.0, C, NM,
              D, NL, 0.0, F, NL);
  cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, NI, NL, NJ, 1.0, E, NJ,
              F, NL, 0.0, G, NL);
}
