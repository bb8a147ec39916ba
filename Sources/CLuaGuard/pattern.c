// Lua's patterns with a budget of steps: the matcher backtracks, and a short pattern can keep it busy for years. Each
// step counts as an instruction, and every few hundred the limits are asked. After lstrlib.c of Lua 5.4.4 (MIT licence,
// Copyright (C) 1994-2022 Lua.org, PUC-Rio).
#define _GNU_SOURCE
#include "guard.h"
#include <ctype.h>
#include <string.h>

enum { MAXIMUM_DEPTH = 200, MAXIMUM_CAPTURES = 32, STEPS = 512, OPEN = -1, POSITION = -2, SEARCH_WINDOW = 1 << 20 };

typedef struct {
    lua_State *L;
    guard_vm *vm;
    const char *start, *end, *pattern_end;
    int depth, steps, level;
    struct {
        const char *start;
        ptrdiff_t count;
    } capture[MAXIMUM_CAPTURES];
} matcher;

static void charge_steps(matcher *state) {
    guard_charge(state->L, state->vm, STEPS);
    state->steps = STEPS;
}
static inline void step(matcher *state) {
    if (--state->steps <= 0) charge_steps(state);
}

static const char *match(matcher *state, const char *s, const char *p);

static int check_capture(matcher *state, int digit) {
    digit -= '1';
    if (digit < 0 || digit >= state->level || state->capture[digit].count == OPEN)
        return luaL_error(state->L, "invalid capture index %%%d", digit + 1);
    return digit;
}
static int capture_to_close(matcher *state) {
    for (int level = state->level - 1; level >= 0; level--)
        if (state->capture[level].count == OPEN) return level;
    return luaL_error(state->L, "invalid pattern capture");
}

/// Behind the single class that begins at p.
static const char *class_end(matcher *state, const char *p) {
    if (p == state->pattern_end) luaL_error(state->L, "malformed pattern (ends with '%%')");
    char first = *p++;
    if (first == '%') {
        if (p == state->pattern_end) luaL_error(state->L, "malformed pattern (ends with '%%')");
        return p + 1;
    }
    if (first != '[') return p;
    if (p < state->pattern_end && *p == '^') p++;
    do {
        step(state);
        if (p == state->pattern_end) luaL_error(state->L, "malformed pattern (missing ']')");
        if (*p++ == '%') p++;                     // skips an escape such as %]
        if (p > state->pattern_end) luaL_error(state->L, "malformed pattern (missing ']')");
    } while (p >= state->pattern_end || *p != ']');
    return p + 1;
}

/// ASCII only: the process's locale never matters.
static bool in_class(unsigned char c, unsigned char class) {
    bool found;
    bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'), digit = c >= '0' && c <= '9';
    switch (class | 0x20) {
    case 'a': found = letter; break;
    case 'c': found = c < 32 || c == 127; break;
    case 'd': found = digit; break;
    case 'g': found = c > 32 && c < 127; break;
    case 'l': found = c >= 'a' && c <= 'z'; break;
    case 'p': found = c > 32 && c < 127 && !letter && !digit; break;
    case 's': found = c == ' ' || (c >= 9 && c <= 13); break;
    case 'u': found = c >= 'A' && c <= 'Z'; break;
    case 'w': found = letter || digit; break;
    case 'x': found = digit || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); break;
    case 'z': found = c == 0; break;
    default: return class == c;
    }
    return class >= 'A' && class <= 'Z' ? !found : found;
}

/// p: the '[', end: the ']' of the set.
static bool in_set(matcher *state, unsigned char c, const char *p, const char *end) {
    bool wanted = true;
    if (p[1] == '^') {
        wanted = false;
        p++;
    }
    while (++p < end) {
        step(state);
        if (*p == '%') {
            if (in_class(c, (unsigned char)*++p)) return wanted;
        } else if (p[1] == '-' && p + 2 < end) {
            p += 2;
            if ((unsigned char)p[-2] <= c && c <= (unsigned char)*p) return wanted;
        } else if ((unsigned char)*p == c) {
            return wanted;
        }
    }
    return !wanted;
}

static bool single(matcher *state, const char *s, const char *p, const char *end) {
    if (s >= state->end) return false;
    unsigned char c = (unsigned char)*s;
    switch (*p) {
    case '.': return true;
    case '%': return in_class(c, (unsigned char)p[1]);
    case '[': return in_set(state, c, p, end - 1);
    default: return (unsigned char)*p == c;
    }
}

static const char *match_balance(matcher *state, const char *s, const char *p) {
    if (p >= state->pattern_end - 1) luaL_error(state->L, "malformed pattern (missing arguments to '%%b')");
    if (s >= state->end || *s != *p) return NULL;
    int depth = 1;
    while (++s < state->end) {
        step(state);
        if (*s == p[1]) {
            if (--depth == 0) return s + 1;
        } else if (*s == *p) {
            depth++;
        }
    }
    return NULL;
}

static const char *expand_most(matcher *state, const char *s, const char *p, const char *end) {
    ptrdiff_t count = 0;
    while (single(state, s + count, p, end)) {
        step(state);
        count++;
    }
    for (; count >= 0; count--) {
        step(state);
        const char *found = match(state, s + count, end + 1);
        if (found) return found;
    }
    return NULL;
}
static const char *expand_least(matcher *state, const char *s, const char *p, const char *end) {
    for (;;) {
        step(state);
        const char *found = match(state, s, end + 1);
        if (found) return found;
        if (!single(state, s, p, end)) return NULL;
        s++;
    }
}

static const char *start_capture(matcher *state, const char *s, const char *p, ptrdiff_t what) {
    if (state->level >= MAXIMUM_CAPTURES) luaL_error(state->L, "too many captures");
    state->capture[state->level].start = s;
    state->capture[state->level].count = what;
    state->level++;
    const char *found = match(state, s, p);
    if (!found) state->level--;
    return found;
}
static const char *end_capture(matcher *state, const char *s, const char *p) {
    int level = capture_to_close(state);
    state->capture[level].count = s - state->capture[level].start;
    const char *found = match(state, s, p);
    if (!found) state->capture[level].count = OPEN;
    return found;
}
static const char *match_capture(matcher *state, const char *s, int digit) {
    int level = check_capture(state, digit);
    ptrdiff_t count = state->capture[level].count;
    if (count == POSITION || state->end - s < count) return NULL;
    state->steps -= (int)(count / 8 < STEPS ? count / 8 : STEPS);
    return memcmp(state->capture[level].start, s, (size_t)count) == 0 ? s + count : NULL;
}

static bool match_frontier(matcher *state, const char *s, const char *p, const char *end) {
    unsigned char before = s == state->start ? 0 : (unsigned char)s[-1];
    unsigned char after = s == state->end ? 0 : (unsigned char)*s;
    return !in_set(state, before, p, end - 1) && in_set(state, after, p, end - 1);
}

/// '%b', '%f', '%1' ...; sets *done when the match ends here, else moves s and p on.
static const char *match_escape(matcher *state, const char **s, const char **p, bool *plain) {
    char kind = *p + 1 < state->pattern_end ? (*p)[1] : '\0';
    *plain = false;
    if (kind == 'b') {
        *s = match_balance(state, *s, *p + 2);
        *p += 4;
        return *s;
    }
    if (kind == 'f') {
        *p += 2;
        if (*p >= state->pattern_end || **p != '[') luaL_error(state->L, "missing '[' after '%%f' in pattern");
        const char *end = class_end(state, *p);
        if (!match_frontier(state, *s, *p, end)) return NULL;
        *p = end;
        return *s;
    }
    if (kind >= '0' && kind <= '9') {
        *s = match_capture(state, *s, kind);
        *p += 2;
        return *s;
    }
    *plain = true;
    return *s;
}

/// One class with its suffix. Answers whether to go on with s and p as moved; else *result is the answer.
static bool match_default(matcher *state, const char **s, const char **p, const char **result) {
    const char *end = class_end(state, *p);
    char suffix = end < state->pattern_end ? *end : '\0';
    *result = NULL;
    if (suffix == '*') {
        *result = expand_most(state, *s, *p, end);
        return false;
    }
    if (suffix == '-') {
        *result = expand_least(state, *s, *p, end);
        return false;
    }
    bool here = single(state, *s, *p, end);
    if (suffix == '+') {
        if (here) *result = expand_most(state, *s + 1, *p, end);
        return false;
    }
    if (suffix == '?') {
        if (here && (*result = match(state, *s + 1, end + 1))) return false;
        *p = end + 1;
        return true;
    }
    if (!here) return false;
    (*s)++;
    *p = end;
    return true;
}

static const char *match(matcher *state, const char *s, const char *p) {
    if (state->depth-- == 0) luaL_error(state->L, "pattern too complex");
    const char *result = NULL;
    for (;;) {
        step(state);
        if (p == state->pattern_end) {
            result = s;
            break;
        }
        if (*p == '(') {
            bool position = p + 1 < state->pattern_end && p[1] == ')';
            result = start_capture(state, s, position ? p + 2 : p + 1, position ? POSITION : OPEN);
            break;
        }
        if (*p == ')') {
            result = end_capture(state, s, p + 1);
            break;
        }
        if (*p == '$' && p + 1 == state->pattern_end) {
            result = s == state->end ? s : NULL;
            break;
        }
        if (*p == '%') {
            bool plain;
            const char *moved = match_escape(state, &s, &p, &plain);
            if (!plain) {
                if (!moved) break;
                continue;
            }
        }
        if (!match_default(state, &s, &p, &result)) break;
    }
    state->depth++;
    return result;
}

// ---- captures -----------------------------------------------------------------------------------------------------------

static void push_capture(matcher *state, int level, const char *start, const char *end) {
    if (level >= state->level) {
        if (level != 0) luaL_error(state->L, "invalid capture index %%%d", level + 1);
        lua_pushlstring(state->L, start, (size_t)(end - start));
        return;
    }
    ptrdiff_t count = state->capture[level].count;
    if (count == OPEN) luaL_error(state->L, "unfinished capture");
    if (count == POSITION) lua_pushinteger(state->L, state->capture[level].start - state->start + 1);
    else lua_pushlstring(state->L, state->capture[level].start, (size_t)count);
}
static int push_captures(matcher *state, const char *start, const char *end) {
    int count = state->level == 0 && start ? 1 : state->level;
    luaL_checkstack(state->L, count + 4, "too many captures");
    for (int i = 0; i < count; i++) push_capture(state, i, start, end);
    guard_charge(state->L, state->vm, 2 + (end && start ? (int64_t)(end - start) / 8 : 0));
    return count;
}

static void prepare(matcher *state, lua_State *L, const char *text, size_t count, const char *pattern, size_t pattern_count) {
    state->L = L;
    state->vm = guard_of(L);
    state->start = text;
    state->end = text + count;
    state->pattern_end = pattern + pattern_count;
    state->steps = STEPS;
    luaL_checkstack(L, MAXIMUM_CAPTURES + 8, "captures");
}
static const char *attempt(matcher *state, const char *s, const char *p) {
    state->level = 0;
    state->depth = MAXIMUM_DEPTH;
    return match(state, s, p);
}

// ---- find, match ----------------------------------------------------------------------------------------------------------

static bool no_specials(const char *pattern, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (pattern[i] && strchr("^$*+?.([%-", pattern[i])) return false;
    return true;
}

/// memmem is linear; windows keep the limits in sight.
static const char *find_plain(lua_State *L, const char *text, size_t count, const char *wanted, size_t wanted_count) {
    guard_vm *vm = guard_of(L);
    if (wanted_count == 0) return text;
    size_t window = wanted_count + SEARCH_WINDOW;
    while (count >= wanted_count) {
        size_t seen = count < window ? count : window;
        guard_charge(L, vm, 1 + (int64_t)seen / 8);
        const char *found = memmem(text, seen, wanted, wanted_count);
        if (found || seen == count) return found;
        size_t skip = seen - wanted_count + 1;
        text += skip;
        count -= skip;
    }
    return NULL;
}

static int find_or_match(lua_State *L, bool find) {
    size_t count, pattern_count;
    const char *text = luaL_checklstring(L, 1, &count), *pattern = luaL_checklstring(L, 2, &pattern_count);
    lua_Integer position = luaL_optinteger(L, 3, 1);
    size_t start = position > 0 ? (size_t)position - 1
                   : position == 0 || position < -(lua_Integer)count ? 0 : count + (size_t)position;
    if (start > count) {
        lua_pushnil(L);
        return 1;
    }
    if (find && (lua_toboolean(L, 4) || no_specials(pattern, pattern_count))) {
        const char *found = find_plain(L, text + start, count - start, pattern, pattern_count);
        if (found) {
            lua_pushinteger(L, found - text + 1);
            lua_pushinteger(L, found - text + (lua_Integer)pattern_count);
            return 2;
        }
        lua_pushnil(L);
        return 1;
    }
    matcher state;
    bool anchored = pattern_count && *pattern == '^';
    prepare(&state, L, text, count, pattern, pattern_count);
    const char *s = text + start;
    do {
        const char *end = attempt(&state, s, pattern + anchored);
        if (end) {
            guard_charge(L, state.vm, STEPS - state.steps);
            if (!find) return push_captures(&state, s, end);
            lua_pushinteger(L, s - text + 1);
            lua_pushinteger(L, end - text);
            return push_captures(&state, NULL, NULL) + 2;
        }
    } while (s++ < state.end && !anchored);
    guard_charge(L, state.vm, STEPS - state.steps);
    lua_pushnil(L);
    return 1;
}
static int find(lua_State *L) { return find_or_match(L, true); }
static int match_function(lua_State *L) { return find_or_match(L, false); }

// ---- gmatch ---------------------------------------------------------------------------------------------------------------

/// Upvalues: text, pattern, offset of the next attempt, offset of the last match's end (or -1).
static int gmatch_step(lua_State *L) {
    size_t count, pattern_count;
    const char *text = lua_tolstring(L, lua_upvalueindex(1), &count);
    const char *pattern = lua_tolstring(L, lua_upvalueindex(2), &pattern_count);
    lua_Integer next = lua_tointeger(L, lua_upvalueindex(3)), last = lua_tointeger(L, lua_upvalueindex(4));
    matcher state;
    prepare(&state, L, text, count, pattern, pattern_count);
    for (const char *s = text + next; next <= (lua_Integer)count && s <= state.end; s++) {
        const char *end = attempt(&state, s, pattern);
        if (!end || end - text == last) continue;
        guard_charge(L, state.vm, STEPS - state.steps);
        lua_pushinteger(L, end - text);
        lua_copy(L, -1, lua_upvalueindex(3));
        lua_replace(L, lua_upvalueindex(4));
        return push_captures(&state, s, end);
    }
    guard_charge(L, state.vm, STEPS - state.steps);
    lua_pushinteger(L, (lua_Integer)count + 1);
    lua_replace(L, lua_upvalueindex(3));
    return 0;
}
static int gmatch(lua_State *L) {
    size_t count;
    luaL_checklstring(L, 1, &count);
    luaL_checkstring(L, 2);
    lua_Integer position = luaL_optinteger(L, 3, 1);
    if (position < 0) position = position < -(lua_Integer)count ? 1 : (lua_Integer)count + position + 1;
    if (position == 0) position = 1;
    if (position > (lua_Integer)count + 1) position = (lua_Integer)count + 2;
    lua_settop(L, 2);
    lua_pushinteger(L, position - 1);
    lua_pushinteger(L, -1);
    lua_pushcclosure(L, gmatch_step, 4);
    return 1;
}

// ---- gsub -----------------------------------------------------------------------------------------------------------------

static void add_template(matcher *state, guard_buffer *buffer, const char *s, const char *end) {
    lua_State *L = state->L;
    size_t count;
    const char *text = lua_tolstring(L, 3, &count);
    for (size_t i = 0; i < count; i++) {
        step(state);
        if (text[i] != '%') {
            guard_buffer_byte(buffer, text[i]);
            continue;
        }
        char kind = ++i < count ? text[i] : '\0';
        if (kind == '%' && i < count) {
            guard_buffer_byte(buffer, '%');
        } else if (kind == '0') {
            guard_buffer_add(buffer, s, (size_t)(end - s));
        } else if (kind >= '1' && kind <= '9') {
            size_t size;
            push_capture(state, kind - '1', s, end);
            const char *capture = lua_tolstring(L, -1, &size);
            guard_buffer_add(buffer, capture, size);
            lua_pop(L, 1);
        } else {
            luaL_error(L, "invalid use of '%%' in replacement string");
        }
    }
}

/// Adds what stands for a match; answers whether it differs from the match.
static bool add_replacement(matcher *state, guard_buffer *buffer, const char *s, const char *end, int type) {
    lua_State *L = state->L;
    if (type == LUA_TFUNCTION) {
        lua_pushvalue(L, 3);
        lua_call(L, push_captures(state, s, end), 1);
    } else if (type == LUA_TTABLE) {
        push_capture(state, 0, s, end);
        lua_gettable(L, 3);
    } else {
        add_template(state, buffer, s, end);
        return true;
    }
    if (!lua_toboolean(L, -1)) {
        lua_pop(L, 1);
        guard_buffer_add(buffer, s, (size_t)(end - s));
        return false;
    }
    if (!lua_isstring(L, -1)) luaL_error(L, "invalid replacement value (a %s)", luaL_typename(L, -1));
    size_t count;
    const char *text = lua_tolstring(L, -1, &count);
    guard_buffer_add(buffer, text, count);
    lua_pop(L, 1);
    return true;
}

static int gsub(lua_State *L) {
    size_t count, pattern_count;
    const char *text = luaL_checklstring(L, 1, &count), *pattern = luaL_checklstring(L, 2, &pattern_count);
    int type = guard_is_record(L, 3) ? LUA_TTABLE : lua_type(L, 3);
    luaL_argexpected(L, type == LUA_TNUMBER || type == LUA_TSTRING || type == LUA_TFUNCTION || type == LUA_TTABLE, 3,
                     "string/function/table");
    lua_Integer most = luaL_optinteger(L, 4, (lua_Integer)count + 1), done = 0;
    if (type == LUA_TNUMBER) lua_tolstring(L, 3, NULL);
    bool anchored = pattern_count && *pattern == '^', changed = false;
    matcher state;
    guard_buffer buffer;
    prepare(&state, L, text, count, pattern, pattern_count);
    guard_buffer_open(L, &buffer);
    const char *s = text, *last = NULL;
    while (done < most) {
        const char *end = attempt(&state, s, pattern + anchored);
        if (end && end != last) {
            done++;
            changed |= add_replacement(&state, &buffer, s, end, type);
            s = last = end;
        } else if (s < state.end) {
            guard_buffer_byte(&buffer, *s++);
        } else {
            break;
        }
        if (anchored) break;
    }
    guard_charge(L, state.vm, STEPS - state.steps);
    if (changed) {
        guard_buffer_add(&buffer, s, (size_t)(state.end - s));
        guard_buffer_push(&buffer);
    } else {
        lua_pushvalue(L, 1);
    }
    lua_pushinteger(L, done);
    return 2;
}

const luaL_Reg guard_pattern_functions[] = {
    {"find", find}, {"match", match_function}, {"gmatch", gmatch}, {"gsub", gsub}, {NULL, NULL},
};
