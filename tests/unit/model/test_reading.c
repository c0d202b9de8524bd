/* The work of reading a spec and of the checks of its model, counted: bytes that are allocated and texts that are compared.
 * What is written twice as long costs twice as much, with 1.3 for tables that double, whatever it unfolds to: y_200 of a
 * recurrence that names y_(i-1) twice would be 2^200 terms. */
#include "core/base/mem.h"
#include "core/expression/tape.h"
#include "core/model/check/contradictions.h"
#include "core/model/check/products.h"
#include "core/model/check/roots.h"
#include "core/model/check/sliding.h"
#include "core/model/check/units.h"
#include "tests/unit/read_spec.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* --- In the place of core/base/mem.c and of strcmp: the same, counted ------------------------------------------ */

static struct work { double bytes, compared; } work;

void *mem_alloc(size_t count, size_t size)
{
    work.bytes += (double)count * (double)size;
    return calloc(count ? count : 1, size ? size : 1);
}

void *mem_resize(void *ptr, size_t count, size_t size)
{
    work.bytes += (double)count * (double)size;
    return realloc(ptr, count && size ? count * size : 1);
}

void *mem_grow(void *array, int n, int more, size_t size)
{
    size_t room = 8, had = array ? 8 : 0;
    while (room < (size_t)n + (size_t)more)
        room *= 2;
    while (array && had < (size_t)n)
        had *= 2;
    return had == room ? array : mem_resize(array, room, size);
}

char *mem_copy_text(const char *text)
{
    return text ? strcpy(mem_alloc(strlen(text) + 1, 1), text) : NULL;
}

void mem_keep_freed(void)
{
}

int strcmp(const char *a, const char *b)
{
    work.compared++;
    while (*a && *a == *b) {
        a++;
        b++;
    }
    return (unsigned char)*a - (unsigned char)*b;
}

/* --- Reading ------------------------------------------------------------------------------------------------- */

static struct work work_of(const char *text)
{
    struct spec *spec = NULL;
    struct model *model = NULL;
    struct diag *diag = diag_create();
    work = (struct work){ 0 };
    read_spec(text, MODEL_FOR_CHECK, diag, &spec, &model);
    model_check_units(model, diag);
    model_check_products(model, diag);
    model_check_roots(model, diag);
    model_check_contradictions(model, diag);
    model_check_sliding(model, diag);
    const struct work found = work;
    model_free(model);
    spec_free(spec);
    diag_free(diag);
    return found;
}

/* The spec with N in place of each %d. */
static struct work work_at(const char *format, int N)
{
    char text[4000];
    const char *from = format;
    size_t n = 0;
    for (; *from && n + 20 < sizeof text; from++)
        if (from[0] == '%' && from[1] == 'd') {
            n += (size_t)snprintf(text + n, sizeof text - n, "%d", N);
            from++;
        } else {
            text[n++] = *from;
        }
    text[n] = '\0';
    return work_of(text);
}

static void grows_with_its_length(const char *format, int N, double most)
{
    const struct work none = work_at(format, 1), once = work_at(format, N), twice = work_at(format, 2 * N);
    const double bytes = (twice.bytes - none.bytes) / (once.bytes - none.bytes);
    const double compared = (twice.compared - none.compared) / (once.compared - none.compared);
    if (!(bytes < most && compared < most))
        print_message("twice as long: %.2f times the bytes, %.2f times the comparisons\n%s\n", bytes, compared, format);
    assert_true(bytes < most && compared < most);
}

/* y_i by y_(i-1), in what stands for it at the end. */
static void recurrence_grows_with_its_length(const char *rule, const char *rest, double most)
{
    char text[2000];
    (void)snprintf(text, sizeof text, "cocp: 1\nname: recurrence\nsizes: {N: %%d}\ntime: {horizon: 1, intervals: 2}\n"
                   "states: {x: {initial: 0.01}, v: {initial: 0}}\ncontrols: {u: {bounds: [-1, 1]}}\n"
                   "define:\n  y_0: 0.3*x + 0.1\n  \"y[i=1..N]\": \"%s\"\n%s\n", rule, rest);
    grows_with_its_length(text, 50, most);
}

enum { ONCE = 260, SQUARE = 520 };  /* hundredths: what doubles, what is quadratic with a small factor */

static const char in_constraint[] = "dynamics: {type: ode, rhs: {x: u, v: x}}\nconstraints: {c: {expr: \"y[N] <= 5000\", at: final}}";
static const char in_rate[] = "dynamics: {type: ode, rhs: {x: \"u + y[N]\", v: x}}";
static const char in_energy[] = "dynamics: {type: mechanical, coordinates: {x: v}, kinetic: \"0.5*v^2 + 0.5*ddt(y[N])^2\", "
                                "force: {x: u}}";
static const char in_gap[] = "dynamics: {type: mechanical, coordinates: {x: v}, kinetic: 0.5*v^2, force: {x: u}}\n"
                             "contacts: {foot: {gap: \"x + y[N]^2\"}}";
static const char as_product[] = "dynamics: {type: ode, rhs: {x: u, v: x}}\nconstraints: {c: {expr: \"x^2*y[N] <= 0.009\", at: path}}";

static void recurrences_are_read_once(void **state)
{
    (void)state;
    static const char *const rule[] = { "y[i-1]*y[i-1]", "y[i-1] + 0.04*sin(y[i-1])", "y[i-1]/(1 + y[i-1]^2)",
        "y[i-1] - 0.1*(x + y[i-1])", "x*y[i-1] + sqrt(1 + y[i-1])", "sum(y[i-1]*sin(k*y[i-1]) for k=1..2)", "y[i-1]*exp(-y[i-1])" };
    static const char *const rest[] = { in_constraint, in_rate, in_energy, in_gap, as_product };
    for (size_t k = 0; k < sizeof rule / sizeof *rule; k++)
        for (size_t l = 0; l < sizeof rest / sizeof *rest; l++)
            recurrence_grows_with_its_length(rule[k], rest[l], 0.01 * ONCE);
}

static void kinks_in_recurrences_are_read_once(void **state)
{
    (void)state;
    static const char *const rule[] = { "if(y[i-1] < 2 + 0.01*i, 0.9*y[i-1], y[i-1] + 0.01)", "min(y[i-1] + 0.1, 0.9*y[i-1] + 0.2)",
        "max(y[i-1], 0.5*y[i-1] + 0.3)", "abs(y[i-1] - 0.3)*y[i-1] + 0.1" };
    for (size_t k = 0; k < sizeof rule / sizeof *rule; k++)
        recurrence_grows_with_its_length(rule[k], in_rate, 0.01 * SQUARE);
}

static void many_of_a_kind_are_found_by_name(void **state)
{
    (void)state;
    static const char rest[] = "dynamics: {type: ode, rhs: {x: u + p_1}}\n";
    static const char head[] = "cocp: 1\nname: many\nsizes: {N: %d}\ntime: {horizon: 1, intervals: 2}\n"
                               "states: {x: {initial: 0.5}}\ncontrols: {u: {bounds: [-1, 1]}}\n";
    static const char *const block[] = {
        "parameters: {\"p[i=1..N]\": {value: 0.1*i, units: m}}\n",
        "parameters: {p_0: 1, \"p[i=1..N]\": \"p[i-1] + 0.1\"}\n",
        "parameters: {p_1: 1}\ndefine: {d_0: x, \"d[i=1..N]\": \"i*x + sin(d_0)\"}\n",
        "parameters: {p_1: 1}\ndefine: {d_0: x, \"d[i=1..N]\": \"0.5*d[i-1] + x\"}\n",
    };
    char text[2000];
    for (size_t k = 0; k < sizeof block / sizeof *block; k++) {
        (void)snprintf(text, sizeof text, "%s%s%s", head, block[k], rest);
        grows_with_its_length(text, 900, 0.01 * ONCE);
    }
}

/* What is compiled has each node once: the same for a recurrence of any kind. */
static void a_tape_has_each_node_once(void **state)
{
    (void)state;
    struct expr_graph *g = expr_graph_create();
    const expr x = expr_sym(g, "x");
    expr y = x;
    for (int i = 0; i < 200; i++)
        y = expr_add(g, y, expr_unary(g, EXPR_SIN, y));
    work = (struct work){ 0 };
    struct tape *tape = tape_create(g, 1, &x, 1, &y);
    assert_true(work.bytes < 200 * 1000);
    assert_true(tape_work_size(tape) < 200 * 100);
    tape_free(tape);
    expr_graph_free(g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(recurrences_are_read_once),
        cmocka_unit_test(kinks_in_recurrences_are_read_once),
        cmocka_unit_test(many_of_a_kind_are_found_by_name),
        cmocka_unit_test(a_tape_has_each_node_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
