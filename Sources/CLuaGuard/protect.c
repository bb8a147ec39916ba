// The one way from the host into Lua, and what is kept of an error.
#include "guard.h"
#include <string.h>
#include <time.h>

enum { LONGEST_MESSAGE = 64 * 1024, LONGEST_NAMING = 5000000 };

/// Splits "source:12: text" when it is the position of a function on the stack; keeps the full chunk name.
static bool split_position(guard_vm *vm, lua_State *L, const char **text, size_t *count) {
    lua_Debug at;
    for (int level = 0; level < 24 && lua_getstack(L, level, &at); level++) {
        if (!lua_getinfo(L, "Sl", &at) || at.currentline <= 0) continue;
        char prefix[LUA_IDSIZE + 24];
        int length = snprintf(prefix, sizeof prefix, "%s:%d: ", at.short_src, at.currentline);
        if (length <= 0 || (size_t)length > *count || memcmp(prefix, *text, (size_t)length) != 0) continue;
        const char *source = at.source[0] == '=' || at.source[0] == '@' ? at.source + 1 : at.short_src;
        guard_tape_set(&vm->chunk, source, strlen(source));
        vm->error_line = at.currentline;
        *text += length;
        *count -= (size_t)length;
        return true;
    }
    return false;
}

/// Remembers which chunk a short name in a message stands for.
void guard_note_chunk(lua_State *L, const char *chunk) {
    lua_Debug at;
    lua_pushvalue(L, -1);
    lua_getinfo(L, ">S", &at);
    lua_rawgeti(L, LUA_REGISTRYINDEX, GUARD_PLACE_CHUNKS);
    lua_pushstring(L, at.short_src);
    lua_pushstring(L, chunk);
    lua_rawset(L, -3);
    lua_pop(L, 1);
}

/// The same for an error raised again after its function has gone: the name must be one that was loaded.
static bool split_known_chunk(guard_vm *vm, lua_State *L, const char **text, size_t *count) {
    for (size_t colon = 1; colon < LUA_IDSIZE && colon + 3 < *count && (*text)[colon] != '\n'; colon++) {
        size_t at = colon + 1;
        int line = 0;
        if ((*text)[colon] != ':') continue;
        for (; at < *count && (*text)[at] >= '0' && (*text)[at] <= '9' && line < 10000000; at++)
            line = line * 10 + (*text)[at] - '0';
        if (at == colon + 1 || at + 1 >= *count || (*text)[at] != ':' || (*text)[at + 1] != ' ') continue;
        lua_rawgeti(L, LUA_REGISTRYINDEX, GUARD_PLACE_CHUNKS);
        lua_pushlstring(L, *text, colon);
        bool known = lua_rawget(L, -2) == LUA_TSTRING;
        if (known) {
            const char *chunk = lua_tostring(L, -1);
            guard_tape_set(&vm->chunk, chunk, strlen(chunk));
            vm->error_line = line;
            *text += at + 2;
            *count -= at + 2;
        }
        lua_pop(L, 2);
        return known;
    }
    return false;
}

static void keep_nearest_position(guard_vm *vm, lua_State *L) {
    lua_Debug at;
    for (int level = 0; level < 24 && lua_getstack(L, level, &at); level++) {
        if (!lua_getinfo(L, "Sl", &at) || at.currentline <= 0) continue;
        const char *source = at.source[0] == '=' || at.source[0] == '@' ? at.source + 1 : at.short_src;
        guard_tape_set(&vm->chunk, source, strlen(source));
        vm->error_line = at.currentline;
        return;
    }
}

void guard_clear_error(guard_vm *vm) {
    vm->message.count = vm->traceback.count = vm->chunk.count = vm->error_value.count = 0;
    vm->error_line = 0;
    vm->error_host = 0;
    vm->error_incomplete = false;
}

static void set_message(guard_vm *vm, const char *text, size_t count) {
    guard_tape_set(&vm->message, text, count < LONGEST_MESSAGE ? count : LONGEST_MESSAGE);
}

static void keep_text(guard_vm *vm, lua_State *L, const char *text, size_t count) {
    if (!split_position(vm, L, &text, &count) && !split_known_chunk(vm, L, &text, &count)) keep_nearest_position(vm, L);
    set_message(vm, text, count);
}

static int64_t used_time(void) {
    struct timespec now;
    return clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now) ? 0 : (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

/// To name a called function Lua reads the code before the call again and again.
static bool naming_is_cheap(lua_State *L) {
    lua_Debug at;
    int64_t start = used_time();
    for (int level = 0; level < 22 && lua_getstack(L, level, &at); level++) {
        lua_getinfo(L, "n", &at);
        if (used_time() - start > LONGEST_NAMING) return false;
    }
    return true;
}

/// Lua's own traceback walks the whole stack several times: for a deep one, only the top is shown.
static void keep_traceback(guard_vm *vm, lua_State *L) {
    lua_Debug at;
    if (!lua_checkstack(L, 20)) return;
    bool named = naming_is_cheap(L);
    if (named && !lua_getstack(L, 200, &at)) {
        luaL_traceback(L, L, NULL, 1);
        size_t count;
        const char *trace = lua_tolstring(L, -1, &count);
        guard_tape_set(&vm->traceback, trace, count);
        return;
    }
    static const char title[] = "stack traceback:";
    guard_tape_set(&vm->traceback, title, sizeof title - 1);
    for (int level = 1; level <= 20 && lua_getstack(L, level, &at) && lua_getinfo(L, named ? "Sln" : "Sl", &at);
         level++) {
        char line[LUA_IDSIZE + 128];
        int count = snprintf(line, sizeof line, "\n\t%s:%d: in function '%s'", at.short_src, at.currentline,
                             named && at.name ? at.name : "?");
        if (count > 0) guard_tape_put(&vm->traceback, line, (size_t)count < sizeof line ? (size_t)count : sizeof line - 1);
    }
    guard_tape_put(&vm->traceback, "\n\t...", 5);
}

/// Runs where the error happened, still protected: keeps message, position and traceback on the host's side.
int guard_message_handler(lua_State *L) {
    guard_vm *vm = guard_of(L);
    guard_clear_error(vm);
    if (lua_islightuserdata(L, 1)) {
        keep_nearest_position(vm, L);
        guard_classify_fault(L);
        keep_traceback(vm, L);
        lua_settop(L, 1);
        return 1;
    }
    luaL_checkstack(L, 12, "error");
    size_t count = 0;
    guard_host_error *host = guard_test_host_error(L, 1);
    if (host) {
        vm->error_host = host->id;
        lua_getiuservalue(L, 1, 1);
        const char *text = lua_tolstring(L, -1, &count);
        keep_text(vm, L, text ? text : "", count);
    } else if (lua_type(L, 1) == LUA_TSTRING) {
        const char *text = lua_tolstring(L, 1, &count);
        keep_text(vm, L, text, count);
    } else {
        keep_nearest_position(vm, L);
        guard_push_error_text(L, 1);
        const char *text = lua_tolstring(L, -1, &count);
        set_message(vm, text ? text : "", count);
    }
    keep_traceback(vm, L);
    lua_settop(L, 1);
    return 1;
}

/// The text of an error object that is not a string: its field `message`, its __tostring, or its type.
void guard_push_error_text(lua_State *L, int index) {
    if (lua_type(L, index) == LUA_TSTRING || lua_type(L, index) == LUA_TNUMBER) {
        lua_pushvalue(L, index);
        lua_tostring(L, -1);
        return;
    }
    if (lua_type(L, index) == LUA_TTABLE) {
        bool frozen = guard_push_shadow(L, index);
        lua_pushliteral(L, "message");
        lua_rawget(L, frozen ? -2 : index);
        if (lua_type(L, -1) == LUA_TSTRING) return;
        lua_pop(L, 1);
    }
    if (luaL_callmeta(L, index, "__tostring") && lua_type(L, -1) == LUA_TSTRING) return;
    lua_pushfstring(L, "(the error object is a %s value)", luaL_typename(L, index));
}

static int32_t status_of_text(const guard_vm *vm) {
    static const char overflow[] = "stack overflow";
    for (size_t i = 0; i < 24 && i + sizeof overflow - 1 <= vm->message.count; i++)
        if (memcmp(vm->message.bytes + i, overflow, sizeof overflow - 1) == 0) return GUARD_DEPTH;
    return GUARD_RUNTIME;
}

static int encode_error_value(lua_State *L) {
    guard_vm *vm = guard_of(L);
    guard_begin_copy(vm, &vm->error_value);
    guard_encode(L, 1, &vm->error_value, 0);
    return 0;
}

/// The error value is on top; pops nothing.
int32_t guard_finish_error(guard_vm *vm, lua_State *L, int status) {
    guard_end_copy(vm, L, false);                  // one that this error has ended
    if (status == LUA_ERRMEM) {
        guard_tape_set(&vm->message, "not enough memory", 17);
        return GUARD_MEMORY;
    }
    if (status == LUA_ERRERR && vm->message.count == 0) guard_tape_set(&vm->message, "error in error handling", 23);
    if (vm->error_host) return GUARD_HOST;
    if (lua_type(L, -1) == LUA_TTABLE) {
        lua_pushcfunction(L, encode_error_value);
        lua_pushvalue(L, -2);
        bool copied = lua_pcall(L, 1, 0, 0) == LUA_OK;
        guard_end_copy(vm, L, copied);
        if (!copied) {
            vm->error_value.count = 0;
            lua_pop(L, 1);
            if (guard_fault_of(vm)) vm->message.count = 0;       // the limit is what there is to say
        }
        return GUARD_RUNTIME;
    }
    return status_of_text(vm);
}

int32_t guard_protect(guard_vm *vm, lua_CFunction function, void *argument) {
    lua_State *L = vm->current;
    int top = lua_gettop(L);
    guard_clear_error(vm);
    if (!lua_checkstack(L, 8)) return GUARD_MEMORY;
    lua_pushcfunction(L, guard_message_handler);
    lua_pushcfunction(L, function);
    lua_pushlightuserdata(L, argument);
    int status = lua_pcall(L, 1, 0, top + 1);
    vm->current = L;
    int32_t result = status == LUA_OK ? GUARD_OK : guard_finish_error(vm, L, status);
    lua_settop(L, top);
    return result;
}

int32_t guard_protect_limited(guard_vm *vm, lua_CFunction function, void *argument) {
    guard_entry entry;
    guard_clear_error(vm);
    int32_t status = guard_enter(vm, &vm->limits, &entry);
    if (status != GUARD_OK) return status;
    status = guard_protect(vm, function, argument);
    int32_t fault = guard_leave(vm, &entry);
    return fault != GUARD_OK ? fault : status;
}

// ---- what the host reads of an error --------------------------------------------------------------------------------

static const char *text_of(const guard_tape *tape, size_t *count) {
    *count = tape->count;
    return (const char *)tape->bytes;
}
const char *guard_error_message(const guard_vm *vm, size_t *count) { return text_of(&vm->message, count); }
const char *guard_error_chunk(const guard_vm *vm, size_t *count) { return text_of(&vm->chunk, count); }
const char *guard_error_traceback(const guard_vm *vm, size_t *count) { return text_of(&vm->traceback, count); }
int32_t guard_error_line(const guard_vm *vm) { return vm->error_line; }
int64_t guard_error_host_id(const guard_vm *vm) { return vm->error_host; }
bool guard_error_incomplete(const guard_vm *vm) { return vm->error_incomplete; }
const uint8_t *guard_error_value(const guard_vm *vm, size_t *count) {
    *count = vm->error_value.count;
    return vm->error_value.bytes;
}
