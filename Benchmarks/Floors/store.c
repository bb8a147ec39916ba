#include "Floors.h"

#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct floor_store {
    sqlite3 *database;
    sqlite3_stmt **statements;
    int32_t count;
    // What was read goes in here, so that no compiler leaves out the reading.
    uint64_t seen;
};

static bool report(floor_store *floor, const char *what) {
    fprintf(stderr, "floor: %s: %s\n", what, sqlite3_errmsg(floor->database));
    return false;
}

floor_store *floor_store_open(const char *path, bool read_only, const char *settings) {
    floor_store *floor = calloc(1, sizeof *floor);
    if (floor == NULL) return NULL;
    int flags = read_only ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE;
    // Without a mutex of its own, as a connection that one queue guards.
    if (sqlite3_open_v2(path, &floor->database, flags | SQLITE_OPEN_NOMUTEX, NULL) != SQLITE_OK ||
        !floor_store_execute(floor, settings)) {
        report(floor, path);
        floor_store_close(floor);
        return NULL;
    }
    return floor;
}

bool floor_store_prepare(floor_store *floor, const char *const *texts, int32_t count) {
    floor->statements = calloc((size_t)count, sizeof *floor->statements);
    if (floor->statements == NULL) return false;
    floor->count = count;
    for (int32_t i = 0; i < count; i++) {
        int code = sqlite3_prepare_v3(floor->database, texts[i], -1, SQLITE_PREPARE_PERSISTENT, &floor->statements[i], NULL);
        if (code != SQLITE_OK) return report(floor, texts[i]);
    }
    return true;
}

static int bind(sqlite3_stmt *statement, int index, const floor_value *value, const char *bytes) {
    switch (value->kind) {
    case FLOOR_INTEGER: return sqlite3_bind_int64(statement, index, value->integer);
    case FLOOR_REAL: return sqlite3_bind_double(statement, index, value->real);
    case FLOOR_TEXT: return sqlite3_bind_text(statement, index, bytes + value->integer, value->length, SQLITE_STATIC);
    default: return sqlite3_bind_null(statement, index);
    }
}

static uint64_t read_row(sqlite3_stmt *statement) {
    uint64_t seen = 0;
    int count = sqlite3_column_count(statement);
    for (int column = 0; column < count; column++) {
        switch (sqlite3_column_type(statement, column)) {
        case SQLITE_INTEGER: seen += (uint64_t)sqlite3_column_int64(statement, column); break;
        case SQLITE_FLOAT: seen += sqlite3_column_double(statement, column) > 0; break;
        case SQLITE_TEXT: {
            const unsigned char *text = sqlite3_column_text(statement, column);
            int length = sqlite3_column_bytes(statement, column);
            if (text != NULL && length > 0) seen += text[0] + (uint64_t)length;
            break;
        }
        default: break;
        }
    }
    return seen;
}

bool floor_store_run(floor_store *floor, const floor_run *runs, int64_t count, const floor_value *values,
                     const char *bytes) {
    for (int64_t i = 0; i < count; i++) {
        const floor_run *run = &runs[i];
        sqlite3_stmt *statement = floor->statements[run->statement];
        for (int32_t k = 0; k < run->value_count; k++) {
            if (bind(statement, k + 1, &values[run->first_value + k], bytes) != SQLITE_OK)
                return report(floor, sqlite3_sql(statement));
        }
        for (int32_t step = 0; step < run->steps; step++) {
            int code = sqlite3_step(statement);
            if (code == SQLITE_DONE) break;
            if (code != SQLITE_ROW) {
                report(floor, sqlite3_sql(statement));
                sqlite3_reset(statement);
                return false;
            }
            floor->seen += read_row(statement);
        }
        sqlite3_reset(statement);
    }
    return true;
}

int64_t floor_store_number(floor_store *floor, const char *text) {
    sqlite3_stmt *statement = NULL;
    int64_t number = -1;
    if (sqlite3_prepare_v2(floor->database, text, -1, &statement, NULL) == SQLITE_OK &&
        sqlite3_step(statement) == SQLITE_ROW) {
        number = sqlite3_column_int64(statement, 0);
    } else {
        report(floor, text);
    }
    sqlite3_finalize(statement);
    return number;
}

char *floor_store_text(floor_store *floor, const char *text) {
    sqlite3_stmt *statement = NULL;
    char *result = NULL;
    if (sqlite3_prepare_v2(floor->database, text, -1, &statement, NULL) == SQLITE_OK &&
        sqlite3_step(statement) == SQLITE_ROW && sqlite3_column_text(statement, 0) != NULL) {
        result = strdup((const char *)sqlite3_column_text(statement, 0));
    } else {
        report(floor, text);
    }
    sqlite3_finalize(statement);
    return result;
}

bool floor_store_execute(floor_store *floor, const char *text) {
    return sqlite3_exec(floor->database, text, NULL, NULL, NULL) == SQLITE_OK || report(floor, text);
}

void floor_store_close(floor_store *floor) {
    if (floor == NULL) return;
    for (int32_t i = 0; i < floor->count; i++) sqlite3_finalize(floor->statements[i]);
    free(floor->statements);
    sqlite3_close(floor->database);
    free(floor);
}
