/* Rows of one kind of spot are in the order in which ties are tried (moves.h). */
#include "transcription/moves/moves.h"

const struct move move_table[N_MOVES] = {
    /* name                                                       priority  use, needs, over, by */
    { "event off its grid point",                                      1.0, MOVE_BETTER, 0, OVER_EVENTS, move_event_off_grid },
    { "event from its grid point to the next",                         0.5, MOVE_BETTER, 0, OVER_EVENTS, move_event_to_next_point },
    { "event at an end of the horizon removed",                        2.5, MOVE_BETTER, 0, OVER_EVENTS, move_event_out },
    { "event at an edge of its interval to the grid point",            3.0, MOVE_BETTER, 0, OVER_EVENTS, move_event_to_point },
    { "event at an edge of its interval into the next",                2.0, MOVE_BETTER, 0, OVER_EVENTS, move_event_to_interval },
    { "mode without length removed",                                   2.0, MOVE_BETTER, 0, OVER_EVENTS, move_mode_out },
    { "two events at one time exchanged",                              2.2, MOVE_BETTER, 0, OVER_EVENTS, move_events_exchange },
    { "two events beside a grid point become one",                     2.5, MOVE_BETTER, 0, OVER_EVENTS, move_events_join },
    { "impact with which all begins removed",                          3.2, MOVE_TIDY,   0, OVER_EVENTS, move_begin_closed },
    { "contact that opens for no time stays closed",                   3.2, MOVE_BETTER | MOVE_TIDY, 0, OVER_EVENTS, move_stay_closed },
    { "slip that stops beside a grid point stops there",               3.0, MOVE_TIDY,   NEEDS_GRID, OVER_EVENTS, move_stop_to_point },
    { "sticking where slip reverses",                                  1.9, MOVE_BETTER, 0, OVER_EVENTS, move_stick_at_reversal },
    { "other friction after an impact",                                0.8, MOVE_BETTER, 0, OVER_EVENTS, move_impact_friction },
    { "passing through instead of sliding",                            1.8, MOVE_BETTER, 0, OVER_EVENTS, move_pass_through },
    { "bounce more",                                                   1.0, MOVE_BOUNCE, 0, OVER_EVENTS, move_bounce_in },
    { "bounce fewer",                                                  1.0, MOVE_BOUNCE, 0, OVER_EVENTS, move_bounce_out },

    { "slip to the end of sticking on its cone",                       1.5, MOVE_BETTER, NEEDS_GRID, OVER_PIECES, move_slip_to_end },
    { "slip before sticking that starts on its cone",                  2.1, MOVE_BETTER, NEEDS_GRID, OVER_PIECES, move_slip_first },

    { "opening where a contact slips in space",                        2.4, MOVE_BETTER, 0, OVER_CONTACTS, move_step_over },
    { "rest where slip in space turns or stands",                      1.9, MOVE_BETTER, 0, OVER_CONTACTS, move_rest_in_slip },
    { "rest at an end of the horizon",                                 0.9, MOVE_BETTER, 0, OVER_CONTACTS, move_rest_at_ends },
    { "contact that stays closed lets go",                             0.4, MOVE_BETTER, NEEDS_SOLUTION | NEEDS_GRID, OVER_CONTACTS, move_let_go },

    { "sliding from the start",                                        0.9, MOVE_BETTER, 0, OVER_SWITCHES, move_slide_first },
    { "crossing at the end",                                           2.2, MOVE_BETTER, NEEDS_SOLUTION, OVER_SWITCHES, move_cross_at_end },
    { "crossing where it grazes",                                      1.3, MOVE_BETTER, NEEDS_SOLUTION, OVER_SWITCHES, move_cross_where_it_grazes },
    { "relay's round left out",                                        0.6, MOVE_BETTER, NEEDS_SOLUTION, OVER_SWITCHES, move_leave_out_round },

    { "transition more",                                               2.0, MOVE_ORDER,  0, OVER_STAYS, move_transition_in },
    { "transitions removed until a state returns",                     0.5, MOVE_ORDER,  0, OVER_STAYS, move_transitions_out },
    { "command an interval earlier or later",                          1.5, MOVE_ORDER,  0, OVER_STAYS, move_command },

    { "side of a complementarity an interval earlier or later",        1.0, MOVE_BETTER, 0, OVER_ALL, move_side },
    { "other side of a complementarity where both are 0",              1.5, MOVE_BETTER, 0, OVER_ALL, move_other_side },
    { "all events off the grid",                                       1.2, MOVE_BETTER, NEEDS_FREE_HORIZON, OVER_ALL, move_all_off_grid },
    { "all events an interval earlier or later",                       0.3, MOVE_SHIFT,  NEEDS_SOLUTION | NEEDS_GRID, OVER_ALL, move_all_by_an_interval },
};
