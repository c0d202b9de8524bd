/* transcription/candidates/tried.h - neighbouring sequences that a search tried, and what each would cost;
 * solutions that were refused
 *
 * Costs are those of the grid of the search, which is coarser than the finished one: they compare with one another
 * and with `objective` of the sequence that was kept, on that grid.
 */
#ifndef COCP_TRANSCRIPTION_CANDIDATES_TRIED_H
#define COCP_TRANSCRIPTION_CANDIDATES_TRIED_H

#include "transcription/finish/finish.h"

struct tried_sequence {
    char what[60];                  /* "event 3 into interval 7" */
    char *sequence;                 /* in its text form */
    bool solved;
    bool given_up;                  /* as it was not going to be better */
    bool settled;                   /* else, given up as it came to rest above the best: objective is about what it costs */
    double objective;               /* NAN: it has no solution */
    enum nlp_outcome outcome;
    double violation;               /* that is left */
};

struct tried { int n; struct tried_sequence *list; };

/* Appends one; as search's note, user being the struct tried. */
void tried_add(void *user, const char *what, const struct finish *one);
/* The cheapest first, those without a solution last; without the sequence that was kept, which a search came to
 * as a neighbour of another. */
void tried_sort(struct tried *tried, const struct sequence *kept);
void tried_free(struct tried *tried);
/* Why a program has no solution. */
const char *tried_why(bool given_up, enum nlp_outcome outcome);

/* Solutions that a replay, or an inequality between stages, refused; what they cost on the
 * grid that they had come to. */
struct refused_sequence { char *sequence; int n_event; double objective; char reason[200]; };
struct refused { int n; struct refused_sequence *list; };

void refused_add(struct refused *refused, const struct finish *one, const char *reason);
/* Is one of them the same motion, as its objective is the same? A neighbour may differ by an event of no effect;
 * one with fewer of them has its own chance. */
bool refused_has(const struct refused *refused, const struct finish *one);
void refused_free(struct refused *refused);

#endif
