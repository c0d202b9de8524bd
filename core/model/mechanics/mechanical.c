/* core/model/mechanics/mechanical.c - M(q) v' = f_v from energies, or as mass matrix and forces are written
 *
 * Energies: with momenta p_i = dT/dv_i, Lagrange's equations d/dt p_i - dT/dq_i + dV/dq_i = F_i become
 *   M_ij = d2T/dv_i dv_j,   f_v_i = F_i + dT/dq_i - dV/dq_i - sum_j (d p_i/dq_j) v_j.
 * With q' = N v they are Hamel's: N'd/dq in place of d/dq, N v in place of v, and p x w for the momenta p of an
 * angular velocity w along the axes of a body.
 */
#include "core/model/mechanics/read.h"

#include "core/base/mem.h"
#include "core/expression/diff.h"
#include "core/model/kinematics.h"
#include "core/model/mechanics/joint_tree.h"
#include "core/model/rotation.h"
#include "core/model/shapes.h"

#include <math.h>
#include <stdlib.h>

static expr *place(const struct model *m, int row, int col)
{
    return &m->mechanics.M[row + col * m->mechanics.n_q];
}

/* Every entry of M is e. */
static void fill_mass(const struct model *m, expr e)
{
    for (int i = 0; i < m->mechanics.n_q * m->mechanics.n_q; i++)
        m->mechanics.M[i] = e;
}

static bool mass_is_broken(const struct reader *r)
{
    const struct model *m = r->model;
    for (int i = 0; i < m->mechanics.n_q * m->mechanics.n_q; i++)
        if (reader_is_broken(r, m->mechanics.M[i]))
            return true;
    return false;
}

/* --- Energies ----------------------------------------------------------------------------------------------- */
static const char *const energy_hint = "energies must be smooth: friction and switching forces go in \"force\"";

/* An energy, or zero if it is absent; r->broken after an error. */
static expr read_energy(struct reader *r, const struct spec_node *node, int allowed, const char *what)
{
    return node ? reader_smooth(r, node, energy_hint, allowed, what) : expr_const(r->g, 0);
}

/* The kinetic energy is v'M(q)v/2: second derivatives without v, and nothing left at v = 0. */
static enum status check_quadratic(struct reader *r, const struct spec_node *node, expr kinetic,
                                   const expr *momentum, const expr *v)
{
    const struct model *m = r->model;
    expr *zero = mem_alloc((size_t)m->mechanics.n_q, sizeof *zero);
    for (int i = 0; i < m->mechanics.n_q; i++)
        zero[i] = expr_const(r->g, 0);
    enum status st = STATUS_OK;
    for (int i = 0; i < m->mechanics.n_q * m->mechanics.n_q && st == STATUS_OK; i++)
        if (expr_depends(r->g, m->mechanics.M[i], m->mechanics.n_q, v))
            st = spec_error(r->diag, node, "must be quadratic in the velocities; its second derivative by %s "
                            "and %s depends on them", m->x[m->mechanics.v_index[i % m->mechanics.n_q]].name,
                            m->x[m->mechanics.v_index[i / m->mechanics.n_q]].name);
    expr rest = kinetic;
    if (st == STATUS_OK) {
        expr_substitute(r->g, 1, &kinetic, m->mechanics.n_q, v, zero, &rest);
        if (!model_is_zero(r->model, rest))
            st = spec_error(r->diag, node, "must be quadratic in the velocities; at rest it is not zero");
    }
    for (int i = 0; i < m->mechanics.n_q && st == STATUS_OK; i++) {
        expr_substitute(r->g, 1, &momentum[i], m->mechanics.n_q, v, zero, &rest);
        if (!model_is_zero(r->model, rest))
            st = spec_error(r->diag, node, "must be quadratic in the velocities; it has a term linear in %s",
                            m->x[m->mechanics.v_index[i]].name);
    }
    free(zero);
    return st;
}

static void set_mass(struct reader *r, expr kinetic, const expr *v)
{
    const struct model *m = r->model;
    fill_mass(m, expr_const(r->g, 0));
    struct expr_sparse hessian = expr_hessian(r->g, kinetic, m->mechanics.n_q, v);
    for (int k = 0; k < hessian.nnz; k++)
        *place(m, hessian.row[k], hessian.col[k]) = *place(m, hessian.col[k], hessian.row[k]) = hessian.val[k];
    expr_sparse_free(&hessian);
}

/* What energies are written by: the text, or the bodies that bring theirs; NULL: neither. */
static const struct spec_node *energy_node(const struct reader *r, const struct spec_node *block)
{
    const struct spec_node *kinetic = spec_get(block, "kinetic");
    return kinetic || !r->model->mechanics.n_body ? kinetic : spec_get(r->root, "bodies");
}

/* Angular momenta turn with their body: p x w is what its axes make of p. */
static void add_gyroscopic(struct reader *r, const expr *momentum)
{
    const struct model *m = r->model;
    for (int k = 0; k < m->mechanics.n_rotation; k++) {
        const int v = m->mechanics.rotation[k].v;
        expr turn[3];
        rotation_cross(r->g, momentum + v, reader_symbols(r, 3, m->mechanics.v_index + v), turn);
        for (int i = 0; i < 3; i++)
            m->mechanics.f_v[v + i] = expr_add(r->g, m->mechanics.f_v[v + i], turn[i]);
    }
}

/* Adds what the energies contribute to f_v. */
static void read_energies(struct reader *r, const struct spec_node *block)
{
    struct model *m = r->model;
    const struct spec_node *node = energy_node(r, block);
    const expr *v = reader_symbols(r, m->mechanics.n_q, m->mechanics.v_index);
    const expr written = read_energy(r, spec_get(block, "kinetic"), USES_POSITIONS | USES_VELOCITIES,
                                     "the kinetic energy, a function of positions and velocities,");
    const expr kinetic = expr_add(r->g, written, model_bodies_kinetic(r));
    const expr potential = read_energy(r, spec_get(block, "potential"), USES_POSITIONS,
                                       "the potential energy, a function of positions,");
    if (reader_is_broken(r, kinetic) || !r->model->mechanics.coordinates_known) {
        fill_mass(r->model, r->broken);
        return;
    }
    expr *momentum = mem_alloc((size_t)m->mechanics.n_q, sizeof *momentum);
    expr *lagrangian_q = mem_alloc((size_t)m->mechanics.n_q, sizeof *lagrangian_q);
    set_mass(r, kinetic, v);
    expr_gradient(r->g, kinetic, m->mechanics.n_q, v, momentum);
    if (check_quadratic(r, node, kinetic, momentum, v) != STATUS_OK)
        fill_mass(r->model, r->broken);
    if (!reader_is_broken(r, potential)) {
        kinematics_gradient(m, expr_sub(r->g, kinetic, potential), lagrangian_q);
        for (int i = 0; i < m->mechanics.n_q; i++) {
            const expr coriolis = kinematics_rate(m, momentum[i]);
            m->mechanics.f_v[i] = expr_add(r->g, m->mechanics.f_v[i], expr_sub(r->g, lagrangian_q[i], coriolis));
        }
        add_gyroscopic(r, momentum);
    }
    free(momentum);
    free(lagrangian_q);
}

/* --- Mass matrix -------------------------------------------------------------------------------------------- */
static expr read_entry(struct reader *r, const struct spec_node *node)
{
    return reader_smooth(r, node, "masses must be smooth", USES_POSITIONS,
                         "the mass matrix, a function of positions,");
}

static void read_diagonal(struct reader *r, const struct spec_node *node)
{
    const struct model *m = r->model;
    const int n = m->mechanics.n_q - m->contacts.n_load;
    if (node->kind != SPEC_SEQUENCE || node->n != n) {
        if (r->model->mechanics.coordinates_known)
            spec_error(r->diag, node, "expected a list of %d masses, one per coordinate", n);
        fill_mass(r->model, r->broken);
        return;
    }
    for (int i = 0; i < n; i++)
        *place(m, i, i) = read_entry(r, node->child[i]);
}

static void check_symmetric(struct reader *r, const struct spec_node *node)
{
    const struct model *m = r->model;
    for (int i = 0; i < m->mechanics.n_q - m->contacts.n_load; i++)
        for (int j = 0; j < i; j++) {
            const expr a = *place(m, i, j), b = *place(m, j, i);
            if (a != b && !reader_is_broken(r, a) && !reader_is_broken(r, b)
                && !model_is_zero(r->model, expr_sub(r->g, a, b))) {
                spec_error(r->diag, node->child[i]->child[j], "must be symmetric: entry (%d, %d) differs from "
                           "entry (%d, %d)", i + 1, j + 1, j + 1, i + 1);
                *place(m, i, j) = r->broken;
            }
        }
}

static void read_rows(struct reader *r, const struct spec_node *node)
{
    const struct model *m = r->model;
    const int n = m->mechanics.n_q - m->contacts.n_load;
    bool good = node->kind == SPEC_SEQUENCE && node->n == n;
    for (int i = 0; good && i < n; i++)
        good = node->child[i]->kind == SPEC_SEQUENCE && node->child[i]->n == n;
    if (!good) {
        if (r->model->mechanics.coordinates_known)
            spec_error(r->diag, node, "expected %d rows of %d entries, one per coordinate", n, n);
        fill_mass(r->model, r->broken);
        return;
    }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            *place(m, i, j) = read_entry(r, node->child[i]->child[j]);
    check_symmetric(r, node);
}

static void read_mass(struct reader *r, const struct spec_node *node)
{
    const struct model *m = r->model;
    fill_mass(m, expr_const(r->g, 0));
    const struct spec_node *rows = spec_get(node, "rows"), *diagonal = spec_get(node, "diag");
    shape_check_keys(r->diag, node, &model_mass_shape);
    if (rows && !diagonal) {
        read_rows(r, rows);
    } else if (diagonal && !rows) {
        read_diagonal(r, diagonal);
    } else {
        if (node->kind == SPEC_MAPPING)
            spec_error(r->diag, node, "needs either \"rows\" or \"diag\"");
        fill_mass(r->model, r->broken);
    }
}

/* --- Positive definite? ------------------------------------------------------------------------------------- */
/* Cholesky's factorization in place; the row where it breaks down, or -1. */
static int cholesky(int n, double *A)
{
    const double tol = 1e-12;       /* of a pivot, relative to its diagonal entry: below is rounding */
    for (int j = 0; j < n; j++) {
        double pivot = A[j + j * n];
        for (int k = 0; k < j; k++)
            pivot -= A[j + k * n] * A[j + k * n];
        if (!(pivot > tol * fabs(A[j + j * n])))
            return j;
        A[j + j * n] = sqrt(pivot);
        for (int i = j + 1; i < n; i++) {
            for (int k = 0; k < j; k++)
                A[i + j * n] -= A[i + k * n] * A[j + k * n];
            A[i + j * n] /= A[j + j * n];
        }
    }
    return -1;
}

static enum status check_definite(struct reader *r, const struct spec_node *node, enum model_when where)
{
    const struct model *m = r->model;
    const size_t n = (size_t)m->mechanics.n_q * (size_t)m->mechanics.n_q;
    double *A = mem_alloc(n, sizeof *A);
    bool finite = true;
    model_values_at(m, (int)n, m->mechanics.M, where, A);
    for (size_t i = 0; i < n; i++)
        finite = finite && isfinite(A[i]);
    const char *place_text = where == AT_GUESS ? "guess" : "initial values";
    const int row = finite ? cholesky(m->mechanics.n_q, A) : -1;
    free(A);
    if (!finite)
        return spec_error(r->diag, node, "the mass matrix is not finite at the %s", place_text);
    if (row < 0)
        return STATUS_OK;
    return spec_error(r->diag, node, "the mass matrix is not positive definite at the %s: no inertia is left for "
                      "\"%s\"", place_text, kinematics_name(m, row));
}

/* --- Forces ------------------------------------------------------------------------------------------------- */

static void read_force(struct reader *r, const struct spec_node *block)
{
    struct model *m = r->model;
    const struct spec_node *force = reader_block(r, block, "force");
    for (int i = 0; force && i < force->n; i++) {
        const struct spec_node *node = force->child[i];
        const int k = reader_coordinate_of(r, node);
        expr e;
        reader_expr(r, node, &e);
        if (k < 0)
            continue;
        m->mechanics.f_v[k] = e;
        m->mechanics.f_v_pos[k] = node->pos;
    }
    for (int i = 0; i < m->mechanics.n_q; i++)
        m->mechanics.f_v[i] = reader_phases_blend(r, "force", kinematics_name(m, i), m->mechanics.f_v[i]);
}

void model_read_mechanical(struct reader *r, const struct spec_node *block)
{
    struct model *m = r->model;
    m->mechanics.M = arena_alloc(r->mem, (size_t)m->mechanics.n_q * (size_t)m->mechanics.n_q,
                                 sizeof *m->mechanics.M);
    m->mechanics.f_v = arena_alloc(r->mem, (size_t)m->mechanics.n_q, sizeof *m->mechanics.f_v);
    m->mechanics.f_v_pos = arena_alloc(r->mem, (size_t)m->mechanics.n_q, sizeof *m->mechanics.f_v_pos);
    const struct spec_node *kinetic = energy_node(r, block), *mass = reader_given(block, "mass");
    for (int i = 0; i < m->mechanics.n_q; i++) {
        m->mechanics.f_v[i] = expr_const(r->g, 0);
        m->mechanics.f_v_pos[i] = kinetic ? kinetic->pos : block->pos;
    }
    read_force(r, block);
    if (mass && m->mechanics.n_body > 0)
        spec_error(r->diag, mass, "bodies bring their own masses: what else moves goes into \"kinetic\"");
    else if (mass && (kinetic || spec_get(block, "potential")))
        spec_error(r->diag, mass, "either energies (\"kinetic\", \"potential\") or \"mass\", not both");
    if (kinetic) {
        read_energies(r, block);
    } else if (mass) {
        read_mass(r, mass);
    } else {
        spec_error(r->diag, block, "needs \"kinetic\" (and \"potential\"), or \"mass\" and \"force\"");
        fill_mass(r->model, r->broken);
    }
    joint_add_dynamics(r);
    load_add_inertia(r);
    if (!mass_is_broken(r))
        loop_hold_motion(r);
    m->mechanics.M_is_constant = true;
    for (int i = 0; i < m->mechanics.n_q * m->mechanics.n_q; i++)
        m->mechanics.M_is_constant = m->mechanics.M_is_constant && expr_is_const(r->g, m->mechanics.M[i], NULL);
    const bool loops_missing =
        reader_given(r->root, "loops") && !m->mechanics.loops.P; /* what they hold may have no mass */
    if (!r->model->mechanics.coordinates_known || mass_is_broken(r) || loops_missing)
        return;
    if (check_definite(r, kinetic ? kinetic : mass, AT_GUESS) == STATUS_OK && !m->mechanics.M_is_constant)
        check_definite(r, kinetic ? kinetic : mass, AT_START);
}
