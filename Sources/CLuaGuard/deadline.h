// Deadlines in thread CPU time for calls on many threads, without a timer and without reading a clock per call.
#ifndef GUARD_DEADLINE_H
#define GUARD_DEADLINE_H

#include <lua.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

enum { GUARD_LEVELS = 16 };

/// Where the end of a call is asked for from outside: never unmapped, so that anybody may write to it at any time.
typedef struct guard_request_cell {
    _Atomic uint64_t owner;       // the machine it belongs to now
    _Atomic uint64_t requested;   // the machine whose running call is to end
    struct guard_request_cell *next;
} guard_request_cell;

/// One call into Lua. Levels of a thread are nested; each belongs to one machine.
typedef struct guard_level {
    _Atomic uint64_t generation, budget;            // written by the owner: budget (ns, 0: none) first
    _Atomic(guard_request_cell *) cell;
    _Atomic uint64_t condemned;                     // written by the watchdog: the generation that must end ...
    _Atomic int reason;                             // ... and why (guard_status), written first
    _Atomic int host;                               // inside a host function: not to be signalled
    lua_State *volatile current;                    // the coroutine that runs: its thread and the handler only
    volatile sig_atomic_t fault;                    // likewise: guard_status, sticky until the level is left
    uint64_t seen, start;                           // watchdog only
    unsigned late;
} guard_level;

typedef struct guard_slot_of_thread guard_thread;

/// Starts the watchdog, once per process.
bool guard_deadline_start(void);
/// The calling thread's levels; made on its first call. NULL: no memory.
guard_level *guard_level_enter(lua_State *L, uint64_t budget, guard_request_cell *cell, int32_t *failure);
void guard_level_leave(void);
/// After a host function: applies a condemnation that came while no signal was sent.
void guard_level_check(void);
/// How the handler stops a coroutine (limits.c). Async-signal-safe.
void guard_arm_from_signal(lua_State *L);

guard_request_cell *guard_cell_take(void);
void guard_cell_return(guard_request_cell *cell);
#endif
