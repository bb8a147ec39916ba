// Views: the fast form of a record in the policy profile. One userdata for each type of record, kept from call to call,
// whose metatable's __index is a table: Lua's interpreter reads a field without calling C. The table holds the fields that
// were ever read, as they stood when a call last began; only those that differ are written again. What it cannot hold or
// what costs an object - nil, lists, host values, records without a view - is left out, and falls through to a C function
// that reads the slot.
//
// A policy keeps nothing between calls, so no view of an earlier record exists while a later one stands in it.
// Scripts can, and get proxies (records.c) instead. Once its record is gone and something else runs, a view has the
// metatable of proxies again, which refuses.
#include "records.h"
#include <stdlib.h>
#include <string.h>

struct guard_view {
    proxy *user;             // anchored by user_reference
    int32_t type, user_reference, table_reference, meta_reference;
    uint64_t epoch;          // of the frame when the record took it
    bool live;
    // By field: what the table holds. A string's a is its place in memory, kept by the table; a reference's b is
    // guard_vm.releases.
    guard_slot *mirror;
    int32_t *wanted, wanted_count;    // fields that were read, each once
    bool *is_wanted;                  // by field
};

/// The table's own __index. The view is a light pointer: it outlives every call.
static int missing_field(lua_State *L) {
    record_view *view = lua_touserdata(L, lua_upvalueindex(1));
    guard_frame *frame = view->user->frame;
    if (view->epoch != frame->epoch) return luaL_error(L, "record is no longer valid");
    const record_info *info = view->user->info;
    int32_t field = lua_type(L, 2) == LUA_TSTRING ? guard_record_field(info, lua_tolstring(L, 2, NULL)) : -1;
    if (field < 0) return guard_unknown_field(L, info->name);
    if (!view->is_wanted[field]) {
        view->is_wanted[field] = true;
        view->wanted[view->wanted_count++] = field;
    }
    guard_push_slot(L, frame, &frame->face.slots[frame->face.records[view->user->number].first + field]);
    return 1;
}

// ---- making -------------------------------------------------------------------------------------------------------

typedef struct {
    guard_frame *frame;
    record_view *view;
} making;

static int make_view(lua_State *L) {
    making *ask = lua_touserdata(L, 1);
    guard_vm *vm = guard_of(L);
    record_view *view = ask->view;
    view->user = lua_newuserdatauv(L, sizeof *view->user, 0);             // 2
    *view->user = (proxy){GUARD_TAG_RECORD, -1, ask->frame, 0, vm->record_info[view->type], ++vm->objects};
    lua_rawgeti(L, LUA_REGISTRYINDEX, vm->record_meta[view->type]);       // 3
    lua_pushvalue(L, 3);
    lua_setmetatable(L, 2);
    lua_createtable(L, 0, vm->record_fields[view->type]);                 // 4: what is read
    lua_createtable(L, 0, 1);
    lua_pushlightuserdata(L, view);
    lua_pushcclosure(L, missing_field, 1);
    lua_setfield(L, -2, "__index");
    lua_setmetatable(L, 4);
    lua_newtable(L);                                                      // 5: the metatable while it lives
    lua_pushnil(L);
    while (lua_next(L, 3)) {                                              // also anchors the names
        lua_pushvalue(L, -2);
        lua_insert(L, -2);
        lua_rawset(L, 5);
    }
    lua_pushvalue(L, 4);
    lua_setfield(L, 5, "__index");
    view->meta_reference = luaL_ref(L, LUA_REGISTRYINDEX);
    view->table_reference = luaL_ref(L, LUA_REGISTRYINDEX);
    lua_pop(L, 1);
    view->user_reference = luaL_ref(L, LUA_REGISTRYINDEX);
    return 0;
}

static void free_view(record_view *view) {
    if (!view) return;
    free(view->mirror);
    free(view->wanted);
    free(view->is_wanted);
    free(view);
}

static record_view *new_view(guard_frame *frame, int32_t type) {
    size_t count = (size_t)frame->vm->record_fields[type] + 1;    // never 0, for calloc
    record_view *view = calloc(1, sizeof *view);
    if (!view) return NULL;
    view->type = type;
    view->mirror = calloc(count, sizeof *view->mirror);
    view->wanted = calloc(count, sizeof *view->wanted);
    view->is_wanted = calloc(count, sizeof *view->is_wanted);
    making ask = {frame, view};
    if (view->mirror && view->wanted && view->is_wanted && guard_protect(frame->vm, make_view, &ask) == GUARD_OK)
        return view;
    free_view(view);
    return NULL;
}

void guard_view_take(guard_frame *frame, int32_t record, int32_t type) {
    if (frame->vm->profile != GUARD_POLICY) return;
    record_view *view = frame->views[type];
    if (!view && !(view = frame->views[type] = new_view(frame, type))) return;
    if (view->epoch == frame->epoch) return;              // another record of this type has it
    view->epoch = view->user->epoch = frame->epoch;
    view->user->number = record;
    frame->taken_types[frame->taken_count++] = type;
}

static record_view *view_of(guard_frame *frame, int32_t record) {
    record_view *view = frame->views[frame->face.records[record].type];
    return view && view->epoch == frame->epoch && view->user->number == record ? view : NULL;
}

// ---- bringing up to date --------------------------------------------------------------------------------------------

// Kinds that are the same if their bytes are.
enum {
    PLAIN_KINDS = 1 << GUARD_SLOT_BOOLEAN | 1 << GUARD_SLOT_INTEGER | 1 << GUARD_SLOT_NUMBER | 1 << GUARD_SLOT_CONSTANT,
};

/// Of a mirrored slot: the table holds something unknown. The same as no slot.
enum { UNKNOWN_KIND = -1 };

/// Whether the table is to hold the slot; if not, the slot is read at each access.
static bool is_kept(guard_frame *frame, const guard_slot *slot) {
    switch (slot->kind) {
    case GUARD_SLOT_NIL:
    case GUARD_SLOT_VALUE:                                // an object to be made: only if it is read
    case GUARD_SLOT_LIST: return false;
    case GUARD_SLOT_RECORD: return view_of(frame, (int32_t)slot->a) != NULL;
    default: return true;
    }
}

/// For a slot that the table is to hold.
static bool is_same(guard_frame *frame, const guard_slot *slot, const guard_slot *kept) {
    if (slot->kind != kept->kind) return false;
    switch (slot->kind) {
    case GUARD_SLOT_STRING:
        return slot->b == kept->b && !memcmp(frame->arena + slot->a, (const char *)(intptr_t)kept->a, (size_t)slot->b);
    case GUARD_SLOT_RECORD: return kept->a == frame->face.records[slot->a].type;
    case GUARD_SLOT_REFERENCE: return slot->a == kept->a && kept->b == frame->vm->releases;
    default: return false;
    }
}

/// The table is at `table`, the names of the fields above it.
static void write_field(lua_State *L, guard_frame *frame, const guard_slot *slot, guard_slot *kept, int table,
                        int32_t field) {
    kept->kind = UNKNOWN_KIND;                            // until it is written: what follows may raise
    lua_rawgeti(L, table + 1, field + 1);
    guard_slot now = *slot;
    if (slot->kind == GUARD_SLOT_RECORD) {
        now.a = frame->face.records[slot->a].type;
        lua_rawgeti(L, LUA_REGISTRYINDEX, frame->views[now.a]->user_reference);
    } else {
        guard_push_slot(L, frame, slot);
        if (slot->kind == GUARD_SLOT_STRING) now.a = (intptr_t)lua_tolstring(L, -1, NULL);
        if (slot->kind == GUARD_SLOT_REFERENCE) now.b = frame->vm->releases;
    }
    lua_rawset(L, table);
    *kept = now;
}

static void clear_field(lua_State *L, guard_slot *kept, int table, int32_t field) {
    lua_rawgeti(L, table + 1, field + 1);
    lua_pushnil(L);
    lua_rawset(L, table);
    kept->kind = GUARD_SLOT_NIL;
}

static void refresh(lua_State *L, guard_frame *frame, record_view *view, record_span span) {
    int table = 0;
    for (int32_t i = 0; i < view->wanted_count; i++) {
        int32_t field = view->wanted[i];
        const guard_slot *slot = &frame->face.slots[span.first + field];
        guard_slot *kept = &view->mirror[field];
        bool plain = 1 << slot->kind & PLAIN_KINDS;
        if (plain && slot->kind == kept->kind && slot->a == kept->a && slot->b == kept->b) continue;
        bool keep = plain || is_kept(frame, slot);
        if (!plain && (keep ? is_same(frame, slot, kept) : kept->kind == GUARD_SLOT_NIL)) continue;
        if (!table) {
            lua_rawgeti(L, LUA_REGISTRYINDEX, view->table_reference);
            table = lua_gettop(L);
            lua_rawgeti(L, LUA_REGISTRYINDEX, view->user->info->names_reference);
        }
        if (keep) write_field(L, frame, slot, kept, table, field);
        else clear_field(L, kept, table, field);
    }
    if (table) lua_settop(L, table - 1);
}

static void revive(lua_State *L, guard_frame *frame, record_view *view) {
    lua_rawgeti(L, LUA_REGISTRYINDEX, view->user_reference);
    lua_rawgeti(L, LUA_REGISTRYINDEX, view->meta_reference);
    lua_setmetatable(L, -2);
    lua_pop(L, 1);
    view->live = true;
    frame->live_types[frame->live_count++] = view->type;
}

void guard_views_refresh(lua_State *L, guard_frame *frame) {
    int64_t budget = frame->vm->budget;                   // what was written before must not change what a call may do
    for (int32_t i = 0; i < frame->taken_count; i++) {
        record_view *view = frame->views[frame->taken_types[i]];
        record_span *span = &frame->face.records[view->user->number];
        if (!span->touched) continue;
        refresh(L, frame, view, *span);
        span->touched = 0;
        if (!view->live) revive(L, frame, view);
    }
    if (frame->live_count > frame->taken_count) guard_views_settle(L, frame);
    frame->vm->budget = budget;
}

bool guard_view_push(lua_State *L, guard_frame *frame, int32_t record) {
    record_view *view = view_of(frame, record);
    if (!view) return false;
    lua_rawgeti(L, LUA_REGISTRYINDEX, view->user_reference);
    return true;
}

void guard_views_settle(lua_State *L, guard_frame *frame) {
    if (!lua_checkstack(L, 3)) return;                    // never: three places are always there
    int32_t kept = 0;
    for (int32_t i = 0; i < frame->live_count; i++) {
        record_view *view = frame->views[frame->live_types[i]];
        if (view->epoch == frame->epoch) {
            frame->live_types[kept++] = view->type;
            continue;
        }
        lua_rawgeti(L, LUA_REGISTRYINDEX, view->user_reference);
        lua_rawgeti(L, LUA_REGISTRYINDEX, frame->vm->record_meta[view->type]);
        lua_setmetatable(L, -2);
        lua_pop(L, 1);
        view->live = false;
    }
    frame->live_count = kept;
}

void guard_views_free(guard_frame *frame) {
    for (int32_t type = 0; type < GUARD_MAXIMUM_RECORD_TYPES; type++) free_view(frame->views[type]);
}
