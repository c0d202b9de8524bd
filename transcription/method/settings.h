/* transcription/method/settings.h - the block `discretization` of the spec; README.md "The spec" */
#ifndef COCP_TRANSCRIPTION_METHOD_SETTINGS_H
#define COCP_TRANSCRIPTION_METHOD_SETTINGS_H

#include "core/spec/settings.h"

enum method { METHOD_AUTO, METHOD_FESD, METHOD_FESD_J, METHOD_TIME_FREEZING, METHOD_TIME_STEPPING };
enum form { FORM_STEP, FORM_STEWART };
enum aggregation { AGGREGATE_STAGE_FE, AGGREGATE_FE_STAGE, AGGREGATE_STAGE_STAGE, AGGREGATE_FE_FE };
enum equilibration {
    EQUILIBRATE_HEURISTIC_MEAN, EQUILIBRATE_HEURISTIC_DIFF, EQUILIBRATE_L2_RELAXED,
    EQUILIBRATE_L2_RELAXED_SCALED, EQUILIBRATE_DIRECT, EQUILIBRATE_NONE
};
enum control_grid { CONTROL_GRID_EQUIDISTANT, CONTROL_GRID_FREE };
enum impact_form { IMPACT_SPLIT, IMPACT_PRODUCT };
enum friction_form { FRICTION_AUTO, FRICTION_POLYHEDRAL, FRICTION_CONE, FRICTION_CONIC_PAPER };

struct discretization {
    int method;                     /* enum method */
    int scheme;                     /* enum rk_family */
    int stages;
    int form, aggregation, equilibration, control_grid;     /* enums above */
    double rho_h;                   /* weight of step equilibration; NAN: as discretization_rho_h says */
    double gamma_h;                 /* step lengths lie in (1 -+ gamma_h) times the nominal one; NAN: likewise */
    /* time-freezing */
    double a_n;                     /* acceleration of the auxiliary dynamics */
    double dead_band;               /* half width of the gap's dead band, m; NAN: auto */
    struct setting_list speed_of_time;      /* [lowest, highest] */
    double eps_t;                   /* drift velocity of the 3D friction, m/s */
    double k_aux;                   /* stiffness of the auxiliary dynamics of elastic impacts */
    /* fesd-j */
    int impact_form, friction_form, directions;
    double eps_c;
    bool terminal_junction;
};

extern const struct setting_table discretization_table;

/* Reads the block (NULL: defaults) and checks what belongs together (scheme and stages, speed_of_time).
 * discretization_free afterwards. */
enum status discretization_read(const struct spec_node *block, const struct setting_eval *eval,
                                struct discretization *out, struct diag *diag);
void discretization_free(struct discretization *settings);

/* Where the spec leaves it to the method. With FESD-J elements of no length make forces without bound, and a heavy
 * weight leads to other local optima (fesd_j.md 11). */
double discretization_rho_h(const struct discretization *settings);
double discretization_gamma_h(const struct discretization *settings);

const char *method_name(enum method method);

#endif
