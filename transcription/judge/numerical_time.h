/* transcription/judge/numerical_time.h - are the numerical time and the speeds of time those of the rest?
 *
 * Of a result by time-freezing, whose /trajectory has dt_dt_num, with s the speed of time of an interval:
 *
 *   t_num of a stage = t_num_start + c h
 *   t_end - t_start = h sum b dt_dt_num over the stages of an element
 *   theta = prod over contacts of (1 - theta lambda_n / a_n),  theta = dt_dt_num / s    time_freezing.md (10)
 *
 * The last one at physical points, of inelastic contacts, in the form by steps or with one contact; theta = 1 where
 * nothing touches. The first two for schemes whose nodes are stored.
 */
#ifndef COCP_TRANSCRIPTION_JUDGE_NUMERICAL_TIME_H
#define COCP_TRANSCRIPTION_JUDGE_NUMERICAL_TIME_H

#include "transcription/report/solution_file.h"

/* One row more, "numerical time"; none where nothing is to be judged. */
void numerical_time_judge(const struct solution_file *file, double tol, struct findings *to);

#endif
