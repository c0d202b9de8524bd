#define _POSIX_C_SOURCE 200809L    /* open_memstream */

#include "cli/bounds/bound_words.h"
#include "cli/commands.h"
#include "cli/output_file.h"
#include "cli/report_page.h"

#include "core/base/regular.h"
#include "core/results/save.h"
#include "core/results/switches.h"
#include "core/results/table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_SAMPLES = 601 };        /* of each curve: enough for the eye, and few enough for the page's size */

struct page { FILE *out; const struct result *result; int n, step; };

/* --- JSON ---------------------------------------------------------------------------------------------------- */

/* `"key": `; `<` is written so that no text ends the page's script. */
static void print_text(struct page *page, const char *text)
{
    char *json = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&json, &size);
    if (!out)
        return;
    print_json_text(text, out);
    (void)fclose(out);
    for (const char *at = json; *at; at++)
        if (*at == '<')
            fputs("\\u003c", page->out);
        else
            fputc(*at, page->out);
    free(json);
}

static void print_key(struct page *page, const char *key, bool first)
{
    fputs(first ? "\n" : ",\n", page->out);
    print_text(page, key);
    fputs(": ", page->out);
}

static void print_number(struct page *page, double value)
{
    if (isfinite(value))
        fprintf(page->out, "%.6g", value == 0 ? 0.0 : value);
    else
        fputs("null", page->out);
}

static int next_row(int row, int n_rows, int step)
{
    return row + step < n_rows || row == n_rows - 1 ? row + step : n_rows - 1;
}

/* Every step-th row of `width` values, the last one too. */
static void print_rows(struct page *page, const double *d, int n_rows, int width, int step)
{
    fputs("[", page->out);
    for (int row = 0; row < n_rows; row = next_row(row, n_rows, step))
        for (int k = 0; k < width; k++) {
            fputs(row || k ? "," : "", page->out);
            print_number(page, d[(size_t)row * (size_t)width + (size_t)k]);
        }
    fputs("]", page->out);
}

/* --- Curves -------------------------------------------------------------------------------------------------- */

/* A curve of that name over the same times, in another group. */
static void print_beside(struct page *page, const char *key, const char *path, const char *name)
{
    const struct result_data *data = result_data_of(page->result, path, name);
    if (!data || !data->d || data->n != page->n)
        return;
    print_key(page, key, false);
    print_rows(page, data->d, page->n, 1, page->step);
}

/* Is it constant in each control interval? */
static bool is_stairs(const struct result *result, const char *name)
{
    const struct result_data *control = result_data_of(result, "/grid", "control");
    for (int k = 0; control && control->text && k < control->n; k++)
        if (strcmp(control->text[k], name) == 0)
            return true;
    return false;
}

static void print_variable(struct page *page, const struct result_data *data)
{
    fputs("{", page->out);
    print_key(page, "name", true);
    print_text(page, data->name);
    print_key(page, "units", false);
    print_text(page, data->units);
    print_key(page, "role", false);
    print_text(page, data->role);
    print_key(page, "stairs", false);
    fputs(is_stairs(page->result, data->name) ? "true" : "false", page->out);
    print_key(page, "lower", false);
    print_number(page, data->lower_bound);
    print_key(page, "upper", false);
    print_number(page, data->upper_bound);
    print_key(page, "y", false);
    print_rows(page, data->d, page->n, 1, page->step);
    print_beside(page, "reference", "/reference", data->name);
    print_beside(page, "verified", "/verification/uniform", data->name);
    fputs("}", page->out);
}

static void print_variables(struct page *page, const struct result_group *uniform)
{
    bool first = true;
    fputs("[", page->out);
    for (int k = 0; k < uniform->n_data; k++) {
        const struct result_data *data = uniform->data[k];
        if (!data->d || data->n != page->n || !*data->role)
            continue;
        fputs(first ? "" : ",\n", page->out);
        print_variable(page, data);
        first = false;
    }
    fputs("]", page->out);
}

/* --- Events -------------------------------------------------------------------------------------------------- */

struct listed_event {
    double t;
    int place;                      /* in the list: of several at one time */
    const char *kind, *name;
    double impulse, to;             /* NAN: none; to: the new value of a control */
};

static void print_event(struct page *page, const struct listed_event *event, const char *impulse_units, bool first)
{
    fputs(first ? "{" : ",\n{", page->out);
    print_key(page, "t", true);
    print_number(page, event->t);
    print_key(page, "kind", false);
    print_text(page, event->kind);
    print_key(page, "name", false);
    print_text(page, event->name);
    print_key(page, "impulse_n", false);
    print_number(page, event->impulse);
    print_key(page, "impulse_units", false);
    print_text(page, impulse_units);
    print_key(page, "to", false);
    print_number(page, event->to);
    fputs("}", page->out);
}

static int by_time(const void *a, const void *b)
{
    const struct listed_event *p = a, *q = b;
    return p->t < q->t ? -1 : p->t > q->t ? 1 : p->place - q->place;
}

/* Those of /events, and switches of controls between them. */
static void print_events(struct page *page)
{
    const struct result_data *t = result_data_of(page->result, "/events", "t");
    const struct result_data *kind = result_data_of(page->result, "/events", "kind");
    const struct result_data *name = result_data_of(page->result, "/events", "name");
    const struct result_data *impulse = result_data_of(page->result, "/events", "impulse_n");
    const bool is_whole = t && t->d && kind && kind->text && name && name->text && kind->n == t->n
                          && name->n == t->n;
    struct arena mem = { NULL };
    struct control_switch *list;
    const int n_switch = control_switches(page->result, &mem, &list), n_event = is_whole ? t->n : 0;
    struct listed_event *event = arena_alloc(&mem, (size_t)(n_event + n_switch), sizeof *event);
    int n = 0;
    for (; n < n_event; n++) {
        const bool jumps = impulse && impulse->d && n < impulse->n;
        event[n] = (struct listed_event){
            t->d[n], n, kind->text[n], name->text[n], jumps ? impulse->d[n] : (double)NAN, (double)NAN
        };
    }
    for (int k = 0; k < n_switch; k++)
        if (!isnan(list[k].from)) {
            event[n] = (struct listed_event){ list[k].t, n, "switch", list[k].control, (double)NAN, list[k].to };
            n++;
        }
    qsort(event, (size_t)n, sizeof *event, by_time);
    fputs("[", page->out);
    for (int k = 0; k < n; k++)
        print_event(page, &event[k], impulse ? impulse->units : "", k == 0);
    fputs("]", page->out);
    arena_free(&mem);
}

/* --- The drawing --------------------------------------------------------------------------------------------- */

/* {name: {n: coordinates, v: values}} of the datasets with that role; their names begin with the kind. */
static void print_places(struct page *page, const char *key, const struct result_group *draw, const char *role,
                         const char *kind)
{
    const bool is_fixed = strcmp(role, "ground") == 0 || strcmp(role, "surface") == 0;       /* not over time */
    bool first = true;
    print_key(page, key, false);
    fputs("{", page->out);
    for (int k = 0; k < draw->n_data; k++) {
        const struct result_data *data = draw->data[k];
        const size_t length = strlen(kind);
        if (strcmp(data->role, role) != 0 || !data->d || strncmp(data->name, kind, length) != 0
            || data->name[length] != '_')
            continue;
        const int n_rows = data->n_axes > 0 ? draw->axis[data->axis[0]]->n : 1, width = n_rows > 0 ? data->n / n_rows : 0;
        print_key(page, data->name + length + 1, first);
        fprintf(page->out, "{\"n\": %d, \"v\": ", width);
        print_rows(page, data->d, n_rows, width, is_fixed ? 1 : page->step);
        fputs("}", page->out);
        first = false;
    }
    fputs("}", page->out);
}

static void print_part(struct page *page, const struct result_group *draw, int k)
{
    static const char *const keys[] = { "kind", "name", "at", "to", "width", "height" };
    fputs(k ? ",\n{" : "{", page->out);
    for (int i = 0; i < 6; i++) {
        const struct result_data *data = result_data_find(draw, keys[i]);
        if (!data || k >= data->n)
            continue;
        print_key(page, keys[i], i == 0);
        if (data->text)
            print_text(page, data->text[k]);
        else
            print_number(page, result_value(data, k));
    }
    fputs("}", page->out);
}

static void print_drawing(struct page *page)
{
    const struct result_group *draw = result_find(page->result, "/draw");
    const int axis = result_axis_find(draw, "part");
    if (!draw || axis < 0) {
        fputs("null", page->out);
        return;
    }
    fputs("{\"parts\": [", page->out);
    for (int k = 0; k < draw->axis[axis]->n; k++)
        print_part(page, draw, k);
    fputs("]", page->out);
    print_places(page, "points", draw, "point", "point");
    print_places(page, "angles", draw, "angle", "box");
    print_places(page, "forces", draw, "force", "force");
    print_places(page, "grounds", draw, "ground", "ground");
    print_places(page, "surfaces", draw, "surface", "surface");
    fputs("}", page->out);
}

/* --- Words --------------------------------------------------------------------------------------------------- */

static void print_fact(struct page *page, const char *what, double value, const char *format, bool *first)
{
    struct arena mem = { NULL };
    if (!isfinite(value))
        return;
    fputs(*first ? "" : ", ", page->out);
    char number[40];
    (void)snprintf(number, sizeof number, strcmp(format, "e") == 0 ? "%.1e" : "%.7g", value);
    print_text(page, arena_printf(&mem, "%s %s", what, number));
    *first = false;
    arena_free(&mem);
}

static void print_facts(struct page *page)
{
    const struct result_group *root = result_find(page->result, "/"),
                              *phases = result_find(page->result, "/phases");
    bool first = true;
    fputs("[", page->out);
    print_fact(page, "objective", result_get_double(root, "objective"), "g", &first);
    print_fact(page, "largest violation", result_get_double(root, "infeasibility"), "e", &first);
    if (phases)
        print_fact(page, "replayed from event to event to", result_get_double(phases, "replay_error"), "e", &first);
    if (phases)
        print_fact(page, "unstable, so interval by interval to", result_get_double(phases, "replay_interval"), "e",
                   &first);
    const char *date = result_get_text(root, "date_created");
    if (date) {
        fputs(first ? "" : ", ", page->out);
        print_text(page, date);
    }
    fputs("]", page->out);
}

/* What is proved of the global optimum; null: nothing is. */
static void print_bound(struct page *page)
{
    const struct result_group *group = result_find(page->result, "/bound");
    const char *words = group ? result_get_text(group, "words") : NULL;
    const char *about = group ? result_get_text(group, "about") : NULL;
    if (!words || !*words || !about) {
        fputs("null", page->out);
        return;
    }
    fputs("{", page->out);
    print_key(page, "words", true);
    print_text(page, words);
    print_key(page, "about", false);
    print_text(page, about);
    print_key(page, "bound", false);
    fprintf(page->out, "%.*g", BOUND_WORDS_DIGITS,
            bound_words_round_down(result_get_double(group, "bound"), BOUND_WORDS_DIGITS));
    print_key(page, "gap", false);
    print_number(page, result_get_double(group, "gap"));
    print_key(page, "degree", false);
    print_number(page, result_get_int(group, "degree", 0));
    fputs("}", page->out);
}

static void print_story(struct page *page)
{
    const struct result_data *story = result_data_of(page->result, "/phases", "story");
    fputs("[", page->out);
    for (int k = 0; story && story->text && k < story->n; k++) {
        fputs(k ? ", " : "", page->out);
        print_text(page, story->text[k]);
    }
    fputs("]", page->out);
}

/* --- The page ------------------------------------------------------------------------------------------------ */

static void print_data(struct page *page, const struct result_group *uniform, const double *t)
{
    const struct result_group *root = result_find(page->result, "/");
    const char *title = result_get_text(root, "title"), *status = result_get_text(root, "status");
    fputs("{", page->out);
    print_key(page, "title", true);
    print_text(page, title ? title : "");
    print_key(page, "status", false);
    print_text(page, status ? status : "");
    print_key(page, "facts", false);
    print_facts(page);
    print_key(page, "story", false);
    print_story(page);
    print_key(page, "bound", false);
    print_bound(page);
    print_key(page, "events", false);
    print_events(page);
    print_key(page, "draw", false);
    print_drawing(page);
    print_key(page, "t", false);
    print_rows(page, t, page->n, 1, page->step);
    print_key(page, "t_units", false);
    print_text(page, uniform->axis[result_axis_find(uniform, "t")]->units);
    print_key(page, "variables", false);
    print_variables(page, uniform);
    fputs("}", page->out);
}

static void print_page(struct page *page, const struct result_group *uniform, const double *t)
{
    static const char mark[] = "/*DATA*/null";
    for (const char *const *line = report_page; *line; line++) {
        const char *at = strstr(*line, mark);
        if (!at) {
            fputs(*line, page->out);
            continue;
        }
        fprintf(page->out, "%.*s", (int)(at - *line), *line);
        print_data(page, uniform, t);
        fputs(at + strlen(mark), page->out);
    }
}

/* A page takes the place of a page or of an empty file alone: the spec of the result may be called so, too. */
static enum status check_place(const char *path, struct diag *diag)
{
    const char *why, *first = report_page[0];
    struct diag *silent = diag_create();                /* a page that is there is no input */
    FILE *file = regular_open(path, "the old page", silent, &why);
    bool is_page = true;
    for (int c; file && *first && (c = getc(file)) != EOF; first++)
        is_page = is_page && c == (unsigned char)*first;
    if (file)
        fclose(file);
    diag_free(silent);
    return is_page ? STATUS_OK
                   : diag_fail(diag, STATUS_IO, "%s would be written over: it is no page of `cocp report`; give the page another "
                               "name with -o", path);
}

enum status cmd_report(const struct cli_args *args, struct diag *diag)
{
    struct result *result = NULL;
    enum status st = output_file_check(args, diag);
    if (st == STATUS_OK)
        st = check_place(args->out_path, diag);
    if (st == STATUS_OK)
        st = result_read(args->input[0], &result, diag);
    if (st != STATUS_OK)
        return st;
    const struct result_group *uniform = result_find(result, "/uniform");
    const int axis = result_axis_find(uniform, "t");
    const double *t = axis >= 0 ? uniform->axis[axis]->values : NULL;
    char *text = NULL;
    size_t size = 0;
    FILE *out = t ? open_memstream(&text, &size) : NULL;
    if (!out) {
        st = diag_fail(diag, STATUS_IO, "%s holds no trajectory: a page needs the group /uniform", args->input[0]);
    } else {
        struct page page = { out, result, uniform->axis[axis]->n, 1 };
        page.step = page.n > MOST_SAMPLES ? (page.n + MOST_SAMPLES - 1) / MOST_SAMPLES : 1;
        print_page(&page, uniform, t);
        (void)fclose(out);
        st = save_bytes(args->out_path, text, size, diag);
        if (st == STATUS_OK && args->verbosity >= 0)
            printf("%s: open it in a browser\n", args->out_path);
    }
    free(text);
    result_free(result);
    return st;
}
