// Lua's own tests under the guard. They are not kept here: a folder with those of Lua 5.4.4 is handed over, and official.txt
// says what is left out of each file and where it finds the guard to differ, with the reason. A difference that is not named
// is a fault, and so is one that is named and is not there.
#include "host.h"
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LARGEST = 1 << 20, MOST_NAMED = 512 };
typedef enum { SKIPPED, FAILS, STOPS, UNUSED } fate;
typedef struct named {
    char file[32];
    int first, last;
    fate fate;
    bool found;
} named;

static named list[MOST_NAMED];
static int named_count, official_faults;

/// An assertion that fails is noted, by the line of the file's outermost call, and the file goes on. What the tests ask of
/// their surroundings is there.
static const char prelude[] =
    "made, failed = 0, {}\n"
    "local pcall, error, select, tostring = pcall, error, select, tostring\n"
    "function assert(...)\n"
    "  made = made + 1\n"
    "  if not (...) then\n"
    "    local place = '0'\n"
    "    for level = 3, 25 do\n"
    "      place = select(2, pcall(error, '', level)):match '^trial:(%d+):' or place\n"
    "    end\n"
    "    failed[#failed + 1] = place\n"
    "  end\n"
    "  return ...\n"
    "end\n"
    "_port, _soft, _nomsg, T, Message = true, true, true, false, false\n"
    "function collectgarbage() return 0 end\n"
    "local libraries = {string = string, table = table, math = math, utf8 = utf8, coroutine = coroutine, debug = {}}\n"
    "function rawset(t, k, v) t[k] = v return t end\n"
    "function rawget(t, k) return t[k] end\n"
    "package, os = {preload = {}}, {clock = function() return 0 end, setlocale = function() end}\n"
    "function require(name) return libraries[name] or package.preload[name]() end\n"
    "function checkerror(message, f, ...)\n"
    "  local ok, e = pcall(f, ...)\n"
    "  assert(not ok and tostring(e):find(message))\n"
    "end\n";
static const char epilogue[] = "return made .. ' ' .. table.concat(failed, ' ')";

static fate fate_of(const char *word) {
    static const char *const words[] = {"skipped", "fails", "stops"};
    fate fate = SKIPPED;
    while (fate != UNUSED && strcmp(word, words[fate])) fate++;
    return fate;
}

static bool read_list(const char *path) {
    FILE *file = fopen(path, "r");
    if (!file) return false;
    char line[512], word[16], lines[32];
    while (named_count < MOST_NAMED && fgets(line, sizeof line, file)) {
        named *one = &list[named_count];
        if (line[0] == '#' || sscanf(line, "%31s %31s %15s", one->file, lines, word) != 3) continue;
        one->first = one->last = atoi(lines);
        if (strchr(lines, '-') && lines[1]) one->last = atoi(strchr(lines, '-') + 1);
        one->fate = fate_of(word);
        if (one->fate == UNUSED) {
            fprintf(stderr, "%s: what is '%s'?\n", path, word);
            official_faults++;
        }
        named_count++;
    }
    fclose(file);
    return true;
}

/// Blanks lines out, so that the others keep their numbers.
static void skip_lines(const char *file, char *text, size_t count) {
    int line = 1;
    for (size_t i = 0; i < count; i++) {
        if (text[i] == '\n') line++;
        else
            for (int n = 0; n < named_count; n++)
                if (list[n].fate == SKIPPED && !strcmp(list[n].file, file) && line >= list[n].first
                    && line <= list[n].last) {
                    text[i] = ' ';
                    list[n].found = true;
                }
    }
}

static bool is_of_name(char c) { return isalnum((unsigned char)c) || c == '_'; }

/// Where the tests use the one name, scripts have the other, of the same length.
static void replace(char *text, size_t count, const char *name, const char *other) {
    size_t length = strlen(name);
    for (size_t i = 1; i + length < count; i++)
        if (!memcmp(text + i, name, length) && !is_of_name(text[i - 1]) && !is_of_name(text[i + length]))
            memcpy(text + i, other, length);
}

static void found(const char *file, int line, fate fate, const char *message) {
    bool is_named = false;
    for (int n = 0; n < named_count; n++)
        if (list[n].fate == fate && !strcmp(list[n].file, file) && line >= list[n].first && line <= list[n].last)
            list[n].found = is_named = true;
    if (is_named) return;
    official_faults++;
    fprintf(stderr, "FAULT %s:%d: %s\n", file, line, message);
}

static long run(const char *folder, const char *file) {
    char path[1024], text[8192];
    char *source = malloc(LARGEST);
    snprintf(path, sizeof path, "%s/%s", folder, file);
    FILE *stream = fopen(path, "rb");
    size_t count = stream && source ? fread(source, 1, LARGEST, stream) : 0;
    if (stream) fclose(stream);
    skip_lines(file, source, count);
    replace(source, count, "_ENV", "_G  ");
    replace(source, count, "undef", "nil  ");
    if (count && source[0] == '#') source[0] = source[1] = '-';
    host host;
    long made = 0;
    if (!count || !host_open(&host, GUARD_SCRIPT, 1 << 30)) {
        found(file, 0, STOPS, "cannot be read");
        free(source);
        return 0;
    }
    guard_limits limits = {60000000000, 0};
    int64_t function = 0;
    host_run(&host, prelude, sizeof prelude - 1, &limits);
    guard_set_limits(host.vm, &limits);
    int32_t status = guard_load(host.vm, source, count, "trial", host.environment, &function);
    if (status == GUARD_OK) status = guard_call(host.vm, function, 0, guard_begin(host.vm), &limits);
    if (status != GUARD_OK) {
        size_t size;
        const char *message = guard_error_message(host.vm, &size);
        snprintf(text, sizeof text, "%.*s", (int)size, message ? message : "");
        found(file, guard_error_line(host.vm), STOPS, text);
    }
    guard_release(host.vm, &function, 1);
    if (host_text(&host, epilogue, sizeof epilogue - 1, text, sizeof text)) {
        char *rest;
        made = strtol(text, &rest, 10);
        for (int line = (int)strtol(rest, &rest, 10); line; line = (int)strtol(rest, &rest, 10))
            found(file, line, FAILS, "the assertion fails");
    } else {
        found(file, 0, FAILS, text);
    }
    host_close(&host);
    free(source);
    return made;
}

int run_official(const char *folder, const char *list_path) {
    static const char *const files[] = {
        "bitwise.lua", "calls.lua",    "closure.lua", "constructs.lua", "coroutine.lua", "errors.lua",
        "events.lua",  "goto.lua",     "literals.lua", "locals.lua",    "math.lua",      "nextvar.lua",
        "pm.lua",      "sort.lua",     "strings.lua", "tpack.lua",      "utf8.lua",      "vararg.lua"};
    if (!read_list(list_path)) {
        fprintf(stderr, "cannot read %s\n", list_path);
        return 1;
    }
    long made = 0;
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        long here = run(folder, files[i]);
        printf("%s: %ld assertions\n", files[i], here);
        made += here;
    }
    int differing = 0;
    for (int n = 0; n < named_count; n++) {
        differing += list[n].fate != SKIPPED;
        if (list[n].found) continue;
        official_faults++;
        fprintf(stderr, "FAULT %s:%d is named and is as in Lua\n", list[n].file, list[n].first);
    }
    printf("Lua's own tests: %ld assertions, %d named differences\n", made, differing);
    return official_faults;
}
