/* Rows of one kind of spot are in the order in which ties are tried (moves.h). */
#include "transcription/moves/moves.h"

const struct move move_table[N_MOVES] = {
    /* name, priority, use, needs, over, by */
    { "event-off-grid-point",      1.0, FOR_BETTER, 0, OVER_EVENTS, move_event_off_grid },
    { "event-to-other-grid-point", 0.5, FOR_BETTER, 0, OVER_EVENTS, move_event_to_next_point },
    { "event-off-horizon",         2.5, FOR_BETTER, 0, OVER_EVENTS, move_event_out },
    { "event-to-grid-point",       3.0, FOR_BETTER, 0, OVER_EVENTS, move_event_to_point },
    { "event-to-interval-beside",  2.0, FOR_BETTER, 0, OVER_EVENTS, move_event_to_interval },
    { "mode-without-length",       2.0, FOR_BETTER, 0, OVER_EVENTS, move_mode_out },
    { "events-exchanged",          2.2, FOR_BETTER, 0, OVER_EVENTS, move_events_exchange },
    { "events-joined",             2.5, FOR_BETTER, 0, OVER_EVENTS, move_events_join },
    { "impact-at-start",           3.2, FOR_TIDY, 0, OVER_EVENTS, move_begin_closed },
    { "opening-without-length",    3.2, FOR_BETTER | FOR_TIDY, 0, OVER_EVENTS, move_stay_closed },
    { "stop-to-grid-point",        3.0, FOR_TIDY, NEEDS_GRID, OVER_EVENTS, move_stop_to_point },
    { "sticking-at-reversal",      1.9, FOR_BETTER, 0, OVER_EVENTS, move_stick_at_reversal },
    { "friction-after-impact",     0.8, FOR_BETTER, 0, OVER_EVENTS, move_impact_friction },
    { "crossing-for-sliding",      1.8, FOR_BETTER, 0, OVER_EVENTS, move_pass_through },
    { "bounce-more",               1.0, FOR_BOUNCE, 0, OVER_EVENTS, move_bounce_in },
    { "bounce-fewer",              1.0, FOR_BOUNCE, 0, OVER_EVENTS, move_bounce_out },

    { "slip-after-sticking",       1.5, FOR_BETTER, NEEDS_GRID, OVER_PIECES, move_slip_to_end },
    { "slip-before-sticking",      2.1, FOR_BETTER, NEEDS_GRID, OVER_PIECES, move_slip_first },

    { "opening-in-slip",           2.4, FOR_BETTER, 0, OVER_CONTACTS, move_step_over },
    { "rest-in-slip",              1.9, FOR_BETTER, 0, OVER_CONTACTS, move_rest_in_slip },
    { "rest-at-ends",              0.9, FOR_BETTER, 0, OVER_CONTACTS, move_rest_at_ends },
    { "letting-go",                0.4, FOR_BETTER, NEEDS_SOLUTION | NEEDS_GRID, OVER_CONTACTS, move_let_go },

    { "sliding-at-start",          0.9, FOR_BETTER, 0, OVER_SWITCHES, move_slide_first },
    { "crossing-at-end",           2.2, FOR_BETTER, NEEDS_SOLUTION, OVER_SWITCHES, move_cross_at_end },
    { "crossing-at-graze",         1.3, FOR_BETTER, NEEDS_SOLUTION, OVER_SWITCHES, move_cross_at_graze },
    { "relay-round-out",           0.6, FOR_BETTER, NEEDS_SOLUTION, OVER_SWITCHES, move_leave_out_round },

    { "transition-more",           2.0, FOR_ORDER, 0, OVER_STAYS, move_transition_in },
    { "transitions-out",           0.5, FOR_ORDER, 0, OVER_STAYS, move_transitions_out },
    { "command-beside",            1.5, FOR_ORDER, 0, OVER_STAYS, move_command },

    { "side-beside",               1.0, FOR_BETTER, 0, OVER_ALL, move_side },
    { "other-side",                1.5, FOR_BETTER, 0, OVER_ALL, move_other_side },
    { "all-off-grid",              1.2, FOR_BETTER, NEEDS_FREE_HORIZON, OVER_ALL, move_all_off_grid },
    { "all-shifted",               0.3, FOR_SHIFT, NEEDS_SOLUTION | NEEDS_GRID, OVER_ALL, move_all_shifted },
};
