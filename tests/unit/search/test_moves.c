/* test_moves.c - every move of the table is made where its sign is; names say which it was */
#include "tests/unit/phase_problem.h"

#include "transcription/moves/neighbours.h"
#include "transcription/sequence/legal.h"

#include <string.h>

/* --- Problems ------------------------------------------------------------------------------------------------ */

/* A mass above a ground, with nothing given at the start; intervals take 0.125 s. */
#define PLANE(contact) \
    "cocp: 1\n" \
    "time: {horizon: 2, intervals: 16, elements: 1}\n" \
    "states: {x: {initial: free, bounds: [-9, 9]}, z: {initial: free, bounds: [-9, 9]},\n" \
    "         vx: {initial: free, bounds: [-9, 9]}, vz: {initial: free, bounds: [-9, 9]}}\n" \
    "controls: {u: {bounds: [-50, 50]}}\n" \
    "dynamics: {type: mechanical, coordinates: {x: vx, z: vz}, mass: {diag: [1, 1]}, force: {x: u, z: -10}}\n" \
    "contacts: {ground: {gap: z, " contact "}}\n" \
    "discretization: {method: fesd-j}\n"

static const char rough[] = PLANE("tangent: x, friction: 0.4"), elastic[] = PLANE("restitution: 0.8");

static const char dry[] =
    "cocp: 1\n"
    "time: {horizon: 2, intervals: 16, elements: 1}\n"
    "states: {x: {initial: 0}}\n"
    "controls: {u: {bounds: [-9, 9]}}\n"
    "dynamics: {type: ode, rhs: {x: u - sign(x)}}\n"
    "discretization: {method: fesd}\n";

static const char finger[] =
    "cocp: 1\n"
    "time: {horizon: 2, intervals: 20, elements: 1}\n"
    "states: {box: {initial: 0.5, final: 1}, finger: {initial: 0}}\n"
    "controls: {v: {bounds: [-1, 1]}, f: {bounds: [-3, 10]}}\n"
    "dynamics: {type: ode, rhs: {box: f/2, finger: v}}\n"
    "complementarity: {push: {G: f, H: box - finger}}\n"
    "cost: {running: {effort: v^2 + 0.01*f^2}}\n";

static const char two_machines[] =
    "cocp: 1\n"
    "time: {horizon: 2, intervals: 16}\n"
    "states: {x: {initial: 0}, y: {initial: 0}}\n"
    "controls: {u: {bounds: [-9, 9]}}\n"
    "machines:\n"
    "  one: {states: {a: {k: 1}, b: {k: 2}}, transitions: {up: {from: a, to: b, when: x >= 0.5}}}\n"
    "  two: {states: {a: {l: 1}, b: {l: 2}}, transitions: {up: {from: a, to: b, when: y >= 0.5}}}\n"
    "dynamics: {type: ode, rhs: {x: k*u, y: l*u}}\n";

static const char driver[] =
    "cocp: 1\n"
    "time: {horizon: 2, intervals: 8}\n"
    "states: {v: {initial: 0}}\n"
    "controls: {u: {bounds: [0, 1], guess: 1}, shift: {bounds: [0, 1], guess: 0}}\n"
    "machines:\n"
    "  gear:\n"
    "    states: {first: {pull: 6}, second: {pull: 4}}\n"
    "    transitions:\n"
    "      up: {from: first, to: second, when: shift >= 0.5}\n"
    "      down: {from: second, to: first, when: shift <= 0.4}\n"
    "dynamics: {type: ode, rhs: {v: pull*u}}\n";

/* --- Points with a sign -------------------------------------------------------------------------------------- */

static void solved(struct finish *at)
{
    at->solved = true;
}

/* The friction of the first stages is on its cone, that of the others is 0. */
static void rub(struct finish *at, int n_stage)
{
    for (int k = 0; k < at->ph->n_element * at->ph->n_point; k++) {
        const struct phase_point point = phases_stage_point(at->ph, k / at->ph->n_point, k % at->ph->n_point);
        at->w[point.first + point.layout->lambda_n[0]] = 10;
        at->w[point.first + point.layout->lambda_t[0]] = k < n_stage ? 4 : 0;
    }
}

static void all_on_the_cone(struct finish *at)
{
    rub(at, at->ph->n_element * at->ph->n_point);
}

static void first_on_the_cone(struct finish *at)
{
    rub(at, 1);
}

/* The first state is 1, but 0 at one stage. */
static void zero_at(struct finish *at, int element, int stage)
{
    at->solved = true;
    for (int k = 0; k < at->ph->n_element * at->ph->n_point; k++)
        at->w[phases_stage_point(at->ph, k / at->ph->n_point, k % at->ph->n_point).y[0]] = 1;
    at->w[phases_stage_point(at->ph, element, stage).y[0]] = 0;
}

static void zero_at_the_end(struct finish *at)
{
    zero_at(at, at->ph->n_element - 1, at->ph->n_point - 1);
}

/* --- Every row ----------------------------------------------------------------------------------------------- */

static const struct example {
    const char *move, *spec, *from;
    double t[3];                    /* events of it */
    void (*set)(struct finish *at);
    const char *wanted;
} examples[] = {
    { "event-off-grid-point", rough, "o 4!k k", { 0.5 }, NULL, "o 3.5!k k" },
    { "event-off-grid-point", rough, "o 4!k k", { 0.5 }, NULL, "o 4.5!k k" },
    { "event-to-other-grid-point", rough, "k 4 o", { 0.5 }, NULL, "k 3 o" },
    { "event-to-other-grid-point", rough, "k 4 o", { 0.5 }, NULL, "k 5 o" },
    { "event-off-horizon", rough, "+ 0.5 k", { 0 }, NULL, "k" },
    { "event-off-horizon", rough, "+ 15.5 k", { 2 }, NULL, "+" },
    { "event-to-grid-point", rough, "k 3.5 o", { 0.375 }, NULL, "k 3 o" },
    { "event-to-grid-point", rough, "k 3.5 o", { 0.5 }, NULL, "k 4 o" },
    { "event-to-interval-beside", rough, "o 3.5!k k", { 0.375 }, NULL, "o 2.5!k k" },
    { "event-to-interval-beside", rough, "o 3.5!k k", { 0.5 }, NULL, "o 4.5!k k" },
    { "event-to-middle", rough, "o 3.5!k k", { 0.375 }, solved, "o 1.5!k k" },
    { "event-to-middle", rough, "o 3.5!k k", { 0.375 }, solved, "o 2.5!k k" },
    { "event-to-middle", rough, "o 3.5!k k", { 0.375 }, solved, "o 3.5!k k" },
    { "event-to-middle", rough, "o 3.5!k k", { 0.375 }, solved, "o 4.5!k k" },
    { "event-to-middle", rough, "o 3.5!k k", { 0.5 }, solved, "o 5.5!k k" },
    { "mode-without-length", rough, "o 3.5!k k 3.5 o", { 0.4, 0.4 }, NULL, "o 3.5!k o" },
    { "events-joined", rough, "o 3.5!+ + 4 k", { 0.5, 0.5 }, NULL, "o 4!k k" },
    { "events-joined", rough, "o 3.5!+ + 4 k", { 0.5, 0.5 }, NULL, "o 3.5!k k" },
    { "sticking-at-reversal", rough, "+ 4 -", { 0.5 }, NULL, "+ 3.5 k 4 -" },
    { "friction-after-impact", rough, "o 3.5!k k", { 0.4 }, NULL, "o 3.5!+ +" },
    { "bounce-more", elastic, "o 3.5!c o", { 0.4 }, NULL, "o 3.5!c o 15.5!c o" },
    { "bounce-more", elastic, "o 3.5!c o", { 0.4 }, NULL, "o 3.5!c o 3.5!c o" },
    { "bounce-fewer", elastic, "o 3.5!c o", { 0.4 }, NULL, "o" },
    { "slip-after-sticking", rough, "k", { 0 }, all_on_the_cone, "k 15 -" },
    { "rest-at-ends", rough, "+", { 0 }, NULL, "k 1 +" },
    { "rest-at-ends", rough, "+", { 0 }, NULL, "+ 15.5 k" },
    { "sliding-at-start", dry, "p", { 0 }, NULL, "0 0.5 p" },
    { "crossing-at-end", dry, "p", { 0 }, zero_at_the_end, "p 15.5 n" },
    { "transition-more", two_machines, "AA", { 0 }, NULL, "AA 0.5>0 BA" },
    { "transitions-out", two_machines, "AA 3.5>0 BA", { 0.4 }, NULL, "AA" },
    { "command-beside", driver, "A 2.5>>0 B", { 0.5 }, NULL, "A 1.5>>0 B" },
    { "side-beside", finger, "G 11 H", { 1.1 }, NULL, "G 10 H" },
    { "all-shifted", rough, "o 3.5!k k", { 0.4 }, solved, "o 4.5!k k" },
};
enum { N_EXAMPLES = sizeof examples / sizeof *examples };

static const struct move *find_move(const char *name)
{
    for (int k = 0; k < N_MOVES; k++)
        if (strcmp(mechanisms[move_table[k].is].name, name) == 0)
            return &move_table[k];
    fail_msg("no move is called %s", name);
    return NULL;
}

/* Among the neighbours of an example: is what it wants, made by its move, whose use it is? */
static bool makes(const struct example *one)
{
    const struct move *move = find_move(one->move);
    struct phase_problem problem = phase_read(one->spec, 3, 1);
    struct sequence *seq = phase_sequence(&problem, one->from), *wanted = phase_sequence(&problem, one->wanted);
    struct samples *samples = phase_constant(&problem, seq, one->t);
    struct finish at;
    bool any = false;
    assert_int_equal(finish_build(&problem.task, seq, samples, &at, problem.small.diag), STATUS_OK);
    if (one->set)
        one->set(&at);
    struct neighbours list = neighbours_of(&at, move->use, 1e-3, NULL);
    for (int k = 0; k < list.n; k++) {
        any = any || (list.list[k].move == move && sequence_equal(list.list[k].seq, wanted));
        assert_true(k == 0 || list.list[k].priority <= list.list[k - 1].priority);
        assert_true(list.list[k].move->use & move->use);
    }
    neighbours_free(&list);
    finish_free(&at);
    samples_free(samples);
    sequence_free(wanted);
    sequence_free(seq);
    phase_free(&problem);
    return any;
}

static void each_move_is_made_at_its_sign(void **state)
{
    (void)state;
    for (int k = 0; k < N_EXAMPLES; k++)
        if (!makes(&examples[k]))
            fail_msg("%s: not from %s to %s", examples[k].move, examples[k].from, examples[k].wanted);
}

static int rows_of(enum mechanism what)
{
    int n = 0;
    for (int k = 0; k < N_MOVES; k++)
        n += move_table[k].is == what;
    return n;
}

static bool has_example(enum mechanism what)
{
    bool any = false;
    for (int j = 0; j < N_EXAMPLES; j++)
        any = any || strcmp(examples[j].move, mechanisms[what].name) == 0;
    return any;
}

/* Mechanisms that are moves, and they alone, have one row each, and an example here. */
static void each_move_has_one_row_and_an_example(void **state)
{
    (void)state;
    for (int i = 0; i < N_MECHANISM; i++) {
        const bool is_move = mechanisms[i].kind == MOVE;
        if (rows_of((enum mechanism)i) != is_move || has_example((enum mechanism)i) != is_move)
            fail_msg("%s: %d rows", mechanisms[i].name, rows_of((enum mechanism)i));
    }
    for (int k = 0; k < N_MOVES; k++)
        assert_true(move_table[k].make && move_table[k].use && move_table[k].priority > 0
                    && move_table[k].over < N_MOVE_OVER);
}

/* Of a contact that opens at a grid point, without that. */
static void a_move_that_is_switched_off_makes_nothing(void **state)
{
    (void)state;
    const double t[] = { 0.5 };
    struct phase_problem problem = phase_read(rough, 3, 1);
    struct sequence *seq = phase_sequence(&problem, "k 4 o");
    struct samples *samples = phase_constant(&problem, seq, t);
    struct mechanism_set without = { { 0 } };
    without.word[MOVE_EVENT_TO_NEXT_POINT / 64] = UINT64_C(1) << MOVE_EVENT_TO_NEXT_POINT % 64;
    const struct counts counts = { .used = mechanisms_used(without, (struct mechanism_set){ { 0 } }) };
    struct finish at;
    assert_int_equal(finish_build(&problem.task, seq, samples, &at, problem.small.diag), STATUS_OK);
    struct neighbours all = neighbours_of(&at, FOR_BETTER, 1e-3, NULL);
    struct neighbours some = neighbours_of(&at, FOR_BETTER, 1e-3, &counts);
    int n = 0;
    for (int k = 0; k < all.n; k++)
        n += all.list[k].move->is == MOVE_EVENT_TO_NEXT_POINT;
    for (int k = 0; k < some.n; k++)
        assert_int_not_equal(some.list[k].move->is, MOVE_EVENT_TO_NEXT_POINT);
    assert_true(n > 0);
    assert_int_equal(some.n, all.n - n);
    neighbours_free(&all);
    neighbours_free(&some);
    finish_free(&at);
    samples_free(samples);
    sequence_free(seq);
    phase_free(&problem);
}

/* --- Where there is no sign ---------------------------------------------------------------------------------- */

/* What has a length stays, and what a solution alone can tell is not read from a program without one. */
static void no_move_without_its_sign(void **state)
{
    (void)state;
    static const struct example none[] = {
        { "event-off-grid-point", rough, "o 3.5!k k", { 0.4 }, NULL, "o 4.5!k k" },
        { "event-off-horizon", rough, "+ 0.5 k", { 0.06 }, NULL, "k" },
        { "event-to-grid-point", rough, "k 3.5 o", { 0.4 }, NULL, "k 3 o" },
        { "event-to-grid-point", rough, "o 3.5!k k", { 0.375 }, NULL, "o 3!k k" },
        { "mode-without-length", rough, "o 3.5!k k 3.5 o", { 0.4, 0.45 }, NULL, "o 3.5!k o" },
        { "sticking-at-reversal", rough, "+ 3.5 -", { 0.4 }, NULL, "+ 3.5 k 4 -" },
        { "bounce-more", rough, "o 3.5!k k", { 0.4 }, NULL, "o 3.5!k k 15.5!k k" },
        { "slip-after-sticking", rough, "k", { 0 }, first_on_the_cone, "k 15 -" },
    };
    for (size_t k = 0; k < sizeof none / sizeof *none; k++)
        if (makes(&none[k]))
            fail_msg("%s: from %s to %s without a sign", none[k].move, none[k].from, none[k].wanted);
}

/* --- Legal --------------------------------------------------------------------------------------------------- */

/* Events are inside the horizon, one on a grid point; a falling mass of known height is not closed first; what
 * depends on a control does not slide; transitions are made by machines that are in their states. */
static void what_no_system_follows_is_not_legal(void **state)
{
    (void)state;
    static const char falls[] =
        "cocp: 1\ntime: {horizon: 2, intervals: 4}\nstates: {z: {initial: 1}, v: {initial: 0}}\n"
        "dynamics: {type: mechanical, coordinates: {z: v}, mass: {diag: [1]}, force: {z: -10}}\n"
        "contacts: {ground: {gap: z}}\ndiscretization: {method: fesd-j}\n";
    static const char steered[] =
        "cocp: 1\ntime: {horizon: 2, intervals: 4}\nstates: {x: {initial: 0.5}}\ncontrols: {u: {bounds: [-1, 1]}}\n"
        "dynamics: {type: ode, rhs: {x: -sign(x - u)}}\ndiscretization: {method: fesd}\n";
    static const struct { const char *spec, *seq; bool legal; } all[] = {
        { falls, "o", true }, { falls, "c", false }, { falls, "o 1.5!c c", true }, { falls, "o 4!c c", false },
        { falls, "o 1.5!c o 1.5!c c", true }, { falls, "o 2!c o 2!c c", false },
        { steered, "p 1.5 n", true }, { steered, "p 1.5 0", false },
        { two_machines, "AA 3.5>0 BA", true }, { two_machines, "AA 3.5>0 AA", false },
        { two_machines, "AA 3 BA", false }, { finger, "G 11 H", true }, { finger, "G 10.5 H", false },
    };
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
        struct phase_problem problem = phase_read(all[k].spec, 3, 1);
        struct sequence *seq = phase_sequence(&problem, all[k].seq);
        if (sequence_is_legal(problem.sys, seq) != all[k].legal)
            fail_msg("%s is %slegal", all[k].seq, all[k].legal ? "not " : "");
        sequence_free(seq);
        phase_free(&problem);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_move_has_one_row_and_an_example), cmocka_unit_test(each_move_is_made_at_its_sign),
        cmocka_unit_test(a_move_that_is_switched_off_makes_nothing),
        cmocka_unit_test(no_move_without_its_sign), cmocka_unit_test(what_no_system_follows_is_not_legal),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
