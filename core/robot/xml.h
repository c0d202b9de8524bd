/* core/robot/xml.h - an XML file as a tree of elements with their lines
 *
 * Read by expat. Of text between elements the first XML_MAX_TEXT bytes are kept: files of robots say nearly
 * everything by attributes. Errors  at file:line:column (STATUS_SPEC): what is no XML; declared entities, of which
 * a small file can make a huge one; more than XML_MAX_DEPTH levels, XML_MAX_ELEMENTS elements or XML_MAX_BYTES
 * bytes. The file itself: STATUS_IO. No message quotes anything of a file that is no XML.
 */
#ifndef COCP_CORE_ROBOT_XML_H
#define COCP_CORE_ROBOT_XML_H

#include "core/base/arena.h"
#include "core/base/diag.h"

#include <stdbool.h>
#include <stdio.h>

enum { XML_MAX_DEPTH = 200, XML_MAX_ELEMENTS = 200000, XML_MAX_BYTES = 1 << 25, XML_MAX_TEXT = 60 };

struct xml_attribute { const char *name, *value; };

struct xml_element {
    const char *name;
    struct srcpos pos;
    int n_attribute;
    struct xml_attribute *attribute;            /* [n_attribute] */
    char *text;                                 /* between its tags, without the blanks before it; NULL: none */
    struct xml_element *parent;                 /* NULL: the root */
    struct xml_element *first, *last;           /* its children; NULL: none */
    struct xml_element *next;                   /* its next sibling */
};

/* The root element, in mem. *n_element counts the elements of all files of a robot, 0 before the first. */
enum status xml_read(FILE *file, const char *path, struct arena *mem, int *n_element, struct xml_element **root,
                     struct diag *diag);

/* The value of an attribute; NULL: there is none. */
const char *xml_get(const struct xml_element *element, const char *name);

/* The first child of that name, and the next one of the same name; NULL: none. xml_child of NULL is NULL. */
struct xml_element *xml_child(const struct xml_element *element, const char *name);
struct xml_element *xml_next(const struct xml_element *element);

#endif
