/* core/model/define/hysteresis.c - relays with two thresholds
 *
 *   hysteresis: {heater: {of: T, on_at: 18, off_at: 22, start: on}}
 *
 * on_at > off_at: on once `of` has risen to on_at, off once it has fallen to off_at; on_at < off_at the other way
 * round.
 */
#include "core/model/define/read.h"

#include "core/model/shapes.h"

#include <math.h>
#include <string.h>

/* A threshold: an expression of parameters, its value at the guess in *value. */
static expr read_threshold(struct reader *r, const struct spec_node *node, const char *key, double *value)
{
    const struct spec_node *threshold = spec_get(node, key);
    expr e = r->broken;
    *value = NAN;
    if (!threshold)
        spec_error(r->diag, node, "\"%s\" is missing: the threshold at which it goes %s", key,
                   strcmp(key, "on_at") == 0 ? "on" : "off");
    else if (reader_parameter_expr(r, threshold, &e) == STATUS_OK)
        *value = model_value_at(r->model, e, AT_GUESS);
    return e;
}

static expr read_input(struct reader *r, const struct spec_node *node)
{
    const struct spec_node *of = spec_get(node, "of");
    if (of)
        return reader_smooth(r, of, "write one relay per smooth function", USES_STATES | USES_TIME,
                             "what a relay looks at");
    spec_error(r->diag, node, "\"of\" is missing: what is compared with the thresholds \"on_at\" and \"off_at\"");
    return r->broken;
}

/* side (e - threshold) */
static expr beyond(struct reader *r, double side, expr e, expr threshold)
{
    return expr_scale(r->g, side, expr_sub(r->g, e, threshold));
}

void reader_read_relay(struct reader *r, const struct spec_node *node, struct model_hysteresis *relay, expr *out)
{
    double on_value, off_value;
    *relay = (struct model_hysteresis){ .name = node->key, .path = node->path, .pos = node->key_pos,
                                        .state = expr_sym(r->g, node->key) };
    if (node->kind != SPEC_MAPPING) {
        spec_error(r->diag, node, "expected {of: expression, on_at: threshold, off_at: threshold}");
        return;
    }
    shape_check_keys(r->diag, node, &model_relay_shape);
    const expr e = read_input(r, node);
    const expr on = read_threshold(r, node, "on_at", &on_value);
    const expr off = read_threshold(r, node, "off_at", &off_value);
    const struct spec_node *first = spec_get(node, "start");
    relay->starts_on = first && reader_choice(r, first, model_relay_words) == 1;
    if (on_value == off_value)
        spec_error(r->diag, spec_get(node, "off_at"), "equals \"on_at\": without a distance it is step(...)");
    if (expr_is_const(r->g, e, NULL))
        spec_error(r->diag, spec_get(node, "of"), "is constant: the relay never switches");
    if (reader_is_broken(r, e) || reader_is_broken(r, on) || reader_is_broken(r, off))
        return;
    const double side = on_value > off_value ? 1 : -1;
    *out = expr_relay(r->g, beyond(r, side, e, on), beyond(r, side, e, off), relay->state);
    expr_set_pos(r->g, *out, node->key_pos);
}
