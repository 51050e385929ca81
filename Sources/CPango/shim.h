#ifndef CUT_PANGO_SHIM_H
#define CUT_PANGO_SHIM_H

#include <sys/syscall.h>
#include <unistd.h>

#include <cairo/cairo-ft.h>
#include <cairo/cairo.h>
#include <fontconfig/fontconfig.h>
#include <fontconfig/fcfreetype.h>
#include <ft2build.h>
#include FT_FREETYPE_H
#include FT_TRUETYPE_TABLES_H
#include <hb.h>
#include <pango/pango.h>
#include <pango/pangocairo.h>
#include <pango/pangofc-fontmap.h>

/* A file without a name: fontconfig, FreeType and HarfBuzz all open fonts by path. */
static inline int cut_memory_file(const char *name) {
    return (int)syscall(SYS_memfd_create, name, 1u /* MFD_CLOEXEC */);
}

/* PANGO_GLYPH_UNKNOWN_FLAG and PANGO_GLYPH_EMPTY are macros with casts. */
static const uint32_t CUT_GLYPH_UNKNOWN_FLAG = PANGO_GLYPH_UNKNOWN_FLAG;
static const uint32_t CUT_GLYPH_EMPTY = PANGO_GLYPH_EMPTY;

#endif
