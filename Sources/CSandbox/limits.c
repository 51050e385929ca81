// Limits of resources: setrlimit(2).
#include <sys/resource.h>

#include "steps.h"

static int limit(int resource, rlim_t soft, rlim_t hard) {
    struct rlimit current;
    if (getrlimit(resource, &current) < 0) return -1;
    if (current.rlim_max != RLIM_INFINITY && hard > current.rlim_max) hard = current.rlim_max;
    struct rlimit wanted = {soft < hard ? soft : hard, hard};
    return setrlimit(resource, &wanted);
}

void cut_set_limits(const cut_request *request, cut_sandbox_state *state) {
    int ok = cut_note(state, limit(RLIMIT_CORE, 0, 0)) >= 0;
    ok &= cut_note(state, limit(RLIMIT_NOFILE, 512, 512)) >= 0;
    ok &= cut_note(state, limit(RLIMIT_AS, request->memory_bytes, request->memory_bytes)) >= 0;
    if (request->data_bytes > 0)
        ok &= cut_note(state, limit(RLIMIT_DATA, request->data_bytes, request->data_bytes)) >= 0;
    ok &= cut_note(state, limit(RLIMIT_MSGQUEUE, 0, 0)) >= 0;
    ok &= cut_note(state, limit(RLIMIT_RTPRIO, 0, 0)) >= 0;
    // SIGXCPU comes at the soft limit, SIGKILL at the hard one.
    if (request->cpu_seconds > 0)
        ok &= cut_note(state, limit(RLIMIT_CPU, request->cpu_seconds, request->cpu_seconds + 5)) >= 0;
    if (request->file_bytes > 0)
        ok &= cut_note(state, limit(RLIMIT_FSIZE, request->file_bytes, request->file_bytes)) >= 0;
    state->limits = ok;
}
