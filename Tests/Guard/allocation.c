#include "host.h"
#include <malloc.h>
#include <stdlib.h>

static long counted, first_failure, failures;

void fail_allocations(long first, long times) {
    counted = 0;
    first_failure = first;
    failures = times;
}
long count_allocations(void) { return counted; }

static bool fails(void) {
    counted++;
    return first_failure > 0 && counted >= first_failure && counted - first_failure < failures;
}
void *trial_realloc(void *block, size_t size);
void *trial_calloc(size_t count, size_t size);
void *trial_realloc(void *block, size_t size) {
    bool grows = !block || size > malloc_usable_size(block);
    return grows && fails() ? NULL : realloc(block, size);
}
void *trial_calloc(size_t count, size_t size) { return fails() ? NULL : calloc(count, size); }
