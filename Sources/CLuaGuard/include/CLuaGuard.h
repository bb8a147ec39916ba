// The only door between Swift and Lua.
//
// Rules that everything behind this header keeps:
//  - no function declared here ever leaves by longjmp: what may raise a Lua error runs under lua_pcall;
//  - lua.h is not visible from here, so that Swift cannot call a function that raises;
//  - a host function (Swift) runs with no Lua error possible: it reads arguments, writes results on a tape, and C
//    pushes them, or raises, after the Swift frame is gone.
#ifndef CLUAGUARD_H
#define CLUAGUARD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct guard_vm guard_vm;

enum guard_profile { GUARD_POLICY = 0, GUARD_SCRIPT = 1 };

enum guard_status {
    GUARD_OK = 0,
    GUARD_RUNTIME,
    GUARD_SYNTAX,
    GUARD_MEMORY,
    GUARD_TIME,
    GUARD_INSTRUCTIONS,
    GUARD_DEPTH,
    GUARD_INTERRUPTED,
    GUARD_HOST,          // a host function failed with an error that the host keeps: guard_error_host_id
    GUARD_UNAVAILABLE,   // not a Lua fault: the machine could not be set up
};

enum guard_kind {
    GUARD_NIL = 0,
    GUARD_BOOLEAN,
    GUARD_INTEGER,
    GUARD_NUMBER,
    GUARD_STRING,
    GUARD_TABLE,         // tables, frozen tables, records and lists
    GUARD_FUNCTION,
    GUARD_VALUE,         // a host value type
    GUARD_OTHER,
};

/// What a host function is asked for. `id` depends on the event.
enum guard_event {
    GUARD_EVENT_CALL = 0,        // id: the callback
    GUARD_EVENT_UNKNOWN_GLOBAL,  // argument 1: the name; result: the message
    GUARD_EVENT_UNKNOWN_FIELD,   // arguments: record name, field; result: the message
    GUARD_EVENT_UNKNOWN_MEMBER,  // arguments: name of the module, the member; result: the message
    GUARD_EVENT_PRINT,           // arguments: strings
    GUARD_EVENT_REQUIRE,         // argument: name; results: source, chunk
    GUARD_EVENT_ARITHMETIC,      // id: type * 16 + operator; arguments: left, right
    GUARD_EVENT_COMPARE,         // id: type * 16 + (0: <, 1: <=)
    GUARD_EVENT_TEXT,            // id: type
    GUARD_EVENT_FIELD,           // id: type; arguments: value, name
    GUARD_EVENT_LINE,            // id: 0 a line begins, 1 a function returns; arguments: see lines.c
};

/// Returns the number of results written on the tape, or
/// -1: raise the message given to guard_fail, with the position of the caller;
/// -2: raise an error that stands for the host's own error number guard_fail_host.
typedef int32_t (*guard_host)(void *context, guard_vm *vm, int32_t event, int64_t id, int32_t count);
/// A Lua function that wraps callback `id` is gone. Runs inside the collector: must not call back.
typedef void (*guard_dropped)(void *context, int64_t id);

/// 0 or negative: none.
typedef struct guard_limits {
    int64_t deadline;       // nanoseconds of thread CPU time
    int64_t instructions;
} guard_limits;

// ---- life ------------------------------------------------------------------------------------------------------
guard_vm *guard_new(int32_t profile, void *context, guard_host host, guard_dropped dropped);
void guard_close(guard_vm *vm);
/// Bytes; soft limit. Single strings and blocks are bounded too (see allocator.c).
void guard_set_memory_limit(guard_vm *vm, int64_t bytes);
/// For loading, freezing and defining, and whatever else is given none.
void guard_set_limits(guard_vm *vm, const guard_limits *limits);
int64_t guard_used_memory(const guard_vm *vm);
int64_t guard_peak_memory(const guard_vm *vm);
void guard_reset_peak(guard_vm *vm);
int32_t guard_collect(guard_vm *vm);
int32_t guard_seed_random(guard_vm *vm, int64_t seed);
/// The work of the last outermost call that had an instruction budget.
int64_t guard_spent_instructions(const guard_vm *vm);
/// Where to ask for the end of the running call: the cell outlives the machine. Async-signal-safe, from any thread.
void *guard_interrupt_cell(const guard_vm *vm, uint64_t *owner);
void guard_interrupt(void *cell, uint64_t owner);
/// Bytes of stack left below the caller on this thread.
int64_t guard_stack_remaining(void);

// ---- the tape towards Lua --------------------------------------------------------------------------------------
size_t guard_begin(guard_vm *vm);
void guard_rewind(guard_vm *vm, size_t base);
void guard_put_nil(guard_vm *vm);
void guard_put_boolean(guard_vm *vm, bool value);
void guard_put_integer(guard_vm *vm, int64_t value);
void guard_put_number(guard_vm *vm, double value);
void guard_put_string(guard_vm *vm, const void *bytes, size_t count);
void guard_put_value(guard_vm *vm, int32_t type, int64_t a, int64_t b);
void guard_put_function(guard_vm *vm, int64_t id);
/// remembers: a host value that a text or a whole number was answered is answered again without asking the host.
void guard_put_callback(guard_vm *vm, int64_t id, bool remembers);
/// array: how many elements the list at its beginning has; -1 marks a table without any as a list.
void guard_put_table_start(guard_vm *vm, int32_t array, int32_t fields);
void guard_put_table_end(guard_vm *vm);
void guard_fail(guard_vm *vm, const void *bytes, size_t count);
void guard_fail_host(guard_vm *vm, int64_t id, const void *bytes, size_t count);

// ---- protected operations; each returns a guard_status ------------------------------------------------------------
int32_t guard_load(guard_vm *vm, const void *source, size_t count, const char *chunk, int64_t environment,
                   int64_t *function);
int32_t guard_call(guard_vm *vm, int64_t function, int32_t arguments, size_t base, const guard_limits *limits);
/// The results of the last guard_call, or the value encoded by guard_argument_encode.
const uint8_t *guard_results(const guard_vm *vm, size_t *count);
/// They have been read: large ones give their memory back.
void guard_forget_results(guard_vm *vm);
int32_t guard_environment(guard_vm *vm, int64_t *environment);
/// environment 0: the base that all environments share. The value is the one on the tape since base.
int32_t guard_define(guard_vm *vm, int64_t environment, const char *path, size_t base);
int32_t guard_freeze(guard_vm *vm, int64_t reference);
/// Lines of the chunks in the table on the tape since base are reported to the host; see lines.c.
int32_t guard_watch_lines(guard_vm *vm, bool watches, size_t base);
int32_t guard_release(guard_vm *vm, const int64_t *references, size_t count);
int32_t guard_register_type(guard_vm *vm, int32_t type, const char *name);
/// Where a function was defined; line 0: not a Lua function. The name stays valid until the next protected operation.
int32_t guard_function_source(guard_vm *vm, int64_t function, const char **chunk, int32_t *line);

// ---- the last error --------------------------------------------------------------------------------------------
const char *guard_error_message(const guard_vm *vm, size_t *count);
const char *guard_error_chunk(const guard_vm *vm, size_t *count);
int32_t guard_error_line(const guard_vm *vm);
const char *guard_error_traceback(const guard_vm *vm, size_t *count);
int64_t guard_error_host_id(const guard_vm *vm);
/// The error object, if it was a table: encoded like results.
const uint8_t *guard_error_value(const guard_vm *vm, size_t *count);
bool guard_error_incomplete(const guard_vm *vm);

// ---- what host functions use ---------------------------------------------------------------------------------------
/// Charges the running call with memory that a host function takes, until that function returns: GUARD_OK, or the limit
/// by which the call ends once the function has returned, which it should do at once. 0 bytes ask about the time alone.
/// GUARD_HOST_AGAIN, unless this is the last time: Lua's garbage was collected, and callbacks may be gone with what they
/// kept; forget them, and charge 0 bytes for the last time.
int32_t guard_host_charge(guard_vm *vm, int64_t bytes, bool last);
enum { GUARD_HOST_AGAIN = -1 };
/// The same for memory that stays taken; a negative number gives back.
int32_t guard_host_keep(guard_vm *vm, int64_t bytes);
/// How many values the value encoded last has in it.
uint32_t guard_encoded_values(const guard_vm *vm);

// ---- arguments of the host call in progress (1-based); none of these raises ----------------------------------------
uint64_t guard_host_serial(const guard_vm *vm);
int32_t guard_argument_kind(guard_vm *vm, int32_t index);
bool guard_argument_boolean(guard_vm *vm, int32_t index);
int64_t guard_argument_integer(guard_vm *vm, int32_t index);
double guard_argument_number(guard_vm *vm, int32_t index);
const char *guard_argument_string(guard_vm *vm, int32_t index, size_t *count);
bool guard_argument_value(guard_vm *vm, int32_t index, int32_t *type, int64_t *a, int64_t *b);
/// Encodes the argument on the results tape.
int32_t guard_argument_encode(guard_vm *vm, int32_t index);

#include "CLuaGuardRecords.h"
#endif
