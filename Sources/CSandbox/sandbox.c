// The sandbox of the render child. It is set up by a constructor, before Swift's main and before any thread exists,
// because Landlock and seccomp bind only the thread that asks for them and those it later makes.
//
//   cutfarm-render --sandbox [--ro PATH]… [--rw FOLDER]… [--memory MIB] [--cpu SECONDS] [--file-size MIB]
//       [--allow-unsandboxed] -- run
//
// --ro: a file or folder that may be read. --rw: a folder in which files may be made, written and removed.
// --cpu: processor time after which SIGXCPU ends it. --file-size: of each file it writes; past it SIGXFSZ ends it.
#define _GNU_SOURCE
#include "CSandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/landlock.h>
#include <linux/seccomp.h>
#include <malloc.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>
#if defined(__x86_64__)
#include <sys/platform/x86.h>
#endif

static cut_sandbox_state state;

cut_sandbox_state cut_sandbox_status(void) { return state; }

void cut_exit_now(int status) { _exit(status); }

void cut_pipe_widen(int pipe, int bytes) { fcntl(pipe, F_SETPIPE_SZ, bytes); }

long cut_pipe_move(int pipe, int target, long bytes) { return splice(pipe, NULL, target, NULL, (size_t)bytes, 0); }

/* Blocks of 32 MiB, the most that glibc takes, come from the heap, whose end stays. */
void cut_keep_memory(void) {
    mallopt(M_MMAP_THRESHOLD, 32 << 20);
    mallopt(M_TRIM_THRESHOLD, 512 << 20);
}

void cut_resource_usage(int64_t *cpu_milliseconds, int64_t *peak_bytes) {
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    *cpu_milliseconds = (int64_t)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1000 +
                        (usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1000;
    *peak_bytes = (int64_t)usage.ru_maxrss * 1024;
}

int cut_libc_has_vectors(void) {
#if defined(__x86_64__)
    return CPU_FEATURE_ACTIVE(SSSE3) || CPU_FEATURE_ACTIVE(SSE4_2) || CPU_FEATURE_ACTIVE(AVX2) ||
           CPU_FEATURE_ACTIVE(FMA);
#else
    return 0;
#endif
}

static int note(int result) {
    if (result < 0 && state.failure == 0) state.failure = errno;
    return result;
}

static int limit(int resource, rlim_t value) {
    struct rlimit current;
    if (getrlimit(resource, &current) < 0) return -1;
    if (current.rlim_max != RLIM_INFINITY && value > current.rlim_max) value = current.rlim_max;
    struct rlimit wanted = {value, value};
    return setrlimit(resource, &wanted);
}

// SIGXCPU comes at the soft limit, SIGKILL at the hard one.
static int limit_cpu(rlim_t seconds) {
    struct rlimit wanted = {seconds, seconds + 5};
    return setrlimit(RLIMIT_CPU, &wanted);
}

// 0 limits nothing.
static void set_limits(rlim_t memory, rlim_t cpu_seconds, rlim_t file_size) {
    int ok = note(limit(RLIMIT_CORE, 0)) >= 0;
    ok &= note(limit(RLIMIT_NOFILE, 512)) >= 0;
    ok &= note(limit(RLIMIT_AS, memory)) >= 0;
    if (cpu_seconds > 0) ok &= note(limit_cpu(cpu_seconds)) >= 0;
    if (file_size > 0) ok &= note(limit(RLIMIT_FSIZE, file_size)) >= 0;
    ok &= note(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)) >= 0;
    ok &= note(prctl(PR_SET_DUMPABLE, 0, 0, 0, 0)) >= 0;
    state.limits = ok;
}

// MARK: Landlock (kernel documentation, userspace-api/landlock)

#define CUT_READ (LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR)
#define CUT_WRITE                                                                                              \
    (CUT_READ | LANDLOCK_ACCESS_FS_WRITE_FILE | LANDLOCK_ACCESS_FS_REMOVE_FILE | LANDLOCK_ACCESS_FS_MAKE_REG | \
     CUT_TRUNCATE)
#define CUT_TRUNCATE (1ULL << 14) /* LANDLOCK_ACCESS_FS_TRUNCATE, ABI 3; absent from Debian 12's headers */

static int allow(int ruleset, const char *path, uint64_t access, uint64_t handled) {
    int fd = open(path, O_PATH | O_CLOEXEC);
    if (fd < 0) return -1;
    struct stat about;
    if (fstat(fd, &about) == 0 && !S_ISDIR(about.st_mode))
        access &= LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_WRITE_FILE | CUT_TRUNCATE;
    struct landlock_path_beneath_attr rule = {.allowed_access = access & handled, .parent_fd = fd};
    int result = (int)syscall(SYS_landlock_add_rule, ruleset, LANDLOCK_RULE_PATH_BENEATH, &rule, 0);
    int saved = errno;
    close(fd);
    errno = saved;
    return result;
}

static void restrict_files(int argc, char **argv) {
    int abi = (int)syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION);
    if (abi < 1) return;
    // Every right of ABI 1 (bits 0 to 12), then what later versions added.
    uint64_t handled = (1ULL << 13) - 1;
    if (abi >= 2) handled |= 1ULL << 13;
    if (abi >= 3) handled |= CUT_TRUNCATE;
    struct landlock_ruleset_attr attributes = {.handled_access_fs = handled};
    int ruleset = (int)syscall(SYS_landlock_create_ruleset, &attributes, sizeof attributes, 0);
    if (note(ruleset) < 0) return;
    // Swift's runtime and libdispatch read /proc/self; the libraries may ask how many cores there are. The rest of /proc
    // holds other processes' environments, with their tokens.
    allow(ruleset, "/proc/self", CUT_READ, handled);
    allow(ruleset, "/proc/cpuinfo", CUT_READ, handled);
    allow(ruleset, "/proc/meminfo", CUT_READ, handled);
    allow(ruleset, "/proc/stat", CUT_READ, handled);
    allow(ruleset, "/sys/devices/system/cpu", CUT_READ, handled);
    for (int i = 2; i + 1 < argc && strcmp(argv[i], "--") != 0; i++) {
        uint64_t access = strcmp(argv[i], "--ro") == 0 ? CUT_READ : strcmp(argv[i], "--rw") == 0 ? CUT_WRITE : 0;
        if (access == 0) continue;
        i++;
        if (note(allow(ruleset, argv[i], access, handled)) < 0 && state.missing_argument == 0) state.missing_argument = i;
    }
    if (state.missing_argument == 0 && note((int)syscall(SYS_landlock_restrict_self, ruleset, 0)) >= 0) state.landlock = abi;
    close(ruleset);
}

// MARK: seccomp

#if defined(__x86_64__)
#define CUT_ARCH AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define CUT_ARCH AUDIT_ARCH_AARCH64
#else
#error "the sandbox knows x86-64 and arm64"
#endif

#define REFUSE(number) \
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (number), 0, 1), BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM)

// The number of a call as the kernel has it; headers of an older one leave the newest out.
#ifndef SYS_fchmodat2
#define SYS_fchmodat2 452
#endif

#define LOAD(field) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, field))
// Loads the low half of an argument (both architectures are little-endian); the call's number is loaded no more then.
#define IF_CALL(number, count) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (number), 0, (count))
#define ANSWER(result) BPF_STMT(BPF_RET | BPF_K, (result))

// A file that is opened to be emptied must be opened for writing, so that Landlock judges it: open(2) truncates also with
// O_RDONLY, or with the access mode 3, and Landlock sees that from ABI 3 on only.
#define REFUSE_EMPTYING(number, flags_argument)                              \
    IF_CALL(number, 7), LOAD(args[flags_argument]),                          \
        BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, O_TRUNC, 0, 4),                 \
        BPF_STMT(BPF_ALU | BPF_AND | BPF_K, O_ACCMODE),                      \
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, O_WRONLY, 2, 0),                 \
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, O_RDWR, 1, 0),                   \
        ANSWER(SECCOMP_RET_ERRNO | EPERM), ANSWER(SECCOMP_RET_ALLOW)

static int restrict_calls(void) {
    struct sock_filter program[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, arch)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, CUT_ARCH, 1, 0),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
#if defined(__x86_64__)
        // The x32 calls are the same ones under other numbers.
        BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, 0x40000000, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS),
        REFUSE(SYS_fork), REFUSE(SYS_vfork),
        // Landlock leaves modes, owners, times and attributes of files alone.
        REFUSE(SYS_chmod), REFUSE(SYS_chown), REFUSE(SYS_lchown), REFUSE(SYS_utime), REFUSE(SYS_utimes),
        REFUSE(SYS_futimesat),
        REFUSE_EMPTYING(SYS_open, 1),
#endif
        REFUSE(SYS_fchmodat), REFUSE(SYS_fchownat), REFUSE(SYS_utimensat), REFUSE(SYS_setxattr),
        REFUSE(SYS_lsetxattr), REFUSE(SYS_removexattr), REFUSE(SYS_lremovexattr), REFUSE(SYS_fchmod),
        REFUSE(SYS_fchmodat2), REFUSE(SYS_fchown), REFUSE(SYS_fsetxattr), REFUSE(SYS_fremovexattr),
        // Nor does it see truncation before ABI 3 (Linux 6.2); openat2 hides its flags behind a pointer.
        REFUSE(SYS_truncate), REFUSE(SYS_openat2), REFUSE_EMPTYING(SYS_openat, 2),
        // No network and no other process.
        REFUSE(SYS_socket), REFUSE(SYS_socketpair), REFUSE(SYS_connect), REFUSE(SYS_bind), REFUSE(SYS_listen),
        REFUSE(SYS_accept), REFUSE(SYS_accept4), REFUSE(SYS_execve), REFUSE(SYS_execveat), REFUSE(SYS_ptrace),
        REFUSE(SYS_process_vm_readv), REFUSE(SYS_process_vm_writev), REFUSE(SYS_kill), REFUSE(SYS_tkill),
        REFUSE(SYS_rt_sigqueueinfo), REFUSE(SYS_rt_tgsigqueueinfo),
        // What processes share by System V's and POSIX's names.
        REFUSE(SYS_shmget), REFUSE(SYS_shmat), REFUSE(SYS_shmctl), REFUSE(SYS_shmdt), REFUSE(SYS_semget),
        REFUSE(SYS_semop), REFUSE(SYS_semctl), REFUSE(SYS_semtimedop), REFUSE(SYS_msgget), REFUSE(SYS_msgsnd),
        REFUSE(SYS_msgrcv), REFUSE(SYS_msgctl), REFUSE(SYS_mq_open), REFUSE(SYS_mq_unlink), REFUSE(SYS_mq_timedsend),
        REFUSE(SYS_mq_timedreceive), REFUSE(SYS_mq_notify), REFUSE(SYS_mq_getsetattr),
        REFUSE(SYS_pidfd_open), REFUSE(SYS_pidfd_getfd), REFUSE(SYS_pidfd_send_signal),
        // No way around what was switched off.
        REFUSE(SYS_io_uring_setup), REFUSE(SYS_bpf), REFUSE(SYS_perf_event_open), REFUSE(SYS_userfaultfd),
        REFUSE(SYS_keyctl), REFUSE(SYS_add_key), REFUSE(SYS_request_key), REFUSE(SYS_mount), REFUSE(SYS_umount2),
        REFUSE(SYS_move_mount), REFUSE(SYS_open_tree), REFUSE(SYS_pivot_root), REFUSE(SYS_chroot), REFUSE(SYS_unshare),
        REFUSE(SYS_setns), REFUSE(SYS_open_by_handle_at), REFUSE(SYS_init_module), REFUSE(SYS_finit_module),
        REFUSE(SYS_kexec_load), REFUSE(SYS_reboot), REFUSE(SYS_swapon), REFUSE(SYS_personality),
        // abort() signals its own process; no other may be.
        IF_CALL(SYS_tgkill, 4), LOAD(args[0]), BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)getpid(), 0, 1),
        ANSWER(SECCOMP_RET_ALLOW), ANSWER(SECCOMP_RET_ERRNO | EPERM),
        // Threads ask for their own limits; those of other processes are none of ours.
        IF_CALL(SYS_prlimit64, 5), LOAD(args[0]), BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 0, 1, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)getpid(), 0, 1), ANSWER(SECCOMP_RET_ALLOW),
        ANSWER(SECCOMP_RET_ERRNO | EPERM),
        // clone3 hides its flags behind a pointer: glibc falls back to clone, whose flags can be read.
        IF_CALL(SYS_clone3, 1), ANSWER(SECCOMP_RET_ERRNO | ENOSYS),
        IF_CALL(SYS_clone, 3), LOAD(args[0]), BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, CLONE_THREAD, 1, 0),
        ANSWER(SECCOMP_RET_ERRNO | EPERM),
        ANSWER(SECCOMP_RET_ALLOW),
    };
    struct sock_fprog filter = {.len = sizeof program / sizeof program[0], .filter = program};
    return (int)syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &filter);
}

__attribute__((constructor)) static void enter(int argc, char **argv) {
    state.first_argument = 1;
    if (argc < 2 || strcmp(argv[1], "--sandbox") != 0) return;
    state.requested = 1;
    rlim_t memory = (rlim_t)16 << 30, cpu_seconds = 0, file_size = 0;
    int i = 2;
    for (; i < argc && strcmp(argv[i], "--") != 0; i++) {
        if (i + 1 >= argc) continue;
        if (strcmp(argv[i], "--memory") == 0) memory = (rlim_t)strtoull(argv[++i], NULL, 10) << 20;
        else if (strcmp(argv[i], "--cpu") == 0) cpu_seconds = (rlim_t)strtoull(argv[++i], NULL, 10);
        else if (strcmp(argv[i], "--file-size") == 0) file_size = (rlim_t)strtoull(argv[++i], NULL, 10) << 20;
    }
    state.first_argument = i + 1;
    set_limits(memory, cpu_seconds, file_size);
    restrict_files(argc, argv);
    state.seccomp = note(restrict_calls()) >= 0;
}
