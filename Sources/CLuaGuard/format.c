// string.format: Lua's conversions, except %p; a table or function as %s shows no address.
#include "guard.h"
#include <float.h>
#include <math.h>
#include <string.h>

enum { LONGEST_SPECIFICATION = 16, LONGEST_NUMBER = 512 };

/// Copies "%flags width .precision X" to `specification`; answers the conversion, having moved on.
static char read_specification(lua_State *L, const char **at, const char *end, char *specification) {
    const char *start = *at, *look = *at;
    while (look < end && strchr("-+ #0", *look) && look - start < 6) look++;
    for (int i = 0; i < 2 && look < end && *look >= '0' && *look <= '9'; i++) look++;
    if (look < end && *look == '.') {
        look++;
        for (int i = 0; i < 2 && look < end && *look >= '0' && *look <= '9'; i++) look++;
    }
    char conversion = look < end ? *look : '\0';
    size_t count = (size_t)(look - start);
    if (!conversion || !strchr("cdioxXaAfFeEgGqs", conversion) || count > 12) {
        char shown[20];
        size_t seen = look < end ? count + 1 : count;
        memcpy(shown, start, seen);
        shown[seen] = '\0';
        luaL_error(L, "invalid conversion '%%%s' to 'format'", shown);
    }
    specification[0] = '%';
    memcpy(specification + 1, start, count);
    specification[count + 1] = '\0';
    *at = look + 1;
    return conversion;
}

static void add_integer(lua_State *L, guard_buffer *buffer, int argument, char *specification, char conversion) {
    long long value = luaL_checkinteger(L, argument);
    size_t count = strlen(specification);
    memcpy(specification + count, "ll", 2);
    specification[count + 2] = conversion;
    specification[count + 3] = '\0';
    char *out = guard_buffer_reserve(buffer, LONGEST_NUMBER);
    int written = snprintf(out, LONGEST_NUMBER, specification, value);
    buffer->count += written < 0 ? 0 : (size_t)written;
}

static void add_number(lua_State *L, guard_buffer *buffer, int argument, char *specification, char conversion) {
    double value = luaL_checknumber(L, argument);
    size_t count = strlen(specification);
    specification[count] = conversion;
    specification[count + 1] = '\0';
    char *out = guard_buffer_reserve(buffer, LONGEST_NUMBER);
    int written = snprintf(out, LONGEST_NUMBER, specification, value);
    buffer->count += written < 0 ? 0 : (size_t)written < LONGEST_NUMBER ? (size_t)written : LONGEST_NUMBER - 1;
}

static void add_text(lua_State *L, guard_buffer *buffer, int argument, char *specification) {
    size_t count;
    const char *text = guard_push_text(L, argument, &count);
    guard_charge(L, guard_of(L), (int64_t)count / 8);
    if (!specification[1] || (!strchr(specification, '.') && count >= 100)) {
        guard_buffer_add(buffer, text, count);
    } else {
        luaL_argcheck(L, count == strlen(text), argument, "string contains zeros");
        size_t end = strlen(specification);
        memcpy(specification + end, "s", 2);
        char *out = guard_buffer_reserve(buffer, LONGEST_NUMBER);
        int written = snprintf(out, LONGEST_NUMBER, specification, text);
        buffer->count += written < 0 ? 0 : (size_t)written;
    }
    lua_pop(L, 1);
}

static void add_quoted_text(lua_State *L, guard_buffer *buffer, const char *text, size_t count) {
    guard_vm *vm = guard_of(L);
    guard_buffer_byte(buffer, '"');
    for (size_t i = 0; i < count; i++) {
        unsigned char c = (unsigned char)text[i];
        if ((i & 4095) == 0) guard_charge(L, vm, 1024);
        if (c == '"' || c == '\\' || c == '\n') {
            guard_buffer_byte(buffer, '\\');
            guard_buffer_byte(buffer, (char)c);
        } else if (c < 32 || c == 127) {
            bool digit = i + 1 < count && text[i + 1] >= '0' && text[i + 1] <= '9';
            char escaped[8];
            int written = snprintf(escaped, sizeof escaped, digit ? "\\%03d" : "\\%d", c);
            guard_buffer_add(buffer, escaped, (size_t)written);
        } else {
            guard_buffer_byte(buffer, (char)c);
        }
    }
    guard_buffer_byte(buffer, '"');
}

static void add_quoted_number(lua_State *L, guard_buffer *buffer, int argument) {
    char text[LONGEST_NUMBER];
    int written;
    if (lua_isinteger(L, argument)) {
        long long value = lua_tointeger(L, argument);
        written = snprintf(text, sizeof text, value == LUA_MININTEGER ? "0x%llx" : "%lld", value);
    } else {
        double value = lua_tonumber(L, argument);
        if (isnan(value)) written = snprintf(text, sizeof text, "(0/0)");
        else if (isinf(value)) written = snprintf(text, sizeof text, value > 0 ? "1e9999" : "-1e9999");
        else written = snprintf(text, sizeof text, "%a", value);
    }
    guard_buffer_add(buffer, text, (size_t)written);
}

static void add_literal(lua_State *L, guard_buffer *buffer, int argument, const char *specification) {
    if (specification[1]) luaL_error(L, "specifier '%%q' cannot have modifiers");
    size_t count;
    const char *text;
    switch (lua_type(L, argument)) {
    case LUA_TSTRING:
        text = lua_tolstring(L, argument, &count);
        add_quoted_text(L, buffer, text, count);
        break;
    case LUA_TNUMBER: add_quoted_number(L, buffer, argument); break;
    case LUA_TNIL:
    case LUA_TBOOLEAN:
        text = guard_push_text(L, argument, &count);
        guard_buffer_add(buffer, text, count);
        lua_pop(L, 1);
        break;
    default: luaL_argerror(L, argument, "value has no literal form");
    }
}

static void add_conversion(lua_State *L, guard_buffer *buffer, int argument, char conversion, char *specification) {
    switch (conversion) {
    case 'c': {
        char *out = guard_buffer_reserve(buffer, LONGEST_NUMBER);
        strcat(specification, "c");
        int written = snprintf(out, LONGEST_NUMBER, specification, (int)luaL_checkinteger(L, argument));
        buffer->count += written < 0 ? 0 : (size_t)written;
        break;
    }
    case 'd':
    case 'i':
    case 'o':
    case 'x':
    case 'X': add_integer(L, buffer, argument, specification, conversion); break;
    case 'q': add_literal(L, buffer, argument, specification); break;
    case 's': add_text(L, buffer, argument, specification); break;
    default: add_number(L, buffer, argument, specification, conversion);
    }
}

int guard_format(lua_State *L) {
    guard_vm *vm = guard_of(L);
    size_t count;
    const char *at = luaL_checklstring(L, 1, &count), *end = at + count;
    int arguments = lua_gettop(L), argument = 1;
    guard_buffer buffer;
    guard_buffer_open(L, &buffer);
    while (at < end) {
        const char *percent = memchr(at, '%', (size_t)(end - at));
        size_t plain = percent ? (size_t)(percent - at) : (size_t)(end - at);
        guard_buffer_add(&buffer, at, plain);
        guard_charge(L, vm, 1 + (int64_t)plain / 8);
        at += plain;
        if (at == end) break;
        at++;
        if (at < end && *at == '%') {
            guard_buffer_byte(&buffer, '%');
            at++;
            continue;
        }
        char specification[LONGEST_SPECIFICATION + 8];
        char conversion = read_specification(L, &at, end, specification);
        if (++argument > arguments) return luaL_argerror(L, argument, "no value");
        guard_charge(L, vm, 20);
        add_conversion(L, &buffer, argument, conversion, specification);
    }
    guard_buffer_push(&buffer);
    return 1;
}
