/* cli/templates.h - the specs of `cocp init`, by kind; the Makefile makes the list of cli/templates/KIND.yaml, and
 * of KIND.urdf or KIND.xml beside it */
#ifndef COCP_CLI_TEMPLATES_H
#define COCP_CLI_TEMPLATES_H

struct template {
    const char *kind;               /* also the name in the text */
    const char *text;
    const char *robot_file, *robot; /* the name of the robot's file, and its text; NULL: none */
};

extern const struct template templates[];          /* ends with one without a kind */

#endif
