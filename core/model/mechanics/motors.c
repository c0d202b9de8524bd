/* core/model/mechanics/motors.c - torque and power of the drives of joints, and the power of all those of a tree
 *
 *   power = torque velocity,  of a tree the sum of those of its joints; what a drive takes up counts below zero
 */
#include "core/model/mechanics/joint_tree.h"

#include "core/base/mem.h"
#include "core/model/mechanics/read.h"

#include <stdlib.h>

/* A drive that acts by impulses has no torque at a time. */
static bool has_torque(struct reader *r, const struct model_joint *joint)
{
    return joint->control && known_names_find(r->names, r->model, joint->control).kind != NAME_IMPULSE;
}

static expr name_drive(struct reader *r, const struct model_joint *joint)
{
    const expr torque = joint_drive(r, joint), power = expr_mul(r->g, torque, r->model->x_sym[joint->v[0]]);
    reader_add_quantity(r, arena_printf(r->mem, "%s.torque", joint->name), torque);
    reader_add_quantity(r, arena_printf(r->mem, "%s.power", joint->name), power);
    return power;
}

void joint_name_motors(struct reader *r, const int *order)
{
    const struct model_mechanics *all = &r->model->mechanics;
    int *root = mem_alloc((size_t)all->n_body, sizeof *root);
    expr *sum = mem_alloc((size_t)all->n_body, sizeof *sum);
    for (int b = 0; b < all->n_body; b++)
        sum[b] = EXPR_NONE;
    for (int k = 0; k < all->n_body; k++) {
        const int b = order[k], parent = all->body[b].parent;
        root[b] = parent >= 0 ? root[parent] : b;
        if (!joint_is_meant(r, b) || !has_torque(r, &all->joint[b]))
            continue;
        const expr power = name_drive(r, &all->joint[b]);
        sum[root[b]] = sum[root[b]] == EXPR_NONE ? power : expr_add(r->g, sum[root[b]], power);
    }
    for (int b = 0; b < all->n_body; b++)
        if (sum[b] != EXPR_NONE)
            reader_add_quantity(r, arena_printf(r->mem, "%s.total_power", all->body[b].name), sum[b]);
    free(root);
    free(sum);
}
