/* core/mpcc/settings.h - the blocks `homotopy` and `solver` of the spec
 *
 * sigma_0 and update_slope are "auto" (NAN) by default: the recipe of the discretization method (homotopy.h)
 * then says where to start and how fast to go, since a good start differs by orders of magnitude between them.
 */
#ifndef COCP_CORE_MPCC_SETTINGS_H
#define COCP_CORE_MPCC_SETTINGS_H

#include "core/nlp/nlp.h"
#include "core/spec/settings.h"

enum relax_kind {                   /* mpcc.md 1 */
    RELAX_SCHOLTES, RELAX_STEFFENSEN_ULBRICH, RELAX_KANZOW_SCHWARTZ, RELAX_LIN_FUKUSHIMA, RELAX_FISCHER_BURMEISTER
};
enum relax_elastic { ELASTIC_NONE, ELASTIC_L1, ELASTIC_LINF };      /* mpcc.md 2 */
enum homotopy_schedule { SCHEDULE_LINEAR, SCHEDULE_SUPERLINEAR };
enum homotopy_presolve { PRESOLVE_AUTO, PRESOLVE_NONE, PRESOLVE_TIME_STEPPING };
enum homotopy_polish { POLISH_AUTO, POLISH_OFF };

struct homotopy_settings {
    int relaxation;                 /* enum relax_kind */
    int elastic;                    /* enum relax_elastic */
    int schedule;                   /* enum homotopy_schedule */
    int presolve;                   /* enum homotopy_presolve; for the caller of homotopy_solve */
    int polish;                     /* enum homotopy_polish */
    double sigma_0, update_slope;   /* NAN: auto */
    double sigma_N;
    struct setting_list sigma;      /* n > 0: exactly these, in place of sigma_0, sigma_N and the slope */
    double comp_tol;                /* largest G H of a solution */
    double restarts;                /* further starts from perturbed guesses; NAN: auto; for the caller */
    int seed;                       /* of the perturbations */
};

extern const struct setting_table homotopy_settings_table;
extern const struct shape solver_shape;

/* Reads the block (NULL: all defaults) and checks that the sigmas decrease. homotopy_settings_free afterwards. */
enum status homotopy_settings_read(const struct spec_node *block, const struct setting_eval *eval,
                                   struct homotopy_settings *out, struct diag *diag);
void homotopy_settings_free(struct homotopy_settings *settings);

struct solver_settings {
    int n_option, n_linear;         /* the first ones say how linear systems are solved, the others how IPOPT goes on */
    struct nlp_option *option;      /* owned; the texts are borrowed from the spec tree */
};

/* Reads `solver: {ipopt: {name: value, ...}}` (NULL: none). Option names are checked against the list of
 * nlp.h, with positions; values are IPOPT's business. solver_settings_free afterwards. */
enum status solver_settings_read(const struct spec_node *block, struct solver_settings *out, struct diag *diag);
void solver_settings_free(struct solver_settings *settings);

#endif
