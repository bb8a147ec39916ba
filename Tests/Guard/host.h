// A host in C for the guard: what Swift hosts do, and worse. The guard is compiled with this in front of each of its files
// (see tools/guard-trial), so that any of its allocations can be made to fail.
#ifndef TRIAL_HOST_H
#define TRIAL_HOST_H

#include "CLuaGuard.h"

typedef struct host {
    guard_vm *vm;
    int64_t environment;
    guard_frame *frame;
    int32_t patron_type, copy_type, keys[4];
    int depth;                    // host functions that call Lua and have not come back
} host;

/// False when there is no memory.
bool host_open(host *host, int32_t profile, int64_t memory);
void host_close(host *host);
/// Loads and calls; a function that comes of it is called with records too. The last guard_status.
int32_t host_run(host *host, const char *source, size_t count, const guard_limits *limits);
/// Like host_run, and copies the one text that comes of it; false if there is none.
bool host_text(host *host, const char *source, size_t count, char *text, size_t room);
/// A script that everything that matters is needed for: whether the machine is as good as new.
bool host_is_sound(host *host);
/// Runs Lua's own tests, by a list of what differs; the number of faults.
int run_official(const char *folder, const char *list);

/// From the n-th allocation on, `times` of them fail; 0: none.
void fail_allocations(long first, long times);
long count_allocations(void);
#endif
