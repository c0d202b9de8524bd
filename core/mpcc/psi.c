#include "core/mpcc/psi.h"

#include "core/base/pi.h"

#include <math.h>

/* a b - sigma */
static void scholtes(double a, double b, double sigma, double d[6])
{
    d[0] = a * b - sigma;
    d[1] = b;
    d[2] = a;
    d[3] = d[5] = 0.0;
    d[4] = 1.0;
}

static void steffensen_ulbrich(double a, double b, double sigma, double d[6])
{
    const double tau = 2.0 * sqrt(sigma) / (1.0 - 2.0 / PI), x = a - b;
    if (fabs(x) >= tau) {
        const double sign = x > 0.0 ? 1.0 : -1.0;
        d[0] = a + b - fabs(x);
        d[1] = 1.0 - sign;
        d[2] = 1.0 + sign;
        d[3] = d[4] = d[5] = 0.0;
        return;
    }
    const double angle = PI * x / (2.0 * tau) + 1.5 * PI;       /* mpcc.md 1, the sine version */
    const double slope = cos(angle), curve = -0.5 * PI * sin(angle) / tau;
    d[0] = a + b - tau * (2.0 / PI * sin(angle) + 1.0);
    d[1] = 1.0 - slope;
    d[2] = 1.0 + slope;
    d[3] = d[5] = -curve;
    d[4] = curve;
}

/* (a - t)(b - t) where a + b >= 2 t, else -((a - t)^2 + (b - t)^2) / 2; t^2 = sigma. */
static void kanzow_schwartz(double a, double b, double sigma, double d[6])
{
    const double t = sqrt(sigma), x = a - t, y = b - t;
    if (x + y >= 0.0) {
        scholtes(x, y, 0.0, d);
        return;
    }
    d[0] = -0.5 * (x * x + y * y);
    d[1] = -x;
    d[2] = -y;
    d[3] = d[5] = -1.0;
    d[4] = 0.0;
}

/* a + b - sqrt(a^2 + b^2 + 2 sigma) */
static void fischer_burmeister(double a, double b, double sigma, double d[6])
{
    const double R = sqrt(a * a + b * b + 2.0 * sigma), R3 = R * R * R;
    d[0] = a + b - R;
    d[1] = 1.0 - a / R;
    d[2] = 1.0 - b / R;
    d[3] = -1.0 / R + a * a / R3;
    d[4] = a * b / R3;
    d[5] = -1.0 / R + b * b / R3;
}

/* mpcc.md 1 and 3 */
void relax_psi(enum relax_kind kind, double a, double b, double sigma, double d[6])
{
    switch (kind) {
    case RELAX_SCHOLTES:
    case RELAX_LIN_FUKUSHIMA:       scholtes(a, b, sigma, d); return;
    case RELAX_STEFFENSEN_ULBRICH:  steffensen_ulbrich(a, b, sigma, d); return;
    case RELAX_KANZOW_SCHWARTZ:     kanzow_schwartz(a, b, sigma, d); return;
    case RELAX_FISCHER_BURMEISTER:  fischer_burmeister(a, b, sigma, d); return;
    }
}

void relax_lin_fukushima_second(double a, double b, double sigma, double d[6])
{
    const double t = sqrt(sigma);
    scholtes(a + t, b + t, sigma, d);
    for (int k = 0; k < 6; k++)
        d[k] = -d[k];
}

void relax_two_sided(bool is_second, double a, double b, double sigma, double d[6])
{
    scholtes(a, b, 0.0, d);
    for (int k = 0; k < 6 && is_second; k++)
        d[k] = -d[k];
    d[0] -= sigma;
}
