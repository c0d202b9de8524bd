/* transcription/record/record_parts.h - what record.c, record_events.c and record_write.c share; private to them */
#ifndef COCP_TRANSCRIPTION_RECORD_RECORD_PARTS_H
#define COCP_TRANSCRIPTION_RECORD_RECORD_PARTS_H

#include "transcription/record/record.h"

struct record_point { double t, t_num; int element, stage, side, is_physical; };

struct record_element {
    double h, t_start, t_end, t_num_start, t_num_end;
    bool frozen;
    int interval, n_stage;
};

enum event_kind {
    EVENT_IMPACT, EVENT_LIFTOFF, EVENT_STICK, EVENT_SLIP, EVENT_REVERSAL, EVENT_CROSSING, EVENT_SLIDING, EVENT_LEAVING
};

/* What a contact or a switch does in an element. */
enum mode { MODE_UNKNOWN, MODE_OPEN, MODE_STICK, MODE_FORWARD, MODE_BACKWARD,   /* contacts */
            MODE_NEGATIVE, MODE_SLIDING, MODE_POSITIVE };                       /* switches */

struct record_event {
    double t, t_num;
    int element;
    enum event_kind kind;
    int subject;                    /* index in names */
    double impulse[3];
};

struct record {
    const struct model *model;
    const expr *u_expr;             /* [n_u] or NULL; borrowed */
    int n_column, *contact_column, output_column;   /* x, u, contacts (first column of each), outputs */
    int n_point, cap_point;
    struct record_point *point;
    double *column;                 /* [n_point * n_column] */
    int n_element, cap_element, n_data, n_stage;
    struct record_element *element;
    double *element_data;           /* [n_element * n_data] x before its start, there, stages, end; impulses
                                     * [3 n_contact] */
    int n_interval, n_interval_before;
    double *interval, *interval_u;  /* [n_interval] start; [n_interval * n_u] */
    int n_event, cap_event;
    struct record_event *event;
    double *event_x;                /* [n_event * 2 n_x] before, after */
    int n_name;                     /* subjects: contacts, then switches */
    char **name;
    enum mode *mode;                /* [n_name] in the last element that told */
    bool in_jump;                   /* the last elements were frozen */
    int jump_element;               /* the first of them */
    double *jump_impulse;           /* [3 n_contact] so far */
    bool *jumped;                   /* [n_contact] at the start of the newest element */
    double t, t_num;                /* end */
    struct tape *tape;
    double *tape_in, *tape_out, *tape_work;
};

/* Modes of contacts and switches in element e of tr, the newest of the record, and the events at its start; jumped
 * [n_contact] as the impacts there left it, or false. */
void record_find_modes(struct record *record, struct transcription *tr, const double *w, int e, double sigma,
                       bool *jumped);

/* FESD-J: the impacts at the left of an element, from its impulses [3 n_contact] and the states on both sides;
 * jumped [n_contact] says which contacts took part. */
void record_find_impacts(struct record *record, struct transcription *tr, const double *impulse, const double *x_minus,
                         const double *x_plus, double sigma, bool *jumped);

/* Is control k an expression, which varies within an interval? */
bool record_control_varies(const struct record *record, int k);

const char *record_event_word(enum event_kind kind);

#endif
