/* cli/templates.h - the specs of `cocp init`, by kind; the Makefile makes the list of cli/templates/KIND.yaml */
#ifndef COCP_CLI_TEMPLATES_H
#define COCP_CLI_TEMPLATES_H

struct template {
    const char *kind;               /* also the name in the text */
    const char *text;
};

extern const struct template templates[];          /* ends with one without a kind */

#endif
