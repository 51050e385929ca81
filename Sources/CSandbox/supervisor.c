// A PID namespace (pid_namespaces(7)), in which the child is the first process and the only one: whatever it calls, it has no
// process ID for any other.
//
// A process does not enter such a namespace itself, its next child does. So the process that the parent started stays
// outside as a supervisor of the one that renders: it does nothing but wait, and then ends in the same way, so that the
// parent is told how its child ended. The parent ends both through the supervisor:
// - SIGTERM makes it kill the child, wait until it is gone, and end by SIGTERM.
// - SIGKILL ends the supervisor, and the kernel then kills the child (PR_SET_PDEATHSIG).
#define _GNU_SOURCE
#include <errno.h>
#include <linux/capability.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "steps.h"

/// The first process of a namespace ignores signals that it does not handle, but for SIGKILL, SIGSTOP, and those of its
/// own faults. It handles these, which tell of a limit or of abort(3), by ending with this status and the signal's number.
#define ENDED_BY_SIGNAL 128
static const int mirrored[] = {SIGXCPU, SIGXFSZ, SIGABRT};

/// The child; 0 once it is gone.
static volatile pid_t child;
static volatile sig_atomic_t is_terminated;
/// In the child: a descriptor of its supervisor's process (pidfd_open(2)).
static int supervisor = -1;

/// Ends a process whose threads may all be at work.
static void end_with_status(int signal) { _exit(ENDED_BY_SIGNAL + signal); }

static void terminate_child(int signal) {
    (void)signal;
    int saved = errno;
    is_terminated = 1;
    if (child > 0) kill(child, SIGKILL);
    errno = saved;
}

/// - Returns: the number of the signal that ended a process of the given status, or 0.
static int ending_signal(int status) {
    if (WIFSIGNALED(status)) return is_terminated && WTERMSIG(status) == SIGKILL ? SIGTERM : WTERMSIG(status);
    for (size_t i = 0; i < sizeof mirrored / sizeof *mirrored; i++)
        if (WEXITSTATUS(status) == ENDED_BY_SIGNAL + mirrored[i]) return mirrored[i];
    return 0;
}

/// Waits for the child, without files and with no capability but the one to end a process of another user, and ends as it
/// does.
static _Noreturn void supervise(void) {
    struct sigaction action = {.sa_handler = terminate_child};
    sigaction(SIGTERM, &action, NULL);
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    // Whoever waits for the end of its files waits for the child's alone.
    if (syscall(SYS_close_range, 0, ~0u, 0) < 0)
        for (int file = 0; file < 16; file++) close(file);
    cut_drop_bounding_set();
    cut_keep_capability(CAP_KILL);
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
    // The child's process ID is its own until it is waited for.
    siginfo_t about;
    while (waitid(P_PID, (id_t)child, &about, WEXITED | WNOWAIT) < 0)
        if (errno != EINTR) _exit(EXIT_FAILURE);
    pid_t gone = child;
    child = 0;
    int status = 0;
    while (waitpid(gone, &status, 0) < 0 && errno == EINTR) {}
    int ending = ending_signal(status);
    if (ending == 0) _exit(WEXITSTATUS(status));
    signal(ending, SIG_DFL);
    raise(ending);
    // The first process of a container's namespace does not end by it either.
    _exit(ENDED_BY_SIGNAL + ending);
}

/// Ends the child with its supervisor, and by the signals of its limits.
static void follow(void) {
    struct sigaction action = {.sa_handler = end_with_status};
    for (size_t i = 0; i < sizeof mirrored / sizeof *mirrored; i++) sigaction(mirrored[i], &action, NULL);
    prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
    // It may have ended before.
    struct pollfd ended = {.fd = supervisor, .events = POLLIN};
    if (poll(&ended, 1, 0) > 0) _exit(EXIT_FAILURE);
}

void cut_enter_pid_namespace(cut_sandbox_state *state) {
    supervisor = (int)syscall(SYS_pidfd_open, getpid(), 0);
    if (supervisor < 0) return;
    if (unshare(CLONE_NEWPID) < 0) {
        close(supervisor);
        return;
    }
    // A parent that ignores it hands that on, and nobody could wait then.
    signal(SIGCHLD, SIG_DFL);
    sigset_t all, before;
    sigfillset(&all);
    sigprocmask(SIG_SETMASK, &all, &before);
    child = fork();
    if (child > 0) supervise();
    sigprocmask(SIG_SETMASK, &before, NULL);
    if (child < 0) {
        // Nothing can be done here any more: not even threads can be made. The parent may try again.
        dprintf(STDERR_FILENO, "the sandbox cannot start a process: %s\n", strerror(errno));
        _exit(EXIT_FAILURE);
    }
    state->namespaces |= CUT_NAMESPACE_PID;
    follow();
}

void cut_follow_supervisor(const cut_sandbox_state *state) {
    if (!(state->namespaces & CUT_NAMESPACE_PID)) return;
    follow();
    close(supervisor);
}
