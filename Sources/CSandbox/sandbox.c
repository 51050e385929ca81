// The sandbox of the render child. It is set up before Swift's main and before any thread exists, because Landlock and
// seccomp bind only the thread that asks for them and those it later makes. Where the child goes on in another process, it
// does so before any library has begun: Swift's runtime and libdispatch remember the thread's ID from then on.
//
//   cutfarm-render --sandbox [--ro PATH]… [--rw FOLDER]… [--memory MIB] [--data MIB] [--cpu SECONDS]
//       [--file-size MIB] [--allow-unsandboxed] -- run
//
// --ro: a file or folder that may be read. --rw: a folder in which files may be made, written and removed.
// --memory: of all its addresses. --data: of memory that it allocates. --cpu: processor time after which SIGXCPU ends
// it. --file-size: of each file it writes; past it SIGXFSZ ends it.
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "steps.h"

static cut_sandbox_state state;
static cut_request request;
/// Volatile, because a compiler takes it that nothing runs before a constructor, and calculates what that would do.
static volatile int has_begun;

cut_sandbox_state cut_sandbox_status(void) { return state; }

long cut_note(cut_sandbox_state *noted, long result) {
    if (result < 0 && noted->failure == 0) noted->failure = errno;
    return result;
}

int cut_next_named(const cut_request *request, int *position, cut_named *named) {
    int i = *position == 0 ? 2 : *position;
    for (; i + 1 < request->argc && strcmp(request->argv[i], "--") != 0; i++) {
        int readable = strcmp(request->argv[i], "--ro") == 0, writable = strcmp(request->argv[i], "--rw") == 0;
        if (!readable && !writable) continue;
        *named = (cut_named){.position = i + 1, .path = request->argv[i + 1], .writable = writable};
        *position = i + 2;
        return 1;
    }
    return 0;
}

static void begin(int argc, char **argv, char **environment) {
    (void)environment;
    state.first_argument = 1;
    state.user = geteuid();
    if (argc < 2 || strcmp(argv[1], "--sandbox") != 0) return;
    state.requested = has_begun = 1;
    request = (cut_request){.argc = argc, .argv = argv, .memory_bytes = (uint64_t)16 << 30};
    int i = 2;
    for (; i < argc && strcmp(argv[i], "--") != 0; i++) {
        if (i + 1 >= argc) continue;
        if (strcmp(argv[i], "--memory") == 0) request.memory_bytes = strtoull(argv[++i], NULL, 10) << 20;
        else if (strcmp(argv[i], "--data") == 0) request.data_bytes = strtoull(argv[++i], NULL, 10) << 20;
        else if (strcmp(argv[i], "--cpu") == 0) request.cpu_seconds = strtoull(argv[++i], NULL, 10);
        else if (strcmp(argv[i], "--file-size") == 0) request.file_bytes = strtoull(argv[++i], NULL, 10) << 20;
    }
    state.first_argument = i + 1;
    cut_begin_namespaces(&state);
}

/// The program's functions that run before the constructors of its libraries.
__attribute__((section(".preinit_array"), used)) static void (*const first)(int, char **, char **) = begin;

__attribute__((constructor)) static void enter(void) {
    if (!has_begun) return;
    cut_set_limits(&request, &state);
    cut_enter_namespaces(&request, &state);
    cut_drop_privileges(&state);
    cut_restrict_files(&request, &state);
    cut_follow_supervisor(&state);
    cut_restrict_calls(&state);
}
