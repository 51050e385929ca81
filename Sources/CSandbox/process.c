// System calls and parts of the C library that Swift does not import.
#define _GNU_SOURCE
#include <fcntl.h>
#include <malloc.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/resource.h>
#include <unistd.h>
#if defined(__x86_64__)
#include <sys/platform/x86.h>
#endif

#include "CSandbox.h"

void cut_exit_now(int status) { _exit(status); }

void cut_pipe_widen(int pipe, int bytes) { fcntl(pipe, F_SETPIPE_SZ, bytes); }

long cut_pipe_move(int pipe, int target, long bytes) { return splice(pipe, NULL, target, NULL, (size_t)bytes, 0); }

enum {
    /* cut_keep_memory: blocks below this size come from the heap. It is the most that mallopt takes. */
    KEPT_BLOCK_BYTES = 32 << 20,
    /* cut_keep_memory: free bytes at the end of the heap up to which it is not made smaller. */
    KEPT_FREE_BYTES = 512 << 20,
    /* cut_keep_little_memory: blocks of this size and larger are mappings of their own. */
    MAPPED_BLOCK_BYTES = 256 << 10,
    /* cut_keep_little_memory: arenas for all threads. */
    ARENA_COUNT = 2,
};

void cut_keep_memory(void) {
    mallopt(M_MMAP_THRESHOLD, KEPT_BLOCK_BYTES);
    mallopt(M_TRIM_THRESHOLD, KEPT_FREE_BYTES);
}

void cut_keep_little_memory(void) {
    mallopt(M_MMAP_THRESHOLD, MAPPED_BLOCK_BYTES);
    mallopt(M_ARENA_MAX, ARENA_COUNT);
}

void cut_return_memory(void) { malloc_trim(0); }

/// The peak of this program alone, 0 when nobody knows: the kernel counts into ru_maxrss what the process was before
/// exec(3), which is a copy of its parent.
static int64_t peak_memory(void) {
    char line[128];
    long long kibibytes = 0;
    FILE *file = fopen("/proc/self/status", "r");
    while (file != NULL && fgets(line, sizeof line, file) != NULL)
        if (sscanf(line, "VmHWM: %lld", &kibibytes) == 1) break;
    if (file != NULL) fclose(file);
    return kibibytes * 1024;
}

void cut_resource_usage(int64_t *cpu_milliseconds, int64_t *peak_bytes) {
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    *cpu_milliseconds = (int64_t)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1000 +
                        (usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1000;
    *peak_bytes = peak_memory();
    if (*peak_bytes == 0) *peak_bytes = (int64_t)usage.ru_maxrss * 1024;
}

int cut_libc_has_vectors(void) {
#if defined(__x86_64__)
    return CPU_FEATURE_ACTIVE(SSSE3) || CPU_FEATURE_ACTIVE(SSE4_2) || CPU_FEATURE_ACTIVE(AVX2) ||
           CPU_FEATURE_ACTIVE(FMA);
#else
    return 0;
#endif
}
