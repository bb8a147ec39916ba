// What is looked at before Lua compiles: the identifier _ENV, which opens bugs and back doors, and chains of fields so
// long that Lua 5.4.4, naming a variable in an error message, would overflow the C stack. One lexer, that reads as Lua's
// does, decides what is a name.
#include "guard.h"
#include "lexer.h"
#include <string.h>

/// Naming a value reads the function's code once for each index that leads to it, be it in a bracket within a bracket.
enum { LONGEST_NAMING = 1 << 24 };
/// At a label Lua goes through all jumps that wait for it, once for each of them.
enum { MOST_JUMPS = 10000 };

enum { LONGEST_CHAIN = 400, DEEPEST_BRACKETS = 220, LONGEST_LOADED = 256 * 1024 };

/// How deeply Lua would call itself to name the value that stands before the current token in a message: one call for
/// each index of a chain, be it of the value that is indexed or of the one that it is indexed by.
typedef struct {
    int depth;                    // of brackets
    struct {
        int chain;                // of what stands before the bracket
        int longest;              // within the bracket so far
        int indices;              // of what stands before the bracket
        bool continues;           // what stands before it is a value
        bool indexes;             // what stands before it is indexed by what stands within
    } open[DEEPEST_BRACKETS];
    int chain, longest;
    int indices;                  // that lead to the value before the current token, in brackets too
    int jumps;                    // goto and break so far
    bool after_dot, after_value;
} chains;

static int larger(int left, int right) { return left > right ? left : right; }

static const char *open_bracket(chains *state, char bracket) {
    if (state->depth == DEEPEST_BRACKETS) return "brackets are nested too deeply";
    bool indexes = state->after_value && bracket == '[';
    state->open[state->depth].chain = state->after_value ? state->chain : 0;
    state->open[state->depth].longest = state->longest;
    state->open[state->depth].indices = state->indices;
    state->open[state->depth].continues = state->after_value;
    state->open[state->depth++].indexes = indexes;
    state->chain = state->longest = state->indices = 0;
    state->after_value = state->after_dot = false;
    return NULL;
}
static void close_bracket(chains *state) {
    int within = state->longest;
    state->chain = within;
    if (state->depth) {
        state->depth--;
        state->chain = larger(state->open[state->depth].chain, within) + state->open[state->depth].indexes;
        state->longest = state->open[state->depth].longest;
        if (state->open[state->depth].indexes) state->indices += state->open[state->depth].indices + 1;
        else if (state->open[state->depth].continues) state->indices = 0;       // what a call answers has no name
    }
    state->after_value = true;
    state->after_dot = false;
}

static bool is(const guard_lexer *lexer, const char *text) {
    return strlen(text) == lexer->count && memcmp(lexer->token, text, lexer->count) == 0;
}
/// Whether no value ends with the name: what follows one of these begins an expression anew.
static bool is_operator_or_keyword(const guard_lexer *lexer) {
    static const char *const words[] = {"and", "break", "do", "else", "elseif", "for", "function", "goto", "if", "in",
                                        "local", "not", "or", "repeat", "return", "then", "until", "while", NULL};
    for (const char *const *word = words; *word; word++)
        if (is(lexer, *word)) return true;
    return false;
}

static const char *take_name(const guard_lexer *lexer, chains *state) {
    if (is(lexer, "_ENV")) return "the name '_ENV' is not available here";
    if ((is(lexer, "goto") || is(lexer, "break")) && ++state->jumps > MOST_JUMPS) return "too many jumps (goto and break)";
    if (!state->after_dot) state->chain = state->indices = 0;
    state->after_value = state->after_dot || !is_operator_or_keyword(lexer);
    state->after_dot = false;
    return NULL;
}

static const char *take_symbol(const guard_lexer *lexer, chains *state) {
    char c = lexer->count == 1 ? *lexer->token : 0;
    if ((c == '.' || c == ':') && state->after_value) {
        state->chain++;
        state->indices++;
        state->after_dot = true;
    } else if (c == '(' || c == '[' || c == '{') {
        return open_bracket(state, c);
    } else if (c == ')' || c == ']' || c == '}') {
        close_bracket(state);
    } else {
        state->chain = state->indices = 0;
        state->after_value = state->after_dot = false;
    }
    return NULL;
}

static const char *take_token(enum guard_token kind, const guard_lexer *lexer, chains *state) {
    const char *problem = NULL;
    switch (kind) {
    case GUARD_TOKEN_NAME: problem = take_name(lexer, state); break;
    case GUARD_TOKEN_SYMBOL: problem = take_symbol(lexer, state); break;
    case GUARD_TOKEN_STRING: state->after_value = true; break;
    default:
        state->after_value = state->after_dot = false;
        state->chain = state->indices = 0;
    }
    state->longest = larger(state->longest, state->chain);
    return !problem && state->chain > LONGEST_CHAIN ? "too many field accesses in one expression" : problem;
}

static bool refuse(lua_State *L, const char *chunk, int line, const char *message) {
    char shown[LUA_IDSIZE];
    snprintf(shown, sizeof shown, "%s", chunk);
    lua_pushfstring(L, "%s:%d: %s", shown, line, message);
    return false;
}

/// Refuses what must not be compiled; pushes the message and answers false. `malformed`: the line at which Lua refuses
/// the text, 0 if it reads all of it.
static bool check_source(lua_State *L, const char *source, size_t count, const char *chunk, int *malformed) {
    size_t largest = guard_of(L)->profile == GUARD_POLICY ? 2u << 20 : 1u << 20;
    if (count > largest) return refuse(L, chunk, 1, "the source is too long");
    if (count && source[0] == LUA_SIGNATURE[0]) return refuse(L, chunk, 1, "bytecode is not accepted");
    guard_lexer lexer = {source, source + count, 1, source, 0};
    chains state = {0};
    *malformed = 0;
    for (;;) {
        enum guard_token kind = guard_next_token(&lexer);
        if (kind == GUARD_TOKEN_END) return true;
        if (kind == GUARD_TOKEN_MALFORMED) {
            *malformed = lexer.line;
            return true;
        }
        const char *problem = take_token(kind, &lexer, &state);
        if (!problem && state.indices > 8 && (size_t)state.indices > LONGEST_NAMING / count)
            problem = "too many field accesses in one expression";
        if (problem) return refuse(L, chunk, lexer.line, problem);
    }
}

int guard_compile(lua_State *L, const char *source, size_t count, const char *chunk, int environment) {
    if (count && source[0] == '#')                   // a first line for the shell, up to where a line of Lua ends
        while (count && !guard_is_line_end(*source)) source++, count--;
    int malformed;
    if (!check_source(L, source, count, chunk, &malformed)) return LUA_ERRSYNTAX;
    source = guard_push_mended(L, source, &count);
    lua_pushfstring(L, "=%s", chunk);
    int status = guard_load_text(L, source, count, lua_tostring(L, -1));
    lua_replace(L, -3);                              // in place of what was mended
    lua_pop(L, 1);
    if (status != LUA_OK) return status;
    if (malformed) {                                 // never: what was not read to its end is not run
        lua_pop(L, 1);
        refuse(L, chunk, malformed, "malformed token");
        return LUA_ERRSYNTAX;
    }
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
