/* transcription/diagnose/recipe.h - the numbers of a diagnosis, each with its reason */
#ifndef COCP_TRANSCRIPTION_DIAGNOSE_RECIPE_H
#define COCP_TRANSCRIPTION_DIAGNOSE_RECIPE_H

#define DIAGNOSE_SHARE 1.0          /* of what the solve took: so long a diagnosis may last, */
#define DIAGNOSE_LEAST 10.0         /* s, but at least so long where there is time: most take a second */
#define DIAGNOSE_MARGIN 0.5         /* s that are left for writing where time is limited */
#define OTHERS_WEIGHT 1e3           /* of slack of all but the one that is relaxed: a unit of it is worth a thousand of that one */
#define EFFORT_WEIGHT 1e-4          /* of controls beside slack: motions of least slack are many, and one is enough */
#define WIDER 20.0                  /* times its width, at least its size, a bound is moved where it has slack */
#define LONGEST 10.0                /* times a fixed horizon: how long it may become */
#define SLACK_IS_ZERO 1e-4          /* of the size: what programs that are solved leave, and less than a user means */
#define SHADOW 0.02                 /* of the price of slack: what a condition pushes with less has no part in the conflict */
#define HIDDEN_SHARE 0.4            /* of the time that is left: so long a condition may take that is held to all others */
#define HIDDEN_LEAST 2.0            /* s for these, or as long as the solve took */

enum {
    MOST_CANDIDATES = 6,            /* conditions relaxed alone, beside the horizon */
    MOST_TRIES = 10                 /* neighbouring sequences of a relaxed solution */
};

#endif
