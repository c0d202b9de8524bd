/* core/model/mechanics/momentum.c - mass, centre of mass and momentum of each tree, by the name of its root
 *
 *   com = sum m c / m,   momentum P = sum m c',   angular_momentum = sum c x m c' + R I w - com x P, about com
 *
 * along the axes of the world, with the places c of the centres of mass.
 */
#include "core/model/mechanics/joint_tree.h"

#include "core/base/mem.h"
#include "core/model/mechanics/read.h"
#include "core/model/rotation.h"

#include <stdlib.h>
#include <string.h>

struct sums {
    expr mass, first[3], P[3], L[3];
};

static void add_body(struct expr_graph *g, const struct model_body *body, struct sums *sums)
{
    expr c[3], arm[3], turn[3], rate[3], P[3], L[3], Iw[3], spin[3];
    rotation_apply(g, body->R, body->center, arm);
    rotation_cross(g, body->spin, body->center, turn);
    rotation_apply(g, body->R, turn, rate);
    for (int i = 0; i < 3; i++) {
        c[i] = expr_add(g, body->origin[i], arm[i]);
        P[i] = expr_mul(g, body->mass, expr_add(g, body->velocity[i], rate[i]));
        sums->first[i] = expr_add(g, sums->first[i], expr_mul(g, body->mass, c[i]));
        sums->P[i] = expr_add(g, sums->P[i], P[i]);
    }
    sums->mass = expr_add(g, sums->mass, body->mass);
    rotation_cross(g, c, P, L);
    rotation_apply(g, body->inertia, body->spin, Iw);
    rotation_apply(g, body->R, Iw, spin);
    for (int i = 0; i < 3; i++)
        sums->L[i] = expr_add(g, sums->L[i], expr_add(g, L[i], spin[i]));
}

static void name(struct reader *r, const char *body, struct sums *sums)
{
    static const char *const axis[] = { "x", "y", "z" };
    expr com[3], turn[3];
    if (expr_is_zero(r->g, sums->mass))
        return;
    for (int i = 0; i < 3; i++)
        com[i] = expr_div(r->g, sums->first[i], sums->mass);
    rotation_cross(r->g, com, sums->P, turn);
    reader_add_quantity(r, arena_printf(r->mem, "%s.total_mass", body), sums->mass);
    for (int i = 0; i < 3; i++) {
        reader_add_quantity(r, arena_printf(r->mem, "%s.com.%s", body, axis[i]), com[i]);
        reader_add_quantity(r, arena_printf(r->mem, "%s.momentum.%s", body, axis[i]), sums->P[i]);
        reader_add_quantity(r, arena_printf(r->mem, "%s.angular_momentum.%s", body, axis[i]),
                            expr_sub(r->g, sums->L[i], turn[i]));
    }
}

void joint_name_momentum(struct reader *r, const int *order)
{
    const struct model_mechanics *all = &r->model->mechanics;
    struct sums *sums = mem_alloc((size_t)all->n_body, sizeof *sums);
    int *root = mem_alloc((size_t)all->n_body, sizeof *root);
    for (int k = 0; k < all->n_body; k++) {
        const int b = order[k], parent = all->body[b].parent;
        const expr zero = expr_const(r->g, 0);
        root[b] = parent >= 0 ? root[parent] : b;
        sums[b] = (struct sums){ zero, { zero, zero, zero }, { zero, zero, zero }, { zero, zero, zero } };
        if (joint_is_meant(r, b))
            add_body(r->g, &all->body[b], &sums[root[b]]);
    }
    for (int b = 0; b < all->n_body; b++)
        if (joint_is_meant(r, b) && root[b] == b)
            name(r, all->body[b].name, &sums[b]);
    free(sums);
    free(root);
}
