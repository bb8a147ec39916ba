// Records: read-only views of host memory for calls that happen a thousand times a second.
#ifndef CLUAGUARDRECORDS_H
#define CLUAGUARDRECORDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct guard_vm guard_vm;
typedef struct guard_frame guard_frame;

/// Kinds of a slot beyond guard_kind's first five.
enum guard_slot_kind {
    GUARD_SLOT_NIL = 0,
    GUARD_SLOT_BOOLEAN,
    GUARD_SLOT_INTEGER,
    GUARD_SLOT_NUMBER,
    GUARD_SLOT_STRING,     // a: offset in the arena, b: count
    GUARD_SLOT_CONSTANT,   // a: guard_intern's number
    GUARD_SLOT_REFERENCE,  // a: a function or value reference
    GUARD_SLOT_VALUE,      // type, a, b
    GUARD_SLOT_RECORD,     // a: record number
    GUARD_SLOT_LIST,       // a: list number
};

typedef struct guard_slot {
    int32_t kind;
    int32_t type;
    union {
        int64_t a;
        double number;
    };
    int64_t b;
} guard_slot;

/// Where the slots of a record stand; `touched` since Lua last saw it.
typedef struct guard_record_span { int32_t type, first, count, touched; } guard_record_span;
typedef struct guard_list_span { int32_t first, count; } guard_list_span;

/// What stands first in a frame, so that filling it is done in place.
struct guard_frame_face {
    guard_slot *slots;
    guard_record_span *records;
    guard_list_span *lists;
    int32_t record_count, list_count;
};

// ---- record types, keys ---------------------------------------------------------------------------------------
/// Registers a record type with its fields; returns its number, or -1.
int32_t guard_record_type(guard_vm *vm, const char *name, const char *const *fields, int32_t count);
/// Anchors a string; returns its number, or -1. Used for constants in slots and as a key of answers.
int32_t guard_intern(guard_vm *vm, const void *bytes, size_t count);

// ---- frames ----------------------------------------------------------------------------------------------------
guard_frame *guard_frame_new(guard_vm *vm);
/// Ends it; its memory goes with the machine, since dead proxies may still look at it.
void guard_frame_release(guard_frame *frame);
void guard_frame_begin(guard_frame *frame);
void guard_frame_end(guard_frame *frame);
/// Return the number, or -1 without memory.
int32_t guard_frame_record(guard_frame *frame, int32_t type);
int32_t guard_frame_list(guard_frame *frame, int32_t count);
/// The slot of a field (0-based) or an element (0-based); NULL when out of range. Valid until the next record or list.
static inline guard_slot *guard_frame_field(guard_frame *frame, int32_t record, int32_t field) {
    struct guard_frame_face *face = (struct guard_frame_face *)frame;
    if ((uint32_t)record >= (uint32_t)face->record_count) return NULL;
    guard_record_span *span = &face->records[record];
    span->touched = 1;
    return (uint32_t)field >= (uint32_t)span->count ? NULL : &face->slots[span->first + field];
}
static inline guard_slot *guard_frame_element(guard_frame *frame, int32_t list, int32_t element) {
    struct guard_frame_face *face = (struct guard_frame_face *)frame;
    if ((uint32_t)list >= (uint32_t)face->list_count) return NULL;
    guard_list_span span = face->lists[list];
    return (uint32_t)element >= (uint32_t)span.count ? NULL : &face->slots[span.first + element];
}
/// Copies bytes into the arena; returns the offset, or -1.
int64_t guard_frame_string(guard_frame *frame, const void *bytes, size_t count);

// ---- calls with records ------------------------------------------------------------------------------------------
struct guard_limits;
/// Calls; on GUARD_OK the results stay on Lua's stack, and the call's limits in force, until guard_answer_end(vm, *mark).
int32_t guard_call_frame(guard_vm *vm, int64_t function, guard_frame *frame, const int32_t *records, int32_t count,
                         const struct guard_limits *limits, int32_t *mark, int32_t *results);
void guard_answer_end(guard_vm *vm, int32_t mark);

/// A value read from an answer; string bytes stay valid until guard_answer_end.
typedef struct guard_read {
    int32_t kind;          // guard_kind
    int32_t type;
    union {
        int64_t a;         // boolean, integer, value
        double number;
        const char *bytes;
    };
    int64_t b;             // value; count of bytes
} guard_read;

guard_read guard_answer_result(guard_vm *vm, int32_t mark, int32_t index);
guard_read guard_answer_field(guard_vm *vm, int32_t mark, int32_t index, int32_t key);
/// Encodes result `index` on the results tape; a guard_status.
int32_t guard_answer_encode(guard_vm *vm, int32_t mark, int32_t index);
/// Encodes field `key` of result `index`.
int32_t guard_answer_encode_field(guard_vm *vm, int32_t mark, int32_t index, int32_t key);
#endif
