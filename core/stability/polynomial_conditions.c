#include "core/stability/polynomial_conditions.h"

#include "core/stability/vec3.h"

#include <math.h>
#include <stdio.h>
#include <string.h>


enum { X, GAP, V = 3, N_COORD = 6, MAX_REGION = 40 };

/* The coordinates as polynomials in the variables of one condition. */
struct state { struct poly at[N_COORD]; };

/* The inequalities of one condition, its variables and their ranges. */
struct region {
    int n, n_var;
    struct poly at_least_0[MAX_REGION];
    struct interval box[POLY_MAX_VAR];
};

struct maker {
    struct arena *mem;
    const struct zod *zod;
    bool original;
    double dual[3][3];                          /* q = X dual[0] + gap_1 dual[1] + gap_2 dual[2] */
    struct polynomial_conditions *out;
};

/* --- Small polynomials --------------------------------------------------------------------------------------- */

/* A quantity of magnitude `most` at most, by a new variable of the condition from -1 to 1. */
static struct poly variable(const struct maker *mk, struct region *region, double most)
{
    region->box[region->n_var] = iv_around(0, 1);
    return poly_monomial(mk->mem, monomial_power(region->n_var++, 1), most);
}

static struct poly scaled(const struct maker *mk, double c, struct poly a)
{
    return poly_add(mk->mem, (struct poly){ 0 }, c, a);
}

static struct poly square(const struct maker *mk, struct poly a)
{
    return poly_mul(mk->mem, a, a);
}

/* v += a direction */
static void add_direction(const struct maker *mk, struct poly *v, struct poly a, const double *direction)
{
    for (int k = 0; k < 3; k++)
        v[k] = poly_add(mk->mem, v[k], direction[k], a);
}

static struct poly row_times(const struct maker *mk, const double *row, const struct poly *v)
{
    struct poly sum = { 0 };
    for (int k = 0; k < 3; k++)
        sum = poly_add(mk->mem, sum, row[k], v[k]);
    return sum;
}

static double length(const double *a)
{
    return sqrt(dot3(a, a));
}

/* --- Regions ------------------------------------------------------------------------------------------------- */

static void require(struct region *region, struct poly g)
{
    region->at_least_0[region->n++] = g;
}

/* All products of two of the inequalities so far. */
static void require_products(const struct maker *mk, struct region *region)
{
    const int n = region->n;
    for (int a = 0; a < n; a++)
        for (int b = 0; b < a; b++)
            if (region->n < MAX_REGION)
                require(region, poly_mul(mk->mem, region->at_least_0[a], region->at_least_0[b]));
}

/* 1 - x'x >= 0, SOS (76). */
static void require_ball(const struct maker *mk, struct region *region, const struct state *state)
{
    struct poly ball = poly_constant(mk->mem, 1);
    for (int k = 0; k < 3; k++) {
        struct poly q = { 0 };
        for (int c = 0; c < 3; c++)
            q = poly_add(mk->mem, q, mk->dual[c][k], state->at[c]);
        ball = poly_add(mk->mem, ball, -1, square(mk, q));
        ball = poly_add(mk->mem, ball, -1, square(mk, state->at[V + k]));
    }
    require(region, ball);
}

/* --- V at states --------------------------------------------------------------------------------------------- */

static struct poly unit_function(const struct maker *mk, int k)
{
    return poly_monomial(mk->mem, mk->out->monomial[k], 1);
}

static struct sos_part *new_parts(const struct maker *mk)
{
    struct sos_part *part = arena_alloc(mk->mem, (size_t)mk->out->n_unknown, sizeof *part);
    for (int k = 0; k < mk->out->n_unknown; k++)
        part[k].unknown = k;
    return part;
}

/* The coefficient of X that V has without being asked: 1 in the improved test. */
static double coefficient_of_X(const struct maker *mk)
{
    return mk->original ? 0 : 1;
}

/* V(before) - V(after). */
static struct sos_affine drop(const struct maker *mk, const struct state *before, const struct state *after)
{
    struct sos_part *part = new_parts(mk);
    for (int k = 0; k < mk->out->n_unknown; k++)
        part[k].poly = poly_add(mk->mem, poly_substitute(mk->mem, unit_function(mk, k), N_COORD, before->at), -1,
                                poly_substitute(mk->mem, unit_function(mk, k), N_COORD, after->at));
    const struct poly of_X = poly_add(mk->mem, before->at[X], -1, after->at[X]);
    return (struct sos_affine){ scaled(mk, coefficient_of_X(mk), of_X), mk->out->n_unknown, part };
}

/* -dV/dt with the acceleration a. */
static struct sos_affine fall(const struct maker *mk, const struct state *state, const double *a)
{
    struct sos_part *part = new_parts(mk);
    struct poly rate[N_COORD] = { row_times(mk, mk->zod->tau, &state->at[V]) };
    for (int i = 0; i < 2; i++)
        rate[GAP + i] = row_times(mk, mk->zod->n[i], &state->at[V]);
    for (int k = 0; k < 3; k++)
        rate[V + k] = poly_constant(mk->mem, a[k]);
    for (int k = 0; k < mk->out->n_unknown; k++)
        for (int c = 0; c < N_COORD; c++) {
            const struct poly slope = poly_derivative(mk->mem, unit_function(mk, k), c);
            const struct poly there = poly_substitute(mk->mem, slope, N_COORD, state->at);
            part[k].poly = poly_add(mk->mem, part[k].poly, -1, poly_mul(mk->mem, there, rate[c]));
        }
    return (struct sos_affine){ scaled(mk, -coefficient_of_X(mk), rate[X]), mk->out->n_unknown, part };
}

static int degree_of(const struct sos_affine *p)
{
    int degree = poly_degree(p->constant);
    for (int k = 0; k < p->n_part; k++) {
        const int d = poly_degree(p->part[k].poly);
        degree = d > degree ? d : degree;
    }
    return degree;
}

static void add_condition(struct maker *mk, const char *name, struct sos_affine p, const struct region *region)
{
    struct polynomial_conditions *out = mk->out;
    const int degree = (degree_of(&p) + 1) / 2 * 2;
    out->identity[out->n] = sos_nonnegative(mk->mem, p, region->n, region->at_least_0, 0, NULL,
                                            (1u << region->n_var) - 1, degree);
    memcpy(out->condition[out->n].box, region->box, sizeof region->box);
    (void)snprintf(out->condition[out->n].name, sizeof out->condition[out->n].name, "%s", name);
    out->n++;
}

/* X is a variable of the original test only. */
static struct poly place_along(const struct maker *mk, struct region *region)
{
    const struct poly none = { 0 };
    return mk->original ? variable(mk, region, length(mk->zod->tau)) : none;
}

/* --- Positivity, SOS (54), and free flight ------------------------------------------------------------------- */

static void any_state(const struct maker *mk, struct region *region, struct state *state)
{
    for (int i = 0; i < 2; i++) {
        state->at[GAP + i] = variable(mk, region, length(mk->zod->n[i]));
        require(region, state->at[GAP + i]);
    }
    for (int k = 0; k < 3; k++)
        state->at[V + k] = variable(mk, region, 1);
    state->at[X] = place_along(mk, region);
    require_products(mk, region);
    require_ball(mk, region, state);
}

static void positive(struct maker *mk)
{
    struct region region = { 0 };
    struct state state = { 0 }, rest = { 0 };
    any_state(mk, &region, &state);
    struct sos_affine p = drop(mk, &state, &rest);
    for (int c = mk->original ? X : V; c < N_COORD; c++)
        p.constant = poly_add(mk->mem, p.constant, -1, square(mk, square(mk, state.at[c])));
    add_condition(mk, "positive", p, &region);
}

static void free_flight(struct maker *mk)
{
    struct region region = { 0 };
    struct state state = { 0 };
    any_state(mk, &region, &state);
    add_condition(mk, "flight", fall(mk, &state, mk->zod->body.g), &region);
}

/* --- Flow ---------------------------------------------------------------------------------------------------- */

static void slip(struct maker *mk, int i, int s)
{
    const struct zod *zod = mk->zod;
    struct region region = { 0 };
    struct state state = { 0 };
    double a[3], lambda;
    char name[16];
    if (!zod_slip(zod, i, s, a, &lambda))
        return;
    const struct poly gap = variable(mk, &region, length(zod->n[1 - i]));
    const struct poly sigma = variable(mk, &region, length(zod->t[i]));
    const struct poly gap_rate = variable(mk, &region, length(zod->n[1 - i]));
    state.at[X] = place_along(mk, &region);
    state.at[GAP + 1 - i] = gap;
    add_direction(mk, &state.at[V], sigma, zod->d[i]);
    add_direction(mk, &state.at[V], gap_rate, zod->r[i]);
    require(&region, gap);
    require(&region, scaled(mk, slip_sign(s), sigma));
    require_products(mk, &region);
    require_ball(mk, &region, &state);
    (void)snprintf(name, sizeof name, "slip %c%d", s == SLIP_P ? 'P' : 'N', i + 1);
    add_condition(mk, name, fall(mk, &state, a), &region);
}

static void slide(struct maker *mk, int s)
{
    struct region region = { 0 };
    struct state state = { 0 };
    double a[3], lambda[2];
    if (!zod_double(mk->zod, s, a, lambda))
        return;
    const struct poly X_rate = variable(mk, &region, length(mk->zod->tau));
    state.at[X] = place_along(mk, &region);
    add_direction(mk, &state.at[V], X_rate, mk->zod->dir);
    require(&region, scaled(mk, slip_sign(s), X_rate));
    require_ball(mk, &region, &state);
    add_condition(mk, s == SLIP_P ? "double P" : "double N", fall(mk, &state, a), &region);
}

/* --- Impacts, and the flight before one ---------------------------------------------------------------------- */

/* The velocity before an impact at i that ends in the branch, and the one after it; what makes it end so. */
static void impact_states(const struct maker *mk, int i, enum branch branch, struct region *region,
                          struct state *before, struct state *after)
{
    const struct zod *zod = mk->zod;
    double M[9], slope[2];
    const struct poly gap = variable(mk, region, length(zod->n[1 - i]));
    const struct poly p = variable(mk, region, length(zod->n[i])), sigma = variable(mk, region, length(zod->t[i]));
    const struct poly gap_rate = variable(mk, region, length(zod->n[1 - i]));
    before->at[X] = after->at[X] = place_along(mk, region);
    before->at[GAP + 1 - i] = after->at[GAP + 1 - i] = gap;
    add_direction(mk, &before->at[V], scaled(mk, -1, p), zod->m[i]);
    add_direction(mk, &before->at[V], sigma, zod->d[i]);
    add_direction(mk, &before->at[V], gap_rate, zod->r[i]);
    if (branch == STICK)
        zod_impact_stick(zod, i, M);
    else
        zod_impact_slip(zod, i, branch, M);
    for (int row = 0; row < 3; row++)
        after->at[V + row] = row_times(mk, (const double[]){ M[row], M[row + 3], M[row + 6] }, &before->at[V]);
    require(region, gap);
    require(region, p);
    if (branch != STICK) {
        require(region, scaled(mk, slip_sign(branch), row_times(mk, zod->t[i], &after->at[V])));
        return;
    }
    zod_stick_slopes(zod, i, slope);
    require(region, poly_add(mk->mem, sigma, -slope[0], p));
    require(region, poly_add(mk->mem, scaled(mk, -1, sigma), slope[1], p));
}

static char branch_letter(enum branch branch)
{
    return "PNS"[branch];
}

static void impact(struct maker *mk, int i, enum branch branch)
{
    struct region region = { 0 };
    struct state before = { 0 }, after = { 0 };
    char name[16];
    impact_states(mk, i, branch, &region, &before, &after);
    require_products(mk, &region);
    require_ball(mk, &region, &before);
    (void)snprintf(name, sizeof name, "impact %c%d", branch_letter(branch), i + 1);
    add_condition(mk, name, drop(mk, &before, &after), &region);
}

/* Where a flight that ends in `end` began `time` earlier: both places and velocities, backwards under g. */
static void back_in_time(const struct maker *mk, const struct state *end, struct poly time, struct state *start)
{
    const struct zod *zod = mk->zod;
    const double *row[3] = { zod->tau, zod->n[0], zod->n[1] };
    const struct poly half_square = scaled(mk, 0.5, square(mk, time));
    for (int c = 0; c < 3; c++) {
        const struct poly rate = row_times(mk, row[c], &end->at[V]);
        start->at[c] = poly_add(mk->mem, end->at[c], -1, poly_mul(mk->mem, rate, time));
        start->at[c] = poly_add(mk->mem, start->at[c], dot3(row[c], zod->body.g), half_square);
    }
    for (int k = 0; k < 3; k++)
        start->at[V + k] = poly_add(mk->mem, end->at[V + k], -zod->body.g[k], time);
}

/* The flight takes `time`; both feet were above ground where it began. */
static void flight_and_impact(struct maker *mk, int i, enum branch branch)
{
    struct region region = { 0 };
    struct state before = { 0 }, after = { 0 }, start = { 0 };
    char name[24];
    impact_states(mk, i, branch, &region, &before, &after);
    const struct poly time = variable(mk, &region, 2 * length(mk->zod->n[i]) / mk->zod->G[i]);
    back_in_time(mk, &before, time, &start);
    const struct poly rate = row_times(mk, mk->zod->n[i], &before.at[V]);
    require(&region, time);
    require(&region, poly_add(mk->mem, scaled(mk, -1, rate), -0.5 * mk->zod->G[i], time));      /* gap_i there over time */
    require_products(mk, &region);
    require(&region, start.at[GAP + 1 - i]);
    require_ball(mk, &region, &before);
    require_ball(mk, &region, &start);
    (void)snprintf(name, sizeof name, "flight %c%d", branch_letter(branch), i + 1);
    add_condition(mk, name, drop(mk, &start, &after), &region);
}

/* --- All of them --------------------------------------------------------------------------------------------- */

/* Rows of the inverse of [tau; n_1; n_2]. In the improved test X is what makes y = 0: its
 * ball is about z and theta. */
static void find_dual(struct maker *mk)
{
    const double *row[3] = { mk->zod->tau, mk->zod->n[0], mk->zod->n[1] };
    for (int c = 0; c < 3; c++) {
        cross3(row[(c + 1) % 3], row[(c + 2) % 3], mk->dual[c]);
        combine3(1 / dot3(row[c], mk->dual[c]), mk->dual[c], 0, mk->dual[c], mk->dual[c]);
    }
    const double *D = mk->dual[0];
    for (int c = 1; c < 3 && !mk->original && fabs(D[0]) > 1e-6; c++)
        combine3(1, mk->dual[c], -mk->dual[c][0] / D[0], D, mk->dual[c]);
}

void polynomial_conditions_build(struct arena *mem, const struct zod *zod, enum polynomial_test test, int degree,
                                 struct polynomial_conditions *out)
{
    struct maker mk = { .mem = mem, .zod = zod, .original = test == POLYNOMIAL_ORIGINAL, .out = out };
    uint64_t *monomial;
    const int n = monomial_basis(mem, mk.original ? 63 : 62, degree, &monomial);
    *out = (struct polynomial_conditions){ .n_unknown = n - 1, .monomial = monomial + 1 };      /* no constant term */
    out->identity = arena_alloc(mem, POLYNOMIAL_MAX_CONDITION, sizeof *out->identity);
    out->condition = arena_alloc(mem, POLYNOMIAL_MAX_CONDITION, sizeof *out->condition);
    find_dual(&mk);
    positive(&mk);
    for (int i = 0; i < 2; i++) {
        for (int s = 0; s < 2; s++)
            slip(&mk, i, s);
        slide(&mk, i);
        for (enum branch branch = SLIP_P; branch <= STICK; branch++)
            if (body_bounces(&zod->body) && !mk.original)
                flight_and_impact(&mk, i, branch);
            else
                impact(&mk, i, branch);
    }
    if (mk.original)
        free_flight(&mk);
}
