#include "core/output/modes.h"

#include "core/base/arena.h"
#include "core/results/fields.h"

#include <string.h>

struct mode_row { double t_start, t_end; const char **word; };

/* Pieces in a row that say the same are one mode. */
static int find_modes(const struct sim *sim, struct mode_row *row, struct arena *mem)
{
    const int n = sim_n_moded(sim);
    int n_mode = 0;
    for (int k = 0; k < sim_n_pieces(sim); k++) {
        const struct sim_piece piece = sim_piece_at(sim, k);
        const char **word = arena_alloc(mem, (size_t)n, sizeof *word);
        bool same = n_mode > 0;
        for (int i = 0; i < n; i++) {
            word[i] = sim_mode_word(sim, i, piece.mode[i]);
            same = same && strcmp(word[i], row[n_mode - 1].word[i]) == 0;
        }
        if (!same)
            row[n_mode++] = (struct mode_row){ piece.t_start, piece.t_end, word };
        row[n_mode - 1].t_end = piece.t_end;
    }
    return n_mode;
}

void modes_write(const struct sim *sim, struct result *result)
{
#define AT(name) offsetof(struct mode_row, name)
    static const struct result_field fields[] = {
        { .name = "t_start", RESULT_DOUBLE, AT(t_start), UNITS_TIME, "from when the mode holds" },
        { .name = "t_end", RESULT_DOUBLE, AT(t_end), UNITS_TIME, "to when" },
    };
#undef AT
    const int n = sim_n_moded(sim);
    if (n == 0)
        return;
    struct arena mem = { NULL };
    struct mode_row *row = arena_alloc(&mem, (size_t)sim_n_pieces(sim), sizeof *row);
    const int n_mode = find_modes(sim, row, &mem);
    const char **name = arena_alloc(&mem, (size_t)n, sizeof *name);
    const char **word = arena_alloc(&mem, (size_t)n_mode * (size_t)n, sizeof *word);
    for (int k = 0; k < n; k++)
        name[k] = sim_moded_name(sim, k);
    for (int j = 0; j < n_mode; j++)
        memcpy(word + (size_t)j * (size_t)n, row[j].word, (size_t)n * sizeof *word);
    struct result_group *group = result_group(result, "/modes");
    const int axes[2] = { result_axis(group, "mode", n_mode, NULL, NULL, NULL),
                          result_axis(group, "subject", n, NULL, NULL, NULL) };
    result_fields(group, 1, axes, (struct result_rows){ row, sizeof *row, n_mode }, COUNT(fields), fields);
    result_texts(group, "subject", 1, &axes[1], name, "contacts, then switching functions, then machines");
    result_texts(group, "state", 2, axes, word, "what each does in the mode");
    arena_free(&mem);
}
