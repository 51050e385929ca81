#ifndef CUT_ASS_SHIM_H
#define CUT_ASS_SHIM_H

#include <stdlib.h>

#include <ass/ass.h>

#endif
