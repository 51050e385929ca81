// Capabilities (capabilities(7)): also a process that root starts has none of them afterwards.
#include <linux/capability.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "steps.h"

void cut_drop_bounding_set(void) {
    // EINVAL behind the last capability that this kernel has. Only a process with CAP_SETPCAP may, and without it
    // no_new_privs keeps the set from mattering.
    for (int capability = 0; capability < 64; capability++)
        if (prctl(PR_CAPBSET_DROP, capability, 0, 0, 0) < 0) break;
}

/// - Parameter wanted: those that stay, of the first 32.
static long set_capabilities(uint32_t wanted) {
    struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3, .pid = 0};
    struct __user_cap_data_struct sets[2] = {{.effective = wanted, .permitted = wanted}};
    return syscall(SYS_capset, &header, sets);
}

void cut_keep_capability(int capability) {
    if (set_capabilities(1u << capability) < 0) set_capabilities(0);
}

void cut_drop_privileges(cut_sandbox_state *state) {
    cut_drop_bounding_set();
    prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
    int ok = cut_note(state, set_capabilities(0)) >= 0;
    ok &= cut_note(state, prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)) >= 0;
    // Neither its memory nor its /proc is open to other processes of the same user.
    ok &= cut_note(state, prctl(PR_SET_DUMPABLE, 0, 0, 0, 0)) >= 0;
    state->privileges = ok;
}
