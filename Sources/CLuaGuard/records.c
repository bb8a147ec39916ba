// Records and lists: userdata that point into a frame, memory of the host that is filled before a call and dead after
// it. A proxy is (frame, number, epoch); ending the call bumps the epoch, so that all proxies die at once.
#include "records.h"
#include <stdlib.h>
#include <string.h>

static uint32_t hash_of(const char *name) { return (uint32_t)(((uintptr_t)name >> 4) * 2654435761u >> 8); }

static proxy *test_proxy(lua_State *L, int index) {
    if (lua_type(L, index) != LUA_TUSERDATA) return NULL;
    proxy *view = lua_touserdata(L, index);
    return view->tag == GUARD_TAG_RECORD || view->tag == GUARD_TAG_LIST ? view : NULL;
}
bool guard_is_record(lua_State *L, int index) { return test_proxy(L, index) != NULL; }
/// A policy has one view for all records of a type, made when it first saw one: there only the place in the case counts.
uint64_t guard_serial_of_record(lua_State *L, int index) {
    proxy *view = test_proxy(L, index);
    if (!view) return 0;
    return guard_of(L)->profile == GUARD_POLICY ? (uint64_t)view->number * 2 + (view->tag == GUARD_TAG_LIST) : view->serial;
}
bool guard_is_list(lua_State *L, int index) {
    proxy *view = test_proxy(L, index);
    return view && view->tag == GUARD_TAG_LIST;
}

static proxy *live(lua_State *L, proxy *view) {
    if (view->epoch != view->frame->epoch) luaL_error(L, "record is no longer valid");
    return view;
}

// ---- making proxies -----------------------------------------------------------------------------------------------

static void push_new_proxy(lua_State *L, guard_frame *frame, int32_t tag, int32_t number) {
    guard_vm *vm = frame->vm;
    proxy *view = lua_newuserdatauv(L, sizeof *view, 0);
    int32_t type = tag == GUARD_TAG_RECORD ? frame->face.records[number].type : -1;
    *view = (proxy){tag, number, frame, frame->epoch, type < 0 ? NULL : vm->record_info[type], ++vm->objects};
    lua_rawgeti(L, LUA_REGISTRYINDEX, type < 0 ? GUARD_PLACE_LIST_META : vm->record_meta[type]);
    lua_setmetatable(L, -2);
}

/// The one that was made for this record before, if there is one: records are asked for again and again.
static void push_proxy(lua_State *L, guard_frame *frame, int32_t tag, int32_t number) {
    if (tag == GUARD_TAG_RECORD && guard_view_push(L, frame, number)) return;
    lua_rawgeti(L, LUA_REGISTRYINDEX, tag == GUARD_TAG_RECORD ? frame->record_cache : frame->list_cache);
    if (lua_rawgeti(L, -1, number + 1) == LUA_TUSERDATA) {
        proxy *kept = lua_touserdata(L, -1);
        if (kept->epoch == frame->epoch) {
            lua_remove(L, -2);
            return;
        }
    }
    lua_pop(L, 1);
    push_new_proxy(L, frame, tag, number);
    lua_pushvalue(L, -1);
    lua_rawseti(L, -3, number + 1);
    lua_remove(L, -2);
}

void guard_push_slot(lua_State *L, guard_frame *frame, const guard_slot *slot) {
    switch (slot->kind) {
    case GUARD_SLOT_BOOLEAN: lua_pushboolean(L, (int)slot->a); break;
    case GUARD_SLOT_INTEGER: lua_pushinteger(L, slot->a); break;
    case GUARD_SLOT_NUMBER: lua_pushnumber(L, slot->number); break;
    case GUARD_SLOT_STRING: lua_pushlstring(L, (const char *)frame->arena + slot->a, (size_t)slot->b); break;
    case GUARD_SLOT_CONSTANT: lua_rawgeti(L, LUA_REGISTRYINDEX, slot->a); break;
    case GUARD_SLOT_REFERENCE:
        lua_rawgeti(L, LUA_REGISTRYINDEX, GUARD_PLACE_REFERENCES);
        lua_rawgeti(L, -1, slot->a);
        lua_remove(L, -2);
        break;
    case GUARD_SLOT_VALUE: guard_push_value(L, slot->type, slot->a, slot->b); break;
    case GUARD_SLOT_RECORD: push_proxy(L, frame, GUARD_TAG_RECORD, (int32_t)slot->a); break;
    case GUARD_SLOT_LIST: push_proxy(L, frame, GUARD_TAG_LIST, (int32_t)slot->a); break;
    default: lua_pushnil(L);
    }
}

// ---- reading ------------------------------------------------------------------------------------------------------

int guard_unknown_field(lua_State *L, const char *record) {
    lua_settop(L, 2);
    lua_pushstring(L, record);
    lua_replace(L, 1);
    if (lua_type(L, 2) != LUA_TSTRING) {
        lua_pushstring(L, luaL_typename(L, 2));
        lua_replace(L, 2);
    }
    guard_ask_host(L, GUARD_EVENT_UNKNOWN_FIELD, 0);
    luaL_where(L, 1);
    lua_insert(L, -2);
    lua_concat(L, 2);
    return lua_error(L);
}

int32_t guard_record_field(const record_info *info, const char *name) {
    uint32_t mask = (uint32_t)info->mask;
    for (uint32_t i = hash_of(name) & mask; info->table[i].name; i = (i + 1) & mask)
        if (info->table[i].name == name) return info->table[i].field;
    return -1;
}

static int record_index(lua_State *L) {
    proxy *view = live(L, lua_touserdata(L, 1));
    int32_t field = lua_type(L, 2) == LUA_TSTRING ? guard_record_field(view->info, lua_tolstring(L, 2, NULL)) : -1;
    if (field < 0) return guard_unknown_field(L, view->info->name);
    guard_frame *frame = view->frame;
    guard_push_slot(L, frame, &frame->face.slots[frame->face.records[view->number].first + field]);
    return 1;
}

static int list_index(lua_State *L) {
    proxy *view = live(L, lua_touserdata(L, 1));
    if (lua_type(L, 2) != LUA_TNUMBER) return guard_unknown_field(L, "list");
    int exact = 0;
    lua_Integer position = lua_tointegerx(L, 2, &exact);
    list_span span = view->frame->face.lists[view->number];
    if (!exact || position < 1 || position > span.count) return 0;
    guard_push_slot(L, view->frame, &view->frame->face.slots[span.first + position - 1]);
    return 1;
}

static int list_length(lua_State *L) {
    proxy *view = live(L, lua_touserdata(L, 1));
    lua_pushinteger(L, view->frame->face.lists[view->number].count);
    return 1;
}
static int record_length(lua_State *L) {
    lua_pushinteger(L, 0);
    return 1;
}

static int proxy_equal(lua_State *L) {
    proxy *left = test_proxy(L, 1), *right = test_proxy(L, 2);
    lua_pushboolean(L, left && right && left->frame == right->frame && left->epoch == right->epoch
                           && left->tag == right->tag && left->number == right->number);
    return 1;
}

static int refuse(lua_State *L) { return luaL_error(L, "a record is read-only"); }

// ---- iteration ----------------------------------------------------------------------------------------------------

/// Pushes the pair after the key on top (popped), fields in declared order, or nothing and answers false.
bool guard_next_of_record(lua_State *L, int index) {
    proxy *view = live(L, lua_touserdata(L, index));
    guard_frame *frame = view->frame;
    bool is_list = view->tag == GUARD_TAG_LIST;
    const record_info *info = view->info;
    int32_t position = 0, first = is_list ? frame->face.lists[view->number].first : frame->face.records[view->number].first;
    int32_t count = is_list ? frame->face.lists[view->number].count : info->count;
    if (lua_isnil(L, -1)) {
        position = 0;
    } else if (is_list) {
        lua_Integer key = lua_type(L, -1) == LUA_TNUMBER ? lua_tointeger(L, -1) : -1;
        if (key < 1 || key > count) luaL_error(L, "invalid key to 'next'");
        position = (int32_t)key;
    } else {
        const char *key = lua_type(L, -1) == LUA_TSTRING ? lua_tostring(L, -1) : NULL;
        while (position < count && info->names[position] != key) position++;
        if (position++ >= count) luaL_error(L, "invalid key to 'next'");
    }
    lua_pop(L, 1);
    while (position < count && frame->face.slots[first + position].kind == GUARD_SLOT_NIL) position++;
    if (position >= count) return false;
    if (is_list) lua_pushinteger(L, position + 1);
    else lua_pushstring(L, info->names[position]);
    guard_push_slot(L, frame, &frame->face.slots[first + position]);
    return true;
}

static int record_next(lua_State *L) {
    lua_settop(L, 2);
    if (!test_proxy(L, 1)) return luaL_error(L, "a record was expected");
    if (guard_next_of_record(L, 1)) return 2;
    lua_pushnil(L);
    return 1;
}
static int record_pairs(lua_State *L) {
    lua_pushcfunction(L, record_next);
    lua_pushvalue(L, 1);
    lua_pushnil(L);
    return 3;
}

bool guard_encode_record(lua_State *L, int index, guard_tape *tape, int depth) {
    if (!test_proxy(L, index)) return false;
    const int32_t sizes[2] = {guard_is_list(L, index) ? GUARD_EMPTY_LIST : 0, 0};
    if (!guard_tape_put(tape, "{", 1) || !guard_tape_put(tape, sizes, sizeof sizes)) luaL_error(L, "no memory");
    lua_pushnil(L);
    while (guard_next_of_record(L, index)) {
        guard_encode(L, lua_gettop(L) - 1, tape, depth + 1);
        guard_encode(L, lua_gettop(L), tape, depth + 1);
        lua_pop(L, 1);
    }
    if (!guard_tape_put(tape, "}", 1)) luaL_error(L, "no memory");
    return true;
}

// ---- types and keys -----------------------------------------------------------------------------------------------

typedef struct {
    const char *name;
    const char *const *fields;
    int32_t count, number;
    const void *bytes;
    size_t size;
} request;

static void set_common(lua_State *L) {
    static const luaL_Reg functions[] = {
        {"__newindex", refuse}, {"__eq", proxy_equal}, {"__pairs", record_pairs}, {NULL, NULL}};
    luaL_setfuncs(L, functions, 0);
    lua_pushboolean(L, 0);
    lua_setfield(L, -2, "__metatable");
}

static record_info *new_info(lua_State *L, int32_t count) {
    int32_t size = 4;
    while (size < count * 2) size *= 2;
    // One userdata holds it all, so that it lives as long as the metatable that anchors it.
    size_t bytes = sizeof(record_info) + (size_t)size * sizeof(field_entry) + (size_t)count * sizeof(char *);
    record_info *info = lua_newuserdatauv(L, bytes + 64, 1);
    memset(info, 0, bytes + 64);
    info->count = count;
    info->mask = size - 1;
    info->table = (field_entry *)(info + 1);
    info->names = (const char **)(info->table + size);
    return info;
}

static int make_record_type(lua_State *L) {
    request *ask = lua_touserdata(L, 1);
    lua_newtable(L);                                      // 2: the metatable
    set_common(L);
    record_info *info = new_info(L, ask->count);          // 3
    lua_createtable(L, ask->count, 0);                    // 4: anchors the names
    info->name = lua_pushstring(L, ask->name);
    lua_pushvalue(L, -1);
    lua_setfield(L, 2, "__name");
    lua_rawseti(L, 4, ask->count + 1);
    for (int32_t i = 0; i < ask->count; i++) {
        const char *name = lua_pushstring(L, ask->fields[i]);
        lua_rawseti(L, 4, i + 1);
        info->names[i] = name;
        uint32_t place = hash_of(name) & (uint32_t)info->mask;
        while (info->table[place].name) place = (place + 1) & (uint32_t)info->mask;
        info->table[place] = (field_entry){name, i};
    }
    lua_pushvalue(L, 4);
    info->names_reference = luaL_ref(L, LUA_REGISTRYINDEX);
    lua_setiuservalue(L, 3, 1);
    lua_rawsetp(L, 2, info);                              // the metatable anchors it
    lua_pushcfunction(L, record_index);
    lua_setfield(L, 2, "__index");
    lua_pushcfunction(L, record_length);
    lua_setfield(L, 2, "__len");
    guard_vm *vm = guard_of(L);
    ask->number = vm->record_type_count;
    vm->record_info[ask->number] = info;
    lua_pushvalue(L, 2);
    vm->record_meta[ask->number] = luaL_ref(L, LUA_REGISTRYINDEX);
    return 0;
}

int32_t guard_record_type(guard_vm *vm, const char *name, const char *const *fields, int32_t count) {
    for (int32_t i = 0; i < count; i++)
        if (strlen(fields[i]) > 40) return -1;            // longer strings are not interned
    if (count < 0 || vm->record_type_count == GUARD_MAXIMUM_RECORD_TYPES) return -1;
    request ask = {.name = name, .fields = fields, .count = count};
    if (guard_protect(vm, make_record_type, &ask) != GUARD_OK) return -1;
    vm->record_fields[vm->record_type_count++] = count;
    return ask.number;
}

static int make_interned(lua_State *L) {
    request *ask = lua_touserdata(L, 1);
    lua_pushlstring(L, ask->bytes, ask->size);
    ask->number = luaL_ref(L, LUA_REGISTRYINDEX);
    return 0;
}
int32_t guard_intern(guard_vm *vm, const void *bytes, size_t count) {
    request ask = {.bytes = bytes, .size = count};
    return guard_protect(vm, make_interned, &ask) == GUARD_OK ? ask.number : -1;
}

void guard_open_records(lua_State *L) {
    lua_newtable(L);
    set_common(L);
    lua_pushcfunction(L, list_index);
    lua_setfield(L, -2, "__index");
    lua_pushcfunction(L, list_length);
    lua_setfield(L, -2, "__len");
    lua_pushliteral(L, "list");
    lua_setfield(L, -2, "__name");
    lua_rawseti(L, LUA_REGISTRYINDEX, GUARD_PLACE_LIST_META);
}

// ---- frames -------------------------------------------------------------------------------------------------------

static int make_caches(lua_State *L) {
    guard_frame *frame = lua_touserdata(L, 1);
    lua_newtable(L);
    frame->record_cache = luaL_ref(L, LUA_REGISTRYINDEX);
    lua_newtable(L);
    frame->list_cache = luaL_ref(L, LUA_REGISTRYINDEX);
    return 0;
}

guard_frame *guard_frame_new(guard_vm *vm) {
    for (guard_frame *frame = vm->frames; frame; frame = frame->next)
        if (frame->released) {
            frame->released = false;
            return frame;
        }
    guard_frame *frame = calloc(1, sizeof *frame);
    if (!frame) return NULL;
    frame->vm = vm;
    frame->epoch = 1;
    if (guard_protect(vm, make_caches, frame) != GUARD_OK) {
        free(frame);
        return NULL;
    }
    frame->next = vm->frames;
    vm->frames = frame;
    return frame;
}

void guard_frame_release(guard_frame *frame) {
    guard_frame_end(frame);
    frame->released = true;
}

void guard_free_frames(guard_vm *vm) {
    for (guard_frame *frame = vm->frames, *next; frame; frame = next) {
        next = frame->next;
        guard_views_free(frame);
        free(frame->face.slots);
        free(frame->face.records);
        free(frame->face.lists);
        free(frame->arena);
        free(frame);
    }
    vm->frames = NULL;
}

void guard_frame_begin(guard_frame *frame) {
    frame->epoch++;
    frame->open = true;
    frame->slot_count = frame->face.record_count = frame->face.list_count = frame->taken_count = 0;
    frame->arena_count = 0;
}
void guard_frame_end(guard_frame *frame) {
    frame->epoch++;
    frame->open = false;
}

void guard_settle_frames(guard_vm *vm) {
    for (guard_frame *frame = vm->frames; frame; frame = frame->next)
        if (!frame->open && frame->live_count) guard_views_settle(vm->current, frame);
}

/// Room for `more` elements of `size` bytes after `count`; false without memory.
static bool grow(void **block, int32_t *capacity, int32_t count, int32_t more, size_t size) {
    int64_t needed = (int64_t)count + more;
    if (needed <= *capacity) return true;
    if (needed > INT32_MAX / 2) return false;
    int64_t larger = *capacity ? *capacity : 64;
    while (larger < needed) larger *= 2;
    void *grown = realloc(*block, (size_t)larger * size);
    if (!grown) return false;
    *block = grown;
    *capacity = (int32_t)larger;
    return true;
}

static bool grow_slots(guard_frame *frame, int32_t more) {
    if (more < 0 || !grow((void **)&frame->face.slots, &frame->slot_capacity, frame->slot_count, more, sizeof(guard_slot)))
        return false;
    memset(frame->face.slots + frame->slot_count, 0, (size_t)more * sizeof(guard_slot));
    frame->slot_count += more;
    return true;
}

int32_t guard_frame_record(guard_frame *frame, int32_t type) {
    guard_vm *vm = frame->vm;
    if (type < 0 || type >= vm->record_type_count) return -1;
    int32_t count = vm->record_fields[type], first = frame->slot_count;
    if (!grow((void **)&frame->face.records, &frame->record_capacity, frame->face.record_count, 1, sizeof(record_span))) return -1;
    if (!grow_slots(frame, count)) return -1;
    frame->face.records[frame->face.record_count] = (record_span){type, first, count, 1};
    guard_view_take(frame, frame->face.record_count, type);
    return frame->face.record_count++;
}

int32_t guard_frame_list(guard_frame *frame, int32_t count) {
    int32_t first = frame->slot_count;
    if (!grow((void **)&frame->face.lists, &frame->list_capacity, frame->face.list_count, 1, sizeof(list_span))) return -1;
    if (!grow_slots(frame, count)) return -1;
    frame->face.lists[frame->face.list_count] = (list_span){first, count};
    return frame->face.list_count++;
}

int64_t guard_frame_string(guard_frame *frame, const void *bytes, size_t count) {
    size_t needed = frame->arena_count + count;
    if (needed > frame->arena_capacity) {
        size_t larger = frame->arena_capacity ? frame->arena_capacity : 1024;
        while (larger < needed) larger *= 2;
        uint8_t *grown = realloc(frame->arena, larger);
        if (!grown) return -1;
        frame->arena = grown;
        frame->arena_capacity = larger;
    }
    if (count) memcpy(frame->arena + frame->arena_count, bytes, count);
    int64_t offset = (int64_t)frame->arena_count;
    frame->arena_count += count;
    return offset;
}

// ---- calls --------------------------------------------------------------------------------------------------------

typedef struct {
    int64_t function;
    guard_frame *frame;
    const int32_t *records;
    int32_t count;
} frame_request;

static int call_with_frame(lua_State *L) {
    frame_request ask = *(frame_request *)lua_touserdata(L, 1);
    if (ask.count > 10) luaL_checkstack(L, ask.count + 8, "arguments");
    lua_rawgeti(L, LUA_REGISTRYINDEX, GUARD_PLACE_REFERENCES);
    lua_rawgeti(L, 2, ask.function);
    guard_views_refresh(L, ask.frame);
    for (int32_t i = 0; i < ask.count; i++) {
        if (ask.records[i] < 0) lua_pushnil(L);
        else if (!guard_view_push(L, ask.frame, ask.records[i]))
            push_new_proxy(L, ask.frame, GUARD_TAG_RECORD, ask.records[i]);
    }
    lua_call(L, ask.count, LUA_MULTRET);
    return lua_gettop(L) - 2;
}

int32_t guard_call_frame(guard_vm *vm, int64_t function, guard_frame *frame, const int32_t *records, int32_t count,
                         const guard_limits *limits, int32_t *mark, int32_t *results) {
    lua_State *L = vm->current;
    for (int32_t i = 0; i < count; i++)
        if (records[i] >= frame->face.record_count) return GUARD_RUNTIME;
    int top = lua_gettop(L);
    size_t base = guard_begin(vm);
    guard_clear_error(vm);
    if (!lua_checkstack(L, 8)) return GUARD_MEMORY;
    guard_entry entry;
    int32_t entered = guard_enter(vm, limits, &entry);
    if (entered != GUARD_OK) return entered;
    frame_request ask = {function, frame, records, count};
    lua_pushcfunction(L, guard_message_handler);
    lua_pushcfunction(L, call_with_frame);
    lua_pushlightuserdata(L, &ask);
    int status = lua_pcall(L, 1, LUA_MULTRET, top + 1);
    vm->current = L;
    int32_t result = status != LUA_OK ? guard_finish_error(vm, L, status) : guard_fault_of(vm);
    if (result == GUARD_OK && lua_checkstack(L, 16)) {    // for reading the answer
        *mark = top + 1;
        *results = lua_gettop(L) - *mark;
        guard_host_resume(vm, 1);                         // the host reads; what Lua does for it is under the same limits
        vm->answers[vm->answer_count++] = entry;
        return GUARD_OK;
    }
    if (result == GUARD_OK) result = GUARD_MEMORY;
    int32_t fault = guard_leave(vm, &entry);
    if (fault != GUARD_OK) result = fault;
    guard_rewind(vm, base);
    lua_settop(L, top);
    return result;
}

void guard_answer_end(guard_vm *vm, int32_t mark) {
    lua_settop(vm->current, mark - 1);
    guard_leave(vm, &vm->answers[--vm->answer_count]);
}

static guard_read read_at(lua_State *L, int index) {
    guard_read value = {.kind = GUARD_NIL};
    size_t count = 0;
    switch (lua_type(L, index)) {
    case LUA_TNIL: break;
    case LUA_TBOOLEAN:
        value.kind = GUARD_BOOLEAN;
        value.a = lua_toboolean(L, index);
        break;
    case LUA_TNUMBER:
        if (lua_isinteger(L, index)) {
            value.kind = GUARD_INTEGER;
            value.a = lua_tointeger(L, index);
        } else {
            value.kind = GUARD_NUMBER;
            value.number = lua_tonumber(L, index);
        }
        break;
    case LUA_TSTRING:
        value.kind = GUARD_STRING;
        value.bytes = lua_tolstring(L, index, &count);
        value.b = (int64_t)count;
        break;
    default:
        value.kind = guard_kind_at(L, index);
        if (value.kind == GUARD_VALUE) {
            guard_small *small = guard_test_value(L, index);
            value.type = small->type;
            value.a = small->a;
            value.b = small->b;
        }
    }
    return value;
}

guard_read guard_answer_result(guard_vm *vm, int32_t mark, int32_t index) {
    lua_State *L = vm->current;
    if (index < 0 || mark + 1 + index > lua_gettop(L)) return (guard_read){.kind = GUARD_NIL};
    return read_at(L, mark + 1 + index);
}

/// Pushes the field, without any metamethod but that of frozen tables; false, and nothing pushed, if it is not a table.
static bool push_field(guard_vm *vm, int32_t mark, int32_t index, int32_t key) {
    lua_State *L = vm->current;
    int place = mark + 1 + index;
    if (index < 0 || key < 0 || lua_type(L, place) != LUA_TTABLE) return false;
    bool frozen = guard_push_shadow(L, place);
    int table = frozen ? lua_gettop(L) : place;
    if (lua_rawgeti(L, LUA_REGISTRYINDEX, key) != LUA_TSTRING) {
        lua_pop(L, frozen ? 2 : 1);
        return false;
    }
    lua_rawget(L, table);
    if (frozen) lua_remove(L, table);
    return true;
}

guard_read guard_answer_field(guard_vm *vm, int32_t mark, int32_t index, int32_t key) {
    if (!push_field(vm, mark, index, key)) return (guard_read){.kind = GUARD_NIL};
    guard_read value = read_at(vm->current, -1);
    lua_pop(vm->current, 1);
    return value;
}

int32_t guard_answer_encode(guard_vm *vm, int32_t mark, int32_t index) { return guard_encode_at(vm, mark + 1 + index); }

int32_t guard_answer_encode_field(guard_vm *vm, int32_t mark, int32_t index, int32_t key) {
    if (!push_field(vm, mark, index, key)) {
        guard_tape_set(&vm->out, "n", 1);
        return GUARD_OK;
    }
    int32_t status = guard_encode_at(vm, -1);
    lua_pop(vm->current, 1);
    return status;
}
