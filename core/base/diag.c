#include "core/base/diag.h"

#include "core/base/arena.h"
#include "core/base/mem.h"
#include "core/base/visible.h"
#include "core/base/withhold.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

struct message {
    enum diag_level level;
    struct srcpos pos;
    int order;                      /* of adding: keeps the sort stable */
    const char *line, *text;        /* text: the end of line */
};

struct diag {
    struct arena mem;
    struct message *msg;            /* [n] */
    int n, n_errors;
    bool sorted;
    struct read_files files;
    const char **withheld;          /* [n_withheld] files that messages do not quote */
    int n_withheld;
};

struct diag *diag_create(void)
{
    return mem_alloc(1, sizeof(struct diag));
}

void diag_free(struct diag *diag)
{
    if (!diag)
        return;
    read_files_free(&diag->files);
    arena_free(&diag->mem);
    free(diag->withheld);
    free(diag->msg);
    free(diag);
}

static const char *const level_word[] = { [DIAG_ERROR] = "error", [DIAG_WARNING] = "warning", [DIAG_NOTE] = "note" };

static const char *compose(struct arena *mem, enum diag_level level, struct srcpos pos, const char *path,
                           const char *text)
{
    const char *sep = path && *path ? ": " : "";
    path = visible_text(mem, path ? path : "");
    pos.file = pos.file ? visible_text(mem, pos.file) : NULL;
    if (pos.file && pos.line > 0)
        return arena_printf(mem, "%s:%d:%d: %s: %s%s%s", pos.file, pos.line, pos.col, level_word[level],
                            path, sep, text);
    if (pos.file)
        return arena_printf(mem, "%s: %s: %s%s%s", pos.file, level_word[level], path, sep, text);
    return arena_printf(mem, "cocp: %s: %s%s%s", level_word[level], path, sep, text);
}

void diag_withhold(struct diag *diag, const char *file)
{
    diag->withheld = mem_grow(diag->withheld, diag->n_withheld, 1, sizeof *diag->withheld);
    diag->withheld[diag->n_withheld++] = arena_copy_text(&diag->mem, file);
}

static bool is_withheld(const struct diag *diag, const char *file)
{
    for (int k = 0; k < diag->n_withheld && file; k++)
        if (strcmp(diag->withheld[k], file) == 0)
            return true;
    return false;
}

enum status diag_vadd(struct diag *diag, enum diag_level level, enum status st, struct srcpos pos,
                      const char *path, const char *fmt, va_list args)
{
    char text[2048], without[sizeof text];
    const bool is_short = is_withheld(diag, pos.file);
    vsnprintf(text, sizeof text, fmt, args);
    if (is_short)
        withhold_quotes(fmt, text, without, sizeof without);
    const char *const shown = visible_text(&diag->mem, is_short ? without : text);
    const char *line = compose(&diag->mem, level, pos, path, shown);
    for (int i = 0; i < diag->n; i++)
        if (strcmp(diag->msg[i].line, line) == 0)
            return st;
    diag->msg = mem_grow(diag->msg, diag->n, 1, sizeof *diag->msg);
    if (pos.file)
        pos.file = arena_copy_text(&diag->mem, pos.file);   /* messages outlive the spec that they speak of */
    diag->msg[diag->n] = (struct message){ level, pos, diag->n, line, line + strlen(line) - strlen(shown) };
    diag->n++;
    diag->n_errors += level == DIAG_ERROR;
    diag->sorted = false;
    return st;
}

enum status diag_add(struct diag *diag, enum diag_level level, enum status st, struct srcpos pos,
                     const char *path, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    diag_vadd(diag, level, st, pos, path, fmt, args);
    va_end(args);
    return st;
}

enum status diag_error(struct diag *diag, struct srcpos pos, const char *path, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    diag_vadd(diag, DIAG_ERROR, STATUS_SPEC, pos, path, fmt, args);
    va_end(args);
    return STATUS_SPEC;
}

enum status diag_fail(struct diag *diag, enum status st, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    diag_vadd(diag, DIAG_ERROR, st, (struct srcpos){ NULL, 0, 0 }, NULL, fmt, args);
    va_end(args);
    return st;
}

struct read_files *diag_read_files(struct diag *diag)
{
    return &diag->files;
}

int diag_n_errors(const struct diag *diag)
{
    return diag->n_errors;
}

static int by_position(const void *a, const void *b)
{
    const struct message *p = a, *q = b;
    if (p->pos.file && q->pos.file && p->pos.line && q->pos.line) {
        const int files = strcmp(p->pos.file, q->pos.file);
        if (files)                          return files;
        if (p->pos.line != q->pos.line)     return p->pos.line < q->pos.line ? -1 : 1;
        if (p->pos.col != q->pos.col)       return p->pos.col < q->pos.col ? -1 : 1;
    } else if (!p->pos.line != !q->pos.line) {
        return p->pos.line ? -1 : 1;        /* what has no position comes last */
    }
    return p->order < q->order ? -1 : p->order > q->order;
}

const char *diag_line(struct diag *diag, int i)
{
    if (!diag->sorted && diag->n)
        qsort(diag->msg, (size_t)diag->n, sizeof *diag->msg, by_position);
    diag->sorted = true;
    return i >= 0 && i < diag->n ? diag->msg[i].line : NULL;
}

const char *diag_text(struct diag *diag, int i)
{
    return diag_line(diag, i) ? diag->msg[i].text : "";
}

enum diag_level diag_level_of(struct diag *diag, int i)
{
    (void)diag_line(diag, i);                   /* in their order */
    return diag->msg[i].level;
}

struct srcpos diag_pos(struct diag *diag, int i)
{
    (void)diag_line(diag, i);
    return diag->msg[i].pos;
}

void diag_print(struct diag *diag, FILE *out)
{
    const char *line;
    for (int i = 0; (line = diag_line(diag, i)); i++)
        fprintf(out, "%s\n", line);
}
