#include "core/bound/prove.h"

#include "core/base/stop.h"

#include <math.h>
#include <stdint.h>

static const double FIRST_MARGIN =
    1e-6; /* of jumps, the cost being about 1: above what CSDP leaves, below what is asked for */
static const double MORE = 8; /* each try beside the last, or beside what was missing */
enum { MARGIN_TRIES = 4, UNBOUNDED = 2 };   /* the code of CSDP where it finds a direction in which gamma grows */

static struct interval cut(double c)
{
    return iv(isnan(c) ? NAN : fmin(0, c));
}

void bound_measure(const struct bound_problem *problem, struct bound_proof *proof)
{
    const struct bound_conditions *conditions = &proof->conditions;
    struct interval least[ROLE_JUMP + 1] = { iv(INFINITY), iv(INFINITY), iv(INFINITY), iv(INFINITY) },
                                      once = iv(0);
    bool known = true;
    for (int k = 0; k < conditions->n; k++) {
        const struct bound_condition *condition = &conditions->condition[k];
        struct arena scratch = { NULL };
        struct sos_proof found;
        sos_measure_within(&scratch, &conditions->identity[k], &condition->wide, proof->y, &proof->weights[k],
                           condition->box, &found);
        double c = found.at_least;
        arena_free(&scratch);
        if (condition->role == ROLE_CAP)
            continue;
        known = known && isfinite(c);
        if (condition->role == ROLE_JUMP && condition->once)
            once = iv_add(once, cut(c));
        else {
            if (condition->role == ROLE_JUMP)
                c = iv_add(iv(c), iv(proof->margin)).lo;
            if (condition->role == ROLE_FLOW)
                c = iv_div(iv(c), iv(condition->weight_least)).lo;
            least[condition->role] = iv(fmin(least[condition->role].lo, c));
        }
    }
    proof->worst_jump = known ? least[ROLE_JUMP].lo : NAN;
    proof->bound = proof->in_box = NAN;
    proof->infeasible = false;
    if (!known || !(proof->worst_jump >= 0) || !isfinite(least[ROLE_START].lo) || !isfinite(least[ROLE_END].lo))
        return;
    struct interval sum = iv_add(iv(proof->y[conditions->gamma]), iv_add(least[ROLE_START], least[ROLE_END]));
    sum = iv_add(iv_add(sum, once), iv_mul(iv(problem->horizon_max), cut(least[ROLE_FLOW].lo)));
    proof->bound = iv_scale(problem->cost_scale, sum).lo;
    proof->in_box = proof->bound;
    proof->infeasible = isnan(problem->below) && sum.lo > problem->cost_max;
    if (!isnan(problem->below))
        proof->bound = fmin(proof->bound, problem->below);
    if (problem->is_short)
        proof->in_box = proof->bound;
}

static bool solve_once(struct arena *mem, const struct bound_problem *problem, int degree, double margin,
                       bool capped, struct bound_proof *out)
{
    struct sos_answer answer;
    *out = (struct bound_proof){ .margin = margin, .capped = capped, .bound = NAN, .in_box = NAN,
                                 .worst_jump = NAN };
    bound_conditions_build(mem, problem, degree, margin, capped, &out->conditions);
    const struct bound_conditions *conditions = &out->conditions;
    int n_equation = conditions->too_large ? INT32_MAX / 2 : -conditions->n_y;
    for (int k = 0; k < conditions->n && !conditions->too_large; k++)
        n_equation += conditions->condition[k].n_monomial;
    if (stop_asked())
        return false;
    if (n_equation > BOUND_MAX_EQUATION) {
        out->code = BOUND_TOO_LARGE;
        out->n_equation = n_equation;
        return false;
    }
    double *objective = arena_alloc(mem, (size_t)conditions->n_y, sizeof *objective);
    objective[conditions->gamma] = 1;
    const struct sos_program program = { conditions->n_y, conditions->n, objective, conditions->identity };
    (void)sos_solve(mem, &program, &answer);
    out->code = answer.code;
    out->n_equation = answer.n_equation;
    out->y = answer.y;
    out->weights = answer.weights;
    if (!answer.y || stop_asked())
        return false;
    for (int k = 0; k < conditions->n; k++)
        sos_round_within(&conditions->identity[k], &conditions->condition[k].wide, out->y, &out->weights[k]);
    bound_measure(problem, out);
    return true;
}

bool bound_solve(struct arena *mem, const struct bound_problem *problem, int degree, struct bound_proof *out)
{
    double margin = FIRST_MARGIN;
    bool solved = solve_once(mem, problem, degree, margin, false, out);
    const bool capped = !solved && out->code == UNBOUNDED && isfinite(problem->cost_max) && !stop_asked();
    if (capped)
        solved = solve_once(mem, problem, degree, margin, true, out);
    for (int k = 1; k < MARGIN_TRIES && solved && isnan(out->bound) && out->worst_jump < 0 && !stop_asked(); k++) {
        margin = MORE * fmax(margin, -out->worst_jump);
        solved = solve_once(mem, problem, degree, margin, capped, out);
    }
    return solved;
}
