#include "core/stability/rest.h"

#include "core/base/pi.h"
#include "core/expression/trace.h"
#include "core/stability/vec3.h"

#include <math.h>
#include <string.h>

static const double FORM_TOL = 1e-9;        /* of normal and tangent as unit vectors, and of equal masses */

/* --- Values at rest ------------------------------------------------------------------------------------------ */

static bool is_one_of(int n, const int *index, int k)
{
    for (int i = 0; i < n; i++)
        if (index[i] == k)
            return true;
    return false;
}

static double within(const struct model_var *var, double value)
{
    return fmax(var->lb, fmin(var->ub, value));
}

static double guess_of(const struct model_var *var)
{
    return within(var, isnan(var->guess) ? 0 : var->guess);
}

/* Velocities are 0, whatever the spec says; other states (actuators) start where it says. */
static enum status set_point(struct rest *rest, struct diag *diag)
{
    const struct model *model = rest->model;
    enum status st = STATUS_OK;
    rest->at = inputs_create(model, NULL, 0, NULL, &rest->mem);
    for (int k = 0; k < model->n_u; k++)
        rest->at.value[model->n_x + k] = guess_of(&model->u[k]);
    for (int k = 0; k < model->n_x; k++) {
        const struct model_var *x = &model->x[k];
        const bool is_position = is_one_of(model->mechanics.n_position, model->mechanics.q_index, k);
        double val = x->initial.kind == END_FIXED ? x->initial.lo : guess_of(x);
        if (is_one_of(model->mechanics.n_q, model->mechanics.v_index, k))
            val = 0;
        if (is_position && x->initial.kind != END_FIXED)
            st = diag_error(diag, x->initial.kind == END_MISSING ? x->pos : x->initial.pos, x->path,
                            "certify looks at one equilibrium: \"initial\" must be a value");
        rest->at.value[k] = val;
    }
    return st;
}

double rest_value(const struct rest *rest, expr e)
{
    return expr_eval(rest->model->graph, e, rest->at.n, rest->at.sym, rest->at.value);
}

/* --- One planar body? ---------------------------------------------------------------------------------------- */

static bool no_body(struct verdict *verdict, const char *what)
{
    verdict_set(verdict, CERTIFY_INCONCLUSIVE, "model", NAN,
                "not a single planar body in coordinates of its centre of mass and its angle: %s", what);
    return false;
}

static bool is_near(double a, double b)
{
    return fabs(a - b) <= FORM_TOL * fmax(fabs(a), fabs(b));
}

/* Closed contacts, their gradients by `place`. False: a tangent is missing. */
static bool read_contacts(struct rest *rest, double gap_tol)
{
    const struct model *model = rest->model;
    rest->n_contact = 0;
    for (int c = 0; c < model->contacts.n_contact; c++) {
        const struct model_contact *contact = &model->contacts.contact[c];
        struct rest_contact *out = &rest->contact[rest->n_contact];
        if (!(rest_value(rest, contact->gap) <= gap_tol))
            continue;
        if (contact->n_t != 1)
            return false;
        *out = (struct rest_contact){ .index = c };
        for (int k = 0; k < 3; k++) {
            out->n[k] = rest_value(rest, contact->J_n[rest->place[k]]);
            out->t[k] = rest_value(rest, contact->J_t[rest->place[k]]);
        }
        rest->n_contact++;
    }
    return true;
}

/* n_yz to length 1, t to (n_z, -n_y): by the same factor, as forces and not lengths are what is paired. */
static bool normalize_contact(struct rest_contact *contact)
{
    const double a = hypot(contact->n[0], contact->n[1]);
    for (int k = 0; k < 3; k++) {
        contact->n[k] /= a;
        contact->t[k] /= a;
    }
    const double turn = contact->t[0] * contact->n[1] - contact->t[1] * contact->n[0];
    for (int k = 0; k < 3 && turn < 0; k++)
        contact->t[k] = -contact->t[k];
    return a > 0 && fabs(contact->t[0] - contact->n[1]) <= FORM_TOL &&
           fabs(contact->t[1] + contact->n[0]) <= FORM_TOL;
}

/* With coordinate `angle` as the angle: are masses and contacts those of a body? */
static bool fits(struct rest *rest, const double *M, int angle, double gap_tol)
{
    const int y = angle == 0 ? 1 : 0, z = angle == 2 ? 1 : 2;
    memcpy(rest->place, (int[3]){ y, z, angle }, sizeof rest->place);
    rest->mass = M[y + 3 * y];
    rest->inertia = M[angle + 3 * angle];
    if (!is_near(M[y + 3 * y], M[z + 3 * z]) || !read_contacts(rest, gap_tol))
        return false;
    for (int c = 0; c < rest->n_contact; c++)
        if (!normalize_contact(&rest->contact[c]))
            return false;
    return true;
}

static bool find_body(struct rest *rest, double gap_tol, struct verdict *verdict)
{
    const struct model *model = rest->model;
    double M[9], largest = 0;
    if (model->mechanics.n_rotation > 0)
        return no_body(verdict, "it turns in space");
    if (model->mechanics.loops.n > 0)
        return no_body(verdict, "it has closed loops");
    if (model->mechanics.n_q != 3)
        return no_body(verdict, "it needs three coordinates");
    for (int k = 0; k < 9; k++) {
        M[k] = rest_value(rest, model->mechanics.M[k]);
        largest = fmax(largest, fabs(M[k]));
    }
    for (int k = 0; k < 9; k++)
        if (k % 4 != 0 && fabs(M[k]) > FORM_TOL * largest)
            return no_body(verdict, "the mass matrix is not diagonal");
    for (int angle = 2; angle >= 0; angle--)
        if (fits(rest, M, angle, gap_tol))
            return true;
    return no_body(verdict, "no two coordinates have equal masses and normals and tangents at right angles (a contact "
                            "needs a gap and a tangent that are lengths)");
}

static bool read_load(struct rest *rest, struct verdict *verdict)
{
    const struct model *model = rest->model;
    for (int k = 0; k < 3; k++) {
        const expr f = model->mechanics.f_v[rest->place[k]];
        if (expr_find_nonsmooth(model->graph, f) != EXPR_NONE) {
            verdict_set(verdict, CERTIFY_INCONCLUSIVE, "model", NAN, "the force on %s is not smooth (sign, abs, "
                        "if, ...): it has no zero-order dynamics",
                        model->x[model->mechanics.q_index[rest->place[k]]].name);
            return false;
        }
        rest->load[k] = rest_value(rest, f);
    }
    return true;
}

static enum status check_finite(const struct rest *rest, struct diag *diag)
{
    const struct model *model = rest->model;
    enum status st = STATUS_OK;
    char text[256];
    for (int k = 0; k < model->mechanics.n_q; k++) {
        const struct srcpos pos = expr_trace(model->graph, model->mechanics.f_v[k], rest->at.n, rest->at.sym,
                                             rest->at.value, text, sizeof text);
        if (*text)
            st = diag_error(diag, pos.line ? pos : model->mechanics.f_v_pos[k], "dynamics.force", "at rest: %s",
                            text);
    }
    for (int k = 0; k < model->mechanics.n_q * model->mechanics.n_q; k++)
        if (!isfinite(rest_value(rest, model->mechanics.M[k])))
            return diag_error(diag, model->mechanics.f_v_pos[0], "dynamics",
                              "the mass matrix is not finite at the equilibrium");
    for (int c = 0; c < model->contacts.n_contact; c++)
        if (!isfinite(rest_value(rest, model->contacts.contact[c].gap)))
            st = diag_error(diag, model->contacts.contact[c].pos, model->contacts.contact[c].path,
                            "the gap is not finite at the "
                            "equilibrium");
    return st;
}

enum status rest_read(struct model *model, double gap_tol, struct rest *rest, bool *is_body,
                      struct verdict *verdict, struct diag *diag)
{
    *rest = (struct rest){ .model = model };
    *is_body = false;
    if (model->dynamics.type != MODEL_MECHANICAL) {
        verdict_set(verdict, CERTIFY_INCONCLUSIVE, "model", NAN,
                    "certify needs a mechanical system with contacts");
        return STATUS_OK;
    }
    enum status st = set_point(rest, diag);
    if (st == STATUS_OK)
        st = check_finite(rest, diag);
    if (st != STATUS_OK)
        return st;
    rest->contact = arena_alloc(&rest->mem, (size_t)model->contacts.n_contact + 1, sizeof *rest->contact);
    *is_body = find_body(rest, gap_tol, verdict) && read_load(rest, verdict);
    return STATUS_OK;
}

void rest_free(struct rest *rest)
{
    arena_free(&rest->mem);
}

/* --- Three and more contacts --------------------------------------------------------------------------------- */

/* The foot of a contact, from the centre of mass: l = n_th cos phi + t_th sin phi, -h = n_th sin phi - t_th cos
 * phi with n = (-sin phi, cos phi). */
static void foot_of(const struct rest_contact *contact, double foot[2])
{
    foot[0] = contact->n[2] * contact->n[1] - contact->t[2] * contact->n[0];
    foot[1] = -contact->n[2] * contact->n[0] - contact->t[2] * contact->n[1];
}

bool rest_keep_outer(struct rest *rest)
{
    const struct rest_contact *first = &rest->contact[0];
    double origin[2], least = 0, largest = 0, size = 0;
    int low = 0, high = 0;
    foot_of(first, origin);
    for (int c = 1; c < rest->n_contact; c++) {
        double foot[2];
        foot_of(&rest->contact[c], foot);
        const double dx = foot[0] - origin[0], dy = foot[1] - origin[1],
                     along = dx * first->n[1] - dy * first->n[0];
        size = fmax(size, hypot(dx, dy));
        if (along < least)
            least = along, low = c;
        if (along > largest)
            largest = along, high = c;
        if (fabs(rest->contact[c].n[0] - first->n[0]) > FORM_TOL ||
            fabs(rest->contact[c].n[1] - first->n[1]) > FORM_TOL)
            return false;
    }
    const struct rest_contact outer[2] = { rest->contact[low], rest->contact[high] };
    double a[2], b[2];
    foot_of(&outer[0], a);
    foot_of(&outer[1], b);
    for (int c = 0; c < rest->n_contact; c++) {
        double foot[2];
        foot_of(&rest->contact[c], foot);
        const double off = (foot[0] - a[0]) * (b[1] - a[1]) - (foot[1] - a[1]) * (b[0] - a[0]);
        if (fabs(off) > FORM_TOL * size * size)
            return false;
    }
    memcpy(rest->contact, outer, sizeof outer);
    rest->n_contact = 2;
    return true;
}

/* --- Two contacts -------------------------------------------------------------------------------------------- */

/* Which of the feet comes first along the foot line, seen with the normals up; psi: its angle. */
static int order_feet(double foot[2][2], const double phi[2], double *psi)
{
    for (int first = 0; first < 2; first++) {
        const int last = 1 - first;
        *psi = atan2(foot[last][1] - foot[first][1], foot[last][0] - foot[first][0]);
        if (cos(phi[0] - *psi) + cos(phi[1] - *psi) > 0)
            return first;
    }
    return 0;
}

/* An angle to (-pi, pi]; what is 0 stays 0. */
static double wrapped(double angle)
{
    return angle > PI ? angle - 2 * PI : angle <= -PI ? angle + 2 * PI : angle;
}

bool rest_body(const struct rest *rest, struct body *body, const char *name[2], struct verdict *verdict)
{
    const double rho = sqrt(rest->inertia / rest->mass);
    double foot[2][2], phi[2], psi, g[3];
    for (int c = 0; c < 2; c++) {
        foot_of(&rest->contact[c], foot[c]);
        phi[c] = atan2(-rest->contact[c].n[0], rest->contact[c].n[1]);
    }
    const int first = order_feet(foot, phi, &psi);
    const double cp = cos(psi), sp = sin(psi);
    memcpy(g,
           (double[3]){rest->load[0] / rest->mass, rest->load[1] / rest->mass, rest->load[2] / (rest->mass * rho)},
           sizeof g);
    const double size = sqrt(dot3(g, g));
    for (int i = 0; i < 2; i++) {
        const int c = i == 0 ? first : 1 - first;
        const struct model_contact *contact = &rest->model->contacts.contact[rest->contact[c].index];
        body->l[i] = (foot[c][0] * cp + foot[c][1] * sp) / rho;
        body->phi[i] = wrapped(phi[c] - psi);
        body->mu[i] = contact->mu;
        body->e[i] = contact->e;
        name[i] = contact->name;
    }
    body->h = (foot[first][0] * sp - foot[first][1] * cp) / rho;
    body->g[0] = (g[0] * cp + g[1] * sp) / size;
    body->g[1] = (g[1] * cp - g[0] * sp) / size;
    body->g[2] = g[2] / size;
    if (!(size > 0))
        verdict_set(verdict, CERTIFY_INCONCLUSIVE, "load", 0, "there is no load at the equilibrium");
    else if (!(body->l[1] - body->l[0] > FORM_TOL))
        verdict_set(verdict, CERTIFY_INCONCLUSIVE, "contacts", body->l[1] - body->l[0],
                    "%s and %s are the same point", name[0], name[1]);
    else
        return true;
    return false;
}
