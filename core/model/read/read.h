/* core/model/read/read.h - a model from its spec, and what is read once it is there
 *
 * Errors  model_read reports every mistake of the spec with its position and returns STATUS_SPEC.
 */
#ifndef COCP_CORE_MODEL_READ_READ_H
#define COCP_CORE_MODEL_READ_READ_H

#include "core/model/model.h"
#include "core/spec/settings.h"

#include <stdio.h>

/* After mistakes *out is there all the same, for model_eval and model_check_controls alone, so that the mistakes
 * of settings come out in the same run; it is NULL if the spec is no mapping. model_free in any case. */
enum status model_read(const struct spec *spec, enum model_need need, struct model **out, struct diag *diag);

/* simulate.controls as expressions: takes the place of control k everywhere (controls: n pairs of name and text
 * node). The control stays in the list, its expression is in *u_expr[k] (EXPR_NONE: not replaced). */
enum status model_replace_controls(struct model *model, const struct spec_node *controls, expr *u_expr,
                                   struct diag *diag);
/* Only reports their mistakes. */
enum status model_check_controls(struct model *model, const struct spec_node *controls, struct diag *diag);

/* Numbers of settings blocks: expressions of (fixed) parameters. user is the model. */
struct setting_eval model_eval(struct model *model);

/* The spec's own blocks as YAML, defaults filled in and numbers evaluated; settings blocks are their tables'. */
void model_print_resolved(const struct model *model, FILE *out);

#endif
