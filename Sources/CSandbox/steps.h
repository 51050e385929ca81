// The steps by which the render child gives up what it does not need, in the order of their calls.
#ifndef CUTFARM_SANDBOX_STEPS_H
#define CUTFARM_SANDBOX_STEPS_H

#include <stdint.h>
#include <sys/types.h>

#include "CSandbox.h"

/// What the command line asks for; the lists of files stay in `argv`.
typedef struct {
    int argc;
    char **argv;
    uint64_t memory_bytes;
    /// Of private writable memory; 0 for no limit.
    uint64_t data_bytes;
    /// 0 for no limit.
    uint64_t cpu_seconds;
    /// 0 for no limit.
    uint64_t file_bytes;
} cut_request;

/// A file or folder that was named.
typedef struct {
    /// Place of the path in `argv`.
    int position;
    const char *path;
    int writable;
} cut_named;

/// Files of the system that every child may read, up to a null pointer.
extern const char *const cut_system_files[];

/// Steps through the named files: `*position` is 0 at first.
/// - Returns: 0 behind the last one.
int cut_next_named(const cut_request *request, int *position, cut_named *named);

/// Keeps errno of the first step that failed.
/// - Returns: `result`.
long cut_note(cut_sandbox_state *state, long result);

/// Memory, processor time, files and core dumps (setrlimit).
void cut_set_limits(const cut_request *request, cut_sandbox_state *state);

/// The first step, before any library has begun: namespaces of its own, as far as the kernel gives them, and the process
/// that goes on in them.
void cut_begin_namespaces(cut_sandbox_state *state);

/// Another user for what root starts, and a root that holds the named files and nothing else.
void cut_enter_namespaces(const cut_request *request, cut_sandbox_state *state);

/// Goes on as the first process of a PID namespace, where the kernel gives one. The process that was started stays outside
/// as its supervisor: it ends as the child does, and ends the child on SIGTERM.
void cut_enter_pid_namespace(cut_sandbox_state *state);

/// Ends this process with its supervisor, and by the signals of its limits, which the first process of a namespace
/// otherwise ignores; a change of user undoes that. Without a PID namespace there is nothing to do.
void cut_follow_supervisor(const cut_sandbox_state *state);

/// Landlock: reads the named files, writes in the named folders, and opens nothing else.
void cut_restrict_files(const cut_request *request, cut_sandbox_state *state);

/// Gives up all capabilities of this process but one, and that too when the process does not have it.
/// - Parameter capability: its number in linux/capability.h.
void cut_keep_capability(int capability);

/// Keeps every capability from coming back through a program that has it.
void cut_drop_bounding_set(void);

/// Gives up every capability, and that a program could bring new privileges.
void cut_drop_privileges(cut_sandbox_state *state);

/// seccomp: the system calls that rendering needs, and no others.
void cut_restrict_calls(cut_sandbox_state *state);

#endif
