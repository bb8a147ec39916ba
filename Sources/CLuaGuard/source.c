// What is looked at before Lua compiles: the identifier _ENV, which opens bugs and back doors, and chains of fields so
// long that Lua 5.4.4, naming a variable in an error message, would overflow the C stack.
#include "guard.h"
#include <string.h>

enum { LONGEST_CHAIN = 400, DEEPEST_BRACKETS = 220, LONGEST_LOADED = 256 * 1024 };

typedef struct {
    const char *at, *end;
    int line;
} scanner;

static bool is_name_start(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
static bool is_digit(char c) { return c >= '0' && c <= '9'; }
static bool is_name(char c) { return is_name_start(c) || is_digit(c); }

/// At '[': the level of a long bracket, or -1.
static int long_bracket(const scanner *text) {
    const char *at = text->at + 1;
    while (at < text->end && *at == '=') at++;
    return at < text->end && *at == '[' ? (int)(at - text->at - 1) : -1;
}
static void skip_long(scanner *text, int level) {
    text->at += level + 2;
    for (; text->at < text->end; text->at++) {
        if (*text->at == '\n') text->line++;
        if (*text->at != ']') continue;
        const char *at = text->at + 1;
        int count = 0;
        while (at < text->end && *at == '=' && count < level) at++, count++;
        if (count == level && at < text->end && *at == ']') {
            text->at = at + 1;
            return;
        }
    }
}
static void skip_string(scanner *text) {
    char quote = *text->at++;
    while (text->at < text->end && *text->at != quote && *text->at != '\n') {
        if (*text->at == '\\' && text->at + 1 < text->end) {
            text->at++;
            if (*text->at == '\n') text->line++;
            if (*text->at == 'z') {              // skips white space, line breaks too
                text->at++;
                while (text->at < text->end && strchr(" \t\r\n\v\f", *text->at)) text->line += *text->at++ == '\n';
                continue;
            }
        }
        text->at++;
    }
    if (text->at < text->end && *text->at == quote) text->at++;
}
static void skip_comment(scanner *text) {
    text->at += 2;
    if (text->at < text->end && *text->at == '[') {
        int level = long_bracket(text);
        if (level >= 0) {
            skip_long(text, level);
            return;
        }
    }
    while (text->at < text->end && *text->at != '\n') text->at++;
}

/// How long the chain of indices before each open bracket was.
typedef struct {
    int chain, depth;
    int saved[DEEPEST_BRACKETS];
    bool after_dot, after_value;
} chains;

static const char *open_bracket(chains *state, char bracket) {
    if (state->depth == DEEPEST_BRACKETS) return "brackets are nested too deeply";
    bool continues = state->after_value;           // a call or an index, not a group
    state->saved[state->depth++] = continues ? state->chain + (bracket == '[') : 0;
    state->chain = 0;
    state->after_value = false;
    return NULL;
}
static void close_bracket(chains *state, char bracket) {
    int before = state->depth ? state->saved[--state->depth] : 0;
    state->chain = bracket == ')' && state->chain > before ? state->chain : before;
    state->after_value = true;
}

static bool is_keyword(const char *name, size_t count) {
    static const char *const words[] = {"and", "break", "do", "else", "elseif", "for", "function", "goto", "if", "in",
                                        "local", "not", "or", "repeat", "return", "then", "until", "while", NULL};
    for (const char *const *word = words; *word; word++)
        if (strlen(*word) == count && memcmp(*word, name, count) == 0) return true;
    return false;
}

static const char *take_name(scanner *text, chains *state) {
    const char *name = text->at;
    while (text->at < text->end && is_name(*text->at)) text->at++;
    size_t count = (size_t)(text->at - name);
    if (count == 4 && memcmp(name, "_ENV", 4) == 0) return "the name '_ENV' is not available here";
    if (!state->after_dot) state->chain = 0;
    state->after_value = state->after_dot || !is_keyword(name, count);
    state->after_dot = false;
    return NULL;
}

static const char *take_symbol(scanner *text, chains *state) {
    char c = *text->at++;
    const char *problem = NULL;
    bool dots = c == '.' && text->at < text->end && *text->at == '.';      // '..' or '...'
    while (dots && text->at < text->end && *text->at == '.') text->at++;
    if ((c == '.' && !dots && state->after_value) || (c == ':' && state->after_value)) {
        state->chain++;
        state->after_dot = true;
    } else if (c == '(' || c == '[' || c == '{') {
        problem = open_bracket(state, c);
    } else if (c == ')' || c == ']' || c == '}') {
        close_bracket(state, c);
    } else {
        state->chain = 0;
        state->after_value = state->after_dot = false;
    }
    return state->chain > LONGEST_CHAIN || (state->depth && state->saved[state->depth - 1] > LONGEST_CHAIN)
               ? "too many field accesses in one expression"
               : problem;
}

static const char *take_token(scanner *text, chains *state) {
    char c = *text->at;
    if (c == '\n') text->line++;
    if (strchr(" \t\r\n\v\f", c)) {
        text->at++;
    } else if (c == '-' && text->at + 1 < text->end && text->at[1] == '-') {
        skip_comment(text);
    } else if (c == '"' || c == '\'') {
        skip_string(text);
        state->after_value = true;
    } else if (c == '[' && long_bracket(text) >= 0) {
        skip_long(text, long_bracket(text));
        state->after_value = true;
    } else if (is_digit(c)) {
        while (text->at < text->end && (is_name(*text->at) || *text->at == '.')) text->at++;
        state->after_value = false;
        state->chain = 0;
    } else if (is_name_start(c)) {
        return take_name(text, state);
    } else {
        return take_symbol(text, state);
    }
    return NULL;
}

static bool refuse(lua_State *L, const char *chunk, int line, const char *message) {
    char shown[LUA_IDSIZE];
    snprintf(shown, sizeof shown, "%s", chunk);
    lua_pushfstring(L, "%s:%d: %s", shown, line, message);
    return false;
}

bool guard_check_source(lua_State *L, const char *source, size_t count, const char *chunk) {
    size_t largest = guard_of(L)->profile == GUARD_POLICY ? 64u << 10 : 1u << 20;
    if (count > largest) return refuse(L, chunk, 1, "the source is too long");
    if (count && source[0] == LUA_SIGNATURE[0]) return refuse(L, chunk, 1, "bytecode is not accepted");
    scanner text = {source, source + count, 1};
    chains state = {0};
    if (count && source[0] == '#')
        while (text.at < text.end && *text.at != '\n') text.at++;
    while (text.at < text.end) {
        int line = text.line;
        const char *problem = take_token(&text, &state);
        if (problem) return refuse(L, chunk, line, problem);
    }
    return true;
}

int guard_compile(lua_State *L, const char *source, size_t count, const char *chunk, int environment) {
    if (!guard_check_source(L, source, count, chunk)) return LUA_ERRSYNTAX;
    const char *shebang = count && source[0] == '#' ? memchr(source, '\n', count) : NULL;
    if (count && source[0] == '#') {
        count = shebang ? count - (size_t)(shebang - source) : 0;
        source = shebang ? shebang : "";
    }
    lua_pushfstring(L, "=%s", chunk);
    int status = luaL_loadbufferx(L, source, count, lua_tostring(L, -1), "t");
    lua_remove(L, -2);
    if (status != LUA_OK) return status;
    guard_note_chunk(L, chunk);
    lua_pushvalue(L, environment);
    lua_setupvalue(L, -2, 1);
    return LUA_OK;
}

// ---- load and require -----------------------------------------------------------------------------------------------------

static const char loaded_key;

/// load(text, chunk, mode, environment): text only, in the environment of the script. Upvalue 1: the environment.
static int load(lua_State *L) {
    size_t count;
    if (lua_type(L, 1) != LUA_TSTRING)
        return luaL_error(L, "bad argument #1 to 'load' (string expected, got %s)", luaL_typename(L, 1));
    const char *source = lua_tolstring(L, 1, &count);
    const char *chunk = luaL_optstring(L, 2, "load"), *mode = luaL_optstring(L, 3, "t");
    if (chunk[0] == '=' || chunk[0] == '@') chunk++;
    if (!strchr(mode, 't')) return luaL_error(L, "only text can be loaded");
    if (count > LONGEST_LOADED) return luaL_error(L, "the source is too long");
    bool own = !lua_isnone(L, 4);
    if (own) luaL_checktype(L, 4, LUA_TTABLE);
    lua_settop(L, 4);
    if (!own) {
        lua_pushvalue(L, lua_upvalueindex(1));
        lua_replace(L, 4);
    }
    guard_charge(L, guard_of(L), (int64_t)count);
    int status = guard_compile(L, source, count, chunk, 4);
    if (status == LUA_OK) return 1;
    if (status == LUA_ERRMEM) return guard_raise_again(L, status);
    lua_pushnil(L);
    lua_insert(L, -2);
    return 2;
}

/// Pushes the table of loaded modules of the environment; answers whether new ones may be added.
static bool push_loaded(lua_State *L) {
    lua_pushvalue(L, lua_upvalueindex(1));
    bool frozen = guard_push_shadow(L, lua_gettop(L));
    lua_rawgetp(L, -1, &loaded_key);
    lua_replace(L, 2);
    lua_settop(L, 2);
    if (guard_push_shadow(L, 2)) {
        lua_replace(L, 2);
        frozen = true;
    }
    return !frozen;
}

static int require(lua_State *L) {
    luaL_checktype(L, 1, LUA_TSTRING);
    lua_settop(L, 1);
    lua_pushnil(L);
    bool open = push_loaded(L);
    lua_pushvalue(L, 1);
    if (lua_rawget(L, 2) == LUA_TLIGHTUSERDATA)
        return luaL_error(L, "'%s' requires itself, by way of other files", lua_tostring(L, 1));
    if (!lua_isnil(L, 3)) return 1;
    if (!open) return luaL_error(L, "stateful: '%s' was not required when the file was loaded", lua_tostring(L, 1));
    lua_pushvalue(L, 1);
    lua_pushlightuserdata(L, (void *)&loaded_key);
    lua_rawset(L, 2);
    lua_pushvalue(L, lua_upvalueindex(2));           // asks the host, on a stack of its own
    lua_pushvalue(L, 1);
    int asked = lua_pcall(L, 1, 2, 0);
    if (asked != LUA_OK) {
        lua_pushvalue(L, 1);
        lua_pushnil(L);
        lua_rawset(L, 2);
        return guard_raise_again(L, asked);
    }
    size_t count;
    const char *source = luaL_checklstring(L, -2, &count);
    lua_pushvalue(L, lua_upvalueindex(1));
    int status = guard_compile(L, source, count, luaL_checkstring(L, -2), lua_gettop(L));
    if (status == LUA_OK) {
        lua_pushvalue(L, 1);
        status = lua_pcall(L, 1, 1, 0);
    }
    lua_pushvalue(L, 1);
    if (status != LUA_OK) {
        lua_pushnil(L);
        lua_rawset(L, 2);
        return guard_raise_again(L, status);
    }
    if (lua_isnil(L, -2)) {
        lua_pushboolean(L, 1);
        lua_replace(L, -3);
    }
    lua_pushvalue(L, -2);
    lua_rawset(L, 2);
    return 1;
}
static int ask_for_source(lua_State *L) { return guard_ask_host(L, GUARD_EVENT_REQUIRE, 0); }

void guard_open_loading(lua_State *L) {
    lua_newtable(L);
    lua_rawsetp(L, -2, &loaded_key);
    lua_pushvalue(L, -1);
    lua_pushcfunction(L, ask_for_source);
    lua_pushcclosure(L, require, 2);
    lua_setfield(L, -2, "require");
    if (guard_of(L)->profile != GUARD_SCRIPT) return;
    lua_pushvalue(L, -1);
    lua_pushcclosure(L, load, 1);
    lua_setfield(L, -2, "load");
}
