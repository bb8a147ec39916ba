// Cuts a source into tokens exactly as Lua 5.4.4's llex.c does; what is refused before Lua compiles stands on it.
#ifndef GUARD_LEXER_H
#define GUARD_LEXER_H

#include <stdbool.h>
#include <stddef.h>

enum guard_token {
    GUARD_TOKEN_END,
    GUARD_TOKEN_NAME,        // reserved words too
    GUARD_TOKEN_STRING,
    GUARD_TOKEN_NUMERAL,     // all that Lua takes for one; whether it is one, Lua says
    GUARD_TOKEN_SYMBOL,      // of one byte to three, or a byte that means nothing in Lua
    GUARD_TOKEN_MALFORMED,   // Lua refuses the text here, and reads no further
};

typedef struct guard_lexer {
    const char *at, *end;
    int line;                // of `at`
    // The token read last:
    const char *token;
    size_t count;
} guard_lexer;

/// Reads the next token; behind GUARD_TOKEN_MALFORMED there is none.
enum guard_token guard_next_token(guard_lexer *lexer);
bool guard_is_line_end(char c);

#endif
