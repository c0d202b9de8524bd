#include "cli/outcome.h"

#include "core/results/results.h"

#include <math.h>
#include <string.h>

static void print_number(const char *key, const char *fmt, double value, bool is_json, FILE *out)
{
    if (isfinite(value)) {
        fprintf(out, is_json ? ", \"%s\": " : " %s=", key);
        fprintf(out, fmt, value);
    } else if (is_json) {
        fprintf(out, ", \"%s\": null", key);
    }
}

static void print_count(const char *key, int value, bool is_json, FILE *out)
{
    if (value >= 0)
        fprintf(out, is_json ? ", \"%s\": %d" : " %s=%d", key, value);
}

void outcome_print_json_text(const char *text, FILE *out)
{
    fputc('"', out);
    for (; *text; text++) {
        const unsigned char c = (unsigned char)*text;
        if (c == '"' || c == '\\')
            fputc('\\', out);
        if (c < 0x20)
            fprintf(out, "\\u%04x", c);
        else
            fputc(c, out);
    }
    fputc('"', out);
}

void outcome_print(const struct outcome *outcome, bool is_json, FILE *out)
{
    if (is_json) {
        fprintf(out, "{\"status\": \"%s\", \"exit_code\": %d, \"name\": ", status_text(outcome->status),
                status_exit_code(outcome->status));
        outcome_print_json_text(outcome->name, out);
    } else {
        fprintf(out, "%s %s", status_text(outcome->status), outcome->name);
    }
    print_number("objective", is_json ? "%.17g" : "%.8g", outcome->objective, is_json, out);
    print_number("comp", "%.1e", outcome->complementarity, is_json, out);
    print_number("viol", "%.1e", outcome->infeasibility, is_json, out);
    print_count("steps", outcome->steps, is_json, out);
    print_count("iter", outcome->iterations, is_json, out);
    print_number("time", "%.2f", outcome->seconds, is_json, out);
    fputs(is_json ? ", \"out\": " : " out=", out);
    if (is_json)
        outcome_print_json_text(outcome->out_path, out);
    else
        fputs(outcome->out_path, out);
    fputs(is_json ? "}\n" : "\n", out);
}

static bool is_there(const char *path)
{
    struct diag *diag = diag_create();      /* a file that is not there is no mistake */
    struct result *result = NULL;
    bool is_solved = false;
    if (result_read(path, &result, diag) == STATUS_OK) {
        const struct result_group *root = result_find(result, "/");
        const char *status = root ? result_get_text(root, "status") : NULL;
        is_solved = status && strcmp(status, status_text(STATUS_OK)) == 0;
    }
    result_free(result);
    diag_free(diag);
    return is_solved;
}

bool outcome_is_enough(const char *path, const char *word, struct diag *diag)
{
    const bool enough = is_there(path);
    if (enough)
        diag_add(diag, DIAG_NOTE, STATUS_OK, (struct srcpos){ .file = NULL }, NULL, "%s is %s, nothing to do", path, word);
    return enough;
}
