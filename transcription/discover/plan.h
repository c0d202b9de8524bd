/* transcription/discover/plan.h - in which order what is tried: the table, and who walks through it */
#ifndef COCP_TRANSCRIPTION_DISCOVER_PLAN_H
#define COCP_TRANSCRIPTION_DISCOVER_PLAN_H

#include "transcription/generators/generator.h"

enum plan_then {
    ON,                             /* to the next row; an error ends the plan */
    ANYWAY,                         /* to the next row, error or none */
    ENDS,                           /* the plan of problems like this one, due or not */
    ENOUGH,                         /* the same if a given solution has led to one, or the simulations of a fit, or
                                     * nothing else is to be followed */
    RESCUE                          /* it is due after an error, too (but for STATUS_SPEC), which stays that of
                                     * the plan */
};

struct plan_row {
    unsigned has, lacks;            /* traits of the problem (traits.h): all of these, none of those */
    bool (*when)(const struct discovery *at);   /* NULL: always */
    const struct generator *try;
    enum plan_then then;
};

/* The rows, from the first to one without a generator. */
extern const struct plan_row plan[];

/* Walks through all of them. Without anything found it is STATUS_OK all the same; errors are those of solve.h. */
enum status discover(struct discovery *at);

/* Once more through the rows of generators that go on where they were, as more is asked for than the default. */
enum status discover_more(struct discovery *at);

/* The same of the rows of systems without contacts, up to that which asks for it: own_sizes. */
enum status discover_again_without_contacts(struct discovery *at);

/* The rows of own sizes: the plan once more, in scaled variables. */
extern const struct generator own_sizes;

/* In this walk so far: was a row of that name due? Was there a solution after one? */
bool plan_was_due(const struct discovery *at, enum mechanism what);
bool plan_solved_by(const struct discovery *at, enum mechanism what);

#endif
