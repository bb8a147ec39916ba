#include "Floors.h"

#include <time.h>

static uint64_t now(clockid_t clock) {
    struct timespec t;
    clock_gettime(clock, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

uint64_t floor_cpu(void) { return now(CLOCK_PROCESS_CPUTIME_ID); }
uint64_t floor_wall(void) { return now(CLOCK_MONOTONIC); }
