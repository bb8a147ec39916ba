#define _GNU_SOURCE
// A machine: one Lua state, its memory and what the host sees of both.
#include "guard.h"
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/// Lua makes these on the coroutine that is resumed, and where the memory for them cannot be had it jumps to the main
/// coroutine, past all that stands between. A string that exists needs no memory.
static void anchor_messages(lua_State *L) {
    static const char *const said[] = {"cannot resume dead coroutine", "cannot resume non-suspended coroutine",
                                       "C stack overflow", "error in error handling", "not enough memory", NULL};
    lua_newtable(L);
    for (int i = 0; said[i]; i++) {
        lua_pushstring(L, said[i]);
        lua_rawseti(L, -2, i + 1);
    }
    lua_rawseti(L, LUA_REGISTRYINDEX, GUARD_PLACE_MESSAGES);
}

static int set_up(lua_State *L) {
    for (int place = 4; place < GUARD_PLACE_LAST; place++) {
        lua_pushboolean(L, 0);
        lua_rawseti(L, LUA_REGISTRYINDEX, place);
    }
    lua_newtable(L);
    lua_rawseti(L, LUA_REGISTRYINDEX, GUARD_PLACE_REFERENCES);
    lua_newtable(L);
    lua_rawseti(L, LUA_REGISTRYINDEX, GUARD_PLACE_CHUNKS);
    anchor_messages(L);
    guard_open_host(L);
    guard_open_values(L);
    guard_open_records(L);
    guard_open_environment(L);
    guard_open_libraries(L);
    if (!guard_disarm_events(L)) return luaL_error(L, "the system gives no random bytes");
    return 0;
}

/// Reached only by an error outside every protected call, which the rules of this target exclude.
static int panic(lua_State *L) {
    (void)L;
    abort();
}

guard_vm *guard_new(int32_t profile, void *context, guard_host host, guard_dropped dropped) {
    if (!guard_deadline_start()) return NULL;
    guard_vm *vm = calloc(1, sizeof *vm);
    if (!vm) return NULL;
    vm->cell = guard_cell_take();
    vm->answers = calloc(GUARD_LEVELS, sizeof *vm->answers);
    if (!vm->cell || !vm->answers) {
        guard_cell_return(vm->cell);
        free(vm->answers);
        free(vm);
        return NULL;
    }
    vm->budget = INT64_MAX;
    vm->profile = profile;
    vm->context = context;
    vm->host = host;
    vm->dropped = dropped;
    guard_set_memory_limit(vm, 0);
    lua_State *L = lua_newstate(guard_allocate, vm);
    if (!L) {
        guard_cell_return(vm->cell);
        free(vm->answers);
        free(vm);
        return NULL;
    }
    lua_atpanic(L, panic);
    *(guard_vm **)lua_getextraspace(L) = vm;
    vm->main = vm->current = L;
    if (guard_protect(vm, set_up, NULL) != GUARD_OK || guard_seed_random(vm, 0) != GUARD_OK) {
        guard_close(vm);
        return NULL;
    }
    return vm;
}

void guard_close(guard_vm *vm) {
    lua_sethook(vm->main, NULL, 0, 0);
    vm->hard = vm->longest_block = vm->longest_string = SIZE_MAX;
    lua_close(vm->main);
    guard_cell_return(vm->cell);
    guard_free_frames(vm);
    guard_tape *const tapes[] = {&vm->in, &vm->out, &vm->error_value, &vm->message, &vm->traceback, &vm->chunk,
                                 &vm->made};
    for (size_t i = 0; i < sizeof tapes / sizeof *tapes; i++) guard_tape_free(tapes[i]);
    free(vm->answers);
    free(vm);
}

static int collect(lua_State *L) {
    lua_gc(L, LUA_GCCOLLECT);
    return 0;
}
int32_t guard_collect(guard_vm *vm) { return guard_protect(vm, collect, NULL); }

int64_t guard_stack_remaining(void) {
    static _Thread_local __attribute__((tls_model("initial-exec"))) uintptr_t lowest;
    if (!lowest) {
        pthread_attr_t attributes;
        void *address = NULL;
        size_t size = 0, guard = 0;
        if (pthread_getattr_np(pthread_self(), &attributes)) return INT64_MAX;
        pthread_attr_getstack(&attributes, &address, &size);
        pthread_attr_getguardsize(&attributes, &guard);
        pthread_attr_destroy(&attributes);
        lowest = (uintptr_t)address + guard;
    }
    return (int64_t)((uintptr_t)__builtin_frame_address(0) - lowest);
}
