/// The files that the coordinator carries in its executable: the steps of its schema, the dashboard, and the description
/// of its API.
#ifndef C_EMBEDDED_H
#define C_EMBEDDED_H

#include <stddef.h>
#include <stdint.h>

/// A file as it was when this was compiled.
typedef struct {
    /// Its name without folders.
    const char *name;
    const uint8_t *bytes;
    /// The number of bytes.
    size_t count;
} cut_file;

/// The file of this name; NULL when there is none.
const cut_file *cut_file_named(const char *name);

#endif
