/* transcription/diagnose/diagnose.h - why a problem has no solution: what the user asks for that cannot be met
 *
 *   1. all conditions of the user may give way (elastic.h), dynamics, contacts and complementarity may not; the whole
 *      solve finds the motion of least slack, relative to the sizes of what is asked for
 *   2. its multipliers tell which conditions are in conflict: one that pushes nothing has no part in it 3. each
 *   of these, those with slack first, and a fixed horizon is relaxed alone: the slack of the others costs a
 *      thousand times as much. Where theirs is 0 it is reason enough
 *
 * As every solve these find local solutions: slack is an upper bound of what is needed.
 */
#ifndef COCP_TRANSCRIPTION_DIAGNOSE_DIAGNOSE_H
#define COCP_TRANSCRIPTION_DIAGNOSE_DIAGNOSE_H

#include "core/mpcc/report.h"
#include "transcription/diagnose/conditions.h"
#include "transcription/discover/discover.h"

enum diagnosis_verdict {
    DIAGNOSIS_OPEN,                 /* there was no time, or the relaxed problem was not solved, either */
    DIAGNOSIS_EITHER,               /* each of the conditions, relaxed alone, makes it feasible */
    DIAGNOSIS_TOGETHER,             /* no single one does that was tried; these do together */
    DIAGNOSIS_MET                   /* none has to give way: a motion meets them all, and the solve has missed it */
};

struct diagnosis_item {
    const struct condition *condition;
    double below, above;            /* what its bounds have to give way by, in its units */
};

struct diagnosis {
    struct arena mem;
    enum diagnosis_verdict verdict;
    int n;
    struct diagnosis_item *item;    /* [n] the one that has to give way least, of its size, first */
    int n_condition;
    const struct condition *condition;          /* [n_condition] all there are */
    double seconds;
};

/* Of a solve of the task that took `spent` seconds; it takes about as long at most. diagnosis_free afterwards;
 * before the model is freed. */
void diagnose(const struct solve_task *task, const struct finish_settings *settings, double spent,
              struct diagnosis *out);
void diagnosis_free(struct diagnosis *diagnosis);

/* Where the verdict is open: conditions that the point w, at which the solve ended, breaks most. */
void diagnosis_look_at(struct diagnosis *diagnosis, const struct mpcc *mpcc, const double *w);

/* In words: an error for each condition at its place in the spec; all of it in one text, of the
 * diagnosis; what to try, static text. */
void diagnosis_report(struct diagnosis *diagnosis, struct diag *diag);
const char *diagnosis_text(struct diagnosis *diagnosis);
const char *diagnosis_advice(const struct diagnosis *diagnosis, const struct model *model);

#endif
