// The limits of a call and how they end it: time and requests from outside arrive by signal, memory from the allocator,
// instructions from a count hook and from the work that library functions charge. All four set the level's fault, which
// stays until the level is left: pcall, coroutines and message handlers of the script cannot catch it.
#include "guard.h"
#include <stdlib.h>

enum {
    COUNT_INTERVAL = 100,
    STACK_FOR_CALL = 512 * 1024,     // 200 nested C calls of a pattern callback need more than 256 KB
    STACK_FOR_HOST = 256 * 1024,
    DEEP_RECURSION = 15000,
};

static const char fault_token;       // the error value: never allocated, never made by a script

static void hook(lua_State *L, lua_Debug *event);

// Calls as well as counts, so that C functions called by C functions are stopped too.
#define STOP_EVENTS (LUA_MASKCALL | LUA_MASKCOUNT)

void guard_arm_from_signal(lua_State *L) { lua_sethook(L, hook, STOP_EVENTS, 1); }

static int events(const guard_vm *vm) {
    return (vm->counting ? LUA_MASKCOUNT : 0) | (vm->watches_lines ? LUA_MASKLINE | LUA_MASKRET : 0);
}

/// Gives a coroutine the hook that the level needs. A signal may come between any two lines: so look again.
void guard_arm(guard_vm *vm, lua_State *L) {
    guard_level *level = vm->level;
    bool stop = level && (level->fault || vm->pressure);
    if (stop) lua_sethook(L, hook, STOP_EVENTS, 1);
    else if (level && (vm->counting || vm->watches_lines)) lua_sethook(L, hook, events(vm), COUNT_INTERVAL);
    else lua_sethook(L, NULL, 0, 0);
    atomic_signal_fence(memory_order_seq_cst);
    if (!stop && level && level->fault) lua_sethook(L, hook, STOP_EVENTS, 1);
}

int guard_raise_fault(lua_State *L) {
    guard_vm *vm = guard_of(L);
    guard_arm(vm, L);
    lua_pushlightuserdata(L, (void *)&fault_token);
    return lua_error(L);
}

void guard_set_fault(guard_vm *vm, int32_t fault) {
    if (!vm->level) return;
    if (!vm->level->fault) vm->level->fault = fault;
    lua_sethook(vm->level->current, hook, STOP_EVENTS, 1);
}

bool guard_has_fault(lua_State *L) {
    guard_vm *vm = guard_of(L);
    return vm->level && vm->level->fault;
}

/// Above the soft limit: collect in slices of about a millisecond, two cycles, so that all that was garbage when the
/// limit was crossed is gone; then either there is room again or the call ends. So does a call that outruns that.
static void relieve(guard_vm *vm, lua_State *L) {
    if (vm->used > vm->soft + vm->soft / 2) guard_set_fault(vm, GUARD_MEMORY);
    for (int slice = 0; slice < 4 && vm->pressure && !vm->level->fault; slice++)
        if (lua_gc(L, LUA_GCSTEP, 0)) vm->pressure--;
    if (vm->pressure) return;
    if (vm->used > vm->soft - vm->soft / 16) guard_set_fault(vm, GUARD_MEMORY);
    else guard_arm(vm, L);
}

static void hook(lua_State *L, lua_Debug *event) {
    guard_vm *vm = guard_of(L);
    guard_level *level = vm->level;
    if (!level) {                                // left over from a call that has ended
        lua_sethook(L, NULL, 0, 0);
        return;
    }
    if (level->fault) guard_raise_fault(L);
    if (event->event == LUA_HOOKLINE || event->event == LUA_HOOKRET) {
        guard_tell_line(L, event);
        if (level->fault) guard_raise_fault(L);
        return;
    }
    if (vm->counting && event->event == LUA_HOOKCOUNT) {
        vm->budget -= lua_gethookcount(L);
        if (vm->budget <= 0) {
            guard_set_fault(vm, GUARD_INSTRUCTIONS);
            guard_raise_fault(L);
        }
    }
    if (vm->pressure) {
        relieve(vm, L);
        if (level->fault) guard_raise_fault(L);
    } else if (!vm->counting || lua_gethookcount(L) != COUNT_INTERVAL) {
        guard_arm(vm, L);
    }
}

/// What guard_charge does when something is up.
void guard_poll(lua_State *L, guard_vm *vm) {
    if (!vm->level) return;
    if (vm->budget <= 0 && vm->counting) guard_set_fault(vm, GUARD_INSTRUCTIONS);
    if (!vm->level->fault && vm->pressure) relieve(vm, L);
    if (vm->level->fault) guard_raise_fault(L);
}

// ---- around a call ------------------------------------------------------------------------------------------------------

int32_t guard_enter(guard_vm *vm, const guard_limits *limits, guard_entry *entry) {
    if (guard_stack_remaining() < STACK_FOR_CALL) return GUARD_DEPTH;
    int32_t failure = GUARD_OK;
    if (!vm->level) atomic_store(&vm->cell->requested, 0);
    // Outside of any deadline. There are no finalizers, so that collecting raises nothing.
    if (!vm->level && vm->littered) {
        vm->littered = false;
        if (vm->used > vm->soft / 2) lua_gc(vm->current, LUA_GCCOLLECT);
    }
    int64_t deadline = limits ? limits->deadline : 0, instructions = limits ? limits->instructions : 0;
    guard_level *level =
        guard_level_enter(vm->current, deadline > 0 ? (uint64_t)deadline : 0, vm->cell, &failure);
    if (!level) return failure;
    *entry = (guard_entry){vm->level, vm->budget, 0, vm->counting, vm->pressure, vm->level ? vm->copied : 0};
    vm->copied = entry->copied;
    if (!vm->level) guard_trim_tapes(vm, true);
    vm->level = level;
    if (instructions > 0) {
        if (!vm->counting || instructions < vm->budget) vm->budget = instructions;
        vm->counting = true;
    } else if (!vm->counting) {
        vm->budget = INT64_MAX;
    }
    entry->granted = vm->budget;
    if (vm->counting || vm->pressure || vm->watches_lines) guard_arm(vm, vm->current);
    return GUARD_OK;
}

int32_t guard_leave(guard_vm *vm, const guard_entry *entry) {
    guard_level *level = vm->level;
    lua_State *L = vm->current;              // not the level's: a coroutine may have ended past the one that resumed it
    guard_level_leave();
    int32_t fault = level->fault;
    vm->level = entry->level;
    int64_t used = entry->granted - vm->budget;
    bool counted = vm->counting;
    vm->counting = entry->counting;
    vm->budget = entry->counting ? entry->budget - used : INT64_MAX;
    vm->spent = used;
    vm->copied = entry->copied;
    if (!vm->level) {
        vm->pressure = vm->pressure ? 2 : 0;
        vm->littered = fault != 0;
        if (vm->traverses) guard_forget_traversals(vm, L);
        guard_trim_tapes(vm, false);
    }
    if (fault || vm->pressure || counted || vm->counting || vm->watches_lines) guard_arm(vm, L);
    return fault;
}

int64_t guard_spent_instructions(const guard_vm *vm) { return vm->spent; }

/// Around a host function: no signal while Swift runs.
void guard_host_enter(guard_vm *vm, lua_State *L) {
    if (guard_stack_remaining() < STACK_FOR_HOST) luaL_error(L, "stack overflow (too little of the host's stack is left)");
    if (vm->level) atomic_store_explicit(&vm->level->host, 1, memory_order_relaxed);
}
void guard_host_leave(guard_vm *vm, lua_State *L) {
    if (!vm->level) return;
    atomic_store_explicit(&vm->level->host, 0, memory_order_relaxed);
    guard_level_check();
    if (vm->level->fault) guard_raise_fault(L);
}

int guard_host_pause(guard_vm *vm) {
    if (!vm->level) return 0;
    int was = atomic_exchange_explicit(&vm->level->host, 0, memory_order_relaxed);
    guard_level_check();
    return was;
}
void guard_host_resume(guard_vm *vm, int was) {
    if (vm->level) atomic_store_explicit(&vm->level->host, was, memory_order_relaxed);
}

int32_t guard_fault_of(const guard_vm *vm) { return vm->level ? vm->level->fault : GUARD_OK; }

/// Endless recursion meets the memory limit first: say what it is.
void guard_classify_fault(lua_State *L) {
    guard_vm *vm = guard_of(L);
    lua_Debug at;
    if (vm->level && vm->level->fault == GUARD_MEMORY && lua_getstack(L, DEEP_RECURSION, &at))
        vm->level->fault = GUARD_DEPTH;
}

void guard_set_limits(guard_vm *vm, const guard_limits *limits) { vm->limits = *limits; }

// ---- requests from outside ------------------------------------------------------------------------------------------------

void *guard_interrupt_cell(const guard_vm *vm, uint64_t *owner) {
    *owner = atomic_load(&vm->cell->owner);
    return vm->cell;
}
