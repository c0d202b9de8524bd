#include "core/robot/xml.h"

#include <errno.h>
#include <expat.h>
#include <string.h>

struct parse {
    XML_Parser parser;
    const char *path;
    struct arena *mem;
    int *n_element;
    int depth;
    struct xml_element *root, *open;            /* open: whose end has not come yet, the innermost */
    struct diag *diag;
    bool stopped;                               /* with a message */
};

static struct srcpos here(const struct parse *p)
{
    return (struct srcpos){ p->path, (int)XML_GetCurrentLineNumber(p->parser),
                            (int)XML_GetCurrentColumnNumber(p->parser) + 1 };
}

static void stop(struct parse *p, const char *why)
{
    if (!p->stopped)
        diag_error(p->diag, here(p), NULL, "%s", why);
    p->stopped = true;
    (void)XML_StopParser(p->parser, XML_FALSE);
}

static void append(struct xml_element *parent, struct xml_element *child)
{
    if (parent->last)
        parent->last->next = child;
    else
        parent->first = child;
    parent->last = child;
}

static void XMLCALL on_start(void *user, const XML_Char *name, const XML_Char **attribute)
{
    struct parse *p = user;
    if (p->stopped)
        return;
    if (p->depth == XML_MAX_DEPTH || *p->n_element == XML_MAX_ELEMENTS) {
        stop(p, p->depth == XML_MAX_DEPTH ? "elements are nested more than 200 levels deep"
                                          : "more than 200000 elements: this is no robot");
        return;
    }
    struct xml_element *element = arena_alloc(p->mem, 1, sizeof *element);
    ++*p->n_element;
    p->depth++;
    element->name = arena_copy_text(p->mem, name);
    element->pos = here(p);
    element->parent = p->open;
    while (attribute[2 * element->n_attribute])
        element->n_attribute++;
    element->attribute = arena_alloc(p->mem, (size_t)element->n_attribute, sizeof *element->attribute);
    for (int i = 0; i < element->n_attribute; i++)
        element->attribute[i] = (struct xml_attribute){ arena_copy_text(p->mem, attribute[2 * i]),
                                                        arena_copy_text(p->mem, attribute[2 * i + 1]) };
    if (p->open)
        append(p->open, element);
    else
        p->root = element;
    p->open = element;
}

static void XMLCALL on_end(void *user, const XML_Char *name)
{
    struct parse *p = user;
    (void)name;
    if (p->stopped)
        return;
    p->depth--;
    p->open = p->open->parent;
}

static void XMLCALL on_text(void *user, const XML_Char *text, int length)
{
    struct xml_element *element = ((struct parse *)user)->open;
    size_t n = element && element->text ? strlen(element->text) : 0;
    for (int i = 0; i < length && element && n < XML_MAX_TEXT; i++) {
        if (n == 0 && strchr(" \t\r\n", text[i]))
            continue;
        if (!element->text)
            element->text = arena_alloc(((struct parse *)user)->mem, XML_MAX_TEXT + 1, 1);
        element->text[n++] = text[i];
    }
}

/* Entities of entities make a gigabyte of a line, and those of files read what the spec names not. */
static void XMLCALL on_entity(void *user, const XML_Char *name, int is_parameter, const XML_Char *value,
                              int length, const XML_Char *base, const XML_Char *system, const XML_Char *public,
                              const XML_Char *notation)
{
    (void)name, (void)is_parameter, (void)value, (void)length, (void)base, (void)system, (void)public,
        (void)notation;
    stop(user, "entities are not read: write out what they stand for");
}

static void parse_file(struct parse *p, FILE *file)
{
    size_t total = 0, got;
    do {
        char *buffer = XML_GetBuffer(p->parser, 1 << 16);
        if (!buffer) {
            stop(p, "it takes too much memory");
            return;
        }
        got = fread(buffer, 1, 1 << 16, file);
        total += got;
        if (total > XML_MAX_BYTES)
            stop(p, "larger than 32 MB: this is no robot");
        else if (!ferror(file) && XML_ParseBuffer(p->parser, (int)got, got == 0) == XML_STATUS_ERROR && !p->stopped)
            stop(p, arena_printf(p->mem, "this is no XML: %s", XML_ErrorString(XML_GetErrorCode(p->parser))));
    } while (got > 0 && !p->stopped);
}

enum status xml_read(FILE *file, const char *path, struct arena *mem, int *n_element, struct xml_element **root,
                     struct diag *diag)
{
    struct parse p = { .parser = XML_ParserCreate(NULL), .path = arena_copy_text(mem, path), .mem = mem,
                       .n_element = n_element, .diag = diag };
    *root = NULL;
    if (!p.parser)
        return diag_fail(diag, STATUS_INTERNAL, "the XML parser cannot be made");
    XML_SetUserData(p.parser, &p);
    XML_SetElementHandler(p.parser, on_start, on_end);
    XML_SetCharacterDataHandler(p.parser, on_text);
    XML_SetEntityDeclHandler(p.parser, on_entity);
    parse_file(&p, file);
    XML_ParserFree(p.parser);
    if (ferror(file))
        return diag_add(diag, DIAG_ERROR, STATUS_IO, (struct srcpos){ p.path, 0, 0 }, NULL, "cannot read it: %s",
                        strerror(errno));
    if (p.stopped)
        return STATUS_SPEC;
    *root = p.root;
    return STATUS_OK;
}

const char *xml_get(const struct xml_element *element, const char *name)
{
    for (int i = 0; i < element->n_attribute; i++)
        if (strcmp(element->attribute[i].name, name) == 0)
            return element->attribute[i].value;
    return NULL;
}

static struct xml_element *find(struct xml_element *element, const char *name)
{
    while (element && strcmp(element->name, name) != 0)
        element = element->next;
    return element;
}

struct xml_element *xml_child(const struct xml_element *element, const char *name)
{
    return element ? find(element->first, name) : NULL;
}

struct xml_element *xml_next(const struct xml_element *element)
{
    return find(element->next, element->name);
}
