/* transcription/system/build.h - builders of a dynamic complementarity system, and what they put it together with
 *
 * The forms are those of dcs.h: fesd.md for switches, fesd_j.md for impacts, time_freezing.md.
 * Errors  STATUS_SPEC with a position: the model is none of the kind that is built.
 */
#ifndef COCP_TRANSCRIPTION_SYSTEM_BUILD_H
#define COCP_TRANSCRIPTION_SYSTEM_BUILD_H

#include "transcription/method/settings.h"
#include "transcription/system/dcs.h"

/* Each adds a variable to sel, lam or z, or a row to cont or stage (dcs.h), and returns its place there. */
int dcs_add_sel(struct dcs *dcs, struct dcs_var var);
int dcs_add_lam(struct dcs *dcs, struct dcs_var var);
int dcs_add_z(struct dcs *dcs, struct dcs_var var);
int dcs_add_cont(struct dcs *dcs, struct dcs_row row);
int dcs_add_stage(struct dcs *dcs, struct dcs_row row);
void dcs_add_pair(struct dcs *dcs, struct dcs_pair pair);
/* A switching function in step form with alpha as its step. */
void dcs_add_step(struct dcs *dcs, struct dcs_switch sw, expr alpha);
/* The switching functions of one Stewart group: 2^n modes, whose multipliers are theta[m]. */
void dcs_add_stewart(struct dcs *dcs, int n, const struct dcs_switch *sw, expr *theta);
/* A shift of the gap with its dead band; returns its symbol. */
expr dcs_add_band(struct dcs *dcs, const struct model_contact *contact);
/* F += J_n aux_n + J_t aux_t of contact c, whose forces are known by now. */
void dcs_add_contact_force(struct dcs *dcs, int c);

/* Does anything of the model but the terminal cost depend on time, so that it takes a clock? */
bool dcs_depends_on_time(const struct model *model);

/* y, E and F rows of the smooth part: F without contact forces, nonsmooth nodes still inside. */
void dcs_smooth_part(struct dcs *dcs, bool with_clock);

struct dcs_switch dcs_named_switch(const char *name, struct srcpos pos, expr c);

/* Replaces nonsmooth functions in F by steps of switching functions, and forces of pairs by theirs; the running
 * costs of the fork then speak of steps, too. */
enum status dcs_lower_nonsmooth(struct dcs *dcs, struct diag *diag);

/* 1 - alpha in place of the forces of pairs. */
void dcs_place_pairs(const struct dcs *dcs, int n, expr *e);

/* Contact forces as unknowns, for FESD-J, where velocities jump too, and for time-stepping (fesd_j.md 3, 10), with
 * steps of switching functions beside them. */
enum status dcs_build_forces(struct dcs *dcs, const struct discretization *settings, struct diag *diag);

/* A mechanical system with impacts as a Filippov system (time_freezing.md). STATUS_SPEC for friction at elastic
 * contacts and for too many modes in Stewart's form. */
enum status dcs_build_time_freezing(struct dcs *dcs, const struct discretization *settings, struct diag *diag);

#endif
