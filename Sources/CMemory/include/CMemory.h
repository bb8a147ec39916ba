#pragma once

#include <stddef.h>

/// Where bytes stand in other bytes, in linear time; NULL where they do not. The C library declares it under _GNU_SOURCE
/// alone, which Swift's module of it is made without.
void *memmem(const void *text, size_t text_count, const void *wanted, size_t wanted_count);
