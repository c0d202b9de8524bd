/* transcription/report/fitted.h - what was fitted to data, in a result file: group /fit, standard deviations in
 * /parameters
 *
 * /fit  over `value`: t, series, value, fit, residual, sigma, std (of the fit), leverage; over `quantity`: name,
 *       estimate, std, note, covariance and correlation with each `other`; `words`; attributes misfit,
 *       degrees_of_freedom, scale, relative, noise (fit_noise)
 */
#ifndef COCP_TRANSCRIPTION_REPORT_FITTED_H
#define COCP_TRANSCRIPTION_REPORT_FITTED_H

#include "core/results/results.h"
#include "transcription/sensitivity/fit.h"

/* Of one finished solution whose model has data; fit_free it. */
struct fit *fitted_one(const struct finish *finish);

/* Why a quantity has no standard deviation, "" of FIT_FREE. */
const char *fitted_note(enum fit_bound bound);
/* The words alone, of series of these data. */
void fitted_write_words(const struct fit *fit, const struct model_data *data, struct result_group *group);

void fitted_write(const struct fit *fit, int n_part, const struct fit_part *part, struct result *result);

#endif
