#ifndef CUTFARM_CSANDBOX_H
#define CUTFARM_CSANDBOX_H

#include <stdint.h>

/// What the sandbox managed to switch on before `main`. Read by the program to refuse or report.
typedef struct {
    /// argv[1] was "--sandbox": the process asked for it.
    int requested;
    /// Resource limits and no_new_privs are set.
    int limits;
    /// Landlock's ABI version in force, 0 when the kernel has none.
    int landlock;
    /// The system call filter is in force.
    int seccomp;
    /// errno of the first step that failed, 0 when none did.
    int failure;
    /// Place in argv of the first file or folder that was named and cannot be shown, 0 when all can. Landlock is off then.
    int missing_argument;
    /// First argument after the sandbox's own.
    int first_argument;
} cut_sandbox_state;

/// The state left by the constructor. Never changes once `main` has begun.
cut_sandbox_state cut_sandbox_status(void);

/// Peak resident memory in bytes and CPU time in milliseconds of this process.
void cut_resource_usage(int64_t *cpu_milliseconds, int64_t *peak_bytes);

/// Ends the process at once without running exit handlers.
_Noreturn void cut_exit_now(int status);

#endif
