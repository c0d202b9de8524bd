#include "cli/commands.h"
#include "cli/templates.h"

#include <errno.h>
#include <string.h>

static const char usual[] = "switched";             /* where no kind is named */

/* - and _ are one: time-optimal is meant by time_optimal, which is a name. */
static bool is_kind(const char *kind, const char *word)
{
    while (*kind && (*kind == *word || (*kind == '_' && *word == '-'))) kind++, word++;
    return *kind == *word;
}

static const struct template *find_template(const char *kind)
{
    for (const struct template *each = templates; each->kind; each++)
        if (is_kind(each->kind, kind))
            return each;
    return NULL;
}

/* What follows `key` at the start of a line. */
static const char *find_value(const char *text, const char *key)
{
    const char *at = strncmp(text, key + 1, strlen(key + 1)) == 0 ? text - 1 : strstr(text, key);
    return at ? at + strlen(key) : "";
}

static void list_templates(void)
{
    for (const struct template *each = templates; each->kind; each++) {
        const char *what = find_value(each->text, "\ndescription: ");
        printf("%-14s %.*s\n", each->kind, (int)strcspn(what, "\n"), what);
    }
}

static void print_template(const struct template *from, const char *name, FILE *out)
{
    const char *old = find_value(from->text, "\nname: ");
    fprintf(out, "%.*s%s%s", (int)(old - from->text), from->text, name, old + strcspn(old, "\n"));
}

/* Writes to a file that must be new, so that no work of the user is lost. */
static enum status write_new(const char *path, const struct template *from, const char *name, struct diag *diag)
{
    FILE *file = fopen(path, "wx");
    if (!file)
        return diag_fail(diag, STATUS_IO, "cannot create %s: %s", path, strerror(errno));
    print_template(from, name, file);
    const bool failed = ferror(file) != 0;
    if (fclose(file) != 0 || failed)
        return diag_fail(diag, STATUS_IO, "cannot write %s: %s", path, strerror(errno));
    return STATUS_OK;
}

/* The text of a file is that one, to the end. */
static bool has_text(FILE *file, const char *text)
{
    int c;
    while ((c = getc(file)) != EOF && c == (unsigned char)*text)
        text++;
    return c == EOF && !*text;
}

/* The robot's file keeps its name, and may be there from an earlier template; another one is left alone. */
static enum status write_robot(const struct template *from, bool *is_there, struct diag *diag)
{
    FILE *file = fopen(from->robot_file, "r");
    *is_there = file != NULL;
    if (file) {
        const bool same = has_text(file, from->robot);
        (void)fclose(file);
        return same ? STATUS_OK
                    : diag_fail(diag, STATUS_IO, "cannot create %s: another file of that name is there",
                                from->robot_file);
    }
    file = fopen(from->robot_file, "wx");
    if (!file)
        return diag_fail(diag, STATUS_IO, "cannot create %s: %s", from->robot_file, strerror(errno));
    const bool failed = fputs(from->robot, file) == EOF;
    if (fclose(file) != 0 || failed)
        return diag_fail(diag, STATUS_IO, "cannot write %s: %s", from->robot_file, strerror(errno));
    return STATUS_OK;
}

/* Both files or none. */
static enum status write_files(const char *path, const struct template *from, const char *name, struct diag *diag)
{
    bool is_there = true;
    enum status st = from->robot ? write_robot(from, &is_there, diag) : STATUS_OK;
    if (st == STATUS_OK)
        st = write_new(path, from, name, diag);
    if (st != STATUS_OK && !is_there)
        (void)remove(from->robot_file);
    return st;
}

static enum status no_such_kind(const char *kind, struct diag *diag)
{
    return diag_fail(diag, STATUS_USAGE, "there is no template \"%s\"; cocp init --list shows them", kind);
}

enum status cmd_init(const struct cli_args *args, struct diag *diag)
{
    const struct template *named = args->n_input > 0 ? find_template(args->input[0]) : NULL;
    const struct template *from = named ? named : find_template(usual);
    const char *name = args->n_input > 1 ? args->input[1] : named ? named->kind : args->n_input > 0 ? args->input[0] : usual;
    if (args->list) {
        list_templates();
        return STATUS_OK;
    }
    if (args->n_input > 1 && !named)
        return no_such_kind(args->input[0], diag);
    if (args->n_input == 0) {
        print_template(from, name, stdout);
        return STATUS_OK;
    }
    if (!spec_is_name(name))
        return diag_fail(diag, STATUS_USAGE, "\"%s\" is no name: use letters, digits and _, no digit first", name);
    struct arena mem = { NULL };
    const char *path = arena_printf(&mem, "%s.yaml", name),
               *todo = strstr(from->text, "\nimpact:") ? "impact" : "solve";
    const enum status st = write_files(path, from, name, diag);
    if (st == STATUS_OK && args->verbosity >= 0)
        printf("%s%s%s: edit it, then run cocp check %s and cocp %s %s\n", path, from->robot ? ", " : "",
               from->robot ? from->robot_file : "", path, todo, path);
    arena_free(&mem);
    return st;
}
