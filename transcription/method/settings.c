#include "transcription/method/settings.h"

#include "core/base/mem.h"
#include "transcription/method/rk.h"

#include <math.h>
#include <stdlib.h>

static const char *const methods[] = { "auto", "fesd", "fesd-j", "time-freezing", "time-stepping", NULL };
static const char *const schemes[] = { "radau-iia", "gauss-legendre", "lobatto-iiic", "explicit", NULL };
static const char *const forms[] = { "step", "stewart", NULL };
static const char *const aggregations[] = { "stage-fe", "fe-stage", "stage-stage", "fe-fe", NULL };
static const char *const equilibrations[] = {
    "heuristic-mean", "heuristic-diff", "l2-relaxed", "l2-relaxed-scaled", "direct", "none", NULL
};
static const char *const control_grids[] = { "equidistant", "free", NULL };
static const char *const impact_forms[] = { "split", "product", NULL };
static const char *const friction_forms[] = { "auto", "polyhedral", "cone", "conic-paper", NULL };

#define FIELD(name) offsetof(struct discretization, name)

static const struct setting_key keys[] = {
    { .name = "method", .type = SETTING_CHOICE, .offset = FIELD(method), .initial = METHOD_AUTO,
      .choices = methods, .auto_word = "auto", .help = "auto: by the model; or fesd, fesd-j, time-freezing, time-stepping",
      .why = "fesd without contacts, fesd-j with them, time-freezing where forces have switches, too (method.h)" },
    { .name = "scheme", .type = SETTING_CHOICE, .offset = FIELD(scheme), .initial = RK_RADAU_IIA,
      .choices = schemes, .help = "Runge-Kutta family; lobatto-iiic and explicit on fixed grids only",
      .why = "stiffly accurate: the last stage is the end of the element, where contacts and switches are exact" },
    { .name = "stages", .type = SETTING_INT, .offset = FIELD(stages), .initial = 2, .min = 1, .max = 9,
      .help = "stages of the Runge-Kutta scheme",
      .why = "order 3 finds the sequence; the finished solution has finish.stages" },
    { .name = "form", .type = SETTING_CHOICE, .offset = FIELD(form), .initial = FORM_STEP, .choices = forms,
      .help = "of switched systems: Heaviside steps or Stewart's",
      .why = "two multipliers per switch, where Stewart's form has one per mode: 2^n of them" },
    { .name = "aggregation", .type = SETTING_CHOICE, .offset = FIELD(aggregation),
      .initial = AGGREGATE_STAGE_FE, .choices = aggregations,
      .help = "sums in cross complementarity: continuous side first",
      .why = "solved most of the published examples when all four were tried" },
    { .name = "equilibration", .type = SETTING_CHOICE, .offset = FIELD(equilibration),
      .initial = EQUILIBRATE_HEURISTIC_MEAN, .choices = equilibrations,
      .help = "what settles the step lengths where nothing switches",
      .why = "biases an optimum a little and is by far the most robust (fesd.md 5)" },
    { .name = "rho_h", .type = SETTING_DOUBLE, .offset = FIELD(rho_h), .initial = NAN, .min = 0, .max = INFINITY,
      .auto_word = "auto", .help = "weight of step equilibration (1; fesd-j 0.01); fades out in the last step",
      .why = "small against the objective; of fesd-j smaller still, as a heavy weight leads to other optima "
             "(fesd_j.md 9)" },
    { .name = "gamma_h", .type = SETTING_DOUBLE, .offset = FIELD(gamma_h), .initial = NAN, .min = 0, .max = 1,
      .auto_word = "auto", .help = "step lengths lie in 1 -+ gamma_h times the nominal one (1; fesd-j 0.9); "
                                   "auto with time-freezing: up to the whole interval",
      .why = "1 lets an element shrink to nothing; fesd-j needs lengths above 0 between its impacts" },
    { .name = "control_grid", .type = SETTING_CHOICE, .offset = FIELD(control_grid),
      .initial = CONTROL_GRID_EQUIDISTANT, .choices = control_grids, .help = "control intervals",
      .why = "free moves the ends of control intervals as well: more freedom, more local optima" },
    { .name = "a_n", .type = SETTING_DOUBLE, .offset = FIELD(a_n), .initial = 100, .min = 0, .open_min = true,
      .max = INFINITY, .help = "time-freezing: acceleration of the auxiliary dynamics",
      .why = "a jump then takes 0.3 to 1 of an element at speeds of some m/s; shorter jumps are hard to place "
             "(time_freezing.md 7)" },
    { .name = "dead_band", .type = SETTING_DOUBLE, .offset = FIELD(dead_band), .initial = NAN, .min = 0,
      .max = INFINITY, .auto_word = "auto", .units = "m",
      .help = "time-freezing: half width of the dead band of curved gaps",
      .why = "curved gaps drift; auto widens only where a solve fails and shrinks it afterwards "
             "(time_freezing.md 11)" },
    { .name = "eps_t", .type = SETTING_DOUBLE, .offset = FIELD(eps_t), .initial = 1e-3, .min = 0,
      .open_min = true, .max = INFINITY, .units = "m/s", .help = "time-freezing: creep of sticking 3D contacts",
      .why = "below what a picture shows; smaller is stiffer (time_freezing.md 4)" },
    { .name = "k_aux", .type = SETTING_DOUBLE, .offset = FIELD(k_aux), .initial = 10, .min = 0,
      .open_min = true, .max = INFINITY, .help = "time-freezing: stiffness of elastic impacts",
      .why = "penetration while time is frozen is |v_n|/sqrt(k_aux); larger is stiffer (time_freezing.md 5)" },
    { .name = "speed_of_time", .type = SETTING_LIST, .offset = FIELD(speed_of_time), .min = 0,
      .open_min = true, .max = INFINITY, .help = "time-freezing: lowest and highest speed of time, [1, 25]",
      .why = "time must be able to catch up what jumps take of an interval" },
    { .name = "impact_form", .type = SETTING_CHOICE, .offset = FIELD(impact_form), .initial = IMPACT_SPLIT,
      .choices = impact_forms, .help = "fesd-j: restitution law",
      .why = "L = P - N has a sign on each side and relaxes better than the product (fesd_j.md)" },
    { .name = "friction_form", .type = SETTING_CHOICE, .offset = FIELD(friction_form),
      .initial = FRICTION_AUTO, .choices = friction_forms, .auto_word = "auto",
      .help = "fesd-j: friction law; auto is the exact one, scalar in the plane, cone in 3D",
      .why = "the exact law of the plane and of space; a polyhedron is an approximation" },
    { .name = "directions", .type = SETTING_INT, .offset = FIELD(directions), .initial = 4, .min = 4, .max = 64,
      .help = "fesd-j: directions of polyhedral friction in 3D, even",
      .why = "the least that is symmetric" },
    { .name = "eps_c", .type = SETTING_DOUBLE, .offset = FIELD(eps_c), .initial = 1e-3, .min = 0,
      .max = 1, .help = "fesd-j: look-ahead that excludes missed impacts",
      .why = "an impact between two stages would pass unseen (fesd_j.md (8))" },
    { .name = "terminal_junction", .type = SETTING_BOOL, .offset = FIELD(terminal_junction), .initial = 0,
      .help = "fesd-j: let impacts happen at the final time",
      .why = "an impact at the very end changes nothing but the final velocity" },
};

const struct setting_table discretization_table = {
    .block = "discretization", keys, sizeof keys / sizeof keys[0]
};

static enum status check_speed_of_time(const struct spec_node *block, struct discretization *out,
                                       struct diag *diag)
{
    struct setting_list *list = &out->speed_of_time;
    if (list->n == 0) {
        *list = (struct setting_list){ 2, mem_alloc(2, sizeof(double)) };
        list->val[0] = 1;
        list->val[1] = 25;
        return STATUS_OK;
    }
    if (list->n == 2 && list->val[0] <= list->val[1])
        return STATUS_OK;
    return spec_error(diag, spec_get(block, "speed_of_time"), "must be [lowest, highest], such as [1, 25]");
}

static enum status check_scheme(const struct spec_node *block, const struct discretization *out,
                                struct diag *diag)
{
    const struct spec_node *scheme = spec_get(block, "scheme"), *stages = spec_get(block, "stages");
    const bool fixed_grid = out->scheme == RK_LOBATTO_IIIC || out->scheme == RK_EXPLICIT;
    if (fixed_grid && out->method != METHOD_TIME_STEPPING)
        return spec_error(diag, scheme, "%s works on fixed grids only (method: time-stepping); "
                          "switch detection needs radau-iia or gauss-legendre", schemes[out->scheme]);
    if (out->scheme == RK_LOBATTO_IIIC && out->stages < 2)
        return spec_error(diag, stages ? stages : scheme, "lobatto-iiic has at least 2 stages");
    if (out->scheme == RK_EXPLICIT && out->stages > 4)
        return spec_error(diag, stages, "explicit schemes have 1 to 4 stages");
    return STATUS_OK;
}

enum status discretization_read(const struct spec_node *block, const struct setting_eval *eval,
                                struct discretization *out, struct diag *diag)
{
    enum status st = settings_read(&discretization_table, block, eval, out, diag);
    if (check_speed_of_time(block, out, diag) != STATUS_OK || check_scheme(block, out, diag) != STATUS_OK)
        st = STATUS_SPEC;
    if (out->directions % 2)
        st = spec_error(diag, spec_get(block, "directions"), "must be even");
    return st;
}

void discretization_free(struct discretization *settings)
{
    free(settings->speed_of_time.val);
    settings->speed_of_time = (struct setting_list){ 0, NULL };
}

double discretization_rho_h(const struct discretization *settings)
{
    if (!isnan(settings->rho_h))
        return settings->rho_h;
    return settings->method == METHOD_FESD_J ? 0.01 : 1;
}

double discretization_gamma_h(const struct discretization *settings)
{
    if (!isnan(settings->gamma_h))
        return settings->gamma_h;
    return settings->method == METHOD_FESD_J ? 0.9 : 1;
}

const char *method_name(enum method method)
{
    return methods[method];
}
