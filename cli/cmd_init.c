#include "cli/commands.h"

#include <errno.h>
#include <string.h>

/* The template: a block with dry friction, small enough to read in a minute, solved in seconds; %s is the
 * name. */
static const char template[] =
    "cocp: 1                                   # version of the format\n"
    "name: %s\n"
    "description: A block is pushed along the floor, against friction, to a target\n"
    "\n"
    "# Every number may be an expression of parameters. Override one: --set parameters.mu=0.5\n"
    "parameters:\n"
    "  m:  {value: 1, units: kg}\n"
    "  g:  {value: 9.81, units: m/s^2}\n"
    "  mu: 0.3                                 # short for {value: 0.3}\n"
    "\n"
    "# horizon: physical time, a number or {min: 0.5, max: 5, guess: 2} to let the solver choose.\n"
    "# Controls are constant in each interval; an interval has `elements` finite elements, whose ends move onto\n"
    "# the switches.\n"
    "time: {horizon: 2, intervals: 10, elements: 3}\n"
    "\n"
    "# initial: a value, a range [lo, hi] or free. final: the same, free if absent.\n"
    "states:\n"
    "  x: {units: m,   initial: 0, final: 1}\n"
    "  v: {units: m/s, initial: 0, final: 0, bounds: [-5, 5]}\n"
    "\n"
    "controls:\n"
    "  u: {units: N, bounds: [-10, 10], guess: 0}\n"
    "\n"
    "# Named expressions; output: true stores them in the result.\n"
    "define:\n"
    "  power: {expr: u*v, output: true, units: W}\n"
    "\n"
    "# mechanical: M(q) v' = force. The mass matrix as here, or `kinetic` and `potential` energies instead.\n"
    "# sign, abs, min, max and if are exact here: sign(v) is dry friction with sticking.\n"
    "# Other types: ode (`rhs` for every state) and piecewise (`switches` and `modes`).\n"
    "dynamics:\n"
    "  type: mechanical\n"
    "  coordinates: {x: v}                     # position: velocity\n"
    "  mass: {diag: [m]}\n"
    "  force: {x: u - mu*m*g*sign(v)}\n"
    "\n"
    "# Bodies that touch: the gap is >= 0, forces act where it is closed. With contacts, `method` below is\n"
    "# time-freezing.\n"
    "# contacts:\n"
    "#   foot: {gap: z, tangent: x, friction: mu, restitution: 0}\n"
    "\n"
    "# The integral of the sum of `running` over time, plus the sum of `terminal` at the end.\n"
    "cost:\n"
    "  running:\n"
    "    effort: 0.1*u^2\n"
    "  # terminal:\n"
    "  #   goal: {squares: {x: 100}, reference: {x: 1}}\n"
    "\n"
    "# Path constraints hold at all stages and element boundaries.\n"
    "constraints:\n"
    "  no_overshoot: x <= 1.05\n"
    "\n"
    "# All settings and their defaults: cocp check --resolved\n"
    "discretization: {method: fesd, scheme: radau-iia, stages: 2}\n"
    "homotopy: {comp_tol: 1e-7}\n"
    "\n"
    "# For cocp simulate: controls as expressions of time, states and parameters.\n"
    "simulate:\n"
    "  steps: 20\n"
    "  controls: {u: \"if(t < 1, 4, 2)\"}        # quoted: a comma would end the value\n";

/* Writes to a file that must be new, so that no work of the user is lost. */
static enum status write_new(const char *path, const char *name, struct diag *diag)
{
    FILE *file = fopen(path, "wx");
    if (!file)
        return diag_fail(diag, STATUS_IO, "cannot create %s: %s", path, strerror(errno));
    fprintf(file, template, name);
    const bool failed = ferror(file) != 0;
    if (fclose(file) != 0 || failed)
        return diag_fail(diag, STATUS_IO, "cannot write %s: %s", path, strerror(errno));
    return STATUS_OK;
}

enum status cmd_init(const struct cli_args *args, struct diag *diag)
{
    if (args->n_input == 0) {
        printf(template, "block");
        return STATUS_OK;
    }
    const char *name = args->input[0];
    if (!spec_is_name(name))
        return diag_fail(diag, STATUS_USAGE, "\"%s\" is no name: use letters, digits and _, no digit first", name);
    struct arena mem = { NULL };
    const char *path = arena_printf(&mem, "%s.yaml", name);
    const enum status st = write_new(path, name, diag);
    if (st == STATUS_OK && args->verbosity >= 0)
        printf("%s: edit it, then run cocp check %s and cocp solve %s\n", path, path, path);
    arena_free(&mem);
    return st;
}
