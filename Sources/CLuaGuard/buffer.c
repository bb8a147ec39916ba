#include "guard.h"
#include <string.h>

void guard_buffer_open(lua_State *L, guard_buffer *buffer) {
    luaL_checkstack(L, 4, "text");
    buffer->L = L;
    buffer->bytes = buffer->first;
    buffer->count = 0;
    buffer->capacity = sizeof buffer->first;
    lua_pushnil(L);
    buffer->box = lua_gettop(L);
}

char *guard_buffer_reserve(guard_buffer *buffer, size_t count) {
    lua_State *L = buffer->L;
    guard_vm *vm = guard_of(L);
    if (buffer->capacity - buffer->count >= count) return buffer->bytes + buffer->count;
    size_t longest = vm->longest_string - 64;
    if (count > longest || buffer->count > longest - count) luaL_error(L, "resulting string too large");
    size_t capacity = buffer->capacity * 2;
    if (capacity < buffer->count + count) capacity = buffer->count + count;
    if (capacity > longest) capacity = longest;
    guard_charge(L, vm, (int64_t)buffer->count / 16);
    char *grown = lua_newuserdatauv(L, capacity, 0);
    memcpy(grown, buffer->bytes, buffer->count);
    lua_replace(L, buffer->box);
    buffer->bytes = grown;
    buffer->capacity = capacity;
    return grown + buffer->count;
}

void guard_buffer_add(guard_buffer *buffer, const void *bytes, size_t count) {
    if (!count) return;
    memcpy(guard_buffer_reserve(buffer, count), bytes, count);
    buffer->count += count;
}

void guard_buffer_push(guard_buffer *buffer) { lua_pushlstring(buffer->L, buffer->bytes, buffer->count); }
