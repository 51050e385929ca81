#ifndef CUTFARM_CSANDBOX_H
#define CUTFARM_CSANDBOX_H

#include <stdint.h>

/// A user namespace, in which the child's user is nobody.
#define CUT_NAMESPACE_USER 1
/// A network without interfaces, and System V objects, host name and control groups of its own.
#define CUT_NAMESPACE_RESOURCES 2
/// A root folder with the named files and nothing else.
#define CUT_NAMESPACE_ROOT 4
/// Process IDs of its own, of which the child's is the first.
#define CUT_NAMESPACE_PID 8

/// A line of standard error with this beginning ends with the number of a system call that is not on the sandbox's
/// list.
#define CUT_REFUSED_CALL "the sandbox has no system call "

/// What the sandbox managed to switch on before `main`. Read by the program to refuse or report.
typedef struct {
    /// argv[1] was "--sandbox": the process asked for it.
    int requested;
    /// Resource limits are set.
    int limits;
    /// No capability is left, and none can be gained.
    int privileges;
    /// The namespaces that the kernel gave: a set of `CUT_NAMESPACE_…`.
    int namespaces;
    /// Landlock's ABI version in force, 0 when the kernel has none.
    int landlock;
    /// The system call filter is in force.
    int seccomp;
    /// errno of the first step that failed, 0 when none did.
    int failure;
    /// Place in argv of the first file or folder that was named and cannot be shown, 0 when all can. Landlock is off
    /// then.
    int missing_argument;
    /// The user of the process, as processes outside of its namespaces see it.
    unsigned user;
    /// First argument after the sandbox's own.
    int first_argument;
} cut_sandbox_state;

/// The state left by the constructor. Never changes once `main` has begun.
cut_sandbox_state cut_sandbox_status(void);

/// Landlock's ABI version of this kernel, 0 when it has none or it is switched off.
int cut_landlock_abi(void);

/// The kernel's name of a system call of this architecture, which the caller frees; NULL for an unknown number.
char *cut_system_call_name(int number);

/// Peak resident memory in bytes and CPU time in milliseconds of this process.
void cut_resource_usage(int64_t *cpu_milliseconds, int64_t *peak_bytes);

/// Gives a pipe room for up to `bytes`, as far as the system lets it.
void cut_pipe_widen(int pipe, int bytes);

/// Moves up to `bytes` from a pipe to any file or pipe without copying them: splice(2), an extension of GNU that
/// Swift's Glibc leaves out.
/// - Returns: bytes moved, 0 at the end, −1 with errno.
long cut_pipe_move(int pipe, int target, long bytes);

/// Makes malloc keep freed memory instead of returning it to the kernel. For a process that allocates and frees
/// pictures of one size with every frame: each page that is new to the process costs a page fault.
void cut_keep_memory(void);

/// Makes malloc keep little freed memory. For a process that runs for weeks and now and then needs large blocks:
/// - A block of 256 KiB or more is a mapping of its own, which the kernel has back as soon as the block is freed.
/// - All threads share two arenas (glibc's heaps).
/// By default, glibc raises the size of such blocks up to 32 MiB, to that of the largest one freed so far, takes
/// smaller ones from the arena of the calling thread, and keeps an arena nearly as large as it ever was, for up to
/// eight arenas per core.
/// Call it before the process starts other threads: a thread that has an arena keeps it.
void cut_keep_little_memory(void);

/// Returns the free pages of malloc's arenas to the kernel.
void cut_return_memory(void);

/// Whether the C library's functions take vectors that not every x86-64 processor has, as far as this processor has
/// them and `GLIBC_TUNABLES` does not switch them off: SSE4.2, SSSE3, AVX2 or fused multiplication. Always 0 on other
/// processors.
int cut_libc_has_vectors(void);

/// Ends the process at once without running exit handlers.
_Noreturn void cut_exit_now(int status);

#endif
