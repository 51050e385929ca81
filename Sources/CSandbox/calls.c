// The system calls of the render child: a list of what is allowed, with which every kind of task runs, and the arguments
// where they decide. Whatever is not listed answers ENOSYS, as a kernel without it would, and is named on standard error
// once: the parent puts it into the task's log.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <seccomp.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#include "steps.h"

#define CALL(name) SCMP_SYS(name)

/// Allowed with any arguments. Landlock judges the paths.
static const int plain[] = {
    // Files.
    CALL(read), CALL(write), CALL(pread64), CALL(pwrite64), CALL(readv), CALL(writev), CALL(preadv), CALL(pwritev),
    CALL(lseek), CALL(close), CALL(fstat), CALL(newfstatat), CALL(stat), CALL(lstat), CALL(statx), CALL(statfs),
    CALL(fstatfs), CALL(access), CALL(faccessat), CALL(faccessat2), CALL(readlink), CALL(readlinkat), CALL(getdents64),
    CALL(getcwd), CALL(unlink), CALL(unlinkat), CALL(rename), CALL(renameat), CALL(renameat2), CALL(ftruncate),
    CALL(fallocate), CALL(fsync), CALL(fdatasync), CALL(fadvise64), CALL(dup), CALL(dup2), CALL(dup3), CALL(pipe2),
    CALL(copy_file_range), CALL(sendfile), CALL(splice),
    // Memory. What is executable is refused below.
    CALL(munmap), CALL(mremap), CALL(brk), CALL(madvise), CALL(membarrier),
    // Threads.
    CALL(set_robust_list), CALL(rseq), CALL(set_tid_address), CALL(exit), CALL(exit_group), CALL(sched_yield),
    CALL(sched_getaffinity), CALL(getcpu), CALL(gettid), CALL(getpid), CALL(getppid), CALL(restart_syscall),
    // Its own signals.
    CALL(rt_sigaction), CALL(rt_sigprocmask), CALL(rt_sigreturn), CALL(sigaltstack), CALL(rt_sigtimedwait),
    // Waiting.
    CALL(poll), CALL(ppoll), CALL(select), CALL(pselect6), CALL(epoll_create1), CALL(epoll_ctl), CALL(epoll_wait),
    CALL(epoll_pwait), CALL(eventfd2), CALL(timerfd_create), CALL(timerfd_settime), CALL(nanosleep),
    CALL(clock_nanosleep),
    // Questions about time, itself and the machine.
    CALL(clock_gettime), CALL(clock_getres), CALL(gettimeofday), CALL(time), CALL(times), CALL(getrusage),
    CALL(getrandom), CALL(getuid), CALL(geteuid), CALL(getgid), CALL(getegid), CALL(getresuid), CALL(getresgid),
    CALL(uname), CALL(sysinfo), CALL(getrlimit), CALL(get_mempolicy),
};

/// Refused without a word: libraries try them and go on without.
static const int refused[] = {
    // Landlock would refuse them too.
    CALL(mkdir), CALL(mkdirat), CALL(link), CALL(linkat), CALL(symlink), CALL(symlinkat), CALL(mknod), CALL(mknodat),
    // Fontconfig dates and opens its caches.
    CALL(chmod), CALL(fchmod), CALL(fchmodat), CALL(utime), CALL(utimes), CALL(utimensat),
    // x265 binds its threads to nodes of memory.
    CALL(sched_setaffinity), CALL(set_mempolicy), CALL(mbind),
    // The C library asks a daemon about users and hosts.
    CALL(socket), CALL(connect),
};

static int allow(scmp_filter_ctx filter, int number) { return seccomp_rule_add(filter, SCMP_ACT_ALLOW, number, 0); }

/// Allows `number` where argument `position`, seen through `mask`, is `value`. Several values are several rules.
static int allow_if(scmp_filter_ctx filter, int number, unsigned position, uint64_t mask, uint64_t value) {
    struct scmp_arg_cmp same = {.arg = position, .op = SCMP_CMP_MASKED_EQ, .datum_a = mask, .datum_b = value};
    return seccomp_rule_add_array(filter, SCMP_ACT_ALLOW, number, 1, &same);
}

/// A file that is opened to be emptied must be opened for writing, so that Landlock judges it: open(2) truncates also with
/// O_RDONLY, or with the access mode 3, and Landlock sees that from ABI 3 on only.
static int allow_opening(scmp_filter_ctx filter, int number, unsigned flags) {
    return allow_if(filter, number, flags, O_TRUNC, 0) | allow_if(filter, number, flags, O_TRUNC | O_ACCMODE, O_TRUNC | O_WRONLY) |
           allow_if(filter, number, flags, O_TRUNC | O_ACCMODE, O_TRUNC | O_RDWR);
}

/// Half an argument: what the kernel takes for an int or an unsigned int, whatever stands above it.
#define INT 0xffffffffu

/// Calls of which the arguments decide.
static int allow_parts(scmp_filter_ctx filter) {
    int failed = allow_opening(filter, CALL(open), 1) | allow_opening(filter, CALL(openat), 2);
    // Not F_SETOWN, F_SETSIG and F_SETOWN_EX, with which the kernel sends signals to any process of the user, nor leases.
    const uint64_t commands[] = {F_DUPFD, F_DUPFD_CLOEXEC, F_GETFD, F_SETFD, F_GETFL, F_GETLK, F_SETLK, F_SETLKW, F_SETPIPE_SZ, F_GETPIPE_SZ};
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
        failed |= allow_if(filter, CALL(fcntl), 1, INT, commands[i]);
    failed |= seccomp_rule_add(
        filter, SCMP_ACT_ALLOW, CALL(fcntl), 2, SCMP_A1(SCMP_CMP_MASKED_EQ, INT, F_SETFL), SCMP_A2(SCMP_CMP_MASKED_EQ, O_ASYNC, 0)
    );
    // Whether a descriptor is a terminal: none is.
    failed |= seccomp_rule_add(filter, SCMP_ACT_ERRNO(ENOTTY), CALL(ioctl), 0);
    failed |= allow_if(filter, CALL(prctl), 0, INT, PR_SET_NAME) | allow_if(filter, CALL(prctl), 0, INT, PR_GET_NAME);
    failed |= allow_if(filter, CALL(mmap), 2, PROT_EXEC, 0) | allow_if(filter, CALL(mprotect), 2, PROT_EXEC, 0);
    // Waiting, waking, and the locks that pass priority on; not the ways in which words are moved between queues.
    const uint64_t futexes[] = {0, 1, 6, 7, 8, 9, 10, 13}; // WAIT, WAKE, LOCK_PI, UNLOCK_PI, TRYLOCK_PI, *_BITSET, LOCK_PI2
    for (size_t i = 0; i < sizeof futexes / sizeof *futexes; i++)
        failed |= allow_if(filter, CALL(futex), 1, 0x7f, futexes[i]);
    // Files in memory, as fonts are kept.
    failed |= allow_if(filter, CALL(memfd_create), 1, INT & ~(MFD_CLOEXEC | MFD_ALLOW_SEALING), 0);
    // A connected socket needs no address.
    failed |= seccomp_rule_add(filter, SCMP_ACT_ALLOW, CALL(sendto), 1, SCMP_A4(SCMP_CMP_EQ, 0));
    failed |= seccomp_rule_add(filter, SCMP_ACT_ALLOW, CALL(recvfrom), 1, SCMP_A4(SCMP_CMP_EQ, 0));
    // Threads ask for their limits, and set none.
    const uint64_t own[] = {0, (uint64_t)getpid()};
    for (size_t i = 0; i < sizeof own / sizeof *own; i++)
        failed |= seccomp_rule_add(
            filter, SCMP_ACT_ALLOW, CALL(prlimit64), 2, SCMP_A0(SCMP_CMP_MASKED_EQ, INT, own[i]), SCMP_A2(SCMP_CMP_EQ, 0)
        );
    // abort() signals its own process.
    failed |= allow_if(filter, CALL(tgkill), 0, INT, own[1]);
    // The flags of a thread, and no other ones. clone3 hides them behind a pointer: the C library falls back to clone.
    const uint64_t thread = CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD | CLONE_SYSVSEM | CLONE_SETTLS |
                            CLONE_PARENT_SETTID | CLONE_CHILD_CLEARTID;
    failed |= allow_if(filter, CALL(clone), 0, ~(uint64_t)0, thread);
    failed |= seccomp_rule_add(filter, SCMP_ACT_ERRNO(ENOSYS), CALL(clone3), 0);
    return failed;
}

// MARK: What is not listed

static unsigned char named[1024];

static void say(int number) {
    if (number < 0 || number >= (int)sizeof named || __atomic_exchange_n(&named[number], 1, __ATOMIC_RELAXED)) return;
    char text[64] = CUT_REFUSED_CALL, digits[8];
    size_t length = strlen(text), count = 0;
    for (int rest = number; rest > 0 || count == 0; rest /= 10) digits[count++] = (char)('0' + rest % 10);
    while (count > 0) text[length++] = digits[--count];
    text[length++] = '\n';
    ssize_t written = write(STDERR_FILENO, text, length);
    (void)written;
}

/// Runs in place of the call, on the thread that made it.
static void refuse(int signal, siginfo_t *about, void *context) {
    (void)signal;
    int saved = errno;
    say(about->si_syscall);
    errno = saved;
    ucontext_t *place = context;
#if defined(__x86_64__)
    place->uc_mcontext.gregs[REG_RAX] = -ENOSYS;
#elif defined(__aarch64__)
    place->uc_mcontext.regs[0] = (unsigned long long)-ENOSYS;
#else
#error "the sandbox knows x86-64 and arm64"
#endif
}

char *cut_system_call_name(int number) { return seccomp_syscall_resolve_num_arch(SCMP_ARCH_NATIVE, number); }

void cut_restrict_calls(cut_sandbox_state *state) {
    struct sigaction action = {.sa_sigaction = refuse, .sa_flags = SA_SIGINFO | SA_NODEFER | SA_RESTART};
    if (cut_note(state, sigaction(SIGSYS, &action, NULL)) < 0) return;
    scmp_filter_ctx filter = seccomp_init(SCMP_ACT_TRAP);
    if (filter == NULL) return;
    // Calls of another architecture, x32 among them, end the process: no library of ours makes one.
    int failed = seccomp_attr_set(filter, SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_KILL_PROCESS);
    for (size_t i = 0; i < sizeof plain / sizeof *plain; i++) failed |= allow(filter, plain[i]);
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++)
        failed |= seccomp_rule_add(filter, SCMP_ACT_ERRNO(EPERM), refused[i], 0);
    failed |= allow_parts(filter);
    // A tree of comparisons instead of a chain: a render child makes thousands of calls a second.
    failed |= seccomp_attr_set(filter, SCMP_FLTATR_CTL_OPTIMIZE, 2);
    if (failed == 0) failed = seccomp_load(filter);
    seccomp_release(filter);
    if (failed != 0) errno = EINVAL;
    state->seccomp = cut_note(state, failed == 0 ? 0 : -1) >= 0;
}
