// Values that cross between Swift and Lua, as bytes in memory that the machine owns: a longjmp leaks nothing.
#include "guard.h"
#include <stdlib.h>
#include <string.h>

bool guard_tape_put(guard_tape *tape, const void *bytes, size_t count) {
    if (tape->capacity - tape->count < count) {
        size_t capacity = tape->capacity ? tape->capacity : 256;
        while (capacity - tape->count < count) {
            if (capacity > SIZE_MAX / 2) { tape->failed = true; return false; }
            capacity *= 2;
        }
        uint8_t *grown = realloc(tape->bytes, capacity);
        if (!grown) { tape->failed = true; return false; }
        tape->bytes = grown;
        tape->capacity = capacity;
    }
    if (count) memcpy(tape->bytes + tape->count, bytes, count);
    tape->count += count;
    return true;
}

void guard_tape_set(guard_tape *tape, const void *bytes, size_t count) {
    tape->count = 0;
    guard_tape_put(tape, bytes, count);
}

void guard_tape_free(guard_tape *tape) {
    free(tape->bytes);
    memset(tape, 0, sizeof *tape);
}

enum { KEPT_CAPACITY = 1 << 20 };

static void trim(guard_tape *tape) {
    if (tape->capacity > KEPT_CAPACITY) guard_tape_free(tape);
}
void guard_trim_tapes(guard_vm *vm, bool results) {
    if (!results) {
        if (!vm->in.count) trim(&vm->in);
        return;
    }
    trim(&vm->out);
    trim(&vm->error_value);
    trim(&vm->message);
    trim(&vm->made);
}

void guard_forget_results(guard_vm *vm) {
    vm->out.count = 0;
    trim(&vm->out);
}

// ---- from the host ----------------------------------------------------------------------------------------------

static void put_tagged(guard_tape *tape, char tag, const void *bytes, size_t count) {
    guard_tape_put(tape, &tag, 1);
    guard_tape_put(tape, bytes, count);
}

size_t guard_begin(guard_vm *vm) { return vm->in.count; }
void guard_rewind(guard_vm *vm, size_t base) {
    vm->in.count = base;
    vm->in.failed = false;
}
void guard_put_nil(guard_vm *vm) { guard_tape_put(&vm->in, "n", 1); }
void guard_put_boolean(guard_vm *vm, bool value) { guard_tape_put(&vm->in, value ? "t" : "f", 1); }
void guard_put_integer(guard_vm *vm, int64_t value) { put_tagged(&vm->in, 'i', &value, sizeof value); }
void guard_put_number(guard_vm *vm, double value) { put_tagged(&vm->in, 'd', &value, sizeof value); }
void guard_put_function(guard_vm *vm, int64_t id) { put_tagged(&vm->in, 'F', &id, sizeof id); }
void guard_put_callback(guard_vm *vm, int64_t id, bool remembers) {
    put_tagged(&vm->in, remembers ? 'R' : 'C', &id, sizeof id);
}
void guard_put_string(guard_vm *vm, const void *bytes, size_t count) {
    uint64_t size = count;
    put_tagged(&vm->in, 's', &size, sizeof size);
    guard_tape_put(&vm->in, bytes, count);
}
void guard_put_value(guard_vm *vm, int32_t type, int64_t a, int64_t b) {
    put_tagged(&vm->in, 'V', &type, sizeof type);
    guard_tape_put(&vm->in, &a, sizeof a);
    guard_tape_put(&vm->in, &b, sizeof b);
}
void guard_put_table_start(guard_vm *vm, int32_t array, int32_t fields) {
    put_tagged(&vm->in, '{', &array, sizeof array);
    guard_tape_put(&vm->in, &fields, sizeof fields);
}
void guard_put_table_end(guard_vm *vm) { guard_tape_put(&vm->in, "}", 1); }

// ---- onto Lua's stack ---------------------------------------------------------------------------------------------

static const uint8_t *take(lua_State *L, const guard_tape *tape, size_t *offset, size_t count) {
    if (tape->failed) luaL_error(L, "no memory for the host's values");
    if (tape->count - *offset < count) luaL_error(L, "the host's values are damaged");
    const uint8_t *bytes = tape->bytes + *offset;
    *offset += count;
    return bytes;
}

static int64_t take_integer(lua_State *L, const guard_tape *tape, size_t *offset) {
    int64_t value;
    memcpy(&value, take(L, tape, offset, sizeof value), sizeof value);
    return value;
}

static size_t decode_table(lua_State *L, const guard_tape *tape, size_t offset, int depth) {
    int32_t sizes[2];
    memcpy(sizes, take(L, tape, &offset, sizeof sizes), sizeof sizes);
    lua_createtable(L, sizes[0] < 0 ? 0 : sizes[0], sizes[1]);
    if (sizes[0] == GUARD_EMPTY_LIST) {
        lua_rawgeti(L, LUA_REGISTRYINDEX, GUARD_PLACE_EMPTY_LIST_META);
        lua_setmetatable(L, -2);
    }
    while (offset < tape->count && tape->bytes[offset] != '}') {
        offset = guard_decode(L, tape, offset, depth + 1);
        offset = guard_decode(L, tape, offset, depth + 1);
        if (lua_isnil(L, -2)) luaL_error(L, "a table of the host has the key nil");
        if (lua_type(L, -2) == LUA_TNUMBER && lua_tonumber(L, -2) != lua_tonumber(L, -2))
            luaL_error(L, "a table of the host has the key nan");
        lua_rawset(L, -3);
    }
    take(L, tape, &offset, 1);
    return offset;
}

size_t guard_decode(lua_State *L, const guard_tape *tape, size_t offset, int depth) {
    if (depth > GUARD_MAXIMUM_DEPTH) luaL_error(L, "a value of the host is nested too deeply");
    luaL_checkstack(L, 4, "the host's values");
    switch (*take(L, tape, &offset, 1)) {
    case 'n': lua_pushnil(L); break;
    case 't': lua_pushboolean(L, 1); break;
    case 'f': lua_pushboolean(L, 0); break;
    case 'i': lua_pushinteger(L, take_integer(L, tape, &offset)); break;
    case 'd': {
        double value;
        memcpy(&value, take(L, tape, &offset, sizeof value), sizeof value);
        lua_pushnumber(L, value);
        break;
    }
    case 's': {
        size_t count = (size_t)take_integer(L, tape, &offset);
        lua_pushlstring(L, (const char *)take(L, tape, &offset, count), count);
        break;
    }
    case 'F':
        lua_rawgeti(L, LUA_REGISTRYINDEX, GUARD_PLACE_REFERENCES);
        if (lua_rawgeti(L, -1, take_integer(L, tape, &offset)) != LUA_TFUNCTION)
            luaL_error(L, "this function belongs to another Lua state");
        lua_remove(L, -2);
        break;
    case 'C': guard_push_callback(L, take_integer(L, tape, &offset), false); break;
    case 'R': guard_push_callback(L, take_integer(L, tape, &offset), true); break;
    case 'V': {
        int32_t type;
        memcpy(&type, take(L, tape, &offset, sizeof type), sizeof type);
        int64_t a = take_integer(L, tape, &offset), b = take_integer(L, tape, &offset);
        guard_push_value(L, type, a, b);
        break;
    }
    case '{': offset = decode_table(L, tape, offset, depth); break;
    default: luaL_error(L, "the host's values are damaged");
    }
    return offset;
}

void guard_take_values(lua_State *L, size_t base, int32_t count) {
    guard_vm *vm = guard_of(L);
    guard_tape taken = vm->in;                     // nothing is written while values are read
    guard_rewind(vm, base);
    for (int32_t i = 0; i < count; i++) base = guard_decode(L, &taken, base, 0);
}

// ---- from Lua's stack ---------------------------------------------------------------------------------------------

// What a value weighs on the host's side, where it is both on the tape and decoded.
enum { WEIGHT_OF_VALUE = 40, WEIGHT_OF_TABLE = 160 };

static void need(lua_State *L, bool done) {
    if (!done) luaL_error(L, "no memory for the values of a script");
}

/// Copies count as the script's memory: together they are never larger than its limit, and a large one is made only
/// where the script has that much left.
static void weigh(lua_State *L, const guard_tape *tape, size_t weight) {
    guard_vm *vm = guard_of(L);
    if (tape->count + weight > KEPT_CAPACITY && !guard_has_room_for_copy(vm, 2 * tape->count + weight)) guard_poll(L, vm);
    if (weight > vm->soft || vm->copied > vm->soft - weight) luaL_error(L, "a value is too large to leave the script");
    vm->copied += weight;
}

void guard_begin_copy(guard_vm *vm, guard_tape *tape) {
    tape->count = 0;
    tape->failed = false;
    vm->counter = 0;
    vm->made.count = 0;
    vm->made.failed = false;
}

/// Neither raises nor allocates: the references exist.
void guard_end_copy(guard_vm *vm, lua_State *L, bool succeeded) {
    if (!succeeded && vm->made.count) {
        lua_rawgeti(L, LUA_REGISTRYINDEX, GUARD_PLACE_REFERENCES);
        for (size_t at = 0; at < vm->made.count; at += sizeof(int)) {
            int reference;
            memcpy(&reference, vm->made.bytes + at, sizeof reference);
            luaL_unref(L, -1, reference);
        }
        lua_pop(L, 1);
    }
    vm->made.count = 0;
}

static void encode_string(lua_State *L, int index, guard_tape *tape) {
    size_t count;
    const char *bytes = lua_tolstring(L, index, &count);
    uint64_t size = count;
    weigh(L, tape, 2 * count);
    need(L, guard_tape_put(tape, "s", 1) && guard_tape_put(tape, &size, sizeof size)
                && guard_tape_put(tape, bytes, count));
}

static void encode_integer(lua_State *L, guard_tape *tape, char tag, int64_t value) {
    need(L, guard_tape_put(tape, &tag, 1) && guard_tape_put(tape, &value, sizeof value));
}

static void encode_number(lua_State *L, int index, guard_tape *tape) {
    if (lua_isinteger(L, index)) {
        encode_integer(L, tape, 'i', lua_tointeger(L, index));
    } else {
        double value = lua_tonumber(L, index);
        need(L, guard_tape_put(tape, "d", 1) && guard_tape_put(tape, &value, sizeof value));
    }
}

static void encode_function(lua_State *L, int index, guard_tape *tape) {
    lua_rawgeti(L, LUA_REGISTRYINDEX, GUARD_PLACE_REFERENCES);
    lua_pushvalue(L, index);
    guard_tape *made = &guard_of(L)->made;
    int number = 0;
    need(L, guard_tape_put(made, &number, sizeof number));        // room first: what is made is never lost
    made->count -= sizeof number;
    number = luaL_ref(L, -2);
    guard_tape_put(made, &number, sizeof number);
    int64_t reference = number;
    lua_pop(L, 1);
    encode_integer(L, tape, 'F', reference);
}

static void encode_table(lua_State *L, int index, guard_tape *tape, int depth) {
    if (depth >= GUARD_MAXIMUM_DEPTH) luaL_error(L, "a table is nested too deeply, or contains itself");
    weigh(L, tape, WEIGHT_OF_TABLE);
    int top = lua_gettop(L);
    int table = guard_push_shadow(L, index) ? lua_gettop(L) : index;
    const int32_t sizes[2] = {guard_is_marked_list(L, table) ? GUARD_EMPTY_LIST : 0, 0};
    need(L, guard_tape_put(tape, "{", 1) && guard_tape_put(tape, sizes, sizeof sizes));
    const guard_order *order = guard_push_order(L, table);
    int keys = lua_gettop(L) - 1;
    for (uint32_t i = 0; i < order->count; i++) {
        guard_push_key(L, order, keys, i);
        lua_pushvalue(L, -1);
        lua_rawget(L, table);
        guard_encode(L, lua_gettop(L) - 1, tape, depth + 1);
        guard_encode(L, lua_gettop(L), tape, depth + 1);
        lua_pop(L, 2);
    }
    lua_settop(L, top);
    need(L, guard_tape_put(tape, "}", 1));
}

void guard_encode(lua_State *L, int index, guard_tape *tape, int depth) {
    guard_vm *vm = guard_of(L);
    guard_charge(L, vm, 1);
    if (++vm->counter > GUARD_MAXIMUM_NODES) luaL_error(L, "a value is too large to leave the script");
    weigh(L, tape, WEIGHT_OF_VALUE);
    luaL_checkstack(L, 10, "values");
    switch (lua_type(L, index)) {
    case LUA_TNIL: need(L, guard_tape_put(tape, "n", 1)); break;
    case LUA_TBOOLEAN: need(L, guard_tape_put(tape, lua_toboolean(L, index) ? "t" : "f", 1)); break;
    case LUA_TNUMBER: encode_number(L, index, tape); break;
    case LUA_TSTRING: encode_string(L, index, tape); break;
    case LUA_TFUNCTION: encode_function(L, index, tape); break;
    case LUA_TTABLE: encode_table(L, index, tape, depth); break;
    case LUA_TUSERDATA: {
        guard_small *small = guard_test_value(L, index);
        if (small) {
            need(L, guard_tape_put(tape, "V", 1) && guard_tape_put(tape, &small->type, sizeof small->type)
                        && guard_tape_put(tape, &small->a, sizeof small->a)
                        && guard_tape_put(tape, &small->b, sizeof small->b));
            break;
        }
        if (depth >= GUARD_MAXIMUM_DEPTH) luaL_error(L, "a table is nested too deeply, or contains itself");
        if (guard_encode_record(L, index, tape, depth)) break;
        luaL_error(L, "a value of this kind cannot leave the script");
        break;
    }
    default: luaL_error(L, "a %s cannot leave the script", luaL_typename(L, index));
    }
}

const uint8_t *guard_results(const guard_vm *vm, size_t *count) {
    *count = vm->out.count;
    return vm->out.bytes;
}
