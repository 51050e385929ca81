// Namespaces (namespaces(7)): a network without interfaces, System V objects of its own, and a root folder that holds the
// named files and nothing else, so that not even names and sizes of others can be seen. A kernel or a container may give
// none of this; Landlock and seccomp then stand alone.
//
// A child that root starts becomes nobody, also outside of its namespaces. The named files are shown to it through
// mounts that exchange owners (mount_setattr(2), MOUNT_ATTR_IDMAP): root's files are nobody's there, and what nobody
// makes there is root's. So the child reads those of the named files that root alone may read, and is otherwise a user
// who owns none of root's files. Some file systems cannot do that (NFS, FUSE and overlay among them); the child then stays
// root, without capabilities.
//
// Nor does it have process IDs of others: supervisor.c.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <limits.h>
#include <linux/capability.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "steps.h"

#define RESOURCES (CLONE_NEWNET | CLONE_NEWIPC | CLONE_NEWUTS | CLONE_NEWCGROUP)
/// The user and group that the child sees as its own: nobody's. Root's child has them outside as well.
#define NOBODY 65534u
/// Threads of one child; x265 with its frame threads has about 40.
#define MOST_THREADS 512

const char *const cut_system_files[] = {
    "/proc/self", "/proc/cpuinfo", "/proc/meminfo", "/proc/stat", "/sys/devices/system/cpu", NULL,
};

/// - Parameter folder: a descriptor of a folder, from which `path` leads.
static int write_text(int folder, const char *path, const char *text) {
    int fd = openat(folder, path, O_WRONLY | O_CLOEXEC);
    if (fd < 0) return -1;
    ssize_t written = write(fd, text, strlen(text));
    close(fd);
    return written == (ssize_t)strlen(text) ? 0 : -1;
}

/// - Parameter proc: a descriptor of /proc.
/// - Returns: a descriptor of this process's folder in it, or −1.
static int own_folder(int proc) { return openat(proc, "self", O_PATH | O_DIRECTORY | O_CLOEXEC); }

/// Makes the user and group of a process, `user` and `group` outside of its new user namespace, nobody's inside.
/// - Parameter process: a descriptor of its folder in /proc.
static int map_user(int process, uid_t user, gid_t group) {
    char text[64];
    if (write_text(process, "setgroups", "deny") < 0) return -1;
    snprintf(text, sizeof text, "%u %u 1", NOBODY, (unsigned)user);
    if (write_text(process, "uid_map", text) < 0) return -1;
    snprintf(text, sizeof text, "%u %u 1", NOBODY, (unsigned)group);
    return write_text(process, "gid_map", text);
}

static void limit_threads(void) {
    // Counted in this namespace alone, so that it is the child's own limit; the kernel exempts root's processes.
    struct rlimit threads = {MOST_THREADS, MOST_THREADS};
    setrlimit(RLIMIT_NPROC, &threads);
}

// MARK: Root's child

/// Whether this is root with the capabilities that it takes to become nobody: to change users, mounts and what belongs to
/// root in them, and, for its parent, which has the same ones, to end a process of another user.
static int may_become_nobody(void) {
    if (geteuid() != 0 || getegid() != 0) return 0;
    struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3, .pid = 0};
    struct __user_cap_data_struct has[2] = {{0}};
    if (syscall(SYS_capget, &header, has) < 0) return 0;
    const uint32_t needed =
        1u << CAP_SYS_ADMIN | 1u << CAP_SETUID | 1u << CAP_SETGID | 1u << CAP_SETFCAP | 1u << CAP_KILL;
    return (has[0].effective & needed) == needed;
}

/// A user namespace for mounts that exchange owners: root is nobody in it, nobody is root, and all others are themselves.
/// - Returns: a descriptor of it, or −1.
static int exchanged_owners(int proc) {
    int gate[2];
    if (pipe2(gate, O_CLOEXEC) < 0) return -1;
    // A namespace needs a process in it until a descriptor of it is open.
    pid_t holder = (pid_t)syscall(SYS_clone, CLONE_NEWUSER | SIGCHLD, NULL, NULL, NULL, NULL);
    if (holder == 0) {
        char none;
        close(gate[1]);
        while (read(gate[0], &none, 1) < 0 && errno == EINTR) {}
        _exit(0);
    }
    close(gate[0]);
    int namespace = -1;
    if (holder > 0) {
        char path[64], map[96];
        snprintf(map, sizeof map, "0 %u 1\n%u 0 1\n1 1 %u\n%u %u %u", NOBODY, NOBODY, NOBODY - 1, NOBODY + 1,
                 NOBODY + 1, UINT32_MAX - NOBODY - 1);
        snprintf(path, sizeof path, "%d/uid_map", (int)holder);
        int is_mapped = write_text(proc, path, map) == 0;
        snprintf(path, sizeof path, "%d/gid_map", (int)holder);
        is_mapped = is_mapped && write_text(proc, path, map) == 0;
        snprintf(path, sizeof path, "%d/ns/user", (int)holder);
        if (is_mapped) namespace = openat(proc, path, O_RDONLY | O_CLOEXEC);
    }
    close(gate[1]);
    if (holder > 0)
        while (waitpid(holder, NULL, 0) < 0 && errno == EINTR) {}
    return namespace;
}

/// Gives up root's number for nobody's, for good, and root's group; other groups stay, as files may be theirs. Of the
/// capabilities one stays: some systems let nobody else make user namespaces.
static int become_nobody(void) {
    gid_t groups[NGROUPS_MAX];
    int count = getgroups(NGROUPS_MAX, groups), kept = 0;
    if (count < 0) return -1;
    for (int i = 0; i < count; i++)
        if (groups[i] != 0) groups[kept++] = groups[i];
    if (setgroups((size_t)kept, groups) < 0 || setresgid(NOBODY, NOBODY, NOBODY) < 0) return -1;
    cut_drop_bounding_set();
    prctl(PR_SET_KEEPCAPS, 1, 0, 0, 0);
    int result = setresuid(NOBODY, NOBODY, NOBODY);
    prctl(PR_SET_KEEPCAPS, 0, 0, 0, 0);
    cut_keep_capability(CAP_SYS_ADMIN);
    return result;
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

/// Exchanges the owners of what the mount `fd` shows. A device that everybody may write, like /dev/null, keeps its owner:
/// its file system cannot exchange them.
/// - Parameter owners: of ``exchanged_owners``, or −1 to leave them.
static int exchange_owners(int fd, int owners, const struct stat *about) {
    if (owners < 0 || (S_ISCHR(about->st_mode) && about->st_mode & S_IWOTH)) return 0;
    struct mount_attr wanted = {.attr_set = MOUNT_ATTR_IDMAP, .userns_fd = (uint64_t)owners};
    return (int)syscall(SYS_mount_setattr, fd, "", AT_EMPTY_PATH | AT_RECURSIVE, &wanted, sizeof wanted);
}

/// Shows the file or folder `path` at the same path below `root`. The old root is still the process's.
/// - Parameter owners: of ``exchanged_owners``, or −1.
static int show(int root, const char *path, int writable, int owners) {
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
    if (result == 0) result = exchange_owners(fd, owners, &about);
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

/// - Parameter owners: of ``exchanged_owners``, or −1.
static int enter_root(const cut_request *request, cut_sandbox_state *state, int owners) {
    char working[PATH_MAX];
    if (getcwd(working, sizeof working) == NULL) strcpy(working, "/");
    int root = empty_root();
    if (root < 0) return -1;
    // Every user goes through the folders that are made here.
    mode_t mask = umask(022);
    // Until it is the root it stands in a folder that every system has, and in which nobody keeps files.
    int result = (int)syscall(SYS_move_mount, root, "", AT_FDCWD, "/sys/kernel", MOVE_MOUNT_F_EMPTY_PATH);
    for (int i = 0; result == 0 && cut_system_files[i]; i++)
        // A container may hide them.
        if (access(cut_system_files[i], F_OK) == 0) show(root, cut_system_files[i], 0, -1);
    // Folders first: what is named within a folder of these is shown over it.
    for (int folders = 1; folders >= 0; folders--) {
        cut_named named;
        for (int position = 0; result == 0 && cut_next_named(request, &position, &named);) {
            if (named.writable != folders) continue;
            int shown = show(root, named.path, named.writable, owners);
            if (shown < 0 && errno == ENOENT) {
                cut_note(state, shown);
                if (state->missing_argument == 0) state->missing_argument = named.position;
            } else {
                result = shown;
            }
        }
    }
    umask(mask);
    if (result == 0) result = change_root(root);
    if (result == 0) set_attributes(root, MOUNT_ATTR_RDONLY, 0);
    close(root);
    if (result == 0 && chdir(working) < 0) result = chdir("/");
    return result;
}

/// A process that stays root until `gate` is written to, or closed, and then maps the user namespace of its parent. The
/// parent cannot do it: it would have to be open to other processes of nobody meanwhile (PR_SET_DUMPABLE).
/// - Returns: the process; 0 or less when there is none.
static pid_t start_mapper(int proc, int *gate) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) < 0) return -1;
    int parent = own_folder(proc);
    pid_t mapper = (pid_t)syscall(SYS_clone, SIGCHLD, NULL, NULL, NULL, NULL);
    if (mapper == 0) {
        char word;
        ssize_t count;
        close(ends[1]);
        while ((count = read(ends[0], &word, 1)) < 0 && errno == EINTR) {}
        _exit(count == 1 && map_user(parent, NOBODY, NOBODY) == 0 ? 0 : 1);
    }
    if (parent >= 0) close(parent);
    close(ends[0]);
    *gate = ends[1];
    return mapper;
}

/// Becomes nobody, in a user namespace that counts the threads of this process alone.
static void become_nobody_among_others(cut_sandbox_state *state, int proc) {
    int gate = -1, status = 1;
    pid_t mapper = start_mapper(proc, &gate);
    // What nobody may have in the outer namespace counts for all its processes; root is exempt from it. Root without
    // CAP_SYS_RESOURCE raises it to its hard limit alone.
    struct rlimit before = {RLIM_INFINITY, RLIM_INFINITY}, most = before;
    getrlimit(RLIMIT_NPROC, &before);
    if (setrlimit(RLIMIT_NPROC, &most) < 0) {
        most.rlim_cur = most.rlim_max = before.rlim_max;
        setrlimit(RLIMIT_NPROC, &most);
    }
    // What is shown belongs to nobody by now: without the change of user nothing of it can be read.
    int result = (int)cut_note(state, become_nobody());
    if (result == 0) state->user = NOBODY;
    if (result == 0) result = (int)cut_note(state, unshare(CLONE_NEWUSER));
    if (result == 0 && mapper > 0) result = write(gate, "x", 1) == 1 ? 0 : -1;
    if (gate >= 0) close(gate);
    if (mapper > 0)
        while (waitpid(mapper, &status, 0) < 0 && errno == EINTR) {}
    if (result == 0 && status == 0) {
        state->namespaces |= CUT_NAMESPACE_USER;
        limit_threads();
    } else {
        setrlimit(RLIMIT_NPROC, &before);
    }
}

/// Namespaces of root's own, then another user, then a user namespace of that user, which counts its threads.
/// - Parameter owners: of ``exchanged_owners``.
/// - Returns: 0 when this process is nobody; −1 when it is root as before, perhaps in new namespaces.
static int enter_as_nobody(const cut_request *request, cut_sandbox_state *state, int proc, int owners) {
    cut_sandbox_state before = *state;
    int result = unshare(RESOURCES | CLONE_NEWNS) == 0 ? enter_root(request, state, owners) : -1;
    if (result < 0) {
        *state = before;
        return -1;
    }
    state->namespaces |= CUT_NAMESPACE_RESOURCES | CUT_NAMESPACE_ROOT;
    become_nobody_among_others(state, proc);
    return 0;
}

/// A user namespace of this user, and in it the other ones, or those alone where the kernel gives them to this user.
static void open_namespaces(cut_sandbox_state *state, int proc) {
    uid_t user = geteuid();
    gid_t group = getegid();
    if (unshare(CLONE_NEWUSER | RESOURCES | CLONE_NEWNS) == 0) {
        int own = own_folder(proc);
        if (map_user(own, user, group) == 0) state->namespaces |= CUT_NAMESPACE_USER;
        if (own >= 0) close(own);
    } else if (unshare(RESOURCES | CLONE_NEWNS) < 0) {
        return;
    }
    state->namespaces |= CUT_NAMESPACE_RESOURCES;
}

/// A descriptor of the old root's /proc, which the new one does not show, and one of ``exchanged_owners``; −1 for none. The
/// child keeps neither.
static int proc = -1, owners = -1;

void cut_begin_namespaces(cut_sandbox_state *state) {
    proc = open("/proc", O_PATH | O_DIRECTORY | O_CLOEXEC);
    if (may_become_nobody()) owners = exchanged_owners(proc);
    // Root opens the others with the root folder.
    if (owners < 0) open_namespaces(state, proc);
    cut_enter_pid_namespace(state);
}

void cut_enter_namespaces(const cut_request *request, cut_sandbox_state *state) {
    int is_nobody = owners >= 0 && enter_as_nobody(request, state, proc, owners) == 0;
    if (!is_nobody) {
        if (owners >= 0) open_namespaces(state, proc);
        if (state->namespaces & CUT_NAMESPACE_USER) limit_threads();
        if (state->namespaces & CUT_NAMESPACE_RESOURCES && enter_root(request, state, -1) == 0)
            state->namespaces |= CUT_NAMESPACE_ROOT;
    }
    if (owners >= 0) close(owners);
    if (proc >= 0) close(proc);
}
