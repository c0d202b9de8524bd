/* Rows of one kind of spot are in the order in which ties are tried (moves.h). mechanisms.c says what each does. */
#include "transcription/moves/moves.h"

const struct move move_table[N_MOVES] = {
    /* mechanism, priority, use, needs, over, by, stretches */
    { MOVE_EVENT_OFF_GRID,        1.0, FOR_BETTER, 0, OVER_EVENTS, move_event_off_grid, false },
    { MOVE_EVENT_TO_NEXT_POINT,   0.5, FOR_BETTER, 0, OVER_EVENTS, move_event_to_next_point, false },
    { MOVE_EVENT_OUT,             2.5, FOR_BETTER, 0, OVER_EVENTS, move_event_out, false },
    { MOVE_EVENT_TO_POINT,        3.0, FOR_BETTER, 0, OVER_EVENTS, move_event_to_point, false },
    { MOVE_EVENT_TO_INTERVAL,     2.0, FOR_BETTER, 0, OVER_EVENTS, move_event_to_interval, false },
    { MOVE_MODE_OUT,              2.0, FOR_BETTER, 0, OVER_EVENTS, move_mode_out, false },
    { MOVE_EVENTS_JOIN,           2.5, FOR_BETTER, 0, OVER_EVENTS, move_events_join, false },
    { MOVE_STICK_AT_REVERSAL,     1.9, FOR_BETTER, 0, OVER_EVENTS, move_stick_at_reversal, false },
    { MOVE_IMPACT_FRICTION,       0.8, FOR_BETTER, 0, OVER_EVENTS, move_impact_friction, false },
    { MOVE_EVENT_TO_MIDDLE,       0.2, FOR_BETTER, NEEDS_SOLUTION | NEEDS_GRID, OVER_EVENTS, move_event_to_middle, true },
    { MOVE_BOUNCE_IN,             1.0, FOR_BOUNCE, 0, OVER_EVENTS, move_bounce_in, false },
    { MOVE_BOUNCE_OUT,            1.0, FOR_BOUNCE, 0, OVER_EVENTS, move_bounce_out, false },

    { MOVE_SLIP_TO_END,           1.5, FOR_BETTER, NEEDS_GRID, OVER_PIECES, move_slip_to_end, false },

    { MOVE_REST_AT_ENDS,          0.9, FOR_BETTER, 0, OVER_CONTACTS, move_rest_at_ends, false },

    { MOVE_SLIDE_FIRST,           0.9, FOR_BETTER, 0, OVER_SWITCHES, move_slide_first, false },
    { MOVE_CROSS_AT_END,          2.2, FOR_BETTER, NEEDS_SOLUTION, OVER_SWITCHES, move_cross_at_end, false },

    { MOVE_TRANSITION_IN,         2.0, FOR_ORDER, 0, OVER_STAYS, move_transition_in, false },
    { MOVE_TRANSITIONS_OUT,       0.5, FOR_ORDER, 0, OVER_STAYS, move_transitions_out, false },
    { MOVE_COMMAND,               1.5, FOR_ORDER, 0, OVER_STAYS, move_command, false },

    { MOVE_SIDE,                  1.0, FOR_BETTER, 0, OVER_ALL, move_side, false },
    { MOVE_ALL_SHIFTED,           0.3, FOR_SHIFT, NEEDS_SOLUTION | NEEDS_GRID, OVER_ALL, move_all_shifted, false },
};
