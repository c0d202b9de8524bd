/* core/model/time/moment.c - times as they are written: 0.5 is a part of the horizon, "0.5 s" is a time */
#include "core/model/time/read.h"

#include "core/model/units.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double NEAR_END = 1e-12;       /* of the horizon: rounding of what is written */

/* The word that ends the text after a number, NULL without one: "0.5 s", "0.5s", "(a + b) min", but not "2 *
 * s". *n: length of the number. */
static const char *unit_in(const char *text, size_t *n)
{
    size_t end = strlen(text);
    while (end > 0 && isspace((unsigned char)text[end - 1])) end--;
    size_t word = end;
    while (word > 0 && strchr(UNITS_LETTERS, text[word - 1])) word--;
    char *after = NULL;
    (void)strtod(text, &after);
    *n = word;
    if (word == end || word == 0)
        return NULL;
    if (after == text + word)
        return text + word;
    if (!isspace((unsigned char)text[word - 1]))
        return NULL;
    while (*n > 0 && isspace((unsigned char)text[*n - 1])) --*n;
    return *n > 0 && (isalnum((unsigned char)text[*n - 1]) || strchr("_.)", text[*n - 1])) ? text + word : NULL;
}

bool moment_has_unit(const char *text)
{
    size_t n;
    return unit_in(text, &n) != NULL;
}

/* Units of time in one of `unit`, NAN if either is not known. The two factors are whole
 * numbers or their reciprocals. */
static double convert(double value, const char *unit, const char *to)
{
    const struct dimension from = units_read(unit), into = units_read(to);
    return units_is_time(&from) && units_is_time(&into) ? value * from.factor / into.factor : NAN;
}

enum status reader_moment(struct reader *r, const struct spec_node *node, struct moment *out)
{
    struct spec_node number = *node;
    const char *const to = r->model->time.unit;
    size_t n = 0;
    const char *unit = node->kind == SPEC_SCALAR ? unit_in(node->text, &n) : NULL;
    out->has_unit = unit;
    if (!unit)
        return reader_finite(r, &number, &out->value);
    unit = arena_printf(r->mem, "%.*s", (int)strspn(unit, UNITS_LETTERS), unit);
    number.text = arena_printf(r->mem, "%.*s", (int)n, node->text);
    if (reader_finite(r, &number, &out->value) != STATUS_OK)
        return STATUS_SPEC;
    if (strcmp(unit, to) == 0)
        return STATUS_OK;
    out->value = convert(out->value, unit, to);
    return isnan(out->value)
               ? spec_error(r->diag, node, "times here are in %s, and nothing is known of %s in it", to, unit)
               : STATUS_OK;
}

struct spec_node reader_key(const struct spec_node *node)
{
    return (struct spec_node){ .kind = SPEC_SCALAR, .pos = node->key_pos, .path = node->path, .text = node->key };
}

/* Of the phase that is read, or the horizon. */
static double length_of_all(const struct reader *r)
{
    return r->phase ? r->phase->length : r->model->time.horizon;
}

static enum status check_time(struct reader *r, const struct spec_node *node, double t)
{
    const double length = length_of_all(r);
    const char *const unit = r->model->time.unit, *what = r->phase ? r->phase->name : "the horizon";
    if (isnan(length))
        return spec_error(r->diag, node, "a time with a unit needs time.horizon");
    if (r->phase ? r->phase->p >= 0 : r->model->time.horizon_free)
        return spec_error(r->diag, node,
                          "%s is free, and %.15g %s is no fixed part of it: write a fraction, as 0.25", what, t,
                          unit);
    if (!(t >= 0 && t <= length * (1 + NEAR_END)))
        return spec_error(r->diag, node, "%.15g %s lies outside %s, [0, %.15g] %s", t, unit, what, length, unit);
    return STATUS_OK;
}

enum status reader_fraction(struct reader *r, const struct spec_node *node, double *out)
{
    struct moment moment;
    if (reader_moment(r, node, &moment) != STATUS_OK)
        return STATUS_SPEC;
    if (moment.has_unit) {
        if (check_time(r, node, moment.value) != STATUS_OK)
            return STATUS_SPEC;
        *out = fmin(moment.value / length_of_all(r), 1);
        return STATUS_OK;
    }
    if (!(moment.value >= 0 && moment.value <= 1))
        return spec_error(r->diag, node, "times here are fractions of the horizon: 0 is its start, 1 its end; "
                          "others have a unit, as \"%.15g %s\"", moment.value, r->model->time.unit);
    *out = moment.value;
    return STATUS_OK;
}
