/* Rows of one kind of spot are in the order in which ties are tried (moves.h). */
#include "transcription/moves/moves.h"

const struct move move_table[N_MOVES] = {
    /* name, priority, use, needs, over, by */
    { "event off its grid point",       1.0, MOVE_BETTER, 0, OVER_EVENTS, move_event_off_grid },
    { "event to another grid point",    0.5, MOVE_BETTER, 0, OVER_EVENTS, move_event_to_next_point },
    { "event off the horizon",          2.5, MOVE_BETTER, 0, OVER_EVENTS, move_event_out },
    { "event to the grid point beside", 3.0, MOVE_BETTER, 0, OVER_EVENTS, move_event_to_point },
    { "event to the interval beside",   2.0, MOVE_BETTER, 0, OVER_EVENTS, move_event_to_interval },
    { "mode without length removed",    2.0, MOVE_BETTER, 0, OVER_EVENTS, move_mode_out },
    { "events at one time exchanged",   2.2, MOVE_BETTER, 0, OVER_EVENTS, move_events_exchange },
    { "events at a grid point joined",  2.5, MOVE_BETTER, 0, OVER_EVENTS, move_events_join },
    { "impact at the start removed",    3.2, MOVE_TIDY, 0, OVER_EVENTS, move_begin_closed },
    { "opening without length removed", 3.2, MOVE_BETTER | MOVE_TIDY, 0, OVER_EVENTS, move_stay_closed },
    { "stop to the grid point beside",  3.0, MOVE_TIDY, NEEDS_GRID, OVER_EVENTS, move_stop_to_point },
    { "sticking where slip reverses",   1.9, MOVE_BETTER, 0, OVER_EVENTS, move_stick_at_reversal },
    { "other friction after an impact", 0.8, MOVE_BETTER, 0, OVER_EVENTS, move_impact_friction },
    { "crossing instead of sliding",    1.8, MOVE_BETTER, 0, OVER_EVENTS, move_pass_through },
    { "one bounce more",                1.0, MOVE_BOUNCE, 0, OVER_EVENTS, move_bounce_in },
    { "one bounce fewer",               1.0, MOVE_BOUNCE, 0, OVER_EVENTS, move_bounce_out },

    { "slip at the end of sticking",    1.5, MOVE_BETTER, NEEDS_GRID, OVER_PIECES, move_slip_to_end },
    { "slip before sticking",           2.1, MOVE_BETTER, NEEDS_GRID, OVER_PIECES, move_slip_first },

    { "opening within slip in space",   2.4, MOVE_BETTER, 0, OVER_CONTACTS, move_step_over },
    { "rest within slip in space",      1.9, MOVE_BETTER, 0, OVER_CONTACTS, move_rest_in_slip },
    { "rest at an end of the horizon",  0.9, MOVE_BETTER, 0, OVER_CONTACTS, move_rest_at_ends },
    { "closed contact lets go",         0.4, MOVE_BETTER, NEEDS_SOLUTION | NEEDS_GRID, OVER_CONTACTS, move_let_go },

    { "sliding at the start",           0.9, MOVE_BETTER, 0, OVER_SWITCHES, move_slide_first },
    { "crossing at the end",            2.2, MOVE_BETTER, NEEDS_SOLUTION, OVER_SWITCHES, move_cross_at_end },
    { "crossing where it grazes",       1.3, MOVE_BETTER, NEEDS_SOLUTION, OVER_SWITCHES, move_cross_at_graze },
    { "round of a relay left out",      0.6, MOVE_BETTER, NEEDS_SOLUTION, OVER_SWITCHES, move_leave_out_round },

    { "one transition more",            2.0, MOVE_ORDER, 0, OVER_STAYS, move_transition_in },
    { "transitions left out",           0.5, MOVE_ORDER, 0, OVER_STAYS, move_transitions_out },
    { "command an interval beside",     1.5, MOVE_ORDER, 0, OVER_STAYS, move_command },

    { "side an interval beside",        1.0, MOVE_BETTER, 0, OVER_ALL, move_side },
    { "other side where both are zero", 1.5, MOVE_BETTER, 0, OVER_ALL, move_other_side },
    { "all events off the grid",        1.2, MOVE_BETTER, NEEDS_FREE_HORIZON, OVER_ALL, move_all_off_grid },
    { "all events an interval beside",  0.3, MOVE_SHIFT, NEEDS_SOLUTION | NEEDS_GRID, OVER_ALL, move_all_shifted },
};
