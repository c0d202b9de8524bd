#include "core/model/units.h"

#include "core/base/mem.h"
#include "core/base/pi.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SAME_FACTOR 1e-6            /* relative: but for rounding */

/* --- Texts --------------------------------------------------------------------------------------------------- */

static const struct unit { const char *name; bool prefixed; double factor, power[N_DIMENSIONS]; } units[] = {
    /*                  m  kg  s  A  K mol cd */
    { "m", true, 1, { 1 } }, { "g", true, 1e-3, { 0, 1 } }, { "s", true, 1, { 0, 0, 1 } }, { "A", true, 1, { 0, 0, 0, 1 } },
    { "K", true, 1, { 0, 0, 0, 0, 1 } }, { "mol", true, 1, { 0, 0, 0, 0, 0, 1 } }, { "cd", true, 1, { 0, 0, 0, 0, 0, 0, 1 } },
    { "degC", false, 1, { 0, 0, 0, 0, 1 } }, { "min", false, 60, { 0, 0, 1 } }, { "h", false, 3600, { 0, 0, 1 } },
    { "d", false, 86400, { 0, 0, 1 } },     { "Hz", true, 1, { 0, 0, -1 } }, { "N", true, 1, { 1, 1, -2 } }, { "Pa", true, 1, { -1, 1, -2 } },
    { "bar", true, 1e5, { -1, 1, -2 } }, { "J", true, 1, { 2, 1, -2 } }, { "W", true, 1, { 2, 1, -3 } },
    { "C", true, 1, { 0, 0, 1, 1 } }, { "V", true, 1, { 2, 1, -3, -1 } }, { "F", true, 1, { -2, -1, 4, 2 } },
    { "ohm", true, 1, { 2, 1, -3, -2 } }, { "Ohm", true, 1, { 2, 1, -3, -2 } }, { "S", true, 1, { -2, -1, 3, 2 } },
    { "Wb", true, 1, { 2, 1, -2, -1 } }, { "T", true, 1, { 0, 1, -2, -1 } }, { "H", true, 1, { 2, 1, -2, -2 } },
    { "l", true, 1e-3, { 3 } }, { "L", true, 1e-3, { 3 } }, { "rad", true, 1, { 0 } }, { "sr", false, 1, { 0 } },
    { "deg", false, PI / 180, { 0 } }, { "%", false, 1e-2, { 0 } }, { "1", false, 1, { 0 } },
};
static const struct { const char *name; double factor; } prefixes[] = {
    { "da", 10 }, { "f", 1e-15 }, { "p", 1e-12 }, { "n", 1e-9 }, { "u", 1e-6 }, { "m", 1e-3 }, { "c", 1e-2 }, { "d", 0.1 },
    { "h", 100 }, { "k", 1e3 }, { "M", 1e6 }, { "G", 1e9 }, { "T", 1e12 }
};

static const struct unit *find_unit(const char *name, size_t n, bool prefixed)
{
    for (size_t k = 0; k < sizeof units / sizeof *units; k++)
        if (strlen(units[k].name) == n && strncmp(units[k].name, name, n) == 0 && (units[k].prefixed || !prefixed))
            return &units[k];
    return NULL;
}

static struct dimension read_symbol(const char *name, size_t n)
{
    struct dimension out = { .known = false };
    const struct unit *unit = find_unit(name, n, false);
    out.factor = 1;
    for (size_t k = 0; !unit && k < sizeof prefixes / sizeof *prefixes; k++) {
        const size_t len = strlen(prefixes[k].name);
        if (n > len && strncmp(name, prefixes[k].name, len) == 0)
            unit = find_unit(name + len, n - len, true);
        out.factor = unit ? prefixes[k].factor : 1;
    }
    if (unit) {
        out.known = true;
        out.factor *= unit->factor;
        memcpy(out.power, unit->power, sizeof out.power);
    }
    return out;
}

/* A product of factors up to the end or a closing bracket: "a b/c d" is a b d/c with a
 * bracket for everything else. */
static struct dimension read_product(const char **at, int depth);

static struct dimension read_factor(const char **at, int depth)
{
    struct dimension out;
    if (**at == '(' && depth < 10) {
        ++*at;
        out = read_product(at, depth + 1);
        if (*(*at)++ != ')') {
            --*at;
            out.known = false;
        }
    } else {
        const size_t n = **at == '1' || **at == '%' ? 1 : strspn(*at, UNITS_LETTERS);
        out = read_symbol(*at, n);
        *at += n;
    }
    if (**at != '^')
        return out;
    char *end = NULL;
    const double power = strtod(*at + 1, &end);
    const struct dimension one = { .known = end != *at + 1, .factor = 1 };
    *at = end;
    return units_times(one, out, power);
}

static struct dimension read_product(const char **at, int depth)
{
    struct dimension out = { .known = true, .factor = 1 };
    bool divide = false, any = false;
    for (;;) {
        while (**at == ' ' || **at == '*' || **at == '.') ++*at;
        if (**at == '/') {
            divide = true;
            ++*at;
            continue;
        }
        if (!**at || **at == ')')
            break;
        const char *before = *at;
        out = units_times(out, read_factor(at, depth), divide ? -1 : 1);
        divide = false;
        any = true;
        if (*at == before || !out.known)
            return (struct dimension){ .known = false };
    }
    out.known = out.known && any && !divide;
    return out;
}

struct dimension units_read(const char *text)
{
    struct dimension out = read_product(&text, 0);
    out.known = out.known && !*text;
    return out;
}

void units_text(const struct dimension *dimension, char *text, size_t size)
{
    static const char *const base[N_DIMENSIONS] = { "m", "kg", "s", "A", "K", "mol", "cd" };
    const bool whole = fabs(dimension->factor - 1) < SAME_FACTOR;
    size_t n = whole ? 0 : (size_t)snprintf(text, size, "%.4g", dimension->factor);
    if (whole)
        (void)snprintf(text, size, "1");
    for (int k = 0; k < N_DIMENSIONS && n < size; k++) {
        const double power = dimension->power[k];
        if (power == 1)
            n += (size_t)snprintf(text + n, size - n, "%s%s", n ? " " : "", base[k]);
        else if (power != 0)
            n += (size_t)snprintf(text + n, size - n, "%s%s^%g", n ? " " : "", base[k], power);
    }
}

/* --- Dimensions ---------------------------------------------------------------------------------------------- */

struct dimension units_times(struct dimension a, struct dimension b, double power)
{
    a.known = a.known && b.known;
    a.loose = a.loose && b.loose;
    a.factor *= pow(b.factor, power);
    for (int k = 0; k < N_DIMENSIONS; k++)
        a.power[k] += power * b.power[k];
    return a;
}

static bool may_be_anything(const struct dimension *a, const struct dimension *b)
{
    return !a->known || !b->known || a->loose || b->loose;
}

bool units_same_powers(const struct dimension *a, const struct dimension *b)
{
    bool same = true;
    for (int k = 0; k < N_DIMENSIONS; k++)
        same = same && fabs(a->power[k] - b->power[k]) < 1e-9;
    return same || may_be_anything(a, b);
}

bool units_is_time(const struct dimension *dimension)
{
    const struct dimension second = { .known = true, .factor = 1, .power = { 0, 0, 1 } };
    return dimension->known && units_same_powers(dimension, &second);
}

bool units_agree(const struct dimension *a, const struct dimension *b)
{
    return units_same_powers(a, b) && (may_be_anything(a, b) || fabs(a->factor / b->factor - 1) < SAME_FACTOR);
}

/* --- Expressions --------------------------------------------------------------------------------------------- */

struct inference {
    const struct expr_graph *g;
    struct dimension *of;           /* [n_nodes] */
    struct units_conflict *conflict;
};

static void disagree(struct inference *at, expr e, const struct dimension *a, const struct dimension *b)
{
    if (at->conflict->at == EXPR_NONE && !units_agree(a, b))
        *at->conflict = (struct units_conflict){ e, *a, *b };
}

/* Of arguments [first, n), which must agree. */
static struct dimension common(struct inference *at, expr e, int first)
{
    struct dimension out = { .known = false };
    for (int i = first; i < expr_n_args(at->g, e); i++) {
        const struct dimension one = at->of[expr_arg(at->g, e, i)];
        disagree(at, e, &out, &one);
        if (!out.known || out.loose)
            out = one;
    }
    return out;
}

static struct dimension product(const struct inference *at, expr e)
{
    struct dimension out = { .known = true, .loose = true, .factor = 1 };
    for (int i = 0; i < expr_n_args(at->g, e); i++)
        out = units_times(out, at->of[expr_arg(at->g, e, i)], 1);
    return out;
}

static struct dimension power_of(const struct inference *at, expr base, double power)
{
    const struct dimension one = { .known = true, .loose = true, .factor = 1 };
    return units_times(one, at->of[base], power);
}

/* Of a function whose argument is a pure number. */
static struct dimension pure(struct inference *at, expr e)
{
    const struct dimension number = { .known = true, .factor = 1 }, loose = { .known = true, .loose = true, .factor = 1 };
    const struct dimension arg = at->of[expr_arg(at->g, e, 0)];
    disagree(at, e, &arg, &number);
    return loose;
}

static struct dimension infer(struct inference *at, expr e)
{
    const struct expr_graph *g = at->g;
    const struct dimension number = { .known = true, .loose = true, .factor = 1 }, unknown = { .known = false };
    double value;
    switch (expr_op_of(g, e)) {
    case EXPR_ADD: case EXPR_MIN: case EXPR_MAX: case EXPR_HYPOT: return common(at, e, 0);
    case EXPR_IF: case EXPR_PICK: return common(at, e, 1);
    case EXPR_MUL:    return product(at, e);
    case EXPR_NEG: case EXPR_ABS: return at->of[expr_arg(g, e, 0)];
    case EXPR_SQUARE: return power_of(at, expr_arg(g, e, 0), 2);
    case EXPR_SQRT:   return power_of(at, expr_arg(g, e, 0), 0.5);
    case EXPR_DIV:    return units_times(at->of[expr_arg(g, e, 0)], at->of[expr_arg(g, e, 1)], -1);
    case EXPR_POW:
        return expr_is_const(g, expr_arg(g, e, 1), &value) ? power_of(at, expr_arg(g, e, 0), value) : unknown;
    case EXPR_SIN:
    case EXPR_COS:
    case EXPR_TAN:
    case EXPR_ASIN:
    case EXPR_ACOS:
    case EXPR_ATAN:
    case EXPR_SINH:
    case EXPR_COSH:
    case EXPR_TANH: case EXPR_EXP: case EXPR_LOG: case EXPR_LOG10: return pure(at, e);
    case EXPR_ATAN2: case EXPR_LT: case EXPR_LE: case EXPR_EQ:
        (void)common(at, e, 0);
        return number;
    case EXPR_SIGN: case EXPR_STEP: case EXPR_AND: case EXPR_OR: case EXPR_NOT: case EXPR_RELAY: case EXPR_SIDE:
        return number;
    case EXPR_CONST: case EXPR_SYM: case EXPR_TABLE: case EXPR_GRID: return unknown;
    }
    return unknown;
}

struct dimension units_of(const struct expr_graph *g, expr e, int n_sym, const expr *sym,
                          const struct dimension *of, struct units_conflict *conflict)
{
    int n = 0;
    expr *node = expr_reach(g, 1, &e, &n);
    struct inference at = { g, mem_alloc((size_t)expr_n_nodes(g), sizeof *at.of), conflict };
    conflict->at = EXPR_NONE;
    for (int i = 0; i < n_sym; i++)
        at.of[sym[i]] = of[i];
    for (int i = 0; i < n; i++)
        if (expr_op_of(g, node[i]) != EXPR_SYM)
            at.of[node[i]] = infer(&at, node[i]);
    const struct dimension out = at.of[e];
    free(at.of);
    free(node);
    return out;
}
