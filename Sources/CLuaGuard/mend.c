// A fault of Lua 5.4.4's compiler (mended in 5.4.5): in a function of more than 255 constants, `1 | (2 or 3)` takes the
// integer for what stands behind it. An integer that the compiler does not know beforehand is compiled well: so `1` there
// becomes `(1 or 1)`, and a constant `n` becomes `(n or n)`. Nothing is changed in sources of fewer constants.
#include "guard.h"
#include "lexer.h"
#include <string.h>

enum { CONSTANTS_IN_REACH = 255 };

static bool is(const guard_lexer *lexer, const char *text) {
    return strlen(text) == lexer->count && memcmp(lexer->token, text, lexer->count) == 0;
}

/// Whether an expression may begin behind the token: else Lua refuses what follows, and is not to be kept from it.
static bool begins_expression(enum guard_token kind, const guard_lexer *lexer) {
    static const char *const words[] = {"and", "or", "not", "return", "in", "if", "elseif", "while", "until", NULL};
    if (kind == GUARD_TOKEN_SYMBOL) return !strchr(")]}", *lexer->token);
    for (const char *const *word = words; kind == GUARD_TOKEN_NAME && *word; word++)
        if (is(lexer, *word)) return true;
    return false;
}

static bool is_constant(lua_State *L, int names, const guard_lexer *lexer) {
    lua_pushlstring(L, lexer->token, lexer->count);
    bool found = lua_rawget(L, names) != LUA_TNIL;
    lua_pop(L, 1);
    return found;
}

typedef struct {
    const char *start;
    size_t count;
} word;

/// Counts what may become constants, and the places to be mended, which it writes mended to `out` unless that is NULL.
static size_t mend(lua_State *L, const char *source, size_t count, int names, guard_buffer *out, size_t *constants) {
    guard_lexer lexer = {source, source + count, 1, source, 0};
    word operand = {NULL, 0}, name = {NULL, 0};
    const char *copied = source;
    size_t places = 0;
    bool begins = true, after_dot = false, declares = false;
    for (enum guard_token kind; (kind = guard_next_token(&lexer)) != GUARD_TOKEN_END && kind != GUARD_TOKEN_MALFORMED;) {
        char symbol = kind == GUARD_TOKEN_SYMBOL && lexer.count == 1 ? *lexer.token : '\0';
        if (kind != GUARD_TOKEN_SYMBOL && (++*constants & 255) == 0) guard_charge(L, guard_of(L), 256);
        if (operand.start && (symbol == '&' || symbol == '|' || symbol == '~')) {
            places++;
            if (out) {
                guard_buffer_add(out, copied, (size_t)(operand.start - copied));
                guard_buffer_byte(out, '(');
                guard_buffer_add(out, operand.start, operand.count);
                guard_buffer_add(out, " or ", 4);
                guard_buffer_add(out, operand.start, operand.count);
                guard_buffer_byte(out, ')');
                copied = operand.start + operand.count;
            }
            operand.start = NULL;
        } else if (begins && !after_dot
                   && (kind == GUARD_TOKEN_NUMERAL || (kind == GUARD_TOKEN_NAME && is_constant(L, names, &lexer)))) {
            operand = (word){lexer.token, lexer.count};
        } else if (symbol != ')') {
            operand.start = NULL;
        }
        if (declares && kind == GUARD_TOKEN_NAME && is(&lexer, "const")) {
            lua_pushlstring(L, name.start, name.count);
            lua_pushboolean(L, 1);
            lua_rawset(L, names);
        }
        declares = symbol == '<' && name.start;
        if (kind == GUARD_TOKEN_NAME) name = (word){lexer.token, lexer.count};
        else if (symbol != '<') name.start = NULL;
        begins = begins_expression(kind, &lexer);
        after_dot = symbol == '.' || symbol == ':';
    }
    if (out) guard_buffer_add(out, copied, (size_t)(source + count - copied));
    return places;
}

const char *guard_push_mended(lua_State *L, const char *source, size_t *count) {
    if (!memchr(source, '|', *count) && !memchr(source, '&', *count) && !memchr(source, '~', *count)) {
        lua_pushnil(L);
        return source;
    }
    luaL_checkstack(L, 8, "source");
    lua_newtable(L);
    int names = lua_gettop(L);
    size_t constants = 0;
    if (mend(L, source, *count, names, NULL, &constants) && constants > CONSTANTS_IN_REACH) {
        guard_buffer out;
        guard_buffer_open(L, &out);
        mend(L, source, *count, names, &out, &constants);
        guard_buffer_push(&out);
        lua_replace(L, names);
        lua_settop(L, names);
        return lua_tolstring(L, names, count);
    }
    return source;
}
