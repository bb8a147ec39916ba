#include "Floors.h"

#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CATEGORIES = 8, TYPES = 10, BRANCHES = 7, DAYS = 1000, FIRST_DAY = FLOOR_TODAY - 300 };
enum { PATRON, ITEM, HOLD, OPEN_LOANS, BEGIN, COMMIT, NEW_LOAN, LENT, AUDIT, OVERDUE, NOTICE, STATEMENTS };

static const char *const texts[STATEMENTS] = {
    "SELECT cat, home, expiry, blk, fines, age FROM patrons WHERE id = ?",
    "SELECT typ, branch, status, rating FROM items WHERE id = ?",
    "SELECT patron FROM holds WHERE item = ?",
    "SELECT i.typ, l.due FROM loans l JOIN items i ON i.id = l.item WHERE l.patron = ? AND l.returned IS NULL",
    "BEGIN IMMEDIATE",
    "COMMIT",
    "INSERT INTO loans (patron, item, out_day, due) VALUES (?, ?, ?, ?)",
    "UPDATE items SET status = 1 WHERE id = ?",
    "INSERT INTO audit (day, kind, patron, item, due, verdict) VALUES (?, 'checkout', ?, ?, ?, 0)",
    "SELECT l.id, l.patron, l.item, l.due, p.cat, i.typ, i.branch FROM loans l JOIN patrons p ON p.id = l.patron "
    "JOIN items i ON i.id = l.item WHERE l.returned IS NULL AND l.due < ?",
    "INSERT INTO notices (loan, patron, level, fee, body) VALUES (?, ?, ?, ?, ?)",
};

// Rules: how many of the type, days, fee a day, fee at most; all zero where there is none.
struct floor_bare {
    sqlite3 *database;
    sqlite3_stmt *statements[STATEMENTS];
    int limits[CATEGORIES][3];
    int rules[CATEGORIES][TYPES][BRANCHES][4];
    bool closed[BRANCHES][DAYS];
};

static bool report(floor_bare *bare) {
    fprintf(stderr, "floor: %s\n", sqlite3_errmsg(bare->database));
    return false;
}

static bool is_in(const int *row, int place, int end) { return row[place] >= 0 && row[place] < end; }

static bool keep(floor_bare *bare, int table, const int *row) {
    if (!is_in(row, 0, table == 2 ? BRANCHES : CATEGORIES)) return false;
    if (table == 0) {
        memcpy(bare->limits[row[0]], row + 1, sizeof bare->limits[0]);
    } else if (table == 1) {
        if (!is_in(row, 1, TYPES) || !is_in(row, 2, BRANCHES)) return false;
        memcpy(bare->rules[row[0]][row[1]][row[2]], row + 3, sizeof bare->rules[0][0][0]);
    } else if (row[1] >= FIRST_DAY && row[1] < FIRST_DAY + DAYS) {
        bare->closed[row[0]][row[1] - FIRST_DAY] = true;
    }
    return true;
}

// Limits, rules and closed days are read once, into arrays.
static bool read_rules(floor_bare *bare) {
    static const char *const tables[] = {"SELECT * FROM cats", "SELECT * FROM rules", "SELECT * FROM closed"};
    for (int table = 0; table < 3; table++) {
        sqlite3_stmt *rows = NULL;
        if (sqlite3_prepare_v2(bare->database, tables[table], -1, &rows, NULL) != SQLITE_OK) return report(bare);
        bool good = true;
        while (good && sqlite3_step(rows) == SQLITE_ROW) {
            int row[7] = {0};
            for (int column = 0; column < sqlite3_column_count(rows) && column < 7; column++)
                row[column] = sqlite3_column_int(rows, column);
            good = keep(bare, table, row);
        }
        sqlite3_finalize(rows);
        if (!good) return false;
    }
    return true;
}

floor_bare *floor_bare_open(const char *path, const char *settings) {
    floor_bare *bare = calloc(1, sizeof *bare);
    if (bare == NULL) return NULL;
    int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX;
    bool good = sqlite3_open_v2(path, &bare->database, flags, NULL) == SQLITE_OK &&
                sqlite3_exec(bare->database, settings, NULL, NULL, NULL) == SQLITE_OK;
    for (int i = 0; good && i < STATEMENTS; i++)
        good = sqlite3_prepare_v3(bare->database, texts[i], -1, SQLITE_PREPARE_PERSISTENT, &bare->statements[i], NULL) ==
               SQLITE_OK;
    if (good && read_rules(bare)) return bare;
    report(bare);
    floor_bare_close(bare);
    return NULL;
}

void floor_bare_close(floor_bare *bare) {
    if (bare == NULL) return;
    for (int i = 0; i < STATEMENTS; i++) sqlite3_finalize(bare->statements[i]);
    sqlite3_close(bare->database);
    free(bare);
}

static const int *rule(const floor_bare *bare, int category, int type, int branch) {
    const int *const candidates[] = {bare->rules[category][type][branch], bare->rules[category][type][0],
                                     bare->rules[category][0][0]};
    for (int i = 0; i < 3; i++)
        if (candidates[i][0] != 0) return candidates[i];
    return bare->rules[0][0][0];
}

// Steps to the first row of a statement about one number and reads its columns; false where there is none.
static bool one(floor_bare *bare, int statement, int64_t number, int *row, int columns) {
    sqlite3_stmt *s = bare->statements[statement];
    sqlite3_bind_int64(s, 1, number);
    bool found = sqlite3_step(s) == SQLITE_ROW;
    for (int i = 0; found && i < columns; i++) row[i] = sqlite3_column_int(s, i);
    sqlite3_reset(s);
    return found;
}

static bool run(floor_bare *bare, int statement, const int64_t *values, int count) {
    sqlite3_stmt *s = bare->statements[statement];
    for (int i = 0; i < count; i++) sqlite3_bind_int64(s, i + 1, values[i]);
    int code = sqlite3_step(s);
    sqlite3_reset(s);
    return code == SQLITE_DONE || report(bare);
}

// The verdict, 0 for yes with the day on which the loan is due.
static int decide(floor_bare *bare, floor_request request, int *due) {
    enum { CAT, HOME, EXPIRY, BLOCK, FINES, AGE };
    enum { TYPE, BRANCH, STATUS, RATING };
    int patron[6], item[4], holder;
    *due = 0;
    if (!one(bare, PATRON, request.patron, patron, 6) || !one(bare, ITEM, request.item, item, 4)) return 12;
    const int *limit = bare->limits[patron[CAT]];
    if (patron[EXPIRY] < FLOOR_TODAY) return 1;
    if (patron[BLOCK]) return 2;
    if (patron[FINES] > limit[1]) return 3;
    if (item[STATUS]) return 4;
    if (item[TYPE] == 5 && patron[CAT] != 4) return 5;
    if (item[RATING] > patron[AGE]) return 6;
    if ((item[TYPE] == 6 || patron[CAT] == 6) && patron[HOME] != item[BRANCH]) return 7;
    if (one(bare, HOLD, request.item, &holder, 1) && holder != request.patron) return 8;
    int total = 0, of_type = 0, overdue = 0;
    sqlite3_stmt *open = bare->statements[OPEN_LOANS];
    sqlite3_bind_int64(open, 1, request.patron);
    while (sqlite3_step(open) == SQLITE_ROW) {
        total++;
        of_type += sqlite3_column_int(open, 0) == item[TYPE];
        overdue += sqlite3_column_int(open, 1) < FLOOR_TODAY;
    }
    sqlite3_reset(open);
    if (total >= limit[0]) return 9;
    if (overdue > limit[2]) return 10;
    const int *found = rule(bare, patron[CAT], item[TYPE], item[BRANCH]);
    if (of_type >= found[0]) return 11;
    int day = FLOOR_TODAY + found[1];
    if (day > patron[EXPIRY]) day = patron[EXPIRY];
    while (day < FIRST_DAY + DAYS && bare->closed[item[BRANCH]][day - FIRST_DAY]) day++;
    *due = day;
    return 0;
}

bool floor_bare_decide(floor_bare *bare, const floor_request *requests, int64_t count, floor_outcome *outcome) {
    for (int64_t i = 0; i < count; i++) {
        int due;
        if (decide(bare, requests[i], &due) == 0) outcome->count++;
        outcome->sum += due;
    }
    return true;
}

bool floor_bare_lend(floor_bare *bare, const floor_request *requests, int64_t count, floor_outcome *outcome) {
    for (int64_t i = 0; i < count; i++) {
        if (!run(bare, BEGIN, NULL, 0)) return false;
        int due;
        if (decide(bare, requests[i], &due) == 0) {
            const int64_t loan[] = {requests[i].patron, requests[i].item, FLOOR_TODAY, due};
            const int64_t audit[] = {FLOOR_TODAY, requests[i].patron, requests[i].item, due};
            if (!run(bare, NEW_LOAN, loan, 4) || !run(bare, LENT, &requests[i].item, 1) || !run(bare, AUDIT, audit, 4))
                return false;
            outcome->count++;
            outcome->sum += due;
        }
        if (!run(bare, COMMIT, NULL, 0)) return false;
    }
    return true;
}

static bool remind(floor_bare *bare, sqlite3_stmt *row, floor_outcome *outcome) {
    const int days = FLOOR_TODAY - sqlite3_column_int(row, 3);
    const int *found = rule(bare, sqlite3_column_int(row, 4), sqlite3_column_int(row, 5), sqlite3_column_int(row, 6));
    const int fee = days * found[2] < found[3] ? days * found[2] : found[3];
    const int level = days <= 14 ? 1 : days <= 28 ? 2 : 3;
    char body[200];
    int length = snprintf(body, sizeof body,
                          "Patron %d: item %d was due on day %d, %d days ago. Level %d. Fee %d.%02d",
                          sqlite3_column_int(row, 1), sqlite3_column_int(row, 2), sqlite3_column_int(row, 3), days, level,
                          fee / 100, fee % 100);
    sqlite3_bind_text(bare->statements[NOTICE], 5, body, length, SQLITE_STATIC);
    const int64_t notice[] = {sqlite3_column_int64(row, 0), sqlite3_column_int64(row, 1), level, fee};
    outcome->count++;
    outcome->sum += fee;
    return run(bare, NOTICE, notice, 4);
}

bool floor_bare_overdue(floor_bare *bare, floor_outcome *outcome) {
    if (!run(bare, BEGIN, NULL, 0)) return false;
    sqlite3_stmt *rows = bare->statements[OVERDUE];
    sqlite3_bind_int(rows, 1, FLOOR_TODAY);
    bool good = true;
    int code = SQLITE_DONE;
    while (good && (code = sqlite3_step(rows)) == SQLITE_ROW) good = remind(bare, rows, outcome);
    sqlite3_reset(rows);
    return good && (code == SQLITE_DONE || report(bare)) && run(bare, COMMIT, NULL, 0);
}
