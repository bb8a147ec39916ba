// Loading, calling, defining: what the host asks of the machine.
#include "guard.h"
#include <string.h>

static void push_reference(lua_State *L, int64_t reference) {
    lua_rawgeti(L, LUA_REGISTRYINDEX, GUARD_PLACE_REFERENCES);
    lua_rawgeti(L, -1, reference);
    lua_remove(L, -2);
}
/// Pops the top into the table of references.
static int64_t make_reference(lua_State *L) {
    lua_rawgeti(L, LUA_REGISTRYINDEX, GUARD_PLACE_REFERENCES);
    lua_insert(L, -2);
    int64_t reference = luaL_ref(L, -2);
    lua_pop(L, 1);
    return reference;
}

// ---- load ---------------------------------------------------------------------------------------------------------

typedef struct {
    const char *source;
    size_t count;
    const char *chunk;
    int64_t environment, function;
    bool syntax;
} load_request;

/// Splits "chunk:12: text" of a syntax error, pushed as a string on top.
static void keep_syntax_error(lua_State *L, const char *chunk) {
    guard_vm *vm = guard_of(L);
    guard_clear_error(vm);
    size_t count;
    const char *text = lua_tolstring(L, -1, &count);
    vm->error_incomplete = count >= 5 && memcmp(text + count - 5, "<eof>", 5) == 0;
    guard_tape_set(&vm->chunk, chunk, strlen(chunk));
    lua_pushfstring(L, "=%s", chunk);
    const char *named = lua_tostring(L, -1) + 1;
    size_t shown = strlen(named);
    if (shown > LUA_IDSIZE - 1) shown = LUA_IDSIZE - 1;
    if (count > shown + 1 && memcmp(text, named, shown) == 0 && text[shown] == ':') {
        size_t at = shown + 1;
        int line = 0;
        while (at < count && text[at] >= '0' && text[at] <= '9' && line < 100000000) line = line * 10 + (text[at++] - '0');
        if (at + 1 < count && text[at] == ':' && text[at + 1] == ' ') {
            vm->error_line = line;
            text += at + 2;
            count -= at + 2;
        }
    }
    static const char string[] = "unfinished string";   // it cannot go on in the next line
    if (count >= sizeof string && memcmp(text, string, sizeof string - 1) == 0) vm->error_incomplete = false;
    guard_tape_set(&vm->message, text, count);
}

static int load(lua_State *L) {
    load_request *ask = lua_touserdata(L, 1);
    push_reference(L, ask->environment);
    if (!lua_istable(L, -1)) return luaL_error(L, "the environment is gone");
    int status = guard_compile(L, ask->source, ask->count, ask->chunk, lua_gettop(L));
    if (status == LUA_ERRSYNTAX) {
        keep_syntax_error(L, ask->chunk);
        ask->syntax = true;
        return 0;
    }
    if (status != LUA_OK) return lua_error(L);
    ask->function = make_reference(L);
    return 0;
}

int32_t guard_load(guard_vm *vm, const void *source, size_t count, const char *chunk, int64_t environment,
                   int64_t *function) {
    load_request ask = {source, count, chunk, environment, 0, false};
    int32_t status = guard_protect_limited(vm, load, &ask);
    *function = ask.function;
    return status == GUARD_OK && ask.syntax ? GUARD_SYNTAX : status;
}

// ---- call ---------------------------------------------------------------------------------------------------------

typedef struct {
    int64_t function;
    int32_t arguments;
    size_t base;
} call_request;

static int call(lua_State *L) {
    call_request ask = *(call_request *)lua_touserdata(L, 1);
    guard_vm *vm = guard_of(L);
    luaL_checkstack(L, ask.arguments + 4, "arguments");
    push_reference(L, ask.function);
    guard_take_values(L, ask.base, ask.arguments);
    lua_call(L, ask.arguments, LUA_MULTRET);
    guard_begin_copy(vm, &vm->out);
    int top = lua_gettop(L);
    for (int i = 2; i <= top; i++) guard_encode(L, i, &vm->out, 0);
    return 0;
}

int32_t guard_call(guard_vm *vm, int64_t function, int32_t arguments, size_t base, const guard_limits *limits) {
    guard_settle_frames(vm);
    guard_entry entry;
    guard_clear_error(vm);
    int32_t status = guard_enter(vm, limits, &entry);
    if (status == GUARD_OK) {
        call_request ask = {function, arguments, base};
        status = guard_protect(vm, call, &ask);
        guard_end_copy(vm, vm->current, status == GUARD_OK && !guard_fault_of(vm));
        int32_t fault = guard_leave(vm, &entry);
        if (fault != GUARD_OK) status = fault;
    }
    guard_rewind(vm, base);
    return status;
}

// ---- environments, definitions ----------------------------------------------------------------------------------------

typedef struct {
    int64_t reference;
    const char *path;
    size_t base;
    const int64_t *list;
    size_t count;
    const char *chunk;
    int32_t line;
} request;

static int environment(lua_State *L) {
    request *ask = lua_touserdata(L, 1);
    lua_newtable(L);
    lua_rawgeti(L, LUA_REGISTRYINDEX, GUARD_PLACE_BASE_META);
    lua_setmetatable(L, -2);
    if (guard_of(L)->profile == GUARD_SCRIPT) {
        lua_pushvalue(L, -1);
        lua_setfield(L, -2, "_G");
    }
    guard_open_loading(L);
    ask->reference = make_reference(L);
    return 0;
}
int32_t guard_environment(guard_vm *vm, int64_t *reference) {
    request ask = {0};
    int32_t status = guard_protect_limited(vm, environment, &ask);
    *reference = ask.reference;
    return status;
}

/// Leaves on top the real table that holds the last part of the path; answers that part.
static const char *find_place(lua_State *L, const char *path) {
    for (const char *dot = strchr(path, '.'); dot; dot = strchr(path, '.')) {
        lua_pushlstring(L, path, (size_t)(dot - path));
        lua_pushvalue(L, -1);
        if (lua_rawget(L, -3) == LUA_TTABLE) {
            lua_remove(L, -2);
        } else {
            lua_pop(L, 1);
            lua_newtable(L);
            guard_seal(L, -1);
            guard_name_members(L, path, (size_t)(dot - path));
            lua_pushvalue(L, -1);
            lua_insert(L, -3);
            lua_rawset(L, -4);
        }
        if (guard_push_shadow(L, lua_gettop(L))) lua_remove(L, -2);
        path = dot + 1;
    }
    return path;
}

static int define(lua_State *L) {
    request *ask = lua_touserdata(L, 1);
    if (ask->reference) push_reference(L, ask->reference);
    else lua_rawgeti(L, LUA_REGISTRYINDEX, GUARD_PLACE_BASE);
    if (!lua_istable(L, -1)) return luaL_error(L, "the environment is gone");
    if (guard_push_shadow(L, lua_gettop(L))) lua_remove(L, -2);
    const char *last = find_place(L, ask->path);
    lua_pushstring(L, last);
    guard_take_values(L, ask->base, 1);
    guard_freeze_reachable(L, lua_gettop(L), false);
    lua_rawset(L, -3);
    return 0;
}
int32_t guard_define(guard_vm *vm, int64_t reference, const char *path, size_t base) {
    request ask = {.reference = reference, .path = path, .base = base};
    int32_t status = guard_protect_limited(vm, define, &ask);
    guard_rewind(vm, base);
    return status;
}

static int freeze(lua_State *L) {
    request *ask = lua_touserdata(L, 1);
    push_reference(L, ask->reference);
    guard_freeze_reachable(L, lua_gettop(L), true);
    return 0;
}
int32_t guard_freeze(guard_vm *vm, int64_t reference) {
    request ask = {.reference = reference};
    return guard_protect_limited(vm, freeze, &ask);
}

static int release(lua_State *L) {
    request *ask = lua_touserdata(L, 1);
    lua_rawgeti(L, LUA_REGISTRYINDEX, GUARD_PLACE_REFERENCES);
    for (size_t i = 0; i < ask->count; i++) luaL_unref(L, -1, (int)ask->list[i]);
    return 0;
}
int32_t guard_release(guard_vm *vm, const int64_t *references, size_t count) {
    request ask = {.list = references, .count = count};
    vm->releases++;
    return guard_protect(vm, release, &ask);
}

static int function_source(lua_State *L) {
    request *ask = lua_touserdata(L, 1);
    guard_vm *vm = guard_of(L);
    lua_Debug at;
    push_reference(L, ask->reference);
    if (!lua_isfunction(L, -1) || !lua_getinfo(L, ">S", &at) || at.linedefined < 0 || at.what[0] == 'C') return 0;
    const char *source = at.source[0] == '=' || at.source[0] == '@' ? at.source + 1 : at.short_src;
    guard_tape_set(&vm->chunk, source, strlen(source) + 1);
    ask->chunk = (const char *)vm->chunk.bytes;
    ask->line = at.linedefined;
    return 0;
}
int32_t guard_function_source(guard_vm *vm, int64_t function, const char **chunk, int32_t *line) {
    request ask = {.reference = function};
    int32_t status = guard_protect(vm, function_source, &ask);
    *chunk = ask.chunk;
    *line = ask.chunk ? ask.line : -1;
    return status;
}
