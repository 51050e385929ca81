// Landlock (kernel documentation, userspace-api/landlock).
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/landlock.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "steps.h"

// What Debian 12's header does not have yet.
typedef struct {
    uint64_t handled_access_fs;
    /// ABI 4: binding and connecting TCP sockets.
    uint64_t handled_access_net;
    /// ABI 6: abstract Unix sockets, and signals to processes outside.
    uint64_t scoped;
} ruleset_attributes;
#define ACCESS_REFER (1ULL << 13)     /* ABI 2 */
#define ACCESS_TRUNCATE (1ULL << 14)  /* ABI 3 */
#define ACCESS_IOCTL_DEV (1ULL << 15) /* ABI 5 */
#define ALL_OF_ABI_1 ((1ULL << 13) - 1)

#define READING (LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR)
#define WRITING                                                                                                  \
    (READING | LANDLOCK_ACCESS_FS_WRITE_FILE | LANDLOCK_ACCESS_FS_REMOVE_FILE | LANDLOCK_ACCESS_FS_MAKE_REG |    \
     ACCESS_TRUNCATE)

static int allow(int ruleset, const char *path, uint64_t access, uint64_t handled) {
    int fd = open(path, O_PATH | O_CLOEXEC);
    if (fd < 0) return -1;
    struct stat about;
    if (fstat(fd, &about) == 0 && !S_ISDIR(about.st_mode))
        access &= LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_WRITE_FILE | ACCESS_TRUNCATE;
    struct landlock_path_beneath_attr rule = {.allowed_access = access & handled, .parent_fd = fd};
    int result = (int)syscall(SYS_landlock_add_rule, ruleset, LANDLOCK_RULE_PATH_BENEATH, &rule, 0);
    int saved = errno;
    close(fd);
    errno = saved;
    return result;
}

/// A ruleset that refuses all that this kernel's Landlock knows to refuse.
static int everything(int abi, uint64_t *handled) {
    ruleset_attributes attributes = {.handled_access_fs = ALL_OF_ABI_1};
    size_t size = sizeof attributes.handled_access_fs;
    if (abi >= 2) attributes.handled_access_fs |= ACCESS_REFER;
    if (abi >= 3) attributes.handled_access_fs |= ACCESS_TRUNCATE;
    if (abi >= 4) attributes.handled_access_net = 3, size = 2 * sizeof(uint64_t);
    if (abi >= 5) attributes.handled_access_fs |= ACCESS_IOCTL_DEV;
    if (abi >= 6) attributes.scoped = 3, size = sizeof attributes;
    *handled = attributes.handled_access_fs;
    return (int)syscall(SYS_landlock_create_ruleset, &attributes, size, 0);
}

void cut_restrict_files(const cut_request *request, cut_sandbox_state *state) {
    int abi = (int)syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION);
    if (abi < 1) return;
    uint64_t handled;
    int ruleset = (int)cut_note(state, everything(abi, &handled));
    if (ruleset < 0) return;
    // Swift's runtime and libdispatch read /proc/self; the libraries may ask how many cores there are. The rest of /proc
    // holds other processes' environments, with their tokens.
    for (int i = 0; cut_system_files[i]; i++) allow(ruleset, cut_system_files[i], READING, handled);
    cut_named named;
    for (int position = 0; cut_next_named(request, &position, &named);) {
        int result = allow(ruleset, named.path, named.writable ? WRITING : READING, handled);
        if (cut_note(state, result) < 0 && state->missing_argument == 0) state->missing_argument = named.position;
    }
    // A process without capabilities may restrict itself once it has given up gaining any.
    if (state->missing_argument == 0 && cut_note(state, syscall(SYS_landlock_restrict_self, ruleset, 0)) >= 0)
        state->landlock = abi;
    close(ruleset);
}

int cut_landlock_abi(void) {
    int abi = (int)syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION);
    return abi > 0 ? abi : 0;
}
