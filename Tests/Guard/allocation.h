// Stands before each file of the guard while it is on trial.
#ifndef TRIAL_ALLOCATION_H
#define TRIAL_ALLOCATION_H

#include <malloc.h>
#include <stdlib.h>

void *trial_realloc(void *block, size_t size);
void *trial_calloc(size_t count, size_t size);
#define realloc trial_realloc
#define calloc trial_calloc
#endif
