#include "transcription/judge/unchanged.h"

#include "core/results/digest.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST_MAJOR = 0, FIRST_MINOR = 1 };      /* the first version whose results have a digest */

/* Does the file say that a program wrote it that makes a digest? */
static bool claims_digest(const struct result *result)
{
    static const char name[] = "cocp ";
    const char *source = result_get_text(result_find(result, "/"), "source");
    char *rest;
    if (!source || strncmp(source, name, sizeof name - 1) != 0)
        return false;
    const long major = strtol(source + sizeof name - 1, &rest, 10),
               minor = *rest == '.' ? strtol(rest + 1, NULL, 10) : 0;
    return major > FIRST_MAJOR || (major == FIRST_MAJOR && minor >= FIRST_MINOR);
}

static void add(struct findings *to, double figure, double tol, const char *where, const char *reason)
{
    findings_add(to, &(struct finding){ "digest", figure, tol, where, reason });
}

static void judge_digest(const struct result *result, const struct digest_finding *found, struct findings *to)
{
    if (!found->is_there && claims_digest(result))
        add(to, INFINITY, 0, NULL, "the file has no digest, which every result of this version has: nothing says that it is as "
            "it was written; solve again");
    else if (!found->is_there)
        add(to, 0, NAN, "the file has none, as results of older versions have", NULL);
    else if (!found->is_whole)
        add(to, INFINITY, 0, "/digest", "/digest is not as it was written");
    else
        add(to, found->n_changed, 0, found->n_changed ? found->changed : NULL,
            arena_printf(&to->mem, "not as it was written: %s", found->changed));
}

/* --- Which group is judged how ------------------------------------------------------------------------------- */

static bool is_below(const char *path, const char *top)
{
    const size_t n = strlen(top);
    return strncmp(path, top, n) == 0 && (path[n] == '\0' || path[n] == '/');
}

static bool is_among(const char *path, int n, const char *const *top)
{
    for (int k = 0; k < n; k++)
        if (is_below(path, top[k]))
            return true;
    return false;
}

#define COUNTED "/phases/discovery"     /* what the search has done: nothing shows that but the search */

static bool is_computed(const char *path)
{
    static const char *const computed[] = { "/trajectory", "/uniform", "/grid", "/events", "/parameters", "/draw",
                                            "/reference", "/spec", "/fit", "/phases", "/modes", "/residuals" };
    return is_among(path, (int)(sizeof computed / sizeof computed[0]), computed) && !is_below(path, COUNTED);
}

/* Each group once, by its first name; those of scenarios are like the root's. */
static void list_group(const char **list, const char *path, struct arena *mem)
{
    const char *end = is_below(path, COUNTED) ? NULL : strchr(path + 1, '/');
    const char *top = end ? arena_printf(mem, "%.*s", (int)(end - path), path) : path;
    const char *last = strrchr(*list, '/');
    if (!last || strcmp(last, top) != 0)
        *list = arena_printf(mem, "%s%s%s", *list, **list ? ", " : "", top);
}

static struct coverage coverage_of(const struct result *result, const struct digest_finding *found,
                                   struct arena *mem)
{
    struct coverage to = { "", "", "title, history, date_created, source, comment, references, institution, Conventions, "
                                   "coordinates" };
    for (int k = 0; k < result->n_groups; k++) {
        const char *path = result->group[k]->path;
        if (strcmp(path, "/") == 0 || is_below(path, "/verification") || is_below(path, DIGEST_GROUP))
            continue;
        if (is_computed(path))
            list_group(&to.computed, path, mem);
        else if (found->is_whole && !strstr(found->added, path))
            list_group(&to.unchanged, path, mem);
        else
            list_group(&to.unjudged, path, mem);
    }
    return to;
}

struct coverage unchanged_judge(const struct result *result, struct findings *to)
{
    const struct digest_finding found = digest_check(result, &to->mem);
    judge_digest(result, &found, to);
    return coverage_of(result, &found, &to->mem);
}
