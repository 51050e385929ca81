// Namespaces (namespaces(7)): a network without interfaces, System V objects of its own, and a root folder that holds the
// named files and nothing else, so that not even names and sizes of others can be seen. A kernel or a container may give
// none of this; Landlock and seccomp then stand alone.
//
// There is no process namespace: its first process ignores the signals of the limits (pid_namespaces(7)), so that two more
// processes would be needed for each child. What names another process is not on the list of calls.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "steps.h"

#define RESOURCES (CLONE_NEWNET | CLONE_NEWIPC | CLONE_NEWUTS | CLONE_NEWCGROUP)
/// The user and group that the child sees as its own: nobody's.
#define NOBODY 65534u
/// Threads of one child; x265 with its frame threads has about 40.
#define MOST_THREADS 512

const char *const cut_system_files[] = {
    "/proc/self", "/proc/cpuinfo", "/proc/meminfo", "/proc/stat", "/sys/devices/system/cpu", NULL,
};

static int write_text(const char *path, const char *text) {
    int fd = open(path, O_WRONLY | O_CLOEXEC);
    if (fd < 0) return -1;
    ssize_t written = write(fd, text, strlen(text));
    close(fd);
    return written == (ssize_t)strlen(text) ? 0 : -1;
}

/// Both users are the same one, under another number inside.
static int map_user(uid_t user, gid_t group) {
    char text[64];
    if (write_text("/proc/self/setgroups", "deny") < 0) return -1;
    snprintf(text, sizeof text, "%u %u 1", NOBODY, (unsigned)user);
    if (write_text("/proc/self/uid_map", text) < 0) return -1;
    snprintf(text, sizeof text, "%u %u 1", NOBODY, (unsigned)group);
    return write_text("/proc/self/gid_map", text);
}

// MARK: The root folder

/// Makes what `path` needs below the folder `root`: folders, and at its end a folder or an empty file. What is there stays.
/// - Returns: a descriptor of it, or −1.
static int make_place(int root, const char *path, int is_folder) {
    int folder = dup(root);
    while (folder >= 0) {
        while (*path == '/') path++;
        size_t length = strcspn(path, "/");
        char name[NAME_MAX + 1];
        if (length == 0 || length > NAME_MAX) break;
        memcpy(name, path, length);
        name[length] = 0;
        path += length;
        int is_last = path[strspn(path, "/")] == 0;
        if (!is_last || is_folder) {
            mkdirat(folder, name, 0755);
        } else {
            int file = openat(folder, name, O_CREAT | O_EXCL | O_WRONLY | O_NOFOLLOW | O_CLOEXEC, 0444);
            if (file >= 0) close(file);
        }
        int next = openat(folder, name, O_PATH | O_NOFOLLOW | O_CLOEXEC);
        close(folder);
        folder = next;
        if (is_last) return folder;
    }
    if (folder >= 0) close(folder);
    errno = EINVAL;
    return -1;
}

/// - Parameter deep: `AT_RECURSIVE` to change the mounts below it as well, or 0.
static int set_attributes(int fd, uint64_t attributes, int deep) {
    struct mount_attr wanted = {.attr_set = attributes};
    return (int)syscall(SYS_mount_setattr, fd, "", AT_EMPTY_PATH | deep, &wanted, sizeof wanted);
}

/// Shows the file or folder `path` at the same path below `root`. The old root is still the process's.
static int show(int root, const char *path, int writable) {
    int fd = (int)syscall(SYS_open_tree, AT_FDCWD, path, OPEN_TREE_CLONE | OPEN_TREE_CLOEXEC | AT_RECURSIVE);
    if (fd < 0) return -1;
    struct stat about;
    char full[PATH_MAX];
    int length = 0;
    if (path[0] != '/' && getcwd(full, sizeof full) != NULL) length = (int)strlen(full);
    int result = snprintf(full + length, sizeof full - length, "%s%s", length ? "/" : "", path) < (int)sizeof full - length
        ? fstat(fd, &about)
        : -1;
    int place = -1;
    if (result == 0) {
        // A device is opened only when it is itself what may be written, as with `-o /dev/null`.
        uint64_t attributes = MOUNT_ATTR_NOSUID | MOUNT_ATTR_NOEXEC | (writable ? 0 : MOUNT_ATTR_RDONLY);
        if (!writable || !S_ISCHR(about.st_mode)) attributes |= MOUNT_ATTR_NODEV;
        result = set_attributes(fd, attributes, AT_RECURSIVE);
    }
    if (result == 0) result = place = make_place(root, full, S_ISDIR(about.st_mode));
    if (place >= 0) {
        result = (int)syscall(SYS_move_mount, fd, "", place, "", MOVE_MOUNT_F_EMPTY_PATH | MOVE_MOUNT_T_EMPTY_PATH);
        close(place);
    }
    close(fd);
    return result;
}

/// The root of an empty file system in memory.
static int empty_root(void) {
    if (mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) < 0) return -1;
    int filesystem = fsopen("tmpfs", FSOPEN_CLOEXEC);
    if (filesystem < 0) return -1;
    fsconfig(filesystem, FSCONFIG_SET_STRING, "mode", "0755", 0);
    int root = fsconfig(filesystem, FSCONFIG_CMD_CREATE, NULL, NULL, 0) < 0
        ? -1
        : fsmount(filesystem, FSMOUNT_CLOEXEC, MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV | MOUNT_ATTR_NOEXEC);
    close(filesystem);
    return root;
}

/// Makes `root` the process's root folder; the old one is gone from its namespace then, or at least out of reach.
static int change_root(int root) {
    if (fchdir(root) < 0) return -1;
    // In a system that runs from its initial RAM disk the old root cannot be put away.
    if (syscall(SYS_pivot_root, ".", ".") == 0) return umount2(".", MNT_DETACH);
    return chroot(".");
}

static int enter_root(const cut_request *request, cut_sandbox_state *state) {
    char working[PATH_MAX];
    if (getcwd(working, sizeof working) == NULL) strcpy(working, "/");
    int root = empty_root();
    if (root < 0) return -1;
    // Until it is the root it stands in a folder that every system has, and in which nobody keeps files.
    int result = (int)syscall(SYS_move_mount, root, "", AT_FDCWD, "/sys/kernel", MOVE_MOUNT_F_EMPTY_PATH);
    for (int i = 0; result == 0 && cut_system_files[i]; i++)
        // A container may hide them.
        if (access(cut_system_files[i], F_OK) == 0) show(root, cut_system_files[i], 0);
    // Folders first: what is named within a folder of these is shown over it.
    for (int folders = 1; folders >= 0; folders--) {
        cut_named named;
        for (int position = 0; result == 0 && cut_next_named(request, &position, &named);) {
            if (named.writable != folders) continue;
            int shown = show(root, named.path, named.writable);
            if (shown < 0 && errno == ENOENT) {
                cut_note(state, shown);
                if (state->missing_argument == 0) state->missing_argument = named.position;
            } else {
                result = shown;
            }
        }
    }
    if (result == 0) result = change_root(root);
    if (result == 0) set_attributes(root, MOUNT_ATTR_RDONLY, 0);
    close(root);
    if (result == 0 && chdir(working) < 0) result = chdir("/");
    return result;
}

void cut_enter_namespaces(const cut_request *request, cut_sandbox_state *state) {
    uid_t user = geteuid();
    gid_t group = getegid();
    if (unshare(CLONE_NEWUSER | RESOURCES | CLONE_NEWNS) == 0) {
        state->namespaces = map_user(user, group) == 0 ? CUT_NAMESPACE_USER : 0;
    } else if (unshare(RESOURCES | CLONE_NEWNS) < 0) {
        return;
    }
    state->namespaces |= CUT_NAMESPACE_RESOURCES;
    if (state->namespaces & CUT_NAMESPACE_USER) {
        // Counted in this namespace alone, so that it is the child's own limit; the kernel exempts root's processes.
        struct rlimit threads = {MOST_THREADS, MOST_THREADS};
        setrlimit(RLIMIT_NPROC, &threads);
    }
    if (enter_root(request, state) == 0) state->namespaces |= CUT_NAMESPACE_ROOT;
}
