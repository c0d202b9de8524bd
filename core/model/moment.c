/* core/model/moment.c - times as they are written: 0.5 is a part of the horizon, "0.5 s" are seconds */
#include "core/model/read.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double NEAR_END = 1e-12;       /* of the horizon: rounding of what is written */

/* Length of the number before its unit, 0 without one: "0.5 s", "0.5s", "(a + b) s", but not "2 * s". */
static size_t length_before_unit(const char *text)
{
    size_t n = strlen(text);
    while (n > 0 && isspace((unsigned char)text[n - 1])) n--;
    if (n < 2 || text[n - 1] != 's')
        return 0;
    char *end = NULL;
    (void)strtod(text, &end);
    if (end == text + n - 1)
        return n - 1;
    n--;
    if (!isspace((unsigned char)text[n - 1]))
        return 0;
    while (n > 0 && isspace((unsigned char)text[n - 1])) n--;
    return n > 0 && (isalnum((unsigned char)text[n - 1]) || strchr("_.)", text[n - 1])) ? n : 0;
}

bool moment_has_unit(const char *text)
{
    return length_before_unit(text) > 0;
}

enum status reader_moment(struct reader *r, const struct spec_node *node, struct moment *out)
{
    struct spec_node number = *node;
    const size_t n = node->kind == SPEC_SCALAR ? length_before_unit(node->text) : 0;
    if (n > 0)
        number.text = arena_printf(r->mem, "%.*s", (int)n, node->text);
    out->in_seconds = n > 0;
    return reader_finite(r, &number, &out->value);
}

struct spec_node reader_key(const struct spec_node *node)
{
    return (struct spec_node){ .kind = SPEC_SCALAR, .pos = node->key_pos, .path = node->path, .text = node->key };
}

/* Of the phase that is read, or the horizon. */
static double length_of_all(const struct reader *r)
{
    return r->phase ? r->phase->length : r->model->horizon;
}

static enum status check_seconds(struct reader *r, const struct spec_node *node, double t)
{
    const double length = length_of_all(r);
    const char *what = r->phase ? r->phase->name : "the horizon";
    if (isnan(length))
        return spec_error(r->diag, node, "a time in seconds needs time.horizon");
    if (r->phase ? r->phase->p >= 0 : r->model->horizon_free)
        return spec_error(r->diag, node, "%s is free, and %.15g s is no fixed part of it: write a fraction, as 0.25", what,
                          t);
    if (!(t >= 0 && t <= length * (1 + NEAR_END)))
        return spec_error(r->diag, node, "%.15g s lies outside %s, [0, %.15g] s", t, what, length);
    return STATUS_OK;
}

enum status reader_fraction(struct reader *r, const struct spec_node *node, double *out)
{
    struct moment moment;
    if (reader_moment(r, node, &moment) != STATUS_OK)
        return STATUS_SPEC;
    if (moment.in_seconds) {
        if (check_seconds(r, node, moment.value) != STATUS_OK)
            return STATUS_SPEC;
        *out = fmin(moment.value / length_of_all(r), 1);
        return STATUS_OK;
    }
    if (!(moment.value >= 0 && moment.value <= 1))
        return spec_error(r->diag, node, "times here are fractions of the horizon: 0 is its start, 1 its end; "
                          "seconds have a unit, as \"%.15g s\"", moment.value);
    *out = moment.value;
    return STATUS_OK;
}
