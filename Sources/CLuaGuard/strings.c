// The string library without patterns: every loop is bounded by the longest string and asks for the limits.
#include "guard.h"
#include <string.h>

enum { CHUNK = 1 << 16 };

static size_t start_position(lua_Integer position, size_t count) {
    if (position > 0) return (size_t)position;
    if (position == 0) return 1;
    return position < -(lua_Integer)count ? 1 : count + (size_t)position + 1;
}
static size_t end_position(lua_State *L, int argument, lua_Integer otherwise, size_t count) {
    lua_Integer position = luaL_optinteger(L, argument, otherwise);
    if (position > (lua_Integer)count) return count;
    if (position >= 0) return (size_t)position;
    return position < -(lua_Integer)count ? 0 : count + (size_t)position + 1;
}

static int length(lua_State *L) {
    size_t count;
    luaL_checklstring(L, 1, &count);
    lua_pushinteger(L, (lua_Integer)count);
    return 1;
}

static int sub(lua_State *L) {
    size_t count;
    const char *text = luaL_checklstring(L, 1, &count);
    size_t start = start_position(luaL_checkinteger(L, 2), count), end = end_position(L, 3, -1, count);
    if (start > end) lua_pushliteral(L, "");
    else lua_pushlstring(L, text + start - 1, end - start + 1);
    return 1;
}

/// Each byte of the text at 1 through `change`, or in reverse order.
static int map_bytes(lua_State *L, char (*change)(char), bool reverse) {
    guard_vm *vm = guard_of(L);
    size_t count;
    const char *text = luaL_checklstring(L, 1, &count);
    guard_buffer buffer;
    guard_buffer_open(L, &buffer);
    char *out = guard_buffer_reserve(&buffer, count);
    for (size_t i = 0; i < count; i++) {
        if ((i & (CHUNK - 1)) == 0) guard_charge(L, vm, CHUNK / 8);
        out[i] = change(text[reverse ? count - 1 - i : i]);
    }
    buffer.count += count;
    guard_buffer_push(&buffer);
    return 1;
}
static char to_upper(char c) { return c >= 'a' && c <= 'z' ? (char)(c - 32) : c; }
static char to_lower(char c) { return c >= 'A' && c <= 'Z' ? (char)(c + 32) : c; }
static char same(char c) { return c; }
static int upper(lua_State *L) { return map_bytes(L, to_upper, false); }
static int lower(lua_State *L) { return map_bytes(L, to_lower, false); }
static int reverse(lua_State *L) { return map_bytes(L, same, true); }

static int rep(lua_State *L) {
    guard_vm *vm = guard_of(L);
    size_t count, separator_count;
    const char *text = luaL_checklstring(L, 1, &count);
    lua_Integer times = luaL_checkinteger(L, 2);
    const char *separator = luaL_optlstring(L, 3, "", &separator_count);
    if (times <= 0 || count + separator_count == 0) {
        lua_pushliteral(L, "");
        return 1;
    }
    size_t longest = vm->longest_string - 64;
    if ((lua_Unsigned)times > longest || count > longest || separator_count > longest
        || (count + separator_count) > longest / (size_t)times)
        return luaL_error(L, "resulting string too large");
    guard_buffer buffer;
    guard_buffer_open(L, &buffer);
    guard_buffer_reserve(&buffer, (count + separator_count) * (size_t)times);
    size_t since = 0;
    for (lua_Integer i = 1; i <= times; i++) {
        guard_buffer_add(&buffer, text, count);
        if (i < times) guard_buffer_add(&buffer, separator, separator_count);
        since += count + separator_count + 8;
        if (since >= CHUNK) {
            guard_charge(L, vm, (int64_t)since / 8);
            since = 0;
        }
    }
    guard_buffer_push(&buffer);
    return 1;
}

static int byte(lua_State *L) {
    size_t count;
    const char *text = luaL_checklstring(L, 1, &count);
    lua_Integer position = luaL_optinteger(L, 2, 1);
    size_t start = start_position(position, count), end = end_position(L, 3, position, count);
    if (start > end) return 0;
    if (end - start >= GUARD_MAXIMUM_RESULTS) return luaL_error(L, "string slice too long");
    int results = (int)(end - start) + 1;
    guard_charge(L, guard_of(L), results);
    luaL_checkstack(L, results, "string slice too long");
    for (int i = 0; i < results; i++) lua_pushinteger(L, (unsigned char)text[start + (size_t)i - 1]);
    return results;
}

static int character(lua_State *L) {
    int count = lua_gettop(L);
    guard_charge(L, guard_of(L), count);
    guard_buffer buffer;
    guard_buffer_open(L, &buffer);
    for (int i = 1; i <= count; i++) {
        lua_Integer code = luaL_checkinteger(L, i);
        luaL_argcheck(L, code >= 0 && code <= 255, i, "value out of range");
        guard_buffer_byte(&buffer, (char)code);
    }
    guard_buffer_push(&buffer);
    return 1;
}

const luaL_Reg guard_string_functions[] = {
    {"len", length}, {"sub", sub},         {"upper", upper}, {"lower", lower},   {"reverse", reverse},
    {"rep", rep},    {"byte", byte},       {"char", character}, {NULL, NULL},
};
