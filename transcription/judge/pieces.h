/* transcription/judge/pieces.h - the trajectory between its points, as /grid gives it: docs/results.md, `value`
 *
 *   states  of element e the polynomial through x_start at 0 and x_stage at the parts c
 *   forces  the polynomial through lambda_n, lambda_t, .. at the parts c, where they are there
 *
 * of numerical time, which is physical time but for time-freezing.
 */
#ifndef COCP_TRANSCRIPTION_JUDGE_PIECES_H
#define COCP_TRANSCRIPTION_JUDGE_PIECES_H

#include "transcription/report/solution_file.h"

struct pieces {                     /* of /grid; borrowed */
    int n, n_x, n_contact, n_stage;
    const double *start, *end;      /* [n] of numerical time */
    const double *x_start, *x_end;  /* [n * n_x] */
    const double *x_stage;          /* [n * n_stage * n_x] */
    const double *c;                /* [n_stage] */
    const double *force[CONTACT_ROWS];      /* [n * n_stage * n_contact] NULL: not there */
    bool is_physical_time;
};

/* False where /grid has no polynomials, as that of a time-stepping scheme, or lacks something. */
bool pieces_read(const struct solution_file *file, struct pieces *out);

/* An element in which t lies, at its end if `before`: the last one that has it otherwise; -1: none. */
int pieces_find(const struct pieces *pieces, double t, bool before);

/* Is t in element e? */
bool pieces_has(const struct pieces *pieces, int e, double t);

/* State i and force `part` of a contact at time t, by element e. */
double pieces_x(const struct pieces *pieces, int e, double t, int i);
double pieces_force(const struct pieces *pieces, int e, double t, int part, int contact);

#endif
