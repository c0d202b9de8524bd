#define _POSIX_C_SOURCE 200809L     /* open_memstream */

#include "transcription/sequence/sequence.h"

#include "core/base/mem.h"

#include <assert.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

static const struct sequence_step none = { -1, false };

int sequence_n_subject(const struct sequence *seq)
{
    return seq->n_contact + seq->n_switch + seq->n_machine;
}

/* Of one mode: states and patches. */
static size_t row(const struct sequence *seq)
{
    return (size_t)(sequence_n_subject(seq) + seq->n_contact);
}

static void make_room(struct sequence *seq, int n_event)
{
    if (n_event <= seq->cap && seq->state)
        return;
    seq->cap = 2 * n_event + 8;
    const size_t cap = (size_t)seq->cap;
    seq->state = mem_resize(seq->state, (cap + 1) * row(seq) + 1, 1);
    seq->place = mem_resize(seq->place, cap, sizeof *seq->place);
    seq->hit = mem_resize(seq->hit, cap * (size_t)seq->n_contact + 1, 1);
    seq->step = mem_resize(seq->step, cap, sizeof *seq->step);
}

struct sequence *sequence_create(int n_contact, int n_switch, int n_machine)
{
    struct sequence *seq = mem_alloc(1, sizeof *seq);
    seq->n_contact = n_contact;
    seq->n_switch = n_switch;
    seq->n_machine = n_machine;
    make_room(seq, 0);
    memset(seq->state, PHASE_OPEN, (size_t)n_contact);
    memset(seq->state + n_contact, PHASE_NEGATIVE, (size_t)n_switch);
    memset(seq->state + n_contact + n_switch, 0, (size_t)(n_machine + n_contact));
    return seq;
}

struct sequence *sequence_copy(const struct sequence *seq)
{
    struct sequence *copy = sequence_create(seq->n_contact, seq->n_switch, seq->n_machine);
    make_room(copy, seq->n_event);
    copy->n_event = seq->n_event;
    memcpy(copy->state, seq->state, (size_t)(seq->n_event + 1) * row(seq));
    if (seq->n_event) {
        memcpy(copy->place, seq->place, (size_t)seq->n_event * sizeof *seq->place);
        memcpy(copy->hit, seq->hit, (size_t)(seq->n_event * seq->n_contact));
        memcpy(copy->step, seq->step, (size_t)seq->n_event * sizeof *seq->step);
    }
    return copy;
}

void sequence_free(struct sequence *seq)
{
    if (!seq)
        return;
    free(seq->state);
    free(seq->place);
    free(seq->hit);
    free(seq->step);
    free(seq);
}

unsigned char *sequence_mode(const struct sequence *seq, int j)
{
    return seq->state + (size_t)j * row(seq);
}

unsigned char *sequence_patch(const struct sequence *seq, int j)
{
    return sequence_mode(seq, j) + sequence_n_subject(seq);
}

unsigned char *sequence_hit(const struct sequence *seq, int j)
{
    return seq->hit + (size_t)j * (size_t)seq->n_contact;
}

bool sequence_has_impact(const struct sequence *seq, int j)
{
    for (int c = 0; c < seq->n_contact; c++)
        if (sequence_hit(seq, j)[c] != PHASE_OPEN)
            return true;
    return false;
}

bool sequence_is_on_grid(const struct sequence *seq, int j)
{
    return seq->place[j] % 2 == 0;
}

bool sequence_fires(const struct sequence *seq, int j)
{
    return seq->step[j].transition >= 0;
}

bool sequence_contact_turns(const struct sequence *seq, int j, int c)
{
    const int before = sequence_patch(seq, j)[c], after = sequence_patch(seq, j + 1)[c];
    return phase_is_closed(sequence_mode(seq, j)[c]) && before && after && before != after;
}

bool sequence_turns(const struct sequence *seq, int j)
{
    for (int c = 0; c < seq->n_contact; c++)
        if (sequence_contact_turns(seq, j, c))
            return true;
    return false;
}

bool sequence_is_instant(const struct sequence *seq, int j)
{
    const bool at_once = j < seq->n_event && sequence_fires(seq, j) && seq->step[j].at_once;
    return at_once && (j > 0 ? seq->place[j - 1] >= seq->place[j] - 1 : seq->place[j] == 1);
}

int sequence_interval(const struct sequence *seq, int j)
{
    return seq->place[j] / 2;
}

/* Moves what stands from event j and mode `mode` on by one, forth (+1) or back (-1). */
static void shift(struct sequence *seq, int j, int mode, int by)
{
    const size_t n = row(seq), n_c = (size_t)seq->n_contact;
    const size_t events = (size_t)(seq->n_event - j), modes = (size_t)(seq->n_event + 1 - mode);
    const size_t from_j = (size_t)j, to_j = (size_t)(j + by), from_m = (size_t)mode, to_m = (size_t)(mode + by);
    memmove(seq->state + to_m * n, seq->state + from_m * n, modes * n);
    memmove(seq->place + to_j, seq->place + from_j, events * sizeof *seq->place);
    memmove(seq->hit + to_j * n_c, seq->hit + from_j * n_c, events * n_c);
    memmove(seq->step + to_j, seq->step + from_j, events * sizeof *seq->step);
}

void sequence_insert(struct sequence *seq, int j, int place)
{
    make_room(seq, seq->n_event + 1);
    shift(seq, j, j, 1);
    memcpy(sequence_mode(seq, j), sequence_mode(seq, j + 1), row(seq));
    seq->n_event++;
    seq->place[j] = place;
    memset(sequence_hit(seq, j), PHASE_OPEN, (size_t)seq->n_contact);
    seq->step[j] = none;
}

void sequence_copy_mode(struct sequence *seq, int j, const struct sequence *from, int k)
{
    memcpy(sequence_mode(seq, j), sequence_mode(from, k), row(seq));
}

void sequence_remove(struct sequence *seq, int j, int mode, double *t)
{
    assert(mode == j || mode == j + 1);
    shift(seq, j + 1, mode + 1, -1);
    seq->n_event--;
    if (t)
        memmove(t + j, t + j + 1, (size_t)(seq->n_event - j) * sizeof *t);
}

static bool same_steps(const struct sequence *a, const struct sequence *b)
{
    bool same = true;
    for (int j = 0; j < a->n_event; j++)
        same = same && a->step[j].transition == b->step[j].transition && a->step[j].at_once == b->step[j].at_once;
    return same;
}

bool sequence_same_order(const struct sequence *a, const struct sequence *b)
{
    return a->n_event == b->n_event && memcmp(a->state, b->state, ((size_t)a->n_event + 1) * row(a)) == 0
           && same_steps(a, b);
}

bool sequence_equal(const struct sequence *a, const struct sequence *b)
{
    const size_t n = (size_t)a->n_event;
    return sequence_same_order(a, b)
           && (n == 0 || (memcmp(a->place, b->place, n * sizeof *a->place) == 0
                          && memcmp(a->hit, b->hit, n * (size_t)a->n_contact) == 0));
}

bool phase_is_closed(int state)
{
    return state >= PHASE_CLOSED && state <= PHASE_SLIP;
}

bool phase_slips(int state)
{
    return state == PHASE_FORWARD || state == PHASE_BACKWARD || state == PHASE_SLIP;
}

unsigned char phase_opposite(unsigned char state)
{
    return state == PHASE_POSITIVE ? PHASE_NEGATIVE : PHASE_POSITIVE;
}

void sequence_simplify(struct sequence *seq, double *t)
{
    for (int j = 0; j < seq->n_event;) {
        const bool same = memcmp(sequence_mode(seq, j), sequence_mode(seq, j + 1), row(seq)) == 0;
        if (!same || sequence_has_impact(seq, j) || sequence_fires(seq, j)) {
            j++;
            continue;
        }
        sequence_remove(seq, j, j + 1, t);
    }
}

/* --- Text ---------------------------------------------------------------------------------------------------- */

static const struct { char letter; const char *word; } about[] = {
    [PHASE_OPEN] = { 'o', "is open" },          [PHASE_CLOSED] = { 'c', "is closed" },
    [PHASE_STICK] = { 'k', "sticks" },          [PHASE_FORWARD] = { '+', "slips forward" },
    [PHASE_BACKWARD] = { '-', "slips back" },   [PHASE_SLIP] = { 's', "slips" },
    [PHASE_NEGATIVE] = { 'n', "is negative" },  [PHASE_SLIDING] = { '0', "slides" },
    [PHASE_POSITIVE] = { 'p', "is positive" },  [PHASE_G_ZERO] = { 'G', "G is 0" },
    [PHASE_H_ZERO] = { 'H', "H is 0" },
};

static const char letters[MACHINE_STATES_MOST + 1] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

const char *phase_state_word(int state)
{
    return about[state].word;
}

static void print_mode(const struct sequence *seq, int j, FILE *out)
{
    const int n = seq->n_contact + seq->n_switch;
    for (int k = 0; k < n + seq->n_machine; k++) {
        const int state = sequence_mode(seq, j)[k];
        fputc(k < n ? about[state].letter : letters[state], out);
        if (k < seq->n_contact && sequence_patch(seq, j)[k])
            fprintf(out, "%d", sequence_patch(seq, j)[k]);
    }
}

void sequence_print(const struct sequence *seq, FILE *out)
{
    print_mode(seq, 0, out);
    for (int j = 0; j < seq->n_event; j++) {
        fprintf(out, " %g", 0.5 * seq->place[j]);
        if (sequence_has_impact(seq, j)) {
            fputc('!', out);
            for (int c = 0; c < seq->n_contact; c++)
                fputc(about[sequence_hit(seq, j)[c]].letter, out);
        }
        if (sequence_fires(seq, j))
            fprintf(out, "%s%d", seq->step[j].at_once ? ">>" : ">", seq->step[j].transition);
        fputc(' ', out);
        print_mode(seq, j + 1, out);
    }
}

char *sequence_text(const struct sequence *seq)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    if (!out)
        return mem_copy_text("");
    sequence_print(seq, out);
    (void)fclose(out);
    return text;
}

static int state_of_letter(char letter)
{
    for (int k = PHASE_OPEN; k <= PHASE_H_ZERO; k++)
        if (about[k].letter == letter)
            return k;
    return -1;
}

/* n letters of states [first, last]; returns what follows, NULL if they are none. */
static const char *read_states(const char *text, int n, int first, int last, unsigned char *state)
{
    for (int k = 0; k < n; k++) {
        const int one = text[k] ? state_of_letter(text[k]) : -1;
        if (one < first || one > last)
            return NULL;
        state[k] = (unsigned char)one;
    }
    return text + n;
}

static const char *read_machines(const char *text, int n, unsigned char *state)
{
    for (int k = 0; k < n; k++) {
        const char *found = text[k] ? strchr(letters, text[k]) : NULL;
        if (!found)
            return NULL;
        state[k] = (unsigned char)(found - letters);
    }
    return text + n;
}

/* Digits, if there are any. */
static const char *read_patch(const char *text, unsigned char *patch)
{
    char *end = NULL;
    *patch = 0;
    if (!(*text >= '1' && *text <= '9'))
        return text;
    const long number = strtol(text, &end, 10);
    *patch = (unsigned char)number;
    return number <= UCHAR_MAX ? end : NULL;
}

static const char *read_mode(const struct sequence *seq, int j, const char *text)
{
    unsigned char *state = sequence_mode(seq, j), *patch = sequence_patch(seq, j);
    for (int c = 0; c < seq->n_contact && text; c++) {
        text = read_states(text, 1, PHASE_OPEN, PHASE_SLIP, state + c);
        text = text ? read_patch(text, patch + c) : NULL;
    }
    if (text)
        text = read_states(text, seq->n_switch, PHASE_NEGATIVE, PHASE_H_ZERO, state + seq->n_contact);
    return text ? read_machines(text, seq->n_machine, state + seq->n_contact + seq->n_switch) : NULL;
}

/* ">2" or ">>2"; NULL if it is neither. */
static const char *read_step(const char *text, struct sequence_step *step)
{
    char *end = NULL;
    step->at_once = text[1] == '>';
    text += 1 + step->at_once;
    const long transition = *text >= '0' && *text <= '9' ? strtol(text, &end, 10) : -1;
    step->transition = transition < 1000 ? (int)transition : -1;
    return step->transition >= 0 ? end : NULL;
}

/* " 0.5!k " and the mode after it. */
static const char *read_event(struct sequence *seq, const char *text)
{
    char *end = NULL;
    const int j = seq->n_event;
    const double place = 2 * strtod(text, &end);
    if (end == text || !(place >= 1 && place < 1e9) || place != (int)place
        || (j > 0 && (int)place < seq->place[j - 1]))
        return NULL;
    sequence_insert(seq, j, (int)place);
    text = end;
    if (*text == '!')
        text = read_states(text + 1, seq->n_contact, PHASE_OPEN, PHASE_SLIP, sequence_hit(seq, j));
    if (text && *text == '>')
        text = read_step(text, &seq->step[j]);
    return text && *text == ' ' ? read_mode(seq, j + 1, text + 1) : NULL;
}

struct sequence *sequence_read(int n_contact, int n_switch, int n_machine, const char *text)
{
    struct sequence *seq = sequence_create(n_contact, n_switch, n_machine);
    text = read_mode(seq, 0, text);
    while (text && *text == ' ')
        text = read_event(seq, text + 1);
    if (text && *text == '\0')
        return seq;
    sequence_free(seq);
    return NULL;
}

/* --- In words ------------------------------------------------------------------------------------------------- */

#define NO_LENGTH 1e-6              /* of the horizon: a mode that is left out of the words */
enum { STORY_MOST = 12, STORY_FIRST = 7, STORY_LAST = 3 };      /* stretches that are told, and which of more */

/* What a subject does from start to end, and what happens to it before that: NULL where the
 * change of its state says it. */
struct stretch { int state; double start, end; const char *before; };

/* A switch that slides is at 0: whose velocity it is rests. */
static const char *story_word(const struct sequence *seq, const struct sequence_words *words, int k, int state)
{
    const int machine = k - seq->n_contact - seq->n_switch;
    if (machine >= 0)
        return words->state[machine][state];
    if (words->closes[k] && state >= PHASE_NEGATIVE)
        return about[state == PHASE_POSITIVE ? PHASE_OPEN : PHASE_CLOSED].word;
    if (state == PHASE_SLIDING)
        return "stays at 0 for";
    if (state == PHASE_G_ZERO || state == PHASE_H_ZERO)
        return state == PHASE_G_ZERO ? "G is 0 for" : "H is 0 for";
    return about[state].word;
}

/* What happens to subject k at event j, whether its state changes or not; NULL: nothing. A contact that is hit and
 * opens again bounces, by its restitution; a machine may come back to the state it was in. */
static const char *story_event(const struct sequence *seq, const struct sequence_words *words, int k, int j)
{
    if (k < seq->n_contact && sequence_hit(seq, j)[k] != PHASE_OPEN) {
        const bool opens = sequence_mode(seq, j)[k] == PHASE_OPEN && sequence_mode(seq, j + 1)[k] == PHASE_OPEN;
        return opens && (!words->rebounds || words->rebounds[k]) ? "bounces" : "is hit";
    }
    const bool is_machine = seq->n_machine == 1 && k == seq->n_contact + seq->n_switch;
    return is_machine && sequence_fires(seq, j) ? "makes a transition" : NULL;
}

/* Adds one to the n of a list: to the last one, if that goes on. */
static int add_stretch(struct stretch *list, int n, const struct stretch *one)
{
    const bool goes_on = n > 0 && list[n - 1].state == one->state;
    if (goes_on && !one->before) {
        list[n - 1].end = one->end;
        return n;
    }
    list[n] = *one;
    if (n > 0 && !goes_on)
        list[n].before = NULL;
    return n + 1;
}

static bool is_of_story(const struct sequence *seq, const struct sequence_words *words, int k, int j)
{
    return sequence_mode(seq, j)[k] != sequence_mode(seq, j + 1)[k] || story_event(seq, words, k, j);
}

/* What subject k does, without what has no length: list [n_event + 1]; returns how many there are. */
static int find_stretches(const struct sequence *seq, const struct sequence_words *words, int k, const double *t,
                          double T, struct stretch *list)
{
    int n = 0;
    const char *before = NULL;
    double begin = 0, start = 0;                /* of this one, and with what is left out before it */
    for (int j = 0; j <= seq->n_event; j++) {
        const bool last = j == seq->n_event;
        if (!last && !is_of_story(seq, words, k, j))
            continue;
        const double end = last ? T : t[j];
        if (!(end - begin < NO_LENGTH * T)) {
            n = add_stretch(list, n, &(struct stretch){ sequence_mode(seq, j)[k], start, end, before });
            start = end;
            before = NULL;
        }
        begin = end;
        if (!last && story_event(seq, words, k, j))
            before = story_event(seq, words, k, j);
    }
    if (before)                                 /* as all ends */
        list[n++] = (struct stretch){ sequence_mode(seq, seq->n_event)[k], T, T, before };
    return n;
}

static void print_stretches(const struct sequence *seq, const struct sequence_words *words, int k,
                            const struct stretch *list, int n, FILE *out)
{
    for (int i = 0; i < n; i++) {
        const struct stretch *one = &list[i];
        if (n > STORY_MOST && i == STORY_FIRST) {
            i = n - STORY_LAST - 1;
            fprintf(out, ", ... %d more ...", n - STORY_FIRST - STORY_LAST);
            continue;
        }
        if (!(one->end > one->start)) {
            fprintf(out, "%s%s at the end", i ? ", " : "", one->before);
            continue;
        }
        fprintf(out, "%s%s%s%s %.4g %s", i ? ", " : "", one->before ? one->before : "", one->before ? ", " : "",
                story_word(seq, words, k, one->state), one->end - one->start,
                words->time_unit);
    }
}

void sequence_print_story(const struct sequence *seq, const struct sequence_words *words, const double *t,
                          double T, FILE *out)
{
    struct stretch *list = mem_alloc((size_t)seq->n_event + 1, sizeof *list);
    for (int k = 0; k < sequence_n_subject(seq); k++) {
        fprintf(out, "%s: ", words->subject[k]);
        print_stretches(seq, words, k, list, find_stretches(seq, words, k, t, T, list), out);
        fputc('\n', out);
    }
    free(list);
}
