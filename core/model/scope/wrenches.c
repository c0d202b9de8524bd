/* core/model/scope/wrenches.c - what a foot presses with: forces of all contacts of one entry, of a patch or of a
 * shape
 *
 * With the places c of its contacts, normals n and tangents t there, o the origin of the frame that it names:
 *
 *   force = sum n lambda_n + sum t lambda_t,   moment = sum (c - o) x those of each contact + n lambda_t3,
 *   normal_force = sum lambda_n,               cop = sum lambda_n R'(c - o)/sum lambda_n
 *
 * on the body of the frame; force and moment along the axes of the world, the centre of pressure along those of
 * the frame.
 */
#include "core/model/scope/reader.h"

#include "core/model/rotation.h"

#include <string.h>

static const double NO_FORCE = 1e-6; /* N: pressed by less than a thousand of these, no centre of pressure */

static const char *const parts[] = { "force.x",  "force.y", "force.z", "moment.x",    "moment.y",
                                     "moment.z", "cop.x",   "cop.y",   "normal_force" };
enum { FORCE = 0, MOMENT = 3, COP = 6, NORMAL = 8, N_PART };

static int find_part(const char *part)
{
    int k = 0;
    while (k < N_PART && strcmp(parts[k], part) != 0)
        k++;
    return k;
}

bool wrench_is_meant(const char *part)
{
    return find_part(part) < N_PART;
}

struct wrench {
    expr force[3], moment[3], normal, pressed[2];
};

static void add(struct expr_graph *g, const expr *a, expr factor, expr *sum)
{
    for (int i = 0; i < 3; i++)
        sum[i] = expr_add(g, sum[i], expr_mul(g, factor, a[i]));
}

static void add_contact(struct reader *r, int c, struct wrench *to)
{
    const struct model *m = r->model;
    const struct model_contact *contact = &m->contacts.contact[c];
    const expr *lambda = m->contacts.force_sym + (size_t)CONTACT_ROWS * (size_t)c, one = expr_const(r->g, 1);
    expr force[3], arm[3], moment[3];
    for (int i = 0; i < 3; i++) {
        force[i] = expr_mul(r->g, lambda[0], contact->axis[0][i]);
        arm[i] = expr_sub(r->g, contact->place[i], contact->from[i]);
    }
    for (int k = 0; k < contact->n_t && k < 2; k++)
        add(r->g, contact->axis[1 + k], expr_mul(r->g, contact->weight[k], lambda[1 + k]), force);
    rotation_cross(r->g, arm, force, moment);
    if (contact->n_t > 2)
        add(r->g, contact->axis[0], expr_mul(r->g, contact->weight[2], lambda[3]), moment);
    add(r->g, force, one, to->force);
    add(r->g, moment, one, to->moment);
    to->normal = expr_add(r->g, to->normal, lambda[0]);
    for (int i = 0; i < 2; i++)
        to->pressed[i] =
            expr_add(r->g, to->pressed[i], expr_mul(r->g, lambda[0], expr_dot(r->g, 3, contact->R + 3 * i, arm)));
}

/* Where nothing presses it is the origin. */
static expr pressure_at(struct expr_graph *g, expr pressed, expr normal)
{
    const expr square = expr_add(g, expr_square(g, normal), expr_const(g, NO_FORCE * NO_FORCE));
    return expr_div(g, expr_mul(g, pressed, normal), square);
}

expr reader_wrench(struct reader *r, int contact, const char *part, struct srcpos pos)
{
    struct model *m = r->model;
    const struct spec_node here = { .pos = pos, .path = r->path };
    const char *family = m->contacts.contact[contact].family;
    const expr zero = expr_const(r->g, 0);
    const int k = find_part(part);
    struct wrench sum = { { zero, zero, zero }, { zero, zero, zero }, zero, { zero, zero } };
    if (reader_is_broken(r, m->contacts.contact[contact].gap))
        return r->broken;
    if (m->contacts.contact[contact].axis[0][0] == EXPR_NONE) {
        spec_error(r->diag, &here,
                   "\"%s.%s\": of a contact of a point, a frame or a shape in space it is known where and along "
                   "what it acts; of this one lambda_n and lambda_t are",
                   family, part);
        return r->broken;
    }
    for (int c = 0; c < m->contacts.n_contact; c++)
        if (strcmp(m->contacts.contact[c].family, family) == 0)
            add_contact(r, c, &sum);
    m->contacts.has_forces = true;
    return k < MOMENT   ? sum.force[k - FORCE]
           : k < COP    ? sum.moment[k - MOMENT]
           : k < NORMAL ? pressure_at(r->g, sum.pressed[k - COP], sum.normal)
                        : sum.normal;
}
