/* cli/report_page.h - the page of `cocp report`, cli/report.html line by line; the Makefile makes it */
#ifndef COCP_CLI_REPORT_PAGE_H
#define COCP_CLI_REPORT_PAGE_H

extern const char *const report_page[];     /* NULL-terminated */

#endif
