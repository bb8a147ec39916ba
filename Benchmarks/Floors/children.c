#define _GNU_SOURCE
#include "Floors.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>

// The most memory a process has had at once, as the kernel keeps it. `ru_maxrss` would not do: it begins with the memory of
// the process that started it.
static int64_t peak(pid_t child) {
    char path[64], line[256];
    snprintf(path, sizeof path, "/proc/%d/status", (int)child);
    FILE *file = fopen(path, "re");
    if (file == NULL) return 0;
    long long kilobytes = 0;
    while (fgets(line, sizeof line, file) != NULL && sscanf(line, "VmHWM: %lld kB", &kilobytes) != 1) continue;
    fclose(file);
    return kilobytes * 1024;
}

static uint64_t nanoseconds(struct timeval t) {
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_usec * 1000u;
}

static int start(const char *const *arguments, pid_t *child) {
    extern char **environ;
    posix_spawn_file_actions_t actions;
    if (posix_spawn_file_actions_init(&actions) != 0) return -1;
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
    int code = posix_spawnp(child, arguments[0], &actions, NULL, (char *const *)arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    return code;
}

bool floor_child(const char *const *arguments, bool looks_at_memory, floor_child_cost *cost) {
    memset(cost, 0, sizeof *cost);
    pid_t child = 0;
    uint64_t begun = floor_wall();
    if (start(arguments, &child) != 0) return false;
    struct rusage usage;
    int status = 0;
    pid_t ended = 0;
    while (ended != child) {
        // The figure only grows, so that looking every few milliseconds is enough.
        ended = wait4(child, &status, looks_at_memory ? WNOHANG : 0, &usage);
        if (ended < 0 && errno != EINTR) return false;
        if (ended != 0) continue;
        int64_t now = peak(child);
        if (now > cost->peak) cost->peak = now;
        struct timespec pause = {0, 5000000};
        nanosleep(&pause, NULL);
    }
    cost->wall = floor_wall() - begun;
    cost->cpu = nanoseconds(usage.ru_utime) + nanoseconds(usage.ru_stime);
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}
