#include "cli/outputs/line.h"

#include "cli/bounds/bound_words.h"
#include "core/base/visible.h"
#include "core/results/table.h"

#include <math.h>

static void print_key(const struct line *line, const char *key)
{
    fprintf(line->out, line->is_json ? ", \"%s\": " : " %s=", key);
}

void line_begin(const struct line *line, const char *outcome, const char *word, enum status st, const char *name)
{
    if (!line->is_json) {
        fprintf(line->out, "%s ", outcome ? outcome : word);
        visible_print(name, line->out);
        return;
    }
    fputs("{", line->out);
    if (outcome)
        fprintf(line->out, "\"outcome\": \"%s\", ", outcome);
    fprintf(line->out, "\"status\": \"%s\", \"exit_code\": %d, \"name\": ", word, status_exit_code(st));
    print_json_text(name, line->out);
}

void line_text(const struct line *line, const char *key, const char *text)
{
    print_key(line, key);
    if (line->is_json)
        print_json_text(text, line->out);
    else
        visible_print(text, line->out);
}

void line_count(const struct line *line, const char *key, int value)
{
    print_key(line, key);
    fprintf(line->out, "%d", value);
}

void line_number(const struct line *line, const char *key, const char *fmt, double value)
{
    if (!isfinite(value) && !line->is_json)
        return;
    print_key(line, key);
    if (!isfinite(value))
        fputs("null", line->out);
    else if (fmt)
        fprintf(line->out, fmt, value);
    else
        print_exact(value, line->out);
}

void line_flag(const struct line *line, const char *key, bool value)
{
    print_key(line, key);
    fputs(line->is_json ? value ? "true" : "false" : value ? "yes" : "no", line->out);
}

void line_end(const struct line *line, const char *out_path)
{
    line_text(line, "out", out_path);
    fputs(line->is_json ? "}\n" : "\n", line->out);
}

void run_line_print(FILE *out, const struct run_line *run, bool is_json)
{
    const struct line line = { out, is_json };
    line_begin(&line, NULL, status_text(run->status), run->status, run->name);
    if (run->experiment)
        line_text(&line, "experiment", run->experiment);
    line_number(&line, "objective", is_json ? "%.17g" : "%.8g", run->objective);
    line_number(&line, "comp", "%.1e", run->complementarity);
    line_number(&line, "viol", "%.1e", run->infeasibility);
    if (!isnan(run->error))
        line_number(&line, "error", "%.1e", run->error);
    if (run->has_bound) {
        line_number(&line, "bound", is_json ? "%.17g" : "%.8g",
                    is_json ? run->bound : bound_words_round_down(run->bound, BOUND_LINE_DIGITS));
        line_number(&line, "gap", is_json ? NULL : "%.1g", run->gap);
    }
    if (run->unstable) {
        line_number(&line, "interval", "%.1e", run->interval);
        line_flag(&line, "unstable", true);
    }
    if (run->steps >= 0)
        line_count(&line, "steps", run->steps);
    if (run->iterations >= 0)
        line_count(&line, "iter", run->iterations);
    line_number(&line, "time", "%.2f", run->seconds);
    line_end(&line, run->out_path);
}
