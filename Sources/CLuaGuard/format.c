// Functions of the string library that are Lua's own behind a look at their arguments: what they would make is bounded,
// and shows no address. Lua's function runs in place of this one, so that what it says of an argument names that one.
#include "guard.h"
#include <string.h>

enum { LARGEST_NUMBER = 512, COST_OF_CONVERSION = 20, QUOTED_AT_ONCE = 4096 };

/// The conversion that begins behind the percent sign at `at`; moves there.
static char read_conversion(const char **at, const char *end) {
    while (*at < end && **at && strchr("-+ #0123456789.", **at)) ++*at;
    return *at < end ? *(*at)++ : '\0';
}

/// How many bytes the argument adds at most. An argument of %s becomes its text here, once.
static size_t size_of(lua_State *L, char conversion, int argument) {
    size_t count = 0;
    int type = lua_type(L, argument);
    if (conversion == 's' && type != LUA_TNONE) {
        if (type != LUA_TSTRING) {
            guard_push_text(L, argument, &count);
            lua_replace(L, argument);
        } else {
            lua_tolstring(L, argument, &count);
        }
    } else if (conversion == 'q' && type == LUA_TSTRING) {
        lua_tolstring(L, argument, &count);
        count *= 4;
    }
    guard_charge(L, guard_of(L), COST_OF_CONVERSION + (int64_t)count / 8);
    return count + LARGEST_NUMBER;
}

/// Puts in the place of a string what %q writes of it, by the rules of Lua's `addquoted`: byte by byte, with a look at the
/// limits on the way, for Lua's own takes as long for some megabytes as a script may for all of its work.
static void quote(lua_State *L, guard_vm *vm, int argument) {
    int top = lua_gettop(L);
    size_t count;
    const char *text = lua_tolstring(L, argument, &count);
    guard_buffer buffer;
    guard_buffer_open(L, &buffer);
    guard_buffer_byte(&buffer, '"');
    for (size_t i = 0; i < count; i++) {
        if (i % QUOTED_AT_ONCE == 0) {
            guard_charge(L, vm, 0);
            guard_buffer_reserve(&buffer, 4 * (count - i < QUOTED_AT_ONCE ? count - i : QUOTED_AT_ONCE) + 1);
        }
        unsigned char byte = (unsigned char)text[i];
        char *out = buffer.bytes + buffer.count;
        if (byte == '"' || byte == '\\' || byte == '\n') {
            *out++ = '\\';
            *out++ = (char)byte;
        } else if (byte < 0x20 || byte == 0x7F) {
            bool all = text[i + 1] >= '0' && text[i + 1] <= '9';      // a digit behind it would be read with it
            *out++ = '\\';
            if (all || byte >= 100) *out++ = (char)('0' + byte / 100);
            if (all || byte >= 10) *out++ = (char)('0' + byte / 10 % 10);
            *out++ = (char)('0' + byte % 10);
        } else {
            *out++ = (char)byte;
        }
        buffer.count = (size_t)(out - buffer.bytes);
    }
    guard_buffer_byte(&buffer, '"');
    guard_buffer_push(&buffer);
    lua_replace(L, argument);
    lua_settop(L, top);
}

static int format(lua_State *L) {
    guard_vm *vm = guard_of(L);
    size_t count;
    const char *first = luaL_checklstring(L, 1, &count), *at = first, *end = at + count;
    guard_charge(L, vm, (int64_t)count / 8);
    size_t total = count;
    int arguments = lua_gettop(L);
    char *changed = NULL;        // the format with %s for each %q of a string that is quoted already
    for (int argument = 1; (at = memchr(at, '%', (size_t)(end - at))); ) {
        at++;
        if (at < end && *at == '%') {
            at++;
            continue;
        }
        const char *conversion_at = at;
        char conversion = read_conversion(&at, end);
        if (conversion == 'p') return luaL_error(L, "invalid conversion '%%p' to 'format'");     // an address
        if (++argument > arguments) break;       // of which Lua complains
        total += size_of(L, conversion, argument);
        if (total > 2 * vm->longest_string) return luaL_error(L, "resulting string too large");
        if (*conversion_at != 'q' || lua_type(L, argument) != LUA_TSTRING) continue;
        if (!changed) {
            luaL_checkstack(L, 2, "format");
            changed = lua_newuserdatauv(L, count, 0);
            memcpy(changed, first, count);
        }
        changed[conversion_at - first] = 's';
        quote(L, vm, argument);
    }
    if (changed) {
        lua_pushlstring(L, changed, count);
        lua_replace(L, 1);
        lua_settop(L, arguments);
    }
    return vm->format(L);
}

// ---- pack, unpack, packsize ---------------------------------------------------------------------------------------------

/// Formats of a sensible length, whose fixed strings (c123) and alignments add up to a sensible size.
static void check_packing(lua_State *L) {
    size_t count;
    const char *format = luaL_checklstring(L, 1, &count);
    luaL_argcheck(L, count <= 1024, 1, "format too long");
    size_t total = 0;
    for (size_t i = 0; i < count; i++) {
        if (format[i] != 'c') continue;
        size_t size = 0;
        while (i + 1 < count && format[i + 1] >= '0' && format[i + 1] <= '9' && size < (1u << 24))
            size = size * 10 + (size_t)(format[++i] - '0');
        total += size;
        luaL_argcheck(L, total <= 1u << 20, 1, "format result too large");
    }
    size_t text = 0, sum = 0;
    for (int i = 2; i <= lua_gettop(L); i++)
        if (lua_type(L, i) == LUA_TSTRING) {
            lua_tolstring(L, i, &text);
            sum += text;
        }
    if (sum > guard_of(L)->longest_string - 4096) luaL_error(L, "resulting string too large");
    guard_charge(L, guard_of(L), (int64_t)(count * 4 + (total + sum) / 8));
}
static int pack(lua_State *L) {
    check_packing(L);
    return guard_of(L)->pack(L);
}
static int unpack(lua_State *L) {
    check_packing(L);
    return guard_of(L)->unpack(L);
}
static int packsize(lua_State *L) {
    check_packing(L);
    return guard_of(L)->packsize(L);
}

static lua_CFunction stock(lua_State *L, const char *name) {
    lua_getfield(L, -2, name);
    lua_CFunction function = lua_tocfunction(L, -1);
    lua_pop(L, 1);
    return function;
}

void guard_open_bounded(lua_State *L) {
    static const luaL_Reg functions[] = {
        {"format", format}, {"pack", pack}, {"unpack", unpack}, {"packsize", packsize}, {NULL, NULL}};
    guard_vm *vm = guard_of(L);
    vm->format = stock(L, "format");
    vm->pack = stock(L, "pack");
    vm->unpack = stock(L, "unpack");
    vm->packsize = stock(L, "packsize");
    luaL_setfuncs(L, functions, 0);
}
