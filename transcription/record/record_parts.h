/* transcription/record/record_parts.h - what record.c, record_events.c and record_write.c share; private to them */
#ifndef COCP_TRANSCRIPTION_RECORD_RECORD_PARTS_H
#define COCP_TRANSCRIPTION_RECORD_RECORD_PARTS_H

#include "core/output/layout.h"
#include "transcription/discretize/transcription.h"

struct record_element { struct layout_element at; bool frozen; };

/* What a contact or a switch does in an element. */
enum mode { MODE_UNKNOWN, MODE_OPEN, MODE_STICK, MODE_FORWARD, MODE_BACKWARD,   /* contacts */
            MODE_NEGATIVE, MODE_SLIDING, MODE_POSITIVE };                       /* switches */

/* The function of a point that is stored, its inputs and what its evaluation needs. */
struct record_tape { struct tape *of; double *in, *work; };

struct record {
    const struct model *model;
    const expr *u_expr;             /* [n_u] or NULL; borrowed */
    struct arena mem;               /* owns what does not grow: names, modes and what is evaluated */
    const double *p;                /* [n_p] optimized parameters of what was added first; NULL: nothing was */
    struct layout_points points;
    int n_marked;                   /* points whose sides are known */
    int n_element, n_data, n_stage;
    struct record_element *element;
    double *c;                      /* [n_stage] nodes of the collocation; NULL: the method is none */
    double *element_data;           /* [n_element * n_data] x before its start, there, stages, end */
    double *impulse;                /* [n_element * 3 n_contact] */
    int n_interval;
    double *interval, *interval_u;  /* [n_interval] start; [n_interval * n_u] */
    double *speed;                  /* [n_interval] of time */
    bool freezes;                   /* time may stand still */
    int n_event;
    struct layout_event *event;     /* names are those below */
    double *event_x;                /* [n_event * 2 n_x] before, after */
    const char **name;              /* subjects: contacts, then switches */
    enum mode *mode;                /* of each, in the last element that told */
    bool in_jump;                   /* the last elements were frozen */
    int jump_element;               /* the first of them */
    double *jump_impulse;           /* [3 n_contact] so far */
    bool *jumped;                   /* [n_contact] at the start of the newest element */
    double t, t_num;                /* end */
    struct record_tape tape;
    double *rate, *shown, *aux, *signal;        /* what it evaluates: the rate of time, columns_expressions, [model_n_force],
                                                 * [columns_n_signal] */
    double *force;                  /* [3 n_contact] of a point */
};

/* The row of a point. */
const double *record_columns(const struct record *record, int point);

/* Modes of contacts and switches in element e of tr, the newest of the record, and the events at its start; jumped
 * [n_contact] as the impacts there left it, or false. */
void record_find_modes(struct record *record, struct transcription *tr, const double *w, int e, double sigma,
                       bool *jumped);

/* FESD-J: the impacts at the left of an element, from its impulses [3 n_contact] and the states on both sides;
 * jumped [n_contact] says which contacts took part. */
void record_find_impacts(struct record *record, struct transcription *tr, const double *impulse,
                         const double *x_minus, const double *x_plus, double sigma, bool *jumped);

/* The event that a phase by the user begins with element e of tr, the newest of the record. */
void record_find_jumps(struct record *record, const struct transcription *tr, const double *w, int e, double t,
                       double t_num);

/* Is control k an expression, which varies within an interval? */
bool record_control_varies(const struct record *record, int k);

#endif
