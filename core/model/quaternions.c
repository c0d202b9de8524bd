#include "core/model/quaternions.h"

#include <math.h>

void quaternions_normalize(const struct model *m, double *x)
{
    for (int k = 0; k < m->mechanics.n_rotation; k++) {
        const int *index = m->mechanics.q_index + m->mechanics.rotation[k].q;
        double sum = 0;
        for (int i = 0; i < 4 && m->mechanics.rotation[k].n == 4; i++)
            sum += x[index[i]] * x[index[i]];
        for (int i = 0; i < 4 && sum > 0; i++)
            x[index[i]] /= sqrt(sum);
    }
}
