// deriche: Deriche's recursive edge detection filter, one forward and one
// backward pass along each image dimension, in single precision.
#include <math.h>

void kernel(float alpha, float imgIn[restrict W][H],
            float imgOut[restrict W][H], float y1[restrict W][H],
            float y2[restrict W][H]) {
  const float k = (1.0f - expf(-alpha)) * (1.0f - expf(-alpha)) /
                  (1.0f + 2.0f * alpha * expf(-alpha) - expf(2.0f * alpha));
  const float a1 = k;
  const float a2 = k * expf(-alpha) * (alpha - 1.0f);
  const float a3 = k * expf(-alpha) * (alpha + 1.0f);
  const float a4 = -k * expf(-2.0f * alpha);
  const float a5 = a1;
  const float a6 = a2;
  const float a7 = a3;
  const float a8 = a4;
  const float b1 = powf(2.0f, -alpha);
  const float b2 = -expf(-2.0f * alpha);
  const float c1 = 1.0f;
  const float c2 = 1.0f;
  float xm1, tm1, ym1, ym2, xp1, xp2, tp1, tp2, yp1, yp2;

  // Along each row, forward.
  for (int i = 0; i < W; i++) {
    ym1 = 0.0f;
    ym2 = 0.0f;
    xm1 = 0.0f;
    for (int j = 0; j < H; j++) {
      y1[i][j] = a1 * imgIn[i][j] + a2 * xm1 + b1 * ym1 + b2 * ym2;
      xm1 = imgIn[i][j];
      ym2 = ym1;
      ym1 = y1[i][j];
    }
  }
  // Along each row, backward.
  for (int i = 0; i < W; i++) {
    yp1 = 0.0f;
    yp2 = 0.0f;
    xp1 = 0.0f;
    xp2 = 0.0f;
    for (int j = H - 1; j >= 0; j--) {
      y2[i][j] = a3 * xp1 + a4 * xp2 + b1 * yp1 + b2 * yp2;
      xp2 = xp1;
      xp1 = imgIn[i][j];
      yp2 = yp1;
      yp1 = y2[i][j];
    }
  }
  for (int i = 0; i < W; i++)
    for (int j = 0; j < H; j++)
      imgOut[i][j] = c1 * (y1[i][j] + y2[i][j]);
  // Along each column, forward.
  for (int j = 0; j < H; j++) {
    tm1 = 0.0f;
    ym1 = 0.0f;
    ym2 = 0.0f;
    for (int i = 0; i < W; i++) {
      y1[i][j] = a5 * imgOut[i][j] + a6 * tm1 + b1 * ym1 + b2 * ym2;
      tm1 = imgOut[i][j];
      ym2 = ym1;
      ym1 = y1[i][j];
    }
  }
  // Along each column, backward.
  for (int j = 0; j < H; j++) {
    tp1 = 0.0f;
    tp2 = 0.0f;
    yp1 = 0.0f;
    yp2 = 0.0f;
    for (int i = W - 1; i >= 0; i--) {
      y2[i][j] = a7 * tp1 + a8 * tp2 + b1 * yp1 + b2 * yp2;
      tp2 = tp1;
      tp1 = imgOut[i][j];
      yp2 = yp1;
      yp1 = y2[i][j];
    }
  }
  for (int i = 0; i < W; i++)
    for (int j = 0; j < H; j++)
      imgOut[i][j] = c2 * (y1[i][j] + y2[i][j]);
}
