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
    { MOVE_EVENTS_EXCHANGE,       2.2, FOR_BETTER, 0, OVER_EVENTS, move_events_exchange },
    { MOVE_EVENTS_JOIN,           2.5, FOR_BETTER, 0, OVER_EVENTS, move_events_join },
    { MOVE_BEGIN_CLOSED,          3.2, FOR_TIDY, 0, OVER_EVENTS, move_begin_closed },
    { MOVE_STAY_CLOSED,           3.2, FOR_BETTER | FOR_TIDY, 0, OVER_EVENTS, move_stay_closed },
    { MOVE_STOP_TO_POINT,         3.0, FOR_TIDY, NEEDS_GRID, OVER_EVENTS, move_stop_to_point },
    { MOVE_STICK_AT_REVERSAL,     1.9, FOR_BETTER, 0, OVER_EVENTS, move_stick_at_reversal },
    { MOVE_IMPACT_FRICTION,       0.8, FOR_BETTER, 0, OVER_EVENTS, move_impact_friction },
    { MOVE_PASS_THROUGH,          1.8, FOR_BETTER, 0, OVER_EVENTS, move_pass_through },
    { MOVE_BOUNCE_IN,             1.0, FOR_BOUNCE, 0, OVER_EVENTS, move_bounce_in },
    { MOVE_BOUNCE_OUT,            1.0, FOR_BOUNCE, 0, OVER_EVENTS, move_bounce_out },

    { MOVE_SLIP_TO_END,           1.5, FOR_BETTER, NEEDS_GRID, OVER_PIECES, move_slip_to_end },
    { MOVE_SLIP_FIRST,            2.1, FOR_BETTER, NEEDS_GRID, OVER_PIECES, move_slip_first },

    { MOVE_STEP_OVER,             2.4, FOR_BETTER, 0, OVER_CONTACTS, move_step_over },
    { MOVE_REST_IN_SLIP,          1.9, FOR_BETTER, 0, OVER_CONTACTS, move_rest_in_slip },
    { MOVE_REST_AT_ENDS,          0.9, FOR_BETTER, 0, OVER_CONTACTS, move_rest_at_ends },
    { MOVE_LET_GO,                0.4, FOR_BETTER, NEEDS_SOLUTION | NEEDS_GRID, OVER_CONTACTS, move_let_go },

    { MOVE_SLIDE_FIRST,           0.9, FOR_BETTER, 0, OVER_SWITCHES, move_slide_first },
    { MOVE_CROSS_AT_END,          2.2, FOR_BETTER, NEEDS_SOLUTION, OVER_SWITCHES, move_cross_at_end },
    { MOVE_CROSS_AT_GRAZE,        1.3, FOR_BETTER, NEEDS_SOLUTION, OVER_SWITCHES, move_cross_at_graze },
    { MOVE_LEAVE_OUT_ROUND,       0.6, FOR_BETTER, NEEDS_SOLUTION, OVER_SWITCHES, move_leave_out_round },

    { MOVE_TRANSITION_IN,         2.0, FOR_ORDER, 0, OVER_STAYS, move_transition_in },
    { MOVE_TRANSITIONS_OUT,       0.5, FOR_ORDER, 0, OVER_STAYS, move_transitions_out },
    { MOVE_COMMAND,               1.5, FOR_ORDER, 0, OVER_STAYS, move_command },

    { MOVE_SIDE,                  1.0, FOR_BETTER, 0, OVER_ALL, move_side },
    { MOVE_OTHER_SIDE,            1.5, FOR_BETTER, 0, OVER_ALL, move_other_side },
    { MOVE_ALL_OFF_GRID,          1.2, FOR_BETTER, NEEDS_FREE_HORIZON, OVER_ALL, move_all_off_grid },
    { MOVE_ALL_SHIFTED,           0.3, FOR_SHIFT, NEEDS_SOLUTION | NEEDS_GRID, OVER_ALL, move_all_shifted },
};
