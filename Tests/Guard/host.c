#include "host.h"
#include <stdio.h>
#include <string.h>

enum { ECHO = 1, CALL, FAIL, FAIL_HOST, DEEP, MONEY, CALLBACK, FRAME, INTERRUPT, BIG, NIL_KEY, LAST };
static const char *const names[] = {NULL,       "echo",     "hcall",     "fail",          "mod.hostfail", "deep", "money",
                                    "callback", "mod.frame", "mod.interrupt", "mod.big",      "nilkey"};

static void put_results(guard_vm *vm) {
    // Results are encoded as values are put: what comes back goes out again by hand.
    size_t count;
    const uint8_t *bytes = guard_results(vm, &count);
    if (count && bytes[0] == 'F') {
        int64_t function;
        memcpy(&function, bytes + 1, sizeof function);
        guard_put_function(vm, function);
        guard_release(vm, &function, 0);
    } else if (count && bytes[0] == 's') {
        uint64_t size;
        memcpy(&size, bytes + 1, sizeof size);
        guard_put_string(vm, bytes + 9, size);
    } else {
        guard_put_integer(vm, (int64_t)count);
    }
}

static int32_t say(guard_vm *vm, const char *text) {
    guard_fail(vm, text, strlen(text));
    return -1;
}

static bool take_function(guard_vm *vm, int64_t *function) {
    if (guard_argument_kind(vm, 1) != GUARD_FUNCTION || guard_argument_encode(vm, 1) != GUARD_OK) return false;
    size_t count;
    memcpy(function, guard_results(vm, &count) + 1, sizeof *function);
    return true;
}

static int32_t call_back(host *host) {
    int64_t function;
    if (host->depth > 10) return say(host->vm, "too deep");
    if (!take_function(host->vm, &function)) return say(host->vm, "a function was expected");
    size_t base = guard_begin(host->vm);
    guard_put_integer(host->vm, 7);
    guard_put_string(host->vm, "argument", 8);
    host->depth++;
    guard_limits limits = {0, 0};
    int32_t status = guard_call(host->vm, function, 2, base, &limits);
    host->depth--;
    guard_release(host->vm, &function, 1);
    if (status != GUARD_OK) return say(host->vm, "the called function failed");
    put_results(host->vm);
    return 1;
}

static void fill_frame(host *host) {
    guard_frame *frame = host->frame;
    guard_frame_begin(frame);
    int32_t patron = guard_frame_record(frame, host->patron_type), copy = guard_frame_record(frame, host->copy_type);
    int32_t other = guard_frame_record(frame, host->patron_type), list = guard_frame_list(frame, 3);
    int64_t name = guard_frame_string(frame, "Ada", 3);
    guard_slot *slot;
    if (patron < 0 || copy < 0 || other < 0 || list < 0 || name < 0) return;
    for (int i = 0; i < 2; i++) {
        int32_t record = i ? other : patron;
        if ((slot = guard_frame_field(frame, record, 0))) *slot = (guard_slot){GUARD_SLOT_STRING, 0, {.a = name}, 3};
        if ((slot = guard_frame_field(frame, record, 1))) *slot = (guard_slot){GUARD_SLOT_INTEGER, 0, {.a = 8}, 0};
        if ((slot = guard_frame_field(frame, record, 2))) *slot = (guard_slot){GUARD_SLOT_RECORD, 0, {.a = i ? patron : copy}, 0};
        if ((slot = guard_frame_field(frame, record, 3))) *slot = (guard_slot){GUARD_SLOT_LIST, 0, {.a = list}, 0};
        if ((slot = guard_frame_field(frame, record, 4))) *slot = (guard_slot){GUARD_SLOT_VALUE, 1, {.a = 50}, 2};
        if ((slot = guard_frame_field(frame, record, 5)))
            *slot = (guard_slot){GUARD_SLOT_CONSTANT, 0, {.a = host->keys[i]}, 0};
    }
    if ((slot = guard_frame_field(frame, copy, 0))) *slot = (guard_slot){GUARD_SLOT_NUMBER, 0, {.number = 1.5}, 0};
    if ((slot = guard_frame_field(frame, copy, 1))) *slot = (guard_slot){GUARD_SLOT_BOOLEAN, 0, {.a = 1}, 0};
    for (int i = 0; i < 3; i++)
        if ((slot = guard_frame_element(frame, list, i))) *slot = (guard_slot){GUARD_SLOT_INTEGER, 0, {.a = i}, 0};
}

static int32_t call_with_records(host *host, int64_t function, const guard_limits *limits) {
    int32_t records[] = {0, 1, 2}, mark = 0, results = 0;
    fill_frame(host);
    if (((struct guard_frame_face *)host->frame)->record_count < 3) return GUARD_MEMORY;
    host->depth++;
    int32_t status = guard_call_frame(host->vm, function, host->frame, records, 3, limits, &mark, &results);
    host->depth--;
    if (status == GUARD_OK) {
        for (int32_t i = 0; i < results && i < 3; i++) {
            for (int key = 0; key < 4; key++) guard_answer_encode_field(host->vm, mark, i, host->keys[key]);
            guard_answer_encode(host->vm, mark, i);
        }
        guard_answer_end(host->vm, mark);
    }
    guard_frame_end(host->frame);
    return status;
}

static int32_t ask(void *context, guard_vm *vm, int32_t event, int64_t id, int32_t count) {
    host *host = context;
    int64_t function;
    switch (event) {
    case GUARD_EVENT_CALL: break;
    case GUARD_EVENT_PRINT: return 0;
    case GUARD_EVENT_REQUIRE: {
        size_t size;
        const char *name = guard_argument_string(vm, 1, &size);
        const char *source = !name ? "" : name[0] == 's' ? "return require 'self'" : name[0] == 'b' ? "return ((" : "return {v = 1}";
        guard_put_string(vm, source, strlen(source));
        guard_put_string(vm, "module", 6);
        return 2;
    }
    case GUARD_EVENT_ARITHMETIC: guard_put_value(vm, 1, 3, 2); return 1;
    case GUARD_EVENT_COMPARE: guard_put_boolean(vm, id & 1); return 1;
    case GUARD_EVENT_FIELD: guard_put_integer(vm, 5); return 1;
    case GUARD_EVENT_LINE: return 0;
    default: guard_put_string(vm, "unknown", 7); return 1;
    }
    switch (id) {
    case ECHO:
        for (int i = 1; i <= count; i++) {
            if (guard_argument_encode(vm, i) != GUARD_OK) return say(vm, "cannot be copied");
            put_results(vm);
        }
        return count;
    case CALL: return call_back(host);
    case FAIL: return say(vm, "the host says no");
    case FAIL_HOST: guard_fail_host(vm, 42, "the host's own", 14); return -2;
    case DEEP:
        for (int i = 0; i < 80; i++) {
            guard_put_table_start(vm, 1, 0);
            guard_put_integer(vm, 1);
        }
        guard_put_nil(vm);
        for (int i = 0; i < 80; i++) guard_put_table_end(vm);
        return 1;
    case MONEY: guard_put_value(vm, 1, guard_argument_integer(vm, 1), 2); return 1;
    case CALLBACK: guard_put_callback(vm, ECHO, count > 0); return 1;
    case FRAME: {
        if (host->depth > 4 || !take_function(vm, &function)) return say(vm, "no records");
        guard_limits limits = {0, 0};
        guard_put_integer(vm, call_with_records(host, function, &limits));
        guard_release(vm, &function, 1);
        return 1;
    }
    case INTERRUPT: {
        uint64_t owner;
        void *cell = guard_interrupt_cell(vm, &owner);
        guard_interrupt(cell, owner);
        return 0;
    }
    case BIG: {
        static const char zeros[4096];
        guard_put_string(vm, zeros, sizeof zeros);
        return 1;
    }
    case NIL_KEY:
        guard_put_table_start(vm, 0, 1);
        guard_put_nil(vm);
        guard_put_integer(vm, 1);
        guard_put_table_end(vm);
        return 1;
    default: return 0;
    }
}
static void dropped(void *context, int64_t id) { (void)context, (void)id; }

bool host_open(host *host, int32_t profile, int64_t memory) {
    static const char *const patron[] = {"name", "age", "peer", "items", "fee", "kind", "none"};
    static const char *const copy[] = {"ratio", "flag", "text"}, *const keys[] = {"a", "data", "reason", "list"};
    memset(host, 0, sizeof *host);
    host->vm = guard_new(profile, host, ask, dropped);
    if (!host->vm) return false;
    guard_set_memory_limit(host->vm, memory);
    bool done = guard_register_type(host->vm, 1, "money") == GUARD_OK;
    for (int i = 1; i < LAST && done; i++) {
        size_t base = guard_begin(host->vm);
        guard_put_callback(host->vm, i, i == MONEY);
        done = guard_define(host->vm, 0, names[i], base) == GUARD_OK;
    }
    done = done && (host->patron_type = guard_record_type(host->vm, "patron", patron, 7)) >= 0;
    done = done && (host->copy_type = guard_record_type(host->vm, "copy", copy, 3)) >= 0;
    for (int i = 0; i < 4 && done; i++) done = (host->keys[i] = guard_intern(host->vm, keys[i], strlen(keys[i]))) >= 0;
    done = done && (host->frame = guard_frame_new(host->vm));
    done = done && guard_environment(host->vm, &host->environment) == GUARD_OK;
    if (!done) host_close(host);
    return done;
}

void host_close(host *host) {
    if (host->vm) guard_close(host->vm);
    host->vm = NULL;
}

static bool first_function(host *host, int64_t *function) {
    size_t count;
    const uint8_t *bytes = guard_results(host->vm, &count);
    if (count < 9 || bytes[0] != 'F') return false;
    memcpy(function, bytes + 1, sizeof *function);
    return true;
}

int32_t host_run(host *host, const char *source, size_t count, const guard_limits *limits) {
    int64_t function = 0;
    guard_set_limits(host->vm, limits);
    int32_t status = guard_load(host->vm, source, count, "trial", host->environment, &function);
    if (status != GUARD_OK) return status;
    status = guard_call(host->vm, function, 0, guard_begin(host->vm), limits);
    int64_t inner;
    if (status == GUARD_OK && first_function(host, &inner)) {
        for (int i = 0; i < 3; i++) status = call_with_records(host, inner, limits);
        guard_release(host->vm, &inner, 1);
    }
    guard_release(host->vm, &function, 1);
    return status;
}

bool host_text(host *host, const char *source, size_t count, char *text, size_t room) {
    guard_limits limits = {2000000000, 0};
    int32_t status = host_run(host, source, count, &limits);
    size_t size;
    const char *bytes = status == GUARD_OK ? (const char *)guard_results(host->vm, &size) : guard_error_message(host->vm, &size);
    if (status != GUARD_OK) {
        snprintf(text, room, "status %d: %.*s", status, (int)size, bytes ? bytes : "");
        return false;
    }
    if (size < 9 || bytes[0] != 's') return false;
    snprintf(text, room, "%.*s", (int)(size - 9), bytes + 9);
    return true;
}

bool host_is_sound(host *host) {
    static const char probe[] =
        "local t = {} for i = 1, 50 do t[i] = tostring(i) .. ('x'):rep(i) end table.sort(t) "
        "for k in next, {a = 1} do t[#t + 1] = k end "
        "return (echo(table.concat(t):sub(1, 5)))";
    char text[64];
    if (host_text(host, probe, sizeof probe - 1, text, sizeof text) && strcmp(text, "10xxx") == 0) return true;
    fprintf(stderr, "the machine is not as before: %s\n", text);
    return false;
}
