/* core/model/read/resolved.c - the spec again, with its defaults filled in and its numbers evaluated */
#include "core/model/read/read.h"

#include "core/model/shapes.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* In double quotes, so that any text is YAML. */
static void print_text(FILE *out, const char *text)
{
    fputc('"', out);
    for (; *text; text++) {
        if (*text == '"' || *text == '\\')
            fputc('\\', out);
        const unsigned c = (unsigned char)*text, next = (unsigned char)text[1];
        if (*text == '\n')
            fputs("\\n", out);
        else if (c < 0x20 || c == 0x7F)
            fprintf(out, "\\x%02x", c);
        else if (c == 0xC2 && next >= 0x80 && next < 0xA0)      /* U+0080 to U+009F */
            fprintf(out, "\\x%02x", (unsigned)(unsigned char)*++text);
        else
            fputc(*text, out);
    }
    fputc('"', out);
}

/* The number behind a text; the shortest of two forms that reads back as the same number. */
static void print_number(FILE *out, const char *before, double val)
{
    char text[32];
    snprintf(text, sizeof text, "%.15g", val);
    if (strtod(text, NULL) != val)
        snprintf(text, sizeof text, "%.17g", val);
    fprintf(out, "%s%s", before, text);
}

static void print_range(FILE *out, const char *before, double lo, double hi)
{
    print_number(out, before, lo);
    print_number(out, ", ", hi);
    fputc(']', out);
}

/* A value that depends on optimized parameters stays an expression. */
static void print_coefficient(const struct model *m, FILE *out, const char *before, expr e)
{
    double val;
    if (expr_is_const(m->graph, e, &val)) {
        print_number(out, before, val);
        return;
    }
    char *text = expr_to_text(m->graph, e);
    fputs(before, out);
    print_text(out, text);
    free(text);
}

static void print_units(FILE *out, const char *before, const char *units, const char *long_name)
{
    fprintf(out, "%sunits: ", before);
    print_text(out, units);
    if (*long_name) {
        fputs(", long_name: ", out);
        print_text(out, long_name);
    }
}

static void print_parameters(const struct model *m, FILE *out)
{
    const int n = m->n_param - m->time.n_phase - m->impulses.n_param;  /* printed with phases and controls */
    if (n > 0)
        fputs("parameters:\n", out);
    for (int k = 0; k < n; k++) {
        const struct model_param *param = &m->param[k];
        fprintf(out, "  %s: {", param->name);
        if (param->optimize) {
            print_number(out, "value: ", param->value);
            print_range(out, ", optimize: [", param->lb, param->ub);
            if (!isnan(param->size))
                print_number(out, ", scale: ", param->size);
        } else {
            print_coefficient(m, out, "value: ", param->value_expr);
        }
        print_units(out, ", ", param->units, param->long_name);
        fputs("}\n", out);
    }
}

static void print_elements(const struct model *m, FILE *out)
{
    const int n = m->time.n_intervals > 0 ? m->time.n_intervals : 1;
    bool same = true;
    for (int i = 1; i < n; i++)
        same = same && m->time.elements[i] == m->time.elements[0];
    fputs("  elements: ", out);
    if (same)
        fprintf(out, "%d\n", m->time.elements[0]);
    for (int i = 0; i < n && !same; i++)
        fprintf(out, "%s%d%s", i ? ", " : "[", m->time.elements[i], i == n - 1 ? "]\n" : "");
}

static void print_time(const struct model *m, FILE *out)
{
    fputs("time:\n", out);
    if (strcmp(m->time.unit, "s") != 0)
        fprintf(out, "  unit: \"%s\"\n", m->time.unit);
    if (m->time.n_phase) {
        print_elements(m, out);
        return;
    }
    if (m->time.horizon_free) {
        print_number(out, "  horizon: {min: ", m->time.horizon_min);
        print_number(out, ", max: ", m->time.horizon_max);
        print_number(out, ", guess: ", m->time.horizon);
        fputs("}\n", out);
    } else if (!isnan(m->time.horizon)) {
        print_number(out, "  horizon: ", m->time.horizon);
        fputc('\n', out);
    }
    if (m->time.n_intervals > 0)
        fprintf(out, "  intervals: %d\n", m->time.n_intervals);
    print_elements(m, out);
}

static void print_end(FILE *out, const char *key, const struct model_end *end)
{
    if (end->kind != END_MISSING)
        fprintf(out, ", %s: ", key);
    switch (end->kind) {
    case END_MISSING: break;
    case END_FREE:    fputs("free", out); break;
    case END_FIXED:   print_number(out, "", end->lo); break;
    case END_RANGE:   print_range(out, "[", end->lo, end->hi); break;
    }
}

static void print_ends(FILE *out, const struct model_var *var)
{
    print_end(out, "initial", &var->initial);
    print_end(out, "final", &var->final);
}

/* What starts take, but for what is the default. */
static void print_starts(FILE *out, const struct model_starts *starts)
{
    if (!starts->given)
        return;
    print_number(out, ", start_cost: ", starts->cost);
    print_number(out, ", min_on: ", starts->min_on);
    print_number(out, ", min_off: ", starts->min_off);
    if (starts->most >= 0)
        fprintf(out, ", most: %d", starts->most);
    print_number(out, ", initial: ", starts->before);
}

static void print_variable(FILE *out, const struct model_var *var)
{
    fprintf(out, "  %s: ", var->name);
    print_units(out, "{", var->units, var->long_name);
    for (int k = 0; k < var->n_value; k++)
        print_number(out, k ? ", " : ", values: [", var->value[k]);
    if (var->n_value) {
        fputc(']', out);
        print_starts(out, &var->starts);
    } else {
        print_range(out, ", bounds: [", var->lb, var->ub);
    }
    if (!isnan(var->size))
        print_number(out, ", scale: ", var->size);
}

static void print_states(const struct model *m, FILE *out)
{
    fputs("states:\n", out);
    for (int k = 0; k < m->n_x; k++) {
        if (model_find_held(m, k) || model_is_seat(m, k) || model_is_noted(m, k))
            continue;
        print_variable(out, &m->x[k]);
        print_ends(out, &m->x[k]);
        print_number(out, ", guess: ", model_var_guess(&m->x[k]));
        fputs("}\n", out);
    }
}

/* In one line. */
static void print_flow(FILE *out, const struct spec_node *node)
{
    if (node->kind != SPEC_MAPPING && node->kind != SPEC_SEQUENCE) {
        print_text(out, node->kind == SPEC_SCALAR ? node->text : "");
        return;
    }
    const bool is_map = node->kind == SPEC_MAPPING;
    fputc(is_map ? '{' : '[', out);
    for (int k = 0; k < node->n; k++) {
        fprintf(out, "%s%s%s", k ? ", " : "", is_map ? node->child[k]->key : "", is_map ? ": " : "");
        print_flow(out, node->child[k]);
    }
    fputc(is_map ? '}' : ']', out);
}

static void print_impulses(const struct model *m, FILE *out)
{
    const struct spec_node *block = spec_get(spec_root(m->spec), "controls");
    for (int k = 0; k < m->impulses.n_impulse; k++) {
        const struct model_impulse *one = &m->impulses.impulse[k];
        print_variable(out, &one->var);
        for (int j = 0; j < one->n; j++)
            print_number(out, j ? ", " : ", guess: [", m->param[one->param[j]].value);
        fputs(one->n ? "], impulsive: " : ", impulsive: ", out);
        print_flow(out, spec_get(spec_get(block, one->var.name), "impulsive"));
        fputs("}\n", out);
    }
}

/* One that is continuous is a state here, with its slope among states or controls. */
static void print_controls(const struct model *m, FILE *out)
{
    const int n_u = m->n_u - m->time.n_phase - m->time.n_steps;
    if (n_u + m->impulses.n_impulse > 0)
        fputs("controls:\n", out);
    for (int k = 0, n = 0; k < n_u; k++) {
        const struct model_held *held = n < m->n_held && m->held[n].u == k ? &m->held[n++] : NULL;
        const struct model_var *var = held ? &m->x[held->x] : &m->u[k];
        print_variable(out, var);
        if (held) {
            const struct model_var *slope = held->order == 1 ? &m->u[k] : var + 1;
            fprintf(out, ", hold: %s", model_hold_words[held->order]);
            print_range(out, ", rate: [", slope->lb, slope->ub);
            print_ends(out, var);
        }
        print_number(out, ", guess: ", model_var_guess(var));
        fputs("}\n", out);
    }
    print_impulses(m, out);
}

/* A block as it stands in the spec, overrides applied. */
static void print_block(const struct model *m, const char *key, FILE *out)
{
    const struct spec_node *node = spec_get(spec_root(m->spec), key);
    if (!node || node->n == 0)
        return;
    char *text = spec_to_yaml(node);
    fprintf(out, "%s:\n", key);
    for (const char *line = text; *line;) {
        const size_t len = strcspn(line, "\n");
        fprintf(out, "  %.*s\n", (int)len, line);
        line += len + (line[len] == '\n');
    }
    free(text);
}

static const struct model_points *points_of(const struct model *m, const char *define)
{
    for (int k = 0; k < m->defines.n_points; k++)
        if (strcmp(m->defines.points[k].define, define) == 0)
            return &m->defines.points[k];
    return NULL;
}

static void print_points(const struct model *m, const struct spec_node *define, const struct model_points *points,
                         FILE *out)
{
    fputs("{through: {", out);
    for (int i = 0; i < points->n; i++)
        fprintf(out, "%s%.17g %s: \"%.17g\"", i ? ", " : "", points->at[i], m->time.unit, points->value[i]);
    fputc('}', out);
    for (int k = 0; k < define->n; k++)
        if (strcmp(define->child[k]->key, "through") != 0) {
            fprintf(out, ", %s: ", define->child[k]->key);
            print_flow(out, define->child[k]);
        }
    fputc('}', out);
}

static bool any_goes_through(const struct spec_node *defines)
{
    bool any = false;
    for (int k = 0; defines && k < defines->n; k++)
        any = any || spec_get(defines->child[k], "through");
    return any;
}

/* With the points of files in their place; in a line each, whether they were in a file or not. */
static void print_defines(const struct model *m, FILE *out)
{
    const struct spec_node *block = spec_get(spec_root(m->spec), "define");
    if (!any_goes_through(block)) {
        print_block(m, "define", out);
        return;
    }
    fputs("define:\n", out);
    for (int k = 0; k < block->n; k++) {
        const struct spec_node *node = block->child[k];
        const struct model_points *points = points_of(m, node->key);
        fprintf(out, "  %s: ", node->key);
        if (points)
            print_points(m, node, points, out);
        else
            print_flow(out, node);
        fputc('\n', out);
    }
}

/* A text, or a list of such. */
static void print_list_of_texts(const struct spec_node *value, FILE *out)
{
    if (value->kind == SPEC_SCALAR)
        print_text(out, value->text);
    for (int i = 0; i < value->n; i++) {
        fputs(i ? ", " : "[", out);
        print_list_of_texts(value->child[i], out);
    }
    if (value->n > 0)
        fputc(']', out);
}

static void print_texts(const struct spec_node *node, const char *key, const char *before, FILE *out)
{
    const struct spec_node *value = spec_get(node, key);
    if (!value || value->kind == SPEC_NULL)
        return;
    fprintf(out, "%s%s: ", before, key);
    print_list_of_texts(value, out);
}

/* The keys of a disc, which a contact is, too. */
static void print_disc(const struct spec_node *node, FILE *out)
{
    print_texts(node, "shape", "", out);
    print_texts(node, "frame", "", out);
    print_texts(node, "point", "", out);
    print_texts(node, "radius", ", ", out);
    print_texts(node, "angle", ", ", out);
}

/* What touches what. */
static void print_geometry(const struct spec_node *node, FILE *out)
{
    const struct spec_node *ground = spec_get(node, "ground"), *other = spec_get(node, "other");
    print_texts(node, "gap", "", out);
    print_disc(node, out);
    print_texts(node, "box", ", ", out);
    print_texts(node, "ellipse", ", ", out);
    if (other && other->kind == SPEC_SCALAR) {
        print_texts(node, "other", ", ", out);
    } else if (other) {
        fputs(", other: {", out);
        print_disc(other, out);
        fputc('}', out);
    }
    if (ground && ground->kind != SPEC_MAPPING) {
        print_texts(node, "ground", ", ", out);
    } else if (spec_get(ground, "points")) {
        fputs(", ground: {", out);
        print_texts(ground, "points", "", out);
        print_texts(ground, "closed", ", ", out);
        fputc('}', out);
    } else if (ground && ground->n > 0) {
        fputs(", ground: {", out);
        print_texts(ground, "normal", "", out);
        print_texts(ground, "through", spec_get(ground, "normal") ? ", " : "", out);
        print_texts(ground, "along", ground->child[0] == spec_get(ground, "along") && ground->n == 1 ? "" : ", ",
                    out);
        fputc('}', out);
    }
    print_texts(node, "tangent", ", ", out);
    print_texts(node, "slip", ", ", out);
}

/* One coefficient, or the first n of several. */
static void print_friction(const struct model *m, FILE *out, const char *key, const struct model_contact *contact,
                           int n)
{
    if (n < 2 || contact->coefficient[1] == EXPR_NONE) {
        print_coefficient(m, out, key, contact->friction);
        return;
    }
    fputs(key, out);
    for (int k = 0; k < n; k++)
        print_coefficient(m, out, k ? ", " : "[", k ? contact->coefficient[k] : contact->friction);
    fputc(']', out);
}

static const struct model_contact *rolling_of(const struct model *m, int contact)
{
    for (int k = 0; k < m->contacts.n_load; k++)
        if (m->contacts.load[k].rolls && m->contacts.load[k].of == contact)
            return &m->contacts.contact[m->contacts.n_contact - m->contacts.n_load + k];
    return NULL;
}

/* Such are printed as they are written: parameters that they name may vary. */
static bool is_formula(const struct spec_node *node)
{
    char *end = NULL;
    if (!node || node->kind != SPEC_SCALAR)
        return node != NULL;
    (void)strtod(node->text, &end);
    return *node->text && *end;
}

static void print_contacts(const struct model *m, FILE *out)
{
    const struct spec_node *block = spec_get(spec_root(m->spec), "contacts");
    const int n = m->contacts.n_contact - m->contacts.n_load;
    if (n > 0)
        fputs("contacts:\n", out);
    for (int i = 0; i < n; i++) {
        const struct model_contact *contact = &m->contacts.contact[i], *rolling = rolling_of(m, i);
        if (i > 0 && strcmp(contact->family, m->contacts.contact[i - 1].family) == 0)
            continue;                           /* of the same shape */
        const struct spec_node *node = spec_get(block, contact->family);
        const bool drills = spec_get(node, "drilling") && contact->n_t > 2;
        fprintf(out, "  %s: {", contact->family);
        print_geometry(node, out);
        if (is_formula(spec_get(node, "friction")))
            print_texts(node, "friction", ", ", out);
        else
            print_friction(m, out, ", friction: ", contact, drills ? 2 : contact->n_t);
        if (drills)
            print_coefficient(m, out, ", drilling: ", contact->coefficient[2]);
        if (rolling)
            print_friction(m, out, ", rolling: ", rolling, rolling->n_t);
        if (is_formula(spec_get(node, "restitution")))
            print_texts(node, "restitution", ", ", out);
        else
            print_coefficient(m, out, ", restitution: ", m->contacts.contact[i].restitution);
        fputs("}\n", out);
    }
}

static void print_list(FILE *out, const char *name, int n, const double *value)
{
    fputs("    ", out);
    print_text(out, name);
    fputs(": [", out);
    for (int k = 0; k < n; k++)
        if (isnan(value[k]))
            fputs(k ? ", .nan" : ".nan", out);
        else
            print_number(out, k ? ", " : "", value[k]);
    fputs("]\n", out);
}

static void print_row(FILE *out, int n, const double *value)
{
    for (int k = 0; k < n; k++)
        print_number(out, k ? ", " : "[", value[k]);
    fputs("]", out);
}

static void print_table(const struct model_table *table, const struct spec_node *units, FILE *out)
{
    const bool two = table->n_arg == 2;
    fprintf(out, "  %s:\n    of: [%s%s%s]\n    by: %s\n    outside: %s\n    at: %s", table->name, table->arg[0],
            two ? ", " : "", two ? table->arg[1] : "", model_table_words[table->by],
            model_outside_words[table->outside], two ? "[" : "");
    for (int k = 0; k < table->n_arg; k++) {
        fputs(k ? ", " : "", out);
        print_row(out, table->n[k], table->at[k]);
    }
    fprintf(out, "%s\n    values: %s", two ? "]" : "", two ? "[" : "");
    for (int i = 0; two && i < table->n[0]; i++) {
        fputs(i ? ",\n             " : "", out);
        print_row(out, table->n[1], &table->value[i * table->n[1]]);
    }
    if (!two)
        print_row(out, table->n[0], table->value);
    fputs(two ? "]\n" : "\n", out);
    for (int k = 0; units && units->kind == SPEC_MAPPING && k < units->n; k++) {
        fprintf(out, "%s%s: ", k ? ", " : "    units: {", units->child[k]->key);
        print_text(out, units->child[k]->text);
        fputs(k == units->n - 1 ? "}\n" : "", out);
    }
}

/* With the numbers, so that the files need not be there. */
static void print_tables(const struct model *m, FILE *out)
{
    const struct spec_node *block = spec_get(spec_root(m->spec), "tables");
    fputs(m->tables.n_table ? "tables:\n" : "", out);
    for (int k = 0; k < m->tables.n_table; k++)
        if (m->tables.table[k].n_arg)
            print_table(&m->tables.table[k], spec_get(spec_get(block, m->tables.table[k].name), "units"), out);
}

static void print_sigma(FILE *out, const struct model_series *series, bool is_relative)
{
    fprintf(out, "    %s: ", series->name);
    if (is_relative)
        print_number(out, "", 1 / (series->sigma[0] * series->sigma[0]));
    else
        fprintf(out, "sigma of %s", series->name);
    fputc('\n', out);
}

/* With the numbers, so that the file need not be there. */
static void print_data(const struct model *m, FILE *out)
{
    const struct model_data *data = &m->data;
    struct arena mem = { NULL };
    if (data->n_series == 0)
        return;
    fputs("data:\n  time: t\n  table:\n", out);
    print_list(out, "t", data->n_row, data->t);
    for (int k = 0; k < data->n_series; k++) {
        const struct model_series *series = &data->series[k];
        print_list(out, series->name, data->n_row, series->value);
        if (!data->is_relative)
            print_list(out, arena_printf(&mem, "sigma of %s", series->name), data->n_row, series->sigma);
    }
    fputs("  columns:\n", out);
    for (int k = 0; k < data->n_series; k++)
        fprintf(out, "    %s: %s\n", data->series[k].name, data->series[k].name);
    fputs(data->is_relative ? "  weights:\n" : "  sigma:\n", out);
    for (int k = 0; k < data->n_series; k++)
        print_sigma(out, &data->series[k], data->is_relative);
    arena_free(&mem);
}

void model_print_resolved(const struct model *model, FILE *out)
{
    fputs("cocp: 1\nname: ", out);
    print_text(out, model->name);
    fputs("\ndescription: ", out);
    print_text(out, model->description);
    fputc('\n', out);
    print_parameters(model, out);
    print_time(model, out);
    print_states(model, out);
    print_controls(model, out);
    print_defines(model, out);
    print_tables(model, out);
    print_block(model, "hysteresis", out);
    print_block(model, "machines", out);
    print_block(model, "bodies", out);
    print_block(model, "shapes", out);
    print_block(model, "apart", out);
    print_block(model, "loops", out);
    print_block(model, "gravity", out);
    print_block(model, "phases", out);
    print_block(model, "links", out);
    print_block(model, "dynamics", out);
    print_block(model, "grounds", out);
    print_contacts(model, out);
    print_block(model, "friction", out);
    print_block(model, "projection", out);
    print_block(model, "cost", out);
    print_data(model, out);
    print_block(model, "constraints", out);
    print_block(model, "complementarity", out);
    print_block(model, "guess", out);
    print_block(model, "draw", out);
}
