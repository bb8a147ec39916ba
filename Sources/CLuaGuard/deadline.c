// One watchdog thread looks at the running calls every tick. A call past its deadline gets a signal on its own thread,
// whose handler arms a Lua hook on the coroutine that runs; the hook raises. Entering and leaving a call is a few stores.
//
// Why a signal: lua_sethook walks the call stack of its state, which only the state's own thread may do, and it is
// documented to be safe there at any moment. Why generations: a signal may arrive late, when the call it was meant for
// has ended and another runs; a level ends only if the watchdog condemned the generation that runs in it now.
#define _GNU_SOURCE
#include "deadline.h"
#include "CLuaGuard.h"
#include <errno.h>
#include <lauxlib.h>
#include <pthread.h>
#include <stdlib.h>
#include <time.h>

enum { TICK_NANOSECONDS = 5000000, QUIET_TICKS = 20 };
#define DEADLINE_SIGNAL (SIGRTMIN + 5)
#define RELAXED(place) atomic_load_explicit(place, memory_order_relaxed)
#define SET(place, value) atomic_store_explicit(place, value, memory_order_relaxed)

// ThreadSanitizer holds asynchronous signals back until the thread next enters an interceptor, which a Lua loop never
// does: there the handler is installed past its interceptor, and left uninstrumented.
#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define GUARD_TSAN 1
#endif
#endif
#ifdef GUARD_TSAN
int __sigaction(int, const struct sigaction *, struct sigaction *);
#define sigaction(number, new, old) __sigaction(number, new, old)
#define PLAIN __attribute__((disable_sanitizer_instrumentation))
#else
#define PLAIN
#endif

struct guard_slot_of_thread {
    _Atomic int depth;
    uint64_t last_generation;
    uint64_t latest;                          // watchdog only: the generation of the outermost call at the last tick
    pthread_t thread;
    clockid_t clock;
    struct guard_slot_of_thread *next;
    guard_level levels[GUARD_LEVELS];
};

// initial-exec: read in a signal handler, where a lazily made TLS block would mean malloc
static _Thread_local __attribute__((tls_model("initial-exec"))) guard_thread *volatile self;
static pthread_key_t thread_end;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t wake = PTHREAD_COND_INITIALIZER;
static guard_thread *threads;                 // under lock
static guard_request_cell *free_cells;        // under lock
static uint64_t last_owner;                   // under lock
static _Atomic int asleep;

static uint64_t read_clock(clockid_t clock) {
    struct timespec now;
    return clock_gettime(clock, &now) ? 0 : (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

// ---- on the calling thread ------------------------------------------------------------------------------------------

/// Is a generation that still runs here condemned? Then it and all inside it end.
PLAIN __attribute__((always_inline)) static inline void check(guard_thread *slot) {
    int depth = RELAXED(&slot->depth);
    for (int i = 0; i < depth; i++) {
        guard_level *level = &slot->levels[i];
        if (RELAXED(&level->condemned) != RELAXED(&level->generation)) continue;
        int reason = RELAXED(&level->reason);
        for (int j = i; j < depth; j++)
            if (!slot->levels[j].fault) slot->levels[j].fault = reason;
        guard_arm_from_signal(slot->levels[depth - 1].current);
        return;
    }
}

PLAIN static void on_signal(int number) {
    (void)number;
    int kept = errno;
    guard_thread *slot = self;
    if (slot) check(slot);
    errno = kept;
}

static void detach(void *context) {           // thread exit; the watchdog signals only under lock
    guard_thread *slot = context;
    self = NULL;
    pthread_mutex_lock(&lock);
    for (guard_thread **place = &threads; *place; place = &(*place)->next)
        if (*place == slot) {
            *place = slot->next;
            break;
        }
    pthread_mutex_unlock(&lock);
    free(slot);
}

static guard_thread *attach(void) {
    guard_thread *slot = calloc(1, sizeof *slot);
    if (!slot) return NULL;
    slot->thread = pthread_self();
    if (pthread_getcpuclockid(slot->thread, &slot->clock) || pthread_setspecific(thread_end, slot)) {
        free(slot);
        return NULL;
    }
    pthread_mutex_lock(&lock);
    slot->next = threads;
    threads = slot;
    pthread_mutex_unlock(&lock);
    self = slot;
    sigset_t unblocked;                       // Dispatch and the cooperative pool block all but fault signals
    sigemptyset(&unblocked);
    sigaddset(&unblocked, DEADLINE_SIGNAL);
    pthread_sigmask(SIG_UNBLOCK, &unblocked, NULL);
    return slot;
}

guard_level *guard_level_enter(lua_State *L, uint64_t budget, guard_request_cell *cell, int32_t *failure) {
    guard_thread *slot = self;
    *failure = GUARD_UNAVAILABLE;
    if (!slot && !(slot = attach())) return NULL;
    int depth = RELAXED(&slot->depth);
    *failure = GUARD_DEPTH;
    if (depth == GUARD_LEVELS) return NULL;
    if (depth) {
        check(slot);
        *failure = slot->levels[depth - 1].fault;
        if (*failure) return NULL;            // an outer call is already over
    }
    guard_level *level = &slot->levels[depth];
    level->current = L;
    level->fault = 0;
    SET(&level->host, 0);
    SET(&level->budget, budget);
    SET(&level->cell, cell);
    atomic_store_explicit(&level->generation, ++slot->last_generation, memory_order_release);
    atomic_store(&slot->depth, depth + 1);    // sequentially consistent: pairs with asleep
    if (atomic_load(&asleep)) {
        pthread_mutex_lock(&lock);
        atomic_store(&asleep, 0);
        pthread_cond_signal(&wake);
        pthread_mutex_unlock(&lock);
    }
    return level;
}

void guard_level_leave(void) {
    guard_thread *slot = self;
    atomic_store_explicit(&slot->depth, RELAXED(&slot->depth) - 1, memory_order_release);
    atomic_signal_fence(memory_order_seq_cst);   // from here on the handler knows only the outer levels
}

void guard_level_check(void) {
    guard_thread *slot = self;
    if (slot) check(slot);
}

// ---- the watchdog -----------------------------------------------------------------------------------------------------

/// Has the call used up its time, or was it cancelled? 0: neither.
static int verdict(guard_level *level, uint64_t generation, uint64_t used) {
    guard_request_cell *cell = RELAXED(&level->cell);
    uint64_t budget = RELAXED(&level->budget);
    bool asked = cell && RELAXED(&cell->requested) && RELAXED(&cell->requested) == RELAXED(&cell->owner);
    atomic_thread_fence(memory_order_acquire);
    if (RELAXED(&level->generation) != generation) return 0;
    if (budget && used > budget) return GUARD_TIME;
    return asked ? GUARD_INTERRUPTED : 0;
}

/// A clock is first read when a tick has met a generation, not on entry: no call is ended early, and none more than about
/// two ticks late. The order of the reads matters, for the thread goes on while this one looks: the beginning is read
/// after the generation, and the end before it. Repeats after 1, 2, 4 ... ticks heal the few moments at which Lua may
/// miss a hook.
static bool inspect(guard_thread *slot) {
    uint64_t latest = RELAXED(&slot->levels[0].generation);
    int depth = atomic_load(&slot->depth);
    bool busy = depth > 0 || latest != slot->latest, send = false;
    slot->latest = latest;
    uint64_t now = depth ? read_clock(slot->clock) : 0;
    for (int i = 0; i < depth; i++) {
        guard_level *level = &slot->levels[i];
        uint64_t generation = atomic_load_explicit(&level->generation, memory_order_acquire);
        if (generation != level->seen) {
            level->seen = generation;
            level->start = read_clock(slot->clock);
            level->late = 0;
        }
        uint64_t used = now > level->start ? now - level->start : 0;
        int reason = level->late ? RELAXED(&level->reason) : verdict(level, generation, used);
        if (!reason) continue;
        SET(&level->reason, reason);
        atomic_store_explicit(&level->condemned, generation, memory_order_release);
        level->late++;
        if (!(level->late & (level->late - 1))) send = true;
    }
    if (send && !RELAXED(&slot->levels[depth - 1].host)) pthread_kill(slot->thread, DEADLINE_SIGNAL);
    return busy;
}

static bool look(void) {                      // under lock
    bool busy = false;
    for (guard_thread *slot = threads; slot; slot = slot->next) busy |= inspect(slot);
    return busy;
}

static void *watch(void *context) {
    struct timespec tick = {0, TICK_NANOSECONDS};
    for (int quiet = 0;;) {
        clock_nanosleep(CLOCK_MONOTONIC, 0, &tick, NULL);
        pthread_mutex_lock(&lock);
        quiet = look() ? 0 : quiet + 1;
        if (quiet >= QUIET_TICKS) {
            atomic_store(&asleep, 1);
            if (look()) atomic_store(&asleep, 0);   // a call that began before it could see the flag
            while (atomic_load(&asleep)) pthread_cond_wait(&wake, &lock);
            quiet = 0;
        }
        pthread_mutex_unlock(&lock);
    }
    return context;
}

static bool started;

static void start(void) {
    lua_State *L = luaL_newstate();           // binds what the handler calls: lazy binding is not for handlers
    if (!L) return;
    lua_sethook(L, NULL, 0, 0);
    guard_arm_from_signal(L);
    lua_close(L);
    struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_RESTART};
    sigfillset(&action.sa_mask);
    if (sigaction(DEADLINE_SIGNAL, &action, NULL) || pthread_key_create(&thread_end, detach)) return;
    sigset_t all, kept;                       // the watchdog itself takes no signals
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &kept);
    pthread_t thread;
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    pthread_attr_setstacksize(&attributes, 256 * 1024);
    started = pthread_create(&thread, &attributes, watch, NULL) == 0;
    pthread_attr_destroy(&attributes);
    pthread_sigmask(SIG_SETMASK, &kept, NULL);
}

bool guard_deadline_start(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, start);
    return started;
}

// ---- requests from outside ----------------------------------------------------------------------------------------------

guard_request_cell *guard_cell_take(void) {
    pthread_mutex_lock(&lock);
    guard_request_cell *cell = free_cells;
    if (cell) free_cells = cell->next;
    else cell = calloc(1, sizeof *cell);
    if (cell) {
        atomic_store(&cell->requested, 0);
        atomic_store(&cell->owner, ++last_owner);
    }
    pthread_mutex_unlock(&lock);
    return cell;
}

void guard_cell_return(guard_request_cell *cell) {
    if (!cell) return;
    pthread_mutex_lock(&lock);
    atomic_store(&cell->owner, 0);
    cell->next = free_cells;
    free_cells = cell;
    pthread_mutex_unlock(&lock);
}

void guard_interrupt(void *cell, uint64_t owner) {
    guard_request_cell *request = cell;       // lock-free: may be called from a signal handler
    if (request && owner) atomic_store(&request->requested, owner);
}
