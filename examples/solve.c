/* Solves a spec by the library of cocp: cc solve.c $(pkg-config --cflags --libs cocp) -o solve && ./solve SPEC.yaml [mu]
 *
 * With a second argument the parameter mu has that value. Prints the objective and the sequence of modes.
 */
#include <math.h>
#include <transcription/solve/finishing.h>

static enum status solve(const char *path, const char *mu, struct diag *diag)
{
    const struct spec_override override = { "parameters.mu", mu };
    struct spec *spec = NULL;
    struct model *model = NULL;
    struct discretization discretization = { 0 };
    struct homotopy_settings homotopy = { 0 };
    struct solver_settings solver = { 0 };
    struct finish_settings finish = { 0 };
    struct finished found = { 0 };
    enum status st = spec_read_file(path, mu != NULL, &override, &spec, diag);
    if (st == STATUS_OK)
        st = model_read(spec, MODEL_FOR_SOLVE, &model, diag);
    if (st == STATUS_OK) {
        const struct spec_node *root = spec_root(spec);
        const struct setting_eval eval = model_eval(model);
        st = discretization_read(spec_get(root, "discretization"), &eval, &discretization, diag);
        st = st ? st : homotopy_settings_read(spec_get(root, "homotopy"), &eval, &homotopy, diag);
        st = st ? st : solver_settings_read(spec_get(root, "solver"), &solver, diag);
        st = st ? st : finish_settings_read(spec_get(root, "finish"), &eval, &finish, diag);
    }
    if (st == STATUS_OK) {
        const struct solve_task task = { .model = model, .discretization = &discretization, .homotopy = &homotopy,
                                         .solver = &solver, .max_seconds = INFINITY };
        st = solve_finished(&task, &finish, &found, diag);
        if (found.best.solved) {
            printf("%s: objective %.8g, replayed to %.1e\n", status_text(st = found.status), found.best.objective, found.error);
            sequence_print(found.best.ph->seq, stdout);
            printf("\n");
        }
        finished_free(&found);
        discretization_free(&discretization);
        homotopy_settings_free(&homotopy);
        solver_settings_free(&solver);
    }
    model_free(model);
    spec_free(spec);
    return st;
}

int main(int argc, char **argv)
{
    struct diag *diag = diag_create();
    const enum status st = argc > 1 ? solve(argv[1], argc > 2 ? argv[2] : NULL, diag) : STATUS_USAGE;
    diag_print(diag, stderr);
    diag_free(diag);
    return status_exit_code(st);
}
