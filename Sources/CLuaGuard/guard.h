// What the C files of this target share. Nothing here is visible to Swift.
#ifndef GUARD_H
#define GUARD_H

#include "CLuaGuard.h"
#include "deadline.h"
#include <lauxlib.h>
#include <lua.h>
#include <lualib.h>
#include <signal.h>
#include <stdio.h>

typedef struct guard_tape {
    uint8_t *bytes;
    size_t count, capacity;
    bool failed;
} guard_tape;

enum {
    GUARD_MAXIMUM_DEPTH = 64,            // nesting of a value that crosses
    GUARD_MAXIMUM_NODES = 4000000,
    GUARD_EMPTY_LIST = -1,               // in the place of a table's array size: a list without elements
    GUARD_MAXIMUM_RECORD_TYPES = 64,
    GUARD_REMEMBERED_INDICES = 64,
    GUARD_TRAVERSALS = 8,                // by `next`, of which each may stand at a place of its own
};

/// Fixed places in the registry: an array part entry each, so that reading one is an index.
enum guard_place {
    GUARD_PLACE_REFERENCES = 10,  // luaL_ref table of what the host holds
    GUARD_PLACE_BASE,             // the shadow that all environments read through
    GUARD_PLACE_BASE_META,
    GUARD_PLACE_VALUE_META,       // type number -> metatable
    GUARD_PLACE_LIST_META,
    GUARD_PLACE_EMPTY_LIST_META,  // marks an empty table that the host made as a list; has no events
    GUARD_PLACE_HOST_ERROR_META,
    GUARD_PLACE_CALLBACK_META,
    GUARD_PLACE_CHUNKS,           // shown name -> whole name of what was loaded
    GUARD_PLACE_SEED,             // seeds math.random
    GUARD_PLACE_FUNCTIONS,        // function of a library -> its place in the order of keys
    GUARD_PLACE_MESSAGES,         // what Lua says on a coroutine that cannot take an error: made beforehand
    GUARD_PLACE_LINES,            // what to read at which line while the host watches (lines.c)
    GUARD_PLACE_TRAVERSALS,       // table, keys and order of each traversal by `next` in progress
    GUARD_PLACE_LAST = GUARD_PLACE_TRAVERSALS + 3 * GUARD_TRAVERSALS,
};

struct guard_request;

struct guard_vm {
    lua_State *main;
    lua_State *current;           // the coroutine that runs the host call in progress
    void *context;
    guard_host host;
    guard_dropped dropped;
    int32_t profile;

    guard_tape in, out, error_value;
    guard_tape message, traceback, chunk;
    guard_tape made;              // references made by the copy in progress: let go when it fails
    int32_t error_line;
    int64_t error_host;
    bool error_incomplete;
    uint64_t host_serial;         // of the host call in progress; 0: none
    uint64_t last_serial;
    int64_t failed_host;
    guard_frame *frames;
    int32_t record_type_count, record_fields[GUARD_MAXIMUM_RECORD_TYPES], record_meta[GUARD_MAXIMUM_RECORD_TYPES];
    const struct guard_record_info *record_info[GUARD_MAXIMUM_RECORD_TYPES];
    int64_t releases;             // times that references were freed: their numbers may mean something else since
    uint32_t counter;             // nodes encoded
    size_t copied;                // what copies cost the host so far, in about bytes

    // limits (limits.c)
    guard_level *level;           // of the innermost call of this machine; NULL: none
    guard_limits limits;          // of operations that are given none
    struct guard_entry *answers;  // of the calls whose answers are being read
    int32_t answer_count;
    guard_request_cell *cell;
    int64_t budget, spent;        // instructions left; used by the last call
    bool counting;
    bool watches_lines;              // the host is called for each line (lines.c)
    bool littered;                   // the last call ended by a limit: what it left is collected before the next
    volatile int pressure;        // above the soft limit: collection cycles still to be done

    // what the host uses for the script (charge.c)
    size_t host_used;             // by the host functions that run
    size_t host_kept;             // beyond them, such as for a report
    size_t collected_at;          // what was in use after the last collection for the host's sake

    // memory (allocator.c)
    size_t used, peak, soft, hard, longest_string, longest_block;
    uint64_t objects;             // serial number of the last object made: the order of keys that are objects

    // `next` (next.c)
    struct { const void *table; lua_Integer index; } indices[GUARD_REMEMBERED_INDICES];
    uint32_t next_traversal;
    bool traverses;
    lua_CFunction format, pack, unpack, packsize;      // Lua's own
};

static inline guard_vm *guard_of(lua_State *L) { return *(guard_vm **)lua_getextraspace(L); }

// ---- tape.c
bool guard_tape_put(guard_tape *tape, const void *bytes, size_t count);
void guard_tape_set(guard_tape *tape, const void *bytes, size_t count);
void guard_tape_free(guard_tape *tape);
/// Pushes the next value; runs protected only.
size_t guard_decode(lua_State *L, const guard_tape *tape, size_t offset, int depth);
/// Pushes `count` values from `base` on and takes them off the tape, be it by an error; runs protected only.
void guard_take_values(lua_State *L, size_t base, int32_t count);
/// Begins a copy that leaves Lua; guard_end_copy ends it, and lets go what it referred to if it failed.
void guard_begin_copy(guard_vm *vm, guard_tape *tape);
void guard_end_copy(guard_vm *vm, lua_State *L, bool succeeded);
void guard_encode(lua_State *L, int index, guard_tape *tape, int depth);
/// Gives memory back that only a large value needed.
void guard_trim_tapes(guard_vm *vm, bool results);

// ---- protect.c
typedef struct guard_host_error {
    int32_t tag;
    int64_t id;
} guard_host_error;
void guard_clear_error(guard_vm *vm);
int32_t guard_finish_error(guard_vm *vm, lua_State *L, int status);
void guard_note_chunk(lua_State *L, const char *chunk);
void guard_push_error_text(lua_State *L, int index);
/// Runs `function` with `argument` as its only, light, argument. The one way from the host into Lua.
int32_t guard_protect(guard_vm *vm, lua_CFunction function, void *argument);
/// The same within the limits of the machine, for what grows with what a script made.
int32_t guard_protect_limited(guard_vm *vm, lua_CFunction function, void *argument);
int guard_message_handler(lua_State *L);

// ---- limits.c
/// What guard_leave puts back.
typedef struct guard_entry {
    guard_level *level;
    int64_t budget, granted;
    bool counting;
    int pressure;
    size_t copied;
} guard_entry;
/// Around every call into Lua. enter: GUARD_OK, or why not; leave: GUARD_OK, or the limit that ended the call.
int32_t guard_enter(guard_vm *vm, const guard_limits *limits, guard_entry *entry);
int32_t guard_leave(guard_vm *vm, const guard_entry *entry);
void guard_host_enter(guard_vm *vm, lua_State *L);
void guard_host_leave(guard_vm *vm, lua_State *L);
/// Around what Lua does for the host in the middle of a host function or of reading an answer: limits hold again.
int guard_host_pause(guard_vm *vm);
void guard_host_resume(guard_vm *vm, int was);
/// The limit that the innermost call has reached, or GUARD_OK.
int32_t guard_fault_of(const guard_vm *vm);
void guard_arm(guard_vm *vm, lua_State *L);
void guard_set_fault(guard_vm *vm, int32_t fault);
bool guard_has_fault(lua_State *L);
int guard_raise_fault(lua_State *L);
/// Raises the error on top again; no memory, like any limit, ends the call.
int guard_raise_again(lua_State *L, int status);
void guard_classify_fault(lua_State *L);
void guard_poll(lua_State *L, guard_vm *vm);
/// Whether the running call has memory left for a copy of so many bytes, once garbage is gone; else it is over. What the
/// host keeps for callbacks is not counted here: some of them may be garbage that the host forgets later.
bool guard_has_room_for_copy(guard_vm *vm, size_t bytes);

// ---- lines.c
void guard_tell_line(lua_State *L, lua_Debug *event);

// ---- host.c
/// Asks the host; arguments are the whole stack of the running C function. Leaves the results on top.
int guard_raise_host(lua_State *L, size_t base, int32_t kind);
int32_t guard_kind_at(lua_State *L, int index);
int32_t guard_encode_at(guard_vm *vm, int index);
int guard_ask_host(lua_State *L, int32_t event, int64_t id);
void guard_push_callback(lua_State *L, int64_t id, bool remembers);
guard_host_error *guard_test_host_error(lua_State *L, int index);
void guard_open_host(lua_State *L);

// ---- freeze.c
/// The table that holds the content of the one at `index`: pushes its shadow and answers true if it is frozen.
bool guard_push_shadow(lua_State *L, int index);
/// Replaces the table on top by a read-only one with the same content (for the host's own tables).
void guard_seal(lua_State *L, int index);
/// Reading what the sealed table on top does not have becomes an error that names the table; texts alone are names.
void guard_name_members(lua_State *L, const char *name, size_t length);
/// Makes every table reachable from the value at index read-only.
void guard_freeze_reachable(lua_State *L, int index, bool stateful);
void guard_open_freeze(lua_State *L);

// ---- values.c, records.c
typedef struct guard_small {
    int32_t tag, type;
    int64_t a, b;
    uint64_t serial;
} guard_small;
guard_small *guard_test_value(lua_State *L, int index);
void guard_push_value(lua_State *L, int32_t type, int64_t a, int64_t b);
/// Writes the content of a record or a list; false when the value at index is neither.
bool guard_encode_record(lua_State *L, int index, guard_tape *tape, int depth);
bool guard_is_record(lua_State *L, int index);
bool guard_is_list(lua_State *L, int index);
/// Where it stands among records and lists in the order of keys.
uint64_t guard_serial_of_record(lua_State *L, int index);
bool guard_next_of_record(lua_State *L, int index);
void guard_open_values(lua_State *L);
void guard_open_records(lua_State *L);
/// Before other calls: what frames have left behind is dead.
void guard_settle_frames(guard_vm *vm);
void guard_free_frames(guard_vm *vm);

// ---- source.c
/// Compiles text with the table at `environment` as its globals. LUA_OK and the function, or the status and the error.
int guard_compile(lua_State *L, const char *source, size_t count, const char *chunk, int environment);

// ---- mend.c
/// What is to be compiled in place of the source, which Lua 5.4.4 would compile to something else; one value is pushed.
const char *guard_push_mended(lua_State *L, const char *source, size_t *count);

// ---- compile.c
/// lua_load of text, which ends when a limit is reached.
int guard_load_text(lua_State *L, const char *source, size_t count, const char *name);

// ---- order.c: one reproducible order of keys
typedef struct guard_order {
    uint32_t count, position;
    uint32_t first, last, skipped;  // of a traversal by `next`; skipped: the key handed out before all others, plus one
    bool begun, fresh;
    bool sequence;                // the keys are 1...count
    uint32_t places[];            // into the table of keys
} guard_order;
/// Pushes a table of keys (or nil) and the order, for the table at index (a real one, no frozen table).
guard_order *guard_push_order(lua_State *L, int table);
/// Pushes the key at `position`; `keys` is where the table of keys stands.
void guard_push_key(lua_State *L, const guard_order *order, int keys, uint32_t position);
typedef struct guard_sort_entry {
    union {
        int64_t integer;
        double number;
        const char *bytes;
    };
    uint64_t extra;               // length; second criterion
    uint64_t serial;              // of host values that are equal
    uint32_t place;
    uint8_t class;
} guard_sort_entry;
bool guard_entry_less(const guard_sort_entry *left, const guard_sort_entry *right);
/// Sorts stably; both arrays hold count entries; answers which one holds the result.
guard_sort_entry *guard_sort_entries(lua_State *L, guard_sort_entry *entries, guard_sort_entry *scratch, uint32_t count);
guard_sort_entry guard_entry_of(lua_State *L, int index);
int guard_pairs(lua_State *L);

// ---- next.c
int guard_next(lua_State *L);
/// Between calls nothing of a traversal is left.
void guard_forget_traversals(guard_vm *vm, lua_State *L);

// ---- buffer.c: text under construction, in memory that Lua counts and collects
typedef struct guard_buffer {
    lua_State *L;
    char *bytes;
    size_t count, capacity;
    int box;
    char first[512];
} guard_buffer;
/// Takes a place on the stack, which must stay below what is pushed later.
void guard_buffer_open(lua_State *L, guard_buffer *buffer);
char *guard_buffer_reserve(guard_buffer *buffer, size_t count);
void guard_buffer_add(guard_buffer *buffer, const void *bytes, size_t count);
static inline void guard_buffer_byte(guard_buffer *buffer, char byte) {
    if (buffer->count == buffer->capacity) guard_buffer_reserve(buffer, 1);
    buffer->bytes[buffer->count++] = byte;
}
/// Pushes the text.
void guard_buffer_push(guard_buffer *buffer);

// ---- libraries
/// Pushes what `tostring` answers: no addresses.
const char *guard_push_text(lua_State *L, int index, size_t *count);
/// Replaces a host's error on top by its text.
void guard_soften_error(lua_State *L);
/// Makes __gc, __mode, __concat and __close names like any others, once the guard has no more use for them.
bool guard_disarm_events(lua_State *L);
bool guard_is_marked_list(lua_State *L, int index);
int guard_set_metatable(lua_State *L);
int guard_get_metatable(lua_State *L);
int guard_sort(lua_State *L);
extern const luaL_Reg guard_table_functions[], guard_string_functions[], guard_pattern_functions[],
    guard_utf8_functions[], guard_coroutine_functions[], guard_base_functions[], guard_script_base_functions[];
void guard_open_utf8(lua_State *L);
/// Takes what goes on to Lua's own functions from the stock library at -2 into the one on top.
void guard_open_bounded(lua_State *L);
/// Adds `require`, and for scripts `load`, to the environment on top.
void guard_open_loading(lua_State *L);

enum { GUARD_MAXIMUM_RESULTS = 100000 };   // of unpack, byte, codepoint

// ---- environment.c
void guard_open_environment(lua_State *L);
void guard_open_libraries(lua_State *L);

// ---- allocator.c
void *guard_allocate(void *context, void *block, size_t old_size, size_t new_size);

uint64_t guard_serial_of(const void *object);

/// Work of a library function, in about instructions; ends the call when a limit is reached.
static inline void guard_charge(lua_State *L, guard_vm *vm, int64_t work) {
    vm->budget -= work;
    if (__builtin_expect(vm->budget <= 0 || vm->pressure || (vm->level && vm->level->fault), 0)) guard_poll(L, vm);
}

#define GUARD_TAG_VALUE 0x4d53564c
#define GUARD_TAG_RECORD 0x4d535243
#define GUARD_TAG_LIST 0x4d534c53
#define GUARD_TAG_HOST_ERROR 0x4d534845
#define GUARD_TAG_CALLBACK 0x4d534342
#endif
