// What records.c and views.c share: frames, and the userdata that stand for their records and lists.
#ifndef GUARD_RECORDS_H
#define GUARD_RECORDS_H

#include "guard.h"

typedef struct {
    const char *name;      // Lua's own interned string: equal pointers are equal names
    int32_t field;
} field_entry;

typedef struct guard_record_info {      // one userdata, anchored by the metatable of its type
    int32_t count, mask;
    field_entry *table;    // open addressing by pointer
    const char **names;    // by field, interned
    const char *name;
    int32_t names_reference;            // registry: the table of the names
} record_info;

typedef guard_record_span record_span;
typedef guard_list_span list_span;
typedef struct guard_view record_view;

struct guard_frame {
    struct guard_frame_face face;
    guard_vm *vm;
    guard_frame *next;
    uint64_t epoch;
    bool released, open;
    uint8_t *arena;
    int32_t slot_count, slot_capacity, record_capacity, list_capacity;
    size_t arena_count, arena_capacity;
    int32_t record_cache, list_cache;    // references of the tables of proxies
    record_view *views[GUARD_MAXIMUM_RECORD_TYPES];
    int32_t taken_types[GUARD_MAXIMUM_RECORD_TYPES], taken_count;    // views of records of this epoch
    int32_t live_types[GUARD_MAXIMUM_RECORD_TYPES], live_count;      // views that Lua can read
};

typedef struct {
    int32_t tag, number;
    guard_frame *frame;
    uint64_t epoch;
    const record_info *info;    // NULL for lists; kept alive by the metatable
    uint64_t serial;
} proxy;

/// The number of a field by its interned name, or -1.
int32_t guard_record_field(const record_info *info, const char *name);
void guard_push_slot(lua_State *L, guard_frame *frame, const guard_slot *slot);
int guard_unknown_field(lua_State *L, const char *record);

// ---- views.c
/// Gives a new record the view of its type, if that is free.
void guard_view_take(guard_frame *frame, int32_t record, int32_t type);
/// Makes the views of the frame show what its records hold; runs protected only.
void guard_views_refresh(lua_State *L, guard_frame *frame);
/// Pushes the view of the record; false, and nothing pushed, if it has none.
bool guard_view_push(lua_State *L, guard_frame *frame, int32_t record);
/// Ends views whose record is gone: reading them raises.
void guard_views_settle(lua_State *L, guard_frame *frame);
void guard_views_free(guard_frame *frame);
#endif
