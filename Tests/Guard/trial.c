// The guard on trial: memory that fails at every place, programs that no person would write, and what its functions answer
// beside what Lua's own do. tools/guard-trial builds and runs it; docs/architecture.md says when.
#include "host.h"
#include <dirent.h>
#include <lauxlib.h>
#include <lualib.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static int faults;
static uint64_t state_of_random = 1;
static uint32_t below(uint32_t bound) {
    state_of_random = state_of_random * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(state_of_random >> 33) % bound;
}
static double seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}
static void fault(const char *what, const char *where, long number) {
    faults++;
    fprintf(stderr, "FAULT %s: %s (%ld)\n", where, what, number);
}

// ---- memory that fails ----------------------------------------------------------------------------------------------

static char *read_file(const char *path, size_t *count) {
    FILE *file = fopen(path, "rb");
    if (!file) return NULL;
    char *text = malloc(1 << 20);
    *count = fread(text, 1, 1 << 20, file);
    fclose(file);
    return text;
}

/// One allocation fails, or all from one on; then the machine must be as it was, and no frame of the host jumped over.
static void inject(const char *path, int32_t profile, long times, long step) {
    size_t count;
    char *source = read_file(path, &count);
    long runs = 0;
    for (long first = 1 + (long)below((uint32_t)step); source; first += step) {
        host host;
        fail_allocations(0, 0);
        if (!host_open(&host, profile, 2 << 20)) break;
        guard_limits limits = {5000000000, 0};
        fail_allocations(first, times);
        host_run(&host, source, count, &limits);
        long made = count_allocations();
        fail_allocations(0, 0);
        if (host.depth) fault("a frame of the host was jumped over", path, first);
        if (!host_is_sound(&host)) fault("unusable after memory failed", path, first);
        host_close(&host);
        runs++;
        if (made < first) break;
    }
    free(source);
    printf("%s: %ld runs\n", strrchr(path, '/') + 1, runs);
}

static void inject_everywhere(const char *folder, long step) {
    DIR *directory = opendir(folder);
    for (struct dirent *entry; directory && (entry = readdir(directory));) {
        if (!strstr(entry->d_name, ".lua")) continue;
        char path[1024];
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        for (int32_t profile = strcmp(entry->d_name, "policy.lua") ? GUARD_SCRIPT : GUARD_POLICY; profile <= GUARD_SCRIPT; profile++) {
            inject(path, profile, 1, step);
            inject(path, profile, 1L << 40, step);
        }
    }
    if (directory) closedir(directory);
    for (long first = 1;; first += step) {          // while a machine is made
        host host;
        fail_allocations(first, 1L << 40);
        bool opened = host_open(&host, GUARD_SCRIPT, 2 << 20);
        fail_allocations(0, 0);
        if (!opened) continue;
        host_close(&host);
        break;
    }
}

// ---- beside Lua's own ---------------------------------------------------------------------------------------------------

static const char *const functions[] = {
    "string.format", "string.sub",  "string.rep",   "string.find",     "string.match",  "string.gsub",  "string.len",
    "string.upper",  "string.char", "string.pack",  "string.packsize", "string.unpack", "table.concat", "table.unpack",
    "select",        "tonumber",    "tostring",     "math.floor",      "math.ult",      "math.tointeger", "utf8.char",
    "utf8.len",      "rawequal",    "table.insert", "table.remove",    "string.reverse", "utf8.offset", "math.type",
    "utf8.codepoint", "string.lower", "table.move", "next", "type", "math.max", "math.fmod",
};
static const char *const values[] = {
    "0", "1", "-1", "2", "3", "7", "255", "256", "1.0", "1.5", "-0.0", "1e15", "2^53", "2^63", "1 << 62", "math.mininteger", "math.maxinteger",
    "math.huge", "0/0", "nil", "true", "false", "''", "'a'", "'abc'", "'héllo'", "'%d'", "'%5.2f|%s'", "'%q'", "'%-10s|'",
    "'%x'", "'%g'", "'%i'", "'%5c'", "'%a'", "'%%'", "'%y'", "'%10.3s'", "'(%a+)'", "'.-b'", "'[^a]*'", "'^a'", "'%w'",
    "'%f[%w]'", "'%b()'", "'a,b,c'", "'10'", "'0x10'", "' 5 '", "'1e1'", "'z'", "'i4'", "'s1'", "'<i2>i2'", "{}", "{1, 2, 3}",
    "{'a', 'b'}", "{1, nil, 3}", "{10, 20, 30, 40}", "'#'", "10", "16", "36", "'\\0a'", "'\\xff'", "128512",
};
enum { COUNT_OF_FUNCTIONS = sizeof functions / sizeof *functions, COUNT_OF_VALUES = sizeof values / sizeof *values };

static const char around[] =
    "local function show(...) local t = table.pack(...) local o = {} for i = 1, t.n do local v = t[i] "
    "o[i] = (type(v) == 'string' or type(v) == 'number') and string.format('%%q', v) or type(v) == 'table' and "
    "'{' .. #v .. '}' or tostring(v) end return (table.concat(o, ', ')) end "
    "local ok, a, b, c, d = pcall(function() return %s end) "
    "return (ok and show(a, b, c, d) or 'error: ' .. tostring(a))";

static void stock_text(const char *source, char *text, size_t room) {
    static lua_State *L;
    if (!L) luaL_openlibs(L = luaL_newstate());
    if (luaL_loadbuffer(L, source, strlen(source), "=trial") || lua_pcall(L, 0, 1, 0)) snprintf(text, room, "failed");
    else snprintf(text, room, "%s", lua_tostring(L, -1));
    lua_settop(L, 0);
}

/// What the guard does otherwise by design: bounds, no addresses, no tables but tables, errors in its own words.
static bool is_deviation(const char *call, const char *stock, const char *guarded) {
    if (strstr(guarded, "too large") || strstr(guarded, "too long") || strstr(guarded, "too many")) return true;
    if (strstr(stock, ": 0x") || strstr(stock, "builtin: ")) return true;
    if (!strncmp(call, "table.unpack(", 13)) return !strncmp(guarded, "error", 5);
    return !strncmp(stock, "error", 5) && !strncmp(guarded, "error", 5);
}

static void compare(long count) {
    host host;
    if (!host_open(&host, GUARD_SCRIPT, 64 << 20)) return fault("no memory", "compare", 0);
    long different = 0;
    for (long i = 0; i < count; i++) {
        char call[512], source[1600], stock[4096], guarded[4096];
        int length = snprintf(call, sizeof call, "%s(", functions[below(COUNT_OF_FUNCTIONS)]);
        uint32_t arguments = below(5);
        for (uint32_t a = 0; a < arguments; a++)
            length += snprintf(call + length, sizeof call - (size_t)length, "%s%s", a ? ", " : "", values[below(COUNT_OF_VALUES)]);
        snprintf(call + length, sizeof call - (size_t)length, ")");
        // Loops of 2^53 or more that allocate nothing: Lua's own would not end.
        if ((strstr(call, "rep(") || strstr(call, "move(") || strstr(call, "concat(") || strstr(call, "unpack("))
            && (strstr(call, "2^") || strstr(call, "<<") || strstr(call, "integer") || strstr(call, "1e15")
                || strstr(call, "128512")))
            continue;
        snprintf(source, sizeof source, around, call);
        stock_text(source, stock, sizeof stock);
        bool answered = host_text(&host, source, strlen(source), guarded, sizeof guarded);
        if (answered && (!strcmp(stock, guarded) || is_deviation(call, stock, guarded))) continue;
        if (different++ < 20) fprintf(stderr, "%s\n  Lua:   %s\n  guard: %s\n", call, stock, guarded);
    }
    if (different) fault("answers differ from Lua's", "compare", different);
    host_close(&host);
    printf("compared %ld calls\n", count);
}

// ---- programs that nobody would write -----------------------------------------------------------------------------------

static const char *const expressions[] = {
    "t", "nil", "{}", "1", "1.5", "'x'", "print", "coroutine.create(print)", "money(3)", "function(...) return ... end",
    "setmetatable({}, {__index = function(t, k) return k end})", "{1, 2, 3}", "('x'):rep(1000)", "callback()", "echo",
    "hcall", "mod.frame", "_G", "math.huge", "-1", "1 << 62", "string", "co", "coroutine.running()", "0/0",
    "{a = {b = {}}}", "''", "table.unpack({}, 1, 250)", "next", "mod.big()",
};
static const char *const statements[] = {
    "local ok, e = pcall(%s, %s, %s)\n", "t[#t + 1] = %s\n",
    "for k, v in pairs(%s) do t[k] = v if #t > 50 then break end end\n",
    "for k, v in next, %s do t[v] = k next(%s) end\n",
    "table.sort(t, function(a, b) return tostring(a) < tostring(b) end)\n",
    "co = coroutine.wrap(function(...) local a = coroutine.yield(%s) return %s, a end)\n", "pcall(co, %s)\n",
    "pcall(coroutine.resume, co, %s)\n", "pcall(coroutine.close, co)\n", "t = (%s) or {}\n",
    "xpcall(function() error(%s) end, function(m) return %s end)\n", "pcall(string.gsub, %s, '.', %s)\n",
    "pcall(string.format, '%%s%%q%%d', %s, %s, %s)\n", "pcall(table.concat, %s, %s)\n", "pcall(echo, %s, %s)\n",
    "pcall(hcall, function(a, b) return %s, %s end)\n",
    "pcall(mod.frame, function(p, c, q) local s = p.name for k, v in pairs(p) do t[k] = v end return {a = %s, data = {p}}, p end)\n",
    "local x <const>, y = %s, %s\n",
    "pcall(setmetatable, %s, {__index = %s, __newindex = %s, __eq = print, __len = %s, __tostring = %s})\n",
    "pcall(function() getmetatable(t)['__mo' .. 'de'] = 'k' getmetatable(t).__index = %s end)\n", "t[%s] = %s\n",
    "pcall(mod.interrupt)\n", "pcall(mod.hostfail)\n", "pcall(require, 'm' .. tostring(%s))\n",
    "local f = load('return ' .. tostring(%s)) if f then pcall(f) end\n", "while #t < 30 do t[#t + 1] = %s end\n",
    "return function(p, c, q) t = %s return {data = %s, reason = p.name}, %s end\n", "pcall(table.move, t, 1, 9, %s)\n",
    "pcall(deep)\n", "error(%s)\n", "do local u = {} u.u = u pcall(echo, u, function() return %s end) end\n",
};

static size_t write_program(char *text, size_t room) {
    size_t count = (size_t)snprintf(text, room, "local t, co = {}, nil\n");
    for (uint32_t lines = 1 + below(14); lines && count + 1200 < room; lines--) {
        const char *e[6];
        for (int i = 0; i < 6; i++) e[i] = expressions[below(sizeof expressions / sizeof *expressions)];
        const char *statement = statements[below(sizeof statements / sizeof *statements)];
        if (!strncmp(statement, "return", 6) || !strncmp(statement, "error", 5)) lines = 1;
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
        count += (size_t)snprintf(text + count, room - count, statement, e[0], e[1], e[2], e[3], e[4], e[5]);
    }
    return count;
}

static void fuzz(double time) {
    long runs = 0;
    static char text[32768];
    for (double end = seconds() + time; seconds() < end; runs++) {
        size_t count = write_program(text, sizeof text);
        host host;
        fail_allocations(0, 0);
        if (!host_open(&host, below(4) ? GUARD_SCRIPT : GUARD_POLICY, 2 << 20)) return fault("no memory", "fuzz", runs);
        guard_limits limits = {50000000, below(3) ? 0 : 1 + below(3000)};
        if (below(3) == 0) fail_allocations(1 + below(600), below(2) ? 1 : 1L << 40);
        host_run(&host, text, count, &limits);
        fail_allocations(0, 0);
        if (host.depth) fault("a frame of the host was jumped over", text, runs);
        if (!host_is_sound(&host)) fault("unusable after", text, runs);
        host_close(&host);
    }
    printf("ran %ld programs\n", runs);
}

int main(int count, char **arguments) {
    const char *mode = count > 1 ? arguments[1] : "";
    double start = seconds();
    if (count > 3) state_of_random = strtoull(arguments[3], NULL, 10);
    if (!strcmp(mode, "inject") && count > 4) inject_everywhere(arguments[4], atol(arguments[2]));
    else if (!strcmp(mode, "compare") && count > 2) compare(atol(arguments[2]));
    else if (!strcmp(mode, "fuzz") && count > 2) fuzz(atof(arguments[2]));
    else if (!strcmp(mode, "official") && count > 3) faults = run_official(arguments[2], arguments[3]);
    else return 64;
    printf("%s: %d faults, %.1f s\n", mode, faults, seconds() - start);
    return faults ? 1 : 0;
}
