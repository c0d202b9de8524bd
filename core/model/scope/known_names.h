/* core/model/scope/known_names.h - names of the model by hashing */
#ifndef COCP_CORE_MODEL_SCOPE_KNOWN_NAMES_H
#define COCP_CORE_MODEL_SCOPE_KNOWN_NAMES_H

struct model;

struct known_names *known_names_create(void);
void known_names_free(struct known_names *names);

enum name_kind { NAME_PARAMETER, NAME_STATE, NAME_CONTROL, NAME_IMPULSE, NAME_DEFINE, NAME_POINT, NAME_NONE };
extern const char *const name_kind_text[];                  /* [NAME_NONE + 1] for messages */

struct name { enum name_kind kind; int index; };            /* of a point: of the quantity of bodies */
/* What the text names in the model as it is now, the first kind that has it; names NULL: by looking at all. */
struct name known_names_find(struct known_names *names, const struct model *m, const char *text);

#endif
