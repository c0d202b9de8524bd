/* core/base/pi.h - pi, which C11 has no name for */
#ifndef COCP_CORE_BASE_PI_H
#define COCP_CORE_BASE_PI_H

#define PI 3.14159265358979323846

#endif
