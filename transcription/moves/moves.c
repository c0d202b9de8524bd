/* Rows of one kind of spot are in the order in which ties are tried (moves.h). mechanisms.c says what each does. */
#include "transcription/moves/moves.h"

const struct move move_table[N_MOVES] = {
    /* mechanism, priority, use, needs, over, by */
    { MOVE_EVENT_OFF_GRID,        1.0, FOR_BETTER, 0, OVER_EVENTS, move_event_off_grid },
    { MOVE_EVENT_TO_NEXT_POINT,   0.5, FOR_BETTER, 0, OVER_EVENTS, move_event_to_next_point },
    { MOVE_EVENT_OUT,             2.5, FOR_BETTER, 0, OVER_EVENTS, move_event_out },
    { MOVE_EVENT_TO_POINT,        3.0, FOR_BETTER, 0, OVER_EVENTS, move_event_to_point },
    { MOVE_EVENT_TO_INTERVAL,     2.0, FOR_BETTER, 0, OVER_EVENTS, move_event_to_interval },
    { MOVE_MODE_OUT,              2.0, FOR_BETTER, 0, OVER_EVENTS, move_mode_out },
    { MOVE_EVENTS_JOIN,           2.5, FOR_BETTER, 0, OVER_EVENTS, move_events_join },
    { MOVE_STICK_AT_REVERSAL,     1.9, FOR_BETTER, 0, OVER_EVENTS, move_stick_at_reversal },
    { MOVE_IMPACT_FRICTION,       0.8, FOR_BETTER, 0, OVER_EVENTS, move_impact_friction },
    { MOVE_BOUNCE_IN,             1.0, FOR_BOUNCE, 0, OVER_EVENTS, move_bounce_in },
    { MOVE_BOUNCE_OUT,            1.0, FOR_BOUNCE, 0, OVER_EVENTS, move_bounce_out },

    { MOVE_SLIP_TO_END,           1.5, FOR_BETTER, NEEDS_GRID, OVER_PIECES, move_slip_to_end },

    { MOVE_REST_AT_ENDS,          0.9, FOR_BETTER, 0, OVER_CONTACTS, move_rest_at_ends },

    { MOVE_SLIDE_FIRST,           0.9, FOR_BETTER, 0, OVER_SWITCHES, move_slide_first },
    { MOVE_CROSS_AT_END,          2.2, FOR_BETTER, NEEDS_SOLUTION, OVER_SWITCHES, move_cross_at_end },

    { MOVE_TRANSITION_IN,         2.0, FOR_ORDER, 0, OVER_STAYS, move_transition_in },
    { MOVE_TRANSITIONS_OUT,       0.5, FOR_ORDER, 0, OVER_STAYS, move_transitions_out },
    { MOVE_COMMAND,               1.5, FOR_ORDER, 0, OVER_STAYS, move_command },

    { MOVE_SIDE,                  1.0, FOR_BETTER, 0, OVER_ALL, move_side },
    { MOVE_ALL_SHIFTED,           0.3, FOR_SHIFT, NEEDS_SOLUTION | NEEDS_GRID, OVER_ALL, move_all_shifted },
};
