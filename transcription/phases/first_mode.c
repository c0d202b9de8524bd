/* The mode in which given initial values start, whatever a sequence says: a contact is open, or hit, or leaves, what should
 * stick slips, a switching function has another sign, or one where it should slide. Time steps do not show what is over
 * within the first of them, and a measured state is beside the plan that it is to follow. */
#include "core/base/mem.h"
#include "transcription/phases/extract.h"
#include "transcription/phases/phases.h"
#include "transcription/phases/recipe.h"

#include <math.h>
#include <stdlib.h>

struct start {
    const struct phase_system *sys;
    double *y;                      /* [n_y] given initial values, 0 elsewhere */
    double *p;                      /* [n_p] zeros */
};

static struct start start_of(const struct phase_system *sys)
{
    const struct model *model = sys->model;
    struct start at = { sys, mem_alloc((size_t)sys->n_y, sizeof *at.y), mem_alloc((size_t)model->n_p + 1, sizeof *at.p) };
    for (int i = 0; i < model->n_x; i++)
        at.y[i] = model->x[i].initial.kind == END_FIXED ? model->x[i].initial.lo : 0;
    return at;
}

static void start_free(struct start *at)
{
    free(at->y);
    free(at->p);
}

/* Do given initial values alone say what e is at the start? Then *value, without round-off. */
static bool is_given(const struct start *at, expr e, double *value)
{
    const struct phase_system *sys = at->sys;
    const int after = sys->y + sys->n_y;
    bool given = !expr_depends(sys->g, e, sys->n_slot - after, sys->slot + after) && !model_jump_at(sys->model, 0);
    for (int i = 0; i < sys->model->n_x && given; i++)
        given = sys->model->x[i].initial.kind == END_FIXED || !expr_depends(sys->g, e, 1, &sys->slot[sys->y + i]);
    *value = given ? phase_system_value(sys, e, at->y, at->p) : 0;
    *value = fabs(*value) > TOUCHES ? *value : 0;
    return given;
}

/* The same, 0 where they do not. */
static double given_value(const struct start *at, expr e)
{
    double value;
    (void)is_given(at, e, &value);
    return value;
}

static unsigned char slip_of(const struct start *at, const struct phase_contact *contact, unsigned char state)
{
    double most = 0;
    for (int k = 0; k < contact->n_t; k++) {
        const double v_t = given_value(at, contact->model->v_t[k]);
        most = fabs(v_t) > fabs(most) ? v_t : most;
    }
    if (most == 0)
        return state;
    return contact->n_t > 1 ? PHASE_SLIP : most > 0 ? PHASE_FORWARD : PHASE_BACKWARD;
}

/* What the subject, which is `state` in a first mode, is at the start. */
static unsigned char state_at(const struct start *at, int subject, unsigned char state)
{
    const struct phase_system *sys = at->sys;
    if (subject < sys->n_contact) {
        const struct phase_contact *contact = &sys->contact[subject];
        if (state == PHASE_OPEN || given_value(at, contact->model->gap) > 0 || given_value(at, contact->model->v_n) != 0)
            return PHASE_OPEN;
        return slip_of(at, contact, state);
    }
    const struct phase_switch *sw = &sys->sw[subject - sys->n_contact];
    const double c = sw->pair < 0 ? given_value(at, sw->sw->c) : 0;
    return c > 0 ? PHASE_POSITIVE : c < 0 && !sw->wall ? PHASE_NEGATIVE : state;
}

/* Does contact c, which touches, approach? */
static bool is_hit_at_once(const struct start *at, int c)
{
    const struct model_contact *contact = at->sys->contact[c].model;
    double gap, v_n;
    return is_given(at, contact->gap, &gap) && is_given(at, contact->v_n, &v_n) && gap == 0 && v_n < 0;
}

static bool hits_first(const struct sequence *seq, int c)
{
    return seq->n_event > 0 && seq->place[0] == 1 && sequence_hit(seq, 0)[c] != PHASE_OPEN;
}

static bool allows(const struct start *at, const struct sequence *seq, int subject)
{
    const unsigned char state = sequence_mode(seq, 0)[subject];
    return state_at(at, subject, state) == state
           && (subject >= at->sys->n_contact || !is_hit_at_once(at, subject) || hits_first(seq, subject));
}

bool phases_allow_first(const struct phase_system *sys, const struct sequence *seq)
{
    struct start at = start_of(sys);
    bool allowed = true;
    for (int k = 0; k < sys->n_contact + sys->n_switch && allowed; k++)
        allowed = allows(&at, seq, k);
    start_free(&at);
    return allowed;
}

/* An event without an impact right after the start, between two modes that are the same. */
static void insert_first(const struct phase_system *sys, struct extract *extract)
{
    sequence_insert(extract->seq, 0, 1);
    const int n = extract->seq->n_event;
    double *t = mem_alloc((size_t)n, sizeof *t);
    t[0] = EVENT_INSET * extract->samples->horizon / sys->model->n_intervals;
    for (int j = 1; j < n; j++)
        t[j] = fmax(extract->samples->t_event[j - 1], t[0]);
    struct samples *moved = samples_remap(extract->samples, n, t, false);
    samples_free(extract->samples);
    extract->samples = moved;
    free(t);
}

void extract_first(const struct phase_system *sys, struct extract *extract)
{
    if (phases_allow_first(sys, extract->seq))
        return;
    insert_first(sys, extract);
    struct start at = start_of(sys);
    unsigned char *first = sequence_mode(extract->seq, 0), *hit = sequence_hit(extract->seq, 0);
    const unsigned char *next = sequence_mode(extract->seq, 1);
    for (int k = 0; k < sys->n_contact + sys->n_switch; k++) {
        first[k] = state_at(&at, k, first[k]);
        if (k >= sys->n_contact || first[k] != PHASE_OPEN)
            continue;
        if (next[k] != PHASE_OPEN)
            hit[k] = next[k];
        else if (is_hit_at_once(&at, k))
            hit[k] = slip_of(&at, &sys->contact[k], sys->contact[k].n_t ? PHASE_STICK : PHASE_CLOSED);
    }
    start_free(&at);
}
