// Coroutines for scripts: the limits go with whichever runs.
#include "guard.h"

enum { COST_OF_SWITCH = 100 };      // at least the count hook's interval: short coroutines are not free

/// Something is about to run on another coroutine, or has: the level must know, and its hook go along.
static void switch_to(guard_vm *vm, lua_State *to) {
    if (vm->level) vm->level->current = to;
    atomic_signal_fence(memory_order_seq_cst);
    guard_arm(vm, to);
}

static const char *status_of(lua_State *L, lua_State *coroutine);

static lua_State *checked(lua_State *L) {
    lua_State *coroutine = lua_tothread(L, 1);
    luaL_argexpected(L, coroutine, 1, "coroutine");
    return coroutine;
}

/// The number of results, on L; or -1 with the error on L.
static int resume_with(lua_State *L, lua_State *coroutine, int count) {
    guard_vm *vm = guard_of(L);
    guard_charge(L, vm, COST_OF_SWITCH);
    const char *state = status_of(L, coroutine);
    if (state[0] != 's') {          // Lua would say so on the coroutine, which has no one to catch what goes wrong there
        lua_pushstring(L, state[0] == 'd' ? "cannot resume dead coroutine" : "cannot resume non-suspended coroutine");
        return -1;
    }
    if (!lua_checkstack(coroutine, count)) {
        lua_pushliteral(L, "too many arguments to resume");
        return -1;
    }
    lua_xmove(L, coroutine, count);
    int results;
    switch_to(vm, coroutine);
    int status = lua_resume(coroutine, L, count, &results);
    switch_to(vm, L);
    if (status == LUA_ERRMEM) guard_set_fault(vm, GUARD_MEMORY);
    if (guard_has_fault(L)) guard_raise_fault(L);
    if (status != LUA_OK && status != LUA_YIELD) {
        lua_xmove(coroutine, L, 1);
        return -1;
    }
    if (!lua_checkstack(L, results + 1)) {
        lua_pop(coroutine, results);
        lua_pushliteral(L, "too many results to resume");
        return -1;
    }
    lua_xmove(coroutine, L, results);
    return results;
}

static int resume(lua_State *L) {
    lua_State *coroutine = checked(L);
    int results = resume_with(L, coroutine, lua_gettop(L) - 1);
    if (results < 0) guard_soften_error(L);
    lua_pushboolean(L, results >= 0);
    lua_insert(L, results < 0 ? -2 : -(results + 1));
    return results < 0 ? 2 : results + 1;
}

static int wrapped(lua_State *L) {
    lua_State *coroutine = lua_tothread(L, lua_upvalueindex(1));
    int results = resume_with(L, coroutine, lua_gettop(L));
    return results < 0 ? lua_error(L) : results;
}

static int create(lua_State *L) {
    luaL_checktype(L, 1, LUA_TFUNCTION);
    guard_charge(L, guard_of(L), COST_OF_SWITCH);
    lua_State *coroutine = lua_newthread(L);
    lua_pushvalue(L, 1);
    lua_xmove(L, coroutine, 1);
    return 1;
}
static int wrap(lua_State *L) {
    create(L);
    lua_pushcclosure(L, wrapped, 1);
    return 1;
}

static int yield(lua_State *L) { return lua_yield(L, lua_gettop(L)); }

static const char *status_of(lua_State *L, lua_State *coroutine) {
    lua_Debug at;
    if (L == coroutine) return "running";
    switch (lua_status(coroutine)) {
    case LUA_YIELD: return "suspended";
    case LUA_OK:
        if (lua_getstack(coroutine, 0, &at)) return "normal";
        return lua_gettop(coroutine) == 0 ? "dead" : "suspended";
    default: return "dead";
    }
}
static int status(lua_State *L) {
    lua_pushstring(L, status_of(L, checked(L)));
    return 1;
}
static int is_yieldable(lua_State *L) {
    lua_State *coroutine = lua_tothread(L, 1);
    lua_pushboolean(L, lua_isyieldable(coroutine ? coroutine : L));
    return 1;
}
static int running(lua_State *L) {
    lua_pushboolean(L, lua_pushthread(L));
    return 2;
}

static int close(lua_State *L) {
    lua_State *coroutine = checked(L);
    const char *state = status_of(L, coroutine);
    if (state[0] != 's' && state[0] != 'd') return luaL_error(L, "cannot close a %s coroutine", state);
    switch_to(guard_of(L), coroutine);
    int result = lua_resetthread(coroutine);
    switch_to(guard_of(L), L);
    if (guard_has_fault(L)) guard_raise_fault(L);
    lua_pushboolean(L, result == LUA_OK);
    if (result == LUA_OK) return 1;
    lua_xmove(coroutine, L, 1);
    guard_soften_error(L);
    return 2;
}

const luaL_Reg guard_coroutine_functions[] = {
    {"create", create}, {"resume", resume},           {"yield", yield},     {"wrap", wrap}, {"status", status},
    {"close", close},   {"isyieldable", is_yieldable}, {"running", running}, {NULL, NULL},
};
