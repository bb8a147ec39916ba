// Lua asks Swift. The host function reads its arguments with the guard_argument functions, none of which raises, and
// writes results on the tape; only after it has returned are results pushed or an error raised.
#include "guard.h"
#include <string.h>

int guard_ask_host(lua_State *L, int32_t event, int64_t id) {
    guard_vm *vm = guard_of(L);
    lua_State *caller = vm->current;
    uint64_t serial = vm->host_serial;
    size_t base = vm->in.count, copied = vm->copied, host_used = vm->host_used;
    luaL_checkstack(L, LUA_MINSTACK, "host function");
    guard_host_enter(vm, L);
    vm->current = L;
    vm->host_serial = ++vm->last_serial;
    int32_t count = vm->host(vm->context, vm, event, id, lua_gettop(L));
    vm->current = caller;
    vm->host_serial = serial;
    vm->copied = copied;                           // what the host keeps of it, it accounts for
    vm->host_used = host_used;
    guard_host_leave(vm, L);
    if (count < 0) guard_raise_host(L, base, count);
    if (!lua_checkstack(L, count + 4)) {
        guard_rewind(vm, base);
        luaL_error(L, "too many results of a host function");
    }
    guard_take_values(L, base, count);
    guard_trim_tapes(vm, false);
    return count;
}

/// The message is on the tape since base.
int guard_raise_host(lua_State *L, size_t base, int32_t kind) {
    guard_vm *vm = guard_of(L);
    guard_tape said = vm->in;                      // nothing is written until it is read
    guard_rewind(vm, base);
    if (kind == -2) {
        guard_host_error *error = lua_newuserdatauv(L, sizeof *error, 1);
        error->tag = GUARD_TAG_HOST_ERROR;
        error->id = vm->failed_host;
        lua_rawgeti(L, LUA_REGISTRYINDEX, GUARD_PLACE_HOST_ERROR_META);
        lua_setmetatable(L, -2);
    }
    luaL_where(L, 1);
    lua_pushlstring(L, (const char *)said.bytes + base, said.count - base);
    lua_concat(L, 2);
    if (kind == -2) lua_setiuservalue(L, -2, 1);
    return lua_error(L);
}

guard_host_error *guard_test_host_error(lua_State *L, int index) {
    if (lua_type(L, index) != LUA_TUSERDATA) return NULL;
    guard_host_error *error = lua_touserdata(L, index);
    return error->tag == GUARD_TAG_HOST_ERROR ? error : NULL;
}

void guard_fail(guard_vm *vm, const void *bytes, size_t count) { guard_tape_put(&vm->in, bytes, count); }
void guard_fail_host(guard_vm *vm, int64_t id, const void *bytes, size_t count) {
    vm->failed_host = id;
    guard_tape_put(&vm->in, bytes, count);
}

// ---- callbacks ------------------------------------------------------------------------------------------------------

enum { REMEMBERED_ANSWERS = 64 };

typedef struct {
    int32_t tag, remembered;
    int64_t id;
} callback;

/// For functions whose answer depends on their argument alone: what a text or a whole number was answered is kept.
static int call_remembering(lua_State *L) {
    callback *box = lua_touserdata(L, lua_upvalueindex(1));
    bool whole = lua_gettop(L) == 1 && (lua_type(L, 1) == LUA_TSTRING || lua_isinteger(L, 1));
    if (!whole) return guard_ask_host(L, GUARD_EVENT_CALL, box->id);
    lua_pushvalue(L, 1);
    if (lua_rawget(L, lua_upvalueindex(2)) != LUA_TNIL) return 1;
    lua_pop(L, 1);
    int32_t count = guard_ask_host(L, GUARD_EVENT_CALL, box->id);
    if (count == 1 && box->remembered < REMEMBERED_ANSWERS && guard_test_value(L, -1)) {
        box->remembered++;
        lua_pushvalue(L, 1);
        lua_pushvalue(L, -2);
        lua_rawset(L, lua_upvalueindex(2));
    }
    return count;
}

static int call_host(lua_State *L) {
    callback *box = lua_touserdata(L, lua_upvalueindex(1));
    return guard_ask_host(L, GUARD_EVENT_CALL, box->id);
}

static int callback_dropped(lua_State *L) {
    callback *box = lua_touserdata(L, 1);
    guard_vm *vm = guard_of(L);
    vm->dropped(vm->context, box->id);
    return 0;
}

void guard_push_callback(lua_State *L, int64_t id, bool remembers) {
    callback *box = lua_newuserdatauv(L, sizeof *box, 0);
    *box = (callback){GUARD_TAG_CALLBACK, 0, id};
    lua_rawgeti(L, LUA_REGISTRYINDEX, GUARD_PLACE_CALLBACK_META);
    lua_setmetatable(L, -2);
    if (remembers) lua_newtable(L);
    lua_pushcclosure(L, remembers ? call_remembering : call_host, remembers ? 2 : 1);
}

static int host_error_text(lua_State *L) {
    lua_getiuservalue(L, 1, 1);
    return 1;
}

void guard_open_host(lua_State *L) {
    lua_createtable(L, 0, 2);
    lua_pushcfunction(L, callback_dropped);
    lua_setfield(L, -2, "__gc");
    lua_rawseti(L, LUA_REGISTRYINDEX, GUARD_PLACE_CALLBACK_META);
    lua_createtable(L, 0, 2);
    lua_pushcfunction(L, host_error_text);
    lua_setfield(L, -2, "__tostring");
    lua_pushboolean(L, 0);
    lua_setfield(L, -2, "__metatable");
    lua_rawseti(L, LUA_REGISTRYINDEX, GUARD_PLACE_HOST_ERROR_META);
}

// ---- arguments ------------------------------------------------------------------------------------------------------

uint64_t guard_host_serial(const guard_vm *vm) { return vm->host_serial; }

int32_t guard_kind_at(lua_State *L, int index) {
    switch (lua_type(L, index)) {
    case LUA_TNONE:
    case LUA_TNIL: return GUARD_NIL;
    case LUA_TBOOLEAN: return GUARD_BOOLEAN;
    case LUA_TNUMBER: return lua_isinteger(L, index) ? GUARD_INTEGER : GUARD_NUMBER;
    case LUA_TSTRING: return GUARD_STRING;
    case LUA_TTABLE: return GUARD_TABLE;
    case LUA_TFUNCTION: return GUARD_FUNCTION;
    case LUA_TUSERDATA:
        if (guard_test_value(L, index)) return GUARD_VALUE;
        return guard_is_record(L, index) ? GUARD_TABLE : GUARD_OTHER;
    default: return GUARD_OTHER;
    }
}
int32_t guard_argument_kind(guard_vm *vm, int32_t index) { return guard_kind_at(vm->current, index); }
bool guard_argument_boolean(guard_vm *vm, int32_t index) { return lua_toboolean(vm->current, index); }
int64_t guard_argument_integer(guard_vm *vm, int32_t index) { return lua_tointeger(vm->current, index); }
double guard_argument_number(guard_vm *vm, int32_t index) { return lua_tonumber(vm->current, index); }
const char *guard_argument_string(guard_vm *vm, int32_t index, size_t *count) {
    *count = 0;
    if (lua_type(vm->current, index) != LUA_TSTRING) return NULL;   // a number would be converted in place, and may raise
    return lua_tolstring(vm->current, index, count);
}
bool guard_argument_value(guard_vm *vm, int32_t index, int32_t *type, int64_t *a, int64_t *b) {
    guard_small *small = guard_test_value(vm->current, index);
    if (!small) return false;
    *type = small->type;
    *a = small->a;
    *b = small->b;
    return true;
}

static int encode_one(lua_State *L) {
    guard_vm *vm = guard_of(L);
    guard_begin_copy(vm, &vm->out);
    guard_encode(L, 1, &vm->out, 0);
    return 0;
}
int32_t guard_encode_at(guard_vm *vm, int index) {
    lua_State *L = vm->current;
    int top = lua_gettop(L);
    if (!lua_checkstack(L, 8)) return GUARD_MEMORY;
    index = lua_absindex(L, index);
    guard_clear_error(vm);
    int was = guard_host_pause(vm);
    lua_pushcfunction(L, guard_message_handler);
    lua_pushcfunction(L, encode_one);
    if (index > top) lua_pushnil(L);
    else lua_pushvalue(L, index);
    int status = lua_pcall(L, 1, 0, top + 1);
    vm->current = L;
    guard_end_copy(vm, L, status == LUA_OK);
    int32_t result = status == LUA_OK ? GUARD_OK : guard_finish_error(vm, L, status);
    guard_host_resume(vm, was);
    lua_settop(L, top);
    int32_t fault = guard_fault_of(vm);
    return result != GUARD_OK && fault ? fault : result;
}
uint32_t guard_encoded_values(const guard_vm *vm) { return vm->counter; }
int32_t guard_argument_encode(guard_vm *vm, int32_t index) { return guard_encode_at(vm, index); }
