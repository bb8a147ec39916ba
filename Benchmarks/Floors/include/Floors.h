// What our figures are held against: the same work from plain C, with nothing around it.
#ifndef FLOORS_H
#define FLOORS_H

#include <stdbool.h>
#include <stdint.h>

// Nanoseconds of CPU time of this process, all threads together.
uint64_t floor_cpu(void);
// Nanoseconds of a clock that only goes forward.
uint64_t floor_wall(void);

// What a process took from its beginning to its end.
typedef struct floor_child_cost {
    uint64_t cpu;
    uint64_t wall;
    // Bytes of memory at most; 0 if nobody looked.
    int64_t peak;
} floor_child_cost;

// Runs a program, found along PATH, with its arguments up to a NULL; what it prints to standard output is dropped.
// Returns false if it did not end with 0. Whoever `looks_at_memory` gets times that are a few milliseconds too long.
bool floor_child(const char *const *arguments, bool looks_at_memory, floor_child_cost *cost);

// A bare Lua state with a function of three records.
typedef struct floor_lua floor_lua;

// Loads Lua source that returns a function and three tables. NULL after an error, which is printed.
floor_lua *floor_lua_open(const char *source);
// Calls the function on the tables and reads the fields `allow`, `days` and `reason` of its answer.
// Returns the sum of all `days`, or -1 if a call failed.
int64_t floor_lua_call(floor_lua *floor, int64_t times);
void floor_lua_close(floor_lua *floor);

typedef enum floor_kind { FLOOR_NULL, FLOOR_INTEGER, FLOOR_REAL, FLOOR_TEXT } floor_kind;

// A value to bind; a text stands in the script's bytes.
typedef struct floor_value {
    floor_kind kind;
    int32_t length;
    int64_t integer; // of a text, where it begins
    double real;
} floor_value;

// One run of a statement.
typedef struct floor_run {
    int32_t statement;
    int32_t steps;
    int32_t first_value;
    int32_t value_count;
} floor_run;

// An SQLite database with prepared statements.
typedef struct floor_store floor_store;

// Opens a database and runs `settings` on it. NULL after an error, which is printed.
floor_store *floor_store_open(const char *path, bool read_only, const char *settings);
bool floor_store_prepare(floor_store *floor, const char *const *texts, int32_t count);
// Runs statements one after the other, as often stepped as it says, and reads every column of every row.
bool floor_store_run(floor_store *floor, const floor_run *runs, int64_t count, const floor_value *values,
                     const char *bytes);
// The number that a query gives, -1 after an error, which is printed.
int64_t floor_store_number(floor_store *floor, const char *text);
// The text that a query gives, to be freed by the caller; NULL after an error, which is printed.
char *floor_store_text(floor_store *floor, const char *text);
bool floor_store_execute(floor_store *floor, const char *text);
void floor_store_close(floor_store *floor);

// What a desk needs at the least, on bare tables of SQLite: patrons, items, loans, holds, an audit row, and rules in arrays.
typedef struct floor_bare floor_bare;

// Days are numbers; this is today.
enum { FLOOR_TODAY = 20000 };

typedef struct floor_request {
    int64_t patron;
    int64_t item;
} floor_request;

// How many were granted or written, and the sum of their due days or fees: the same for all that do the same work.
typedef struct floor_outcome {
    int64_t count;
    int64_t sum;
} floor_outcome;

// Opens a database, runs `settings` on it and reads its rules. NULL after an error, which is printed.
floor_bare *floor_bare_open(const char *path, const char *settings);
// Decides requests and writes nothing.
bool floor_bare_decide(floor_bare *bare, const floor_request *requests, int64_t count, floor_outcome *outcome);
// Decides each request and writes the loan, the item and an audit row, one commit each.
bool floor_bare_lend(floor_bare *bare, const floor_request *requests, int64_t count, floor_outcome *outcome);
// Writes a notice with its fee and text for each open loan that is overdue, in one commit.
bool floor_bare_overdue(floor_bare *bare, floor_outcome *outcome);
void floor_bare_close(floor_bare *bare);

#endif
