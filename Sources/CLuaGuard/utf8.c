// The utf8 library, strict about its input and asking for the limits in each loop.
#include "guard.h"

enum { LARGEST = 0x7fffffff, LARGEST_UNICODE = 0x10ffff };

static bool is_continuation(char c) { return ((unsigned char)c & 0xc0) == 0x80; }

/// Behind the character at s, or NULL if it is not valid.
static const char *decode(const char *s, const char *end, uint32_t *code, bool lax) {
    static const uint32_t smallest[] = {0, 0x80, 0x800, 0x10000, 0x200000, 0x4000000};
    uint32_t first = (unsigned char)*s, value = 0;
    if (first < 0x80) {
        *code = first;
        return s + 1;
    }
    int more = 0;
    for (; first & 0x40; first <<= 1) {
        if (s + ++more >= end || !is_continuation(s[more])) return NULL;
        value = (value << 6) | ((unsigned char)s[more] & 0x3f);
        if (more > 5) return NULL;
    }
    if (more == 0) return NULL;
    value |= (first & 0x7f) << (more * 5);
    if (value > LARGEST || value < smallest[more]) return NULL;
    if (!lax && (value > LARGEST_UNICODE || (value >= 0xd800 && value <= 0xdfff))) return NULL;
    *code = value;
    return s + more + 1;
}

static lua_Integer position_of(lua_Integer position, size_t count) {
    if (position >= 0) return position;
    return position < -(lua_Integer)count ? 0 : (lua_Integer)count + position + 1;
}

static int length(lua_State *L) {
    guard_vm *vm = guard_of(L);
    size_t count;
    const char *text = luaL_checklstring(L, 1, &count);
    lua_Integer first = position_of(luaL_optinteger(L, 2, 1), count);
    lua_Integer last = position_of(luaL_optinteger(L, 3, -1), count);
    bool lax = lua_toboolean(L, 4);
    luaL_argcheck(L, first >= 1 && first <= (lua_Integer)count + 1, 2, "initial position out of bounds");
    luaL_argcheck(L, last <= (lua_Integer)count, 3, "final position out of bounds");
    lua_Integer found = 0;
    for (lua_Integer at = first - 1; at < last; found++) {
        uint32_t code;
        if ((found & 4095) == 0) guard_charge(L, vm, 2048);
        const char *next = decode(text + at, text + count, &code, lax);
        if (!next) {
            lua_pushnil(L);
            lua_pushinteger(L, at + 1);
            return 2;
        }
        at = next - text;
    }
    lua_pushinteger(L, found);
    return 1;
}

static int codepoint(lua_State *L) {
    size_t count;
    const char *text = luaL_checklstring(L, 1, &count);
    lua_Integer first = position_of(luaL_optinteger(L, 2, 1), count);
    lua_Integer last = position_of(luaL_optinteger(L, 3, first), count);
    bool lax = lua_toboolean(L, 4);
    luaL_argcheck(L, first >= 1, 2, "out of bounds");
    luaL_argcheck(L, last <= (lua_Integer)count, 3, "out of bounds");
    if (first > last) return 0;
    if (last - first >= GUARD_MAXIMUM_RESULTS) return luaL_error(L, "string slice too long");
    guard_charge(L, guard_of(L), last - first);
    luaL_checkstack(L, (int)(last - first) + 1, "string slice too long");
    int found = 0;
    for (const char *at = text + first - 1; at < text + last; found++) {
        uint32_t code;
        at = decode(at, text + count, &code, lax);
        if (!at) return luaL_error(L, "invalid UTF-8 code");
        lua_pushinteger(L, code);
    }
    return found;
}

static void add_character(guard_buffer *buffer, uint32_t code) {
    char bytes[8];
    int count = 0;
    if (code < 0x80) {
        guard_buffer_byte(buffer, (char)code);
        return;
    }
    uint32_t room = 0x3f;
    do {
        bytes[7 - count++] = (char)(0x80 | (code & 0x3f));
        code >>= 6;
        room >>= 1;
    } while (code > room);
    bytes[7 - count++] = (char)((~room << 1) | code);
    guard_buffer_add(buffer, bytes + 8 - count, (size_t)count);
}
static int character(lua_State *L) {
    int count = lua_gettop(L);
    guard_charge(L, guard_of(L), count);
    guard_buffer buffer;
    guard_buffer_open(L, &buffer);
    for (int i = 1; i <= count; i++) {
        lua_Integer code = luaL_checkinteger(L, i);
        luaL_argcheck(L, code >= 0 && code <= LARGEST, i, "value out of range");
        add_character(&buffer, (uint32_t)code);
    }
    guard_buffer_push(&buffer);
    return 1;
}

static int offset(lua_State *L) {
    guard_vm *vm = guard_of(L);
    size_t size;
    const char *text = luaL_checklstring(L, 1, &size);
    lua_Integer count = (lua_Integer)size, n = luaL_checkinteger(L, 2);
    lua_Integer at = position_of(luaL_optinteger(L, 3, n >= 0 ? 1 : count + 1), size) - 1, steps = 0;
    luaL_argcheck(L, at >= 0 && at <= count, 3, "position out of bounds");
    if (n == 0) {
        while (at > 0 && at < count && is_continuation(text[at])) at--;
        lua_pushinteger(L, at + 1);
        return 1;
    }
    if (at < count && is_continuation(text[at])) return luaL_error(L, "initial position is a continuation byte");
    if (n < 0) {
        for (; n < 0 && at > 0; n++)
            do {
                if ((++steps & 4095) == 0) guard_charge(L, vm, 2048);
                at--;
            } while (at > 0 && is_continuation(text[at]));
    } else {
        for (n--; n > 0 && at < count; n--)
            do {
                if ((++steps & 4095) == 0) guard_charge(L, vm, 2048);
                at++;
            } while (at < count && is_continuation(text[at]));
    }
    if (n == 0) lua_pushinteger(L, at + 1);
    else lua_pushnil(L);
    return 1;
}

static int next_code(lua_State *L, bool lax) {
    size_t count;
    const char *text = luaL_checklstring(L, 1, &count);
    lua_Unsigned at = (lua_Unsigned)luaL_checkinteger(L, 2);
    if (at > 0 && at <= count)
        while (at < count && is_continuation(text[at])) at++;
    if (at >= count) return 0;
    uint32_t code;
    const char *next = decode(text + at, text + count, &code, lax);
    if (!next || (next < text + count && is_continuation(*next))) return luaL_error(L, "invalid UTF-8 code");
    lua_pushinteger(L, (lua_Integer)at + 1);
    lua_pushinteger(L, code);
    return 2;
}
static int next_strict(lua_State *L) { return next_code(L, false); }
static int next_lax(lua_State *L) { return next_code(L, true); }
static int codes(lua_State *L) {
    size_t count;
    const char *text = luaL_checklstring(L, 1, &count);
    luaL_argcheck(L, count == 0 || !is_continuation(*text), 1, "invalid UTF-8 code");
    bool lax = lua_toboolean(L, 2);
    lua_pushcfunction(L, lax ? next_lax : next_strict);
    lua_pushvalue(L, 1);
    lua_pushinteger(L, 0);
    return 3;
}

const luaL_Reg guard_utf8_functions[] = {
    {"len", length},   {"codepoint", codepoint}, {"char", character},
    {"offset", offset}, {"codes", codes},        {NULL, NULL},
};

void guard_open_utf8(lua_State *L) {
    lua_pushlstring(L, "[\0-\x7F\xC2-\xFD][\x80-\xBF]*", 14);
    lua_setfield(L, -2, "charpattern");
}
