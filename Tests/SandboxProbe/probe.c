// A small program behind the real sandbox, built by SandboxTests: it tries what its words say and prints each with the
// error that it met.
//
//   probe [--sandbox … --] WHAT PATH …       tries each WHAT, with its PATH where it needs one
//   probe --sweep FOLDER                     makes every system call, each in a sandbox of its own
#define _GNU_SOURCE
#include "CSandbox.h"
#include <errno.h>
#include <fcntl.h>
#include <mqueue.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/msg.h>
#include <sys/resource.h>
#include <sys/sem.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <grp.h>
#include <linux/capability.h>
#include <linux/fs.h>
#include <sched.h>
#include <stdlib.h>
#include <sys/fanotify.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/sysmacros.h>
#include <sys/time.h>
#include <sys/timex.h>
#include <sys/uio.h>
#include <unistd.h>

// Another process: the parent, or where that has no ID, as in a PID namespace, any but this one.
static pid_t other_process(void) { return getppid() > 0 ? getppid() : getpid() + 1; }
static int close_if(int fd) { return fd < 0 ? -1 : close(fd); }
static void *nothing(void *p) { return p; }
static int thread(void) {
    pthread_t t;
    errno = pthread_create(&t, 0, nothing, 0);
    return errno ? -1 : pthread_join(t, 0);
}
static int run(char *path) { char *words[] = {path, 0}; return execv(path, words); }
static int child(void) {
    pid_t p = fork();
    if (p == 0) _exit(0);
    return p > 0 && waitpid(p, 0, 0) > 0 ? 0 : -1;
}

static int removed(int id, long call) { return id < 0 ? -1 : syscall(call, id, IPC_RMID, 0); }
static int removed_semaphores(int id) { return id < 0 ? -1 : semctl(id, 0, IPC_RMID); }
static int queue(void) {
    mqd_t q = mq_open("/cutfarm-cage-probe", O_CREAT | O_RDWR, 0600, 0);
    return q == (mqd_t)-1 ? -1 : mq_unlink("/cutfarm-cage-probe");
}
// A gibibyte of addresses, none of which is used.
static int map(void) {
    void *place = mmap(0, 1 << 30, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return place == MAP_FAILED ? -1 : munmap(place, 1 << 30);
}
static int limits(pid_t p) { struct rlimit l; return prlimit(p, RLIMIT_NOFILE, 0, &l); }
// Of a file that is open for reading.
static int change(const char *what, char *path) {
    int fd = open(path, O_RDONLY);
    if (fd < 0) return -1;
    int result = !strcmp(what, "open-mode") ? fchmod(fd, 0600)
        : !strcmp(what, "open-mode-2") ? syscall(452, fd, "", 0600, AT_EMPTY_PATH)
        : !strcmp(what, "open-owner") ? fchown(fd, -1, -1)
        : !strcmp(what, "open-attribute") ? fsetxattr(fd, "user.cutfarm", "x", 1, 0)
        : fremovexattr(fd, "user.cutfarm");
    int error = errno;
    close(fd);
    errno = error;
    return result;
}

// Asynchronous signals, with which the kernel itself would signal another process.
static int signals(const char *what) {
    struct f_owner_ex owner = {.type = F_OWNER_PID, .pid = other_process()};
    int parent = other_process();
    if (!strcmp(what, "signal-owner")) return fcntl(0, F_SETOWN, parent);
    if (!strcmp(what, "signal-owner-2")) return fcntl(0, F_SETOWN_EX, &owner);
    if (!strcmp(what, "signal-owner-3")) return ioctl(0, 0x8901 /* FIOSETOWN */, &parent);
    if (!strcmp(what, "signal-number")) return fcntl(0, F_SETSIG, SIGKILL);
    if (!strcmp(what, "signal-mode")) return fcntl(0, F_SETFL, O_ASYNC);
    int on = 1;
    return ioctl(0, FIOASYNC, &on);
}
// Memory that is executable: made so, or made writable code of.
static int code(const char *what) {
    int later = !strcmp(what, "code-later");
    void *place = mmap(0, 4096, later ? PROT_READ | PROT_WRITE : PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (place == MAP_FAILED) return -1;
    return later ? mprotect(place, 4096, PROT_READ | PROT_EXEC) : 0;
}
// What a process is without: fails with EPERM when no capability is left in any of its sets.
static int capabilities(void) {
    FILE *file = fopen("/proc/self/status", "r");
    char line[256];
    int sets = 0, left = 0;
    while (file && fgets(line, sizeof line, file))
        if (!strncmp(line, "Cap", 3)) sets++, left += strtoull(line + 8, 0, 16) != 0;
    if (file) fclose(file);
    errno = sets == 5 && !left ? EPERM : ENOTSUP;
    return left ? 0 : -1;
}
// The user as others see it: fails with EPERM when it is nobody outside of its namespace, too.
static int outside_user(void) {
    unsigned inside = 0, outside = 0;
    FILE *file = fopen("/proc/self/uid_map", "r");
    int count = file ? fscanf(file, "%u %u", &inside, &outside) : 0;
    if (file) fclose(file);
    errno = count == 2 && inside == 65534 && outside == 65534 ? EPERM : ENOTSUP;
    return -1;
}
// What only root can do; each leaves the machine as it is.
static int power(const char *what, char *path) {
    struct sched_param first = {.sched_priority = 1};
    struct timex clock = {.modes = ADJ_OFFSET_SS_READ | ADJ_OFFSET_SINGLESHOT};
    unsigned long mount_attributes[4] = {0};
    int flags = 0;
    char name[256];
    if (!strcmp(what, "power-schedule")) return sched_setscheduler(0, SCHED_FIFO, &first);
    if (!strcmp(what, "power-watch")) return close_if(fanotify_init(FAN_CLASS_NOTIF, O_RDONLY));
    if (!strcmp(what, "power-name")) return gethostname(name, sizeof name) | sethostname(name, strlen(name));
    if (!strcmp(what, "power-mount"))
        return syscall(SYS_mount_setattr, -1, "/", 0, mount_attributes, sizeof mount_attributes);
    if (!strcmp(what, "power-groups")) return setgroups(0, 0);
    if (!strcmp(what, "power-root")) return chroot("/");
    if (!strcmp(what, "power-namespace")) return unshare(CLONE_NEWNS);
    if (!strcmp(what, "power-priority")) return setpriority(PRIO_PROCESS, other_process(), getpriority(PRIO_PROCESS, other_process()));
    if (!strcmp(what, "power-device")) return mknod(path, S_IFCHR | 0600, makedev(1, 5)) < 0 ? -1 : unlink(path);
    if (!strcmp(what, "power-clock")) return adjtimex(&clock);
    if (!strcmp(what, "power-attribute")) {
        int fd = open(path, O_RDONLY), result = ioctl(fd, FS_IOC_GETFLAGS, &flags);
        int error = errno;
        close(fd);
        errno = error;
        return result;
    }
    errno = ENOTSUP;
    return -1;
}
// Other processes, by their number.
static int process(const char *what, char *number) {
    cpu_set_t processors;
    char byte;
    struct iovec own = {&byte, 1}, other = {&byte, 1};
    CPU_ZERO(&processors);
    sched_getaffinity(0, sizeof processors, &processors);
    if (!strcmp(what, "process-id")) return sched_getaffinity(atoi(number), sizeof processors, &processors);
    if (!strcmp(what, "process-affinity")) return sched_setaffinity(other_process(), sizeof processors, &processors);
    if (!strcmp(what, "process-memory")) return process_vm_readv(getpid(), &own, 1, &other, 1, 0) < 0 ? -1 : 0;
    if (!strcmp(what, "process-handle")) return close_if(syscall(SYS_pidfd_open, other_process(), 0));
    if (!strcmp(what, "process-session")) return getsid(other_process()) < 0 ? -1 : 0;
    return ptrace(PTRACE_TRACEME, 0, 0, 0);
}
// System calls under other numbers, and of the 32-bit architecture. getpid, which is allowed under its own.
static int other_numbers(const char *what) {
#if defined(__x86_64__)
    if (!strcmp(what, "number-x32")) return syscall(0x40000000 | SYS_getpid) < 0 ? -1 : 0;
    long result = 20;
    __asm__ volatile("int $0x80" : "+a"(result) : : "memory");
    errno = ENOSYS;
    return result < 0 ? -1 : 0;
#else
    raise(SIGSYS);
    return 0;
#endif
}
// MARK: Every system call, each in a process of its own that runs this program again in its sandbox.

// The arguments are hostile: every bit set, addresses that hold a path, the parent's number, open descriptors.
static void call(long number, long kind) {
    static char text[4096] = "/etc/passwd";
    long address = (long)text, parent = other_process();
    // From here on it may wait for ever.
    if (write(STDERR_FILENO, "", 1) != 1) _exit(255);
    long result = kind == 0 ? syscall(number, -1, -1, -1, -1, -1, -1)
        : kind == 1 ? syscall(number, address, 0, 0, 0, 0, 0)
        : kind == 2 ? syscall(number, parent, 0, address, sizeof text, 0, 0)
        : syscall(number, 1, address, address, address, address, address);
    _exit(result < 0 ? errno : 0);
}
static void sweep(char *program, char *folder) {
    for (int number = 0; number < 512; number++)
        for (int kind = 0; kind < 4; kind++) {
            char words[2][16];
            snprintf(words[0], 16, "%d", number), snprintf(words[1], 16, "%d", kind);
            char *line[] = {program, "--sandbox", "--cpu", "5", "--rw", folder, "--", "call", words[0], words[1], 0};
            int status = 0, calling[2];
            if (pipe2(calling, O_CLOEXEC) < 0) return;
            pid_t child = fork();
            if (child == 0) {
                int nothing = open("/dev/null", O_RDWR);
                for (int fd = 0; fd < 2; fd++) dup2(nothing, fd);
                dup2(calling[1], STDERR_FILENO);
                execv(program, line);
                _exit(255);
            }
            close(calling[1]);
            char byte;
            // However long a busy machine takes until it calls. What waits for ever then is ended.
            if (read(calling[0], &byte, 1) == 1) {
                struct pollfd end = {.fd = (int)syscall(SYS_pidfd_open, child, 0), .events = POLLIN};
                if (poll(&end, 1, 5000) == 0) kill(child, SIGALRM);
                close(end.fd);
            }
            close(calling[0]);
            waitpid(child, &status, 0);
            int answer = WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
            char *name = cut_system_call_name(number);
            printf("%s %d\n", name ? name : words[0], answer);
            free(name);
        }
}

static int attempt(const char *what, char *path) {
    if (!strncmp(what, "signal-", 7)) return signals(what);
    if (!strncmp(what, "code-", 5)) return code(what);
    if (!strncmp(what, "power-", 6)) return power(what, path);
    if (!strncmp(what, "process-", 8)) return process(what, path);
    if (!strncmp(what, "number-", 7)) return other_numbers(what);
    if (!strcmp(what, "capabilities")) return capabilities();
    if (!strcmp(what, "user")) return errno = EPERM, getuid() == 65534 && getgid() == 65534 ? 0 : -1;
    if (!strcmp(what, "outside-user")) return outside_user();
    if (!strcmp(what, "stat")) { struct stat about; return stat(path, &about); }
    if (!strcmp(what, "list")) return close_if(open(path, O_RDONLY | O_DIRECTORY));
    if (!strcmp(what, "read")) return close_if(open(path, O_RDONLY));
    if (!strcmp(what, "abort")) abort();
    if (!strcmp(what, "fault")) return *(volatile int *)8;
    if (!strcmp(what, "spin")) for (;;) errno = 0;
    if (!strcmp(what, "fill")) {
        static char chunk[1 << 16];
        int fd = open(path, O_CREAT | O_WRONLY, 0600);
        while (write(fd, chunk, sizeof chunk) > 0) {}
        return -1;
    }
    if (!strcmp(what, "map")) return map();
    if (!strcmp(what, "write")) return close_if(open(path, O_WRONLY));
    if (!strcmp(what, "create")) return close_if(open(path, O_CREAT | O_WRONLY, 0600));
    if (!strcmp(what, "truncate")) return truncate(path, 0);
    if (!strcmp(what, "read-emptying")) return close_if(open(path, O_RDONLY | O_TRUNC));
    if (!strcmp(what, "odd-emptying")) return close_if(open(path, O_ACCMODE | O_TRUNC));
    if (!strcmp(what, "old-emptying")) return close_if(syscall(SYS_open, path, O_RDONLY | O_TRUNC, 0));
    if (!strcmp(what, "write-emptying")) return close_if(open(path, O_CREAT | O_WRONLY | O_TRUNC, 0600));
    if (!strcmp(what, "hidden-flags")) {
        unsigned long how[3] = {O_RDONLY, 0, 0};
        return close_if(syscall(SYS_openat2, AT_FDCWD, path, how, sizeof how));
    }
    if (!strncmp(what, "open-", 5)) return change(what, path);
    if (!strcmp(what, "own-limits")) return limits(0) | limits(getpid());
    if (!strcmp(what, "limits")) return limits(other_process());
    if (!strcmp(what, "memory")) return removed(shmget(IPC_PRIVATE, 4096, 0600), SYS_shmctl);
    if (!strcmp(what, "messages")) return removed(msgget(IPC_PRIVATE, 0600), SYS_msgctl);
    if (!strcmp(what, "semaphore")) return removed_semaphores(semget(IPC_PRIVATE, 1, 0600));
    if (!strcmp(what, "queue")) return queue();
    if (!strcmp(what, "remove")) return unlink(path);
    if (!strcmp(what, "folder")) return mkdir(path, 0700);
    if (!strcmp(what, "link")) return symlink("/etc/passwd", path);
    if (!strcmp(what, "mode")) return chmod(path, 0777);
    if (!strcmp(what, "socket")) return close_if(socket(AF_INET, SOCK_STREAM, 0));
    if (!strcmp(what, "unix")) return close_if(socket(AF_UNIX, SOCK_STREAM, 0));
    if (!strcmp(what, "exec")) return run(path);
    if (!strcmp(what, "fork")) return child();
    if (!strcmp(what, "thread")) return thread();
    if (!strcmp(what, "signal")) return kill(other_process(), 0);
    if (!strcmp(what, "thread-signal")) return syscall(SYS_tgkill, other_process(), other_process(), 0);
    if (!strcmp(what, "own-signal")) return syscall(SYS_tgkill, getpid(), getpid(), 0);
    if (!strcmp(what, "environment")) {
        char name[64];
        snprintf(name, sizeof name, "/proc/%d/environ", other_process());
        return close_if(open(name, O_RDONLY));
    }
    errno = ENOTSUP;
    return -1;
}

int main(int argc, char **argv) {
    cut_sandbox_state state = cut_sandbox_status();
    if (argc == 3 && !strcmp(argv[1], "--sweep")) return sweep(argv[0], argv[2]), 0;
    if (state.requested && argc == state.first_argument + 3) call(atol(argv[argc - 2]), atol(argv[argc - 1]));
    printf("root %d\n", state.namespaces & CUT_NAMESPACE_ROOT ? 1 : 0);
    printf("processes %d\n", state.namespaces & CUT_NAMESPACE_PID ? 1 : 0);
    printf("state %d\n", state.requested && state.limits && state.privileges && state.landlock && state.seccomp);
    int i = state.requested ? state.first_argument : 1;
    for (; i + 1 < argc; i += 2)
        printf("%s %d\n", argv[i], attempt(argv[i], argv[i + 1]) < 0 ? errno : 0), fflush(stdout);
}
