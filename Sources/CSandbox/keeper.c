// A process namespace (pid_namespaces(7)), in which the child is the first process and the only one: it has no number for any
// other, whatever it calls. Its threads are the only others there can be.
//
// A process does not enter such a namespace itself, its next child does. So the process that the parent started stays
// behind as the keeper of the one that renders: it does nothing but wait, and then ends in the same way, so that the
// parent is told how its child ended. The parent ends both through the keeper:
// - SIGTERM makes it kill the child, wait until it is gone, and end.
// - SIGKILL ends the keeper, and the kernel then kills the child (PR_SET_PDEATHSIG).
#define _GNU_SOURCE
#include <errno.h>
#include <linux/capability.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "steps.h"

/// The first process of a namespace ignores signals that it does not handle, but for SIGKILL, SIGSTOP, and those of its
/// own faults. It handles these, which tell of a limit or of abort(3), by ending with this status and the signal's number.
#define ENDED_BY_SIGNAL 128
static const int announced[] = {SIGXCPU, SIGXFSZ, SIGABRT};

/// The process that is kept; 0 once it is gone.
static volatile pid_t kept;

/// Ends a process whose threads may all be at work.
static void announce(int signal) { _exit(ENDED_BY_SIGNAL + signal); }

static void kill_kept(int signal) {
    (void)signal;
    int saved = errno;
    if (kept > 0) kill(kept, SIGKILL);
    errno = saved;
}

/// - Returns: the number of the signal that ended a process of the given status, or 0.
static int ending_signal(int status) {
    if (WIFSIGNALED(status)) return WTERMSIG(status);
    for (size_t i = 0; i < sizeof announced / sizeof *announced; i++)
        if (WEXITSTATUS(status) == ENDED_BY_SIGNAL + announced[i]) return announced[i];
    return 0;
}

/// Waits for `kept`, without files and with no capability but the one to end a process of another user, and ends as it does.
static _Noreturn void keep(void) {
    struct sigaction action = {.sa_handler = kill_kept};
    sigaction(SIGTERM, &action, NULL);
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    // Whoever waits for the end of its files waits for the child's alone.
    if (syscall(SYS_close_range, 0, ~0u, 0) < 0)
        for (int file = 0; file < 3; file++) close(file);
    cut_drop_bounding_set();
    cut_keep_capability(CAP_KILL);
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
    // Its number is its own until it is waited for.
    siginfo_t about;
    while (waitid(P_PID, (id_t)kept, &about, WEXITED | WNOWAIT) < 0)
        if (errno != EINTR) _exit(EXIT_FAILURE);
    pid_t gone = kept;
    kept = 0;
    int status = 0;
    while (waitpid(gone, &status, 0) < 0 && errno == EINTR) {}
    int ending = ending_signal(status);
    if (ending != 0) {
        signal(ending, SIG_DFL);
        raise(ending);
    }
    _exit(WEXITSTATUS(status));
}

void cut_leave_processes(cut_sandbox_state *state) {
    if (state->namespaces & CUT_NAMESPACE_PROCESSES || unshare(CLONE_NEWPID) < 0) return;
    sigset_t all, before;
    sigfillset(&all);
    sigprocmask(SIG_SETMASK, &all, &before);
    kept = fork();
    if (kept > 0) keep();
    sigprocmask(SIG_SETMASK, &before, NULL);
    // Without its next process this one can make no threads. The parent may try again.
    if (kept < 0) _exit(EXIT_FAILURE);
    state->namespaces |= CUT_NAMESPACE_PROCESSES;
}

void cut_follow_keeper(const cut_sandbox_state *state) {
    if (!(state->namespaces & CUT_NAMESPACE_PROCESSES)) return;
    struct sigaction action = {.sa_handler = announce};
    for (size_t i = 0; i < sizeof announced / sizeof *announced; i++) sigaction(announced[i], &action, NULL);
    // Not before: a change of user unsets it.
    prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
}
