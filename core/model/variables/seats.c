/* Friction under a load: the two states of each seat (mechanics/loads.c says what they are for). */
#include "core/model/variables/read.h"

#include <ctype.h>
#include <string.h>

static const struct spec_node *block_of(const struct reader *r, const char *name)
{
    const struct spec_node *block = spec_get(r->root, name);
    return block && block->kind == SPEC_MAPPING ? block : NULL;
}

/* The contact whose lambda_n, and nothing else, the text is; -1: it is none. */
static int find_contact(const struct reader *r, const struct spec_node *load)
{
    const struct spec_node *contacts = block_of(r, "contacts");
    const char *text = load && load->kind == SPEC_SCALAR ? load->text : "";
    while (isspace((unsigned char)*text)) text++;
    for (int k = 0; contacts && k < contacts->n; k++) {
        const size_t n = strlen(contacts->child[k]->key), of = strlen(".lambda_n");
        const char *rest = text + n + of;
        if (strncmp(text, contacts->child[k]->key, n) != 0 || strncmp(text + n, ".lambda_n", of) != 0)
            continue;
        while (isspace((unsigned char)*rest)) rest++;
        if (*rest == '\0')
            return k;
    }
    return -1;
}

static void add(struct reader *r, const struct spec_node *node, const char *name, int of, bool rolls)
{
    struct model *m = r->model;
    const int x = m->n_x;
    m->contacts.load[m->contacts.n_load++] = (struct model_load){ x, of, node, rolls };
    variables_add(r, node, arena_printf(r->mem, "%s_seat", name), &m->n_x, m->x, m->x_sym);
    variables_add(r, node, arena_printf(r->mem, "%s_seat_rate", name), &m->n_x, m->x, m->x_sym);
    for (int i = x; i < x + 2; i++) {
        m->x[i].initial = (struct model_end){ END_FIXED, 0, 0, node->key_pos };
        m->x[i].guess = 0;
    }
}

int load_count(struct reader *r)
{
    const struct spec_node *friction = reader_block(r, r->root, "friction"), *contacts = block_of(r, "contacts");
    int n = friction ? friction->n : 0;
    for (int k = 0; contacts && k < contacts->n; k++)
        n += spec_get(contacts->child[k], "rolling") != NULL;
    return n;
}

void load_collect(struct reader *r)
{
    const struct spec_node *friction = block_of(r, "friction"), *contacts = block_of(r, "contacts");
    for (int k = 0; friction && k < friction->n; k++)
        add(r, friction->child[k], friction->child[k]->key, find_contact(r, spec_get(friction->child[k], "load")),
            false);
    for (int k = 0; contacts && k < contacts->n; k++)
        if (spec_get(contacts->child[k], "rolling"))
            add(r, contacts->child[k], arena_printf(r->mem, "%s_rolling", contacts->child[k]->key), k, true);
}
