// Reads as llex.c does, byte by byte. No locale changes what a letter is, and a NUL is a byte like others.
#include "lexer.h"

enum { END = -1, LARGEST_ESCAPE = 0x7FFFFFFF };

bool guard_is_line_end(char c) { return c == '\n' || c == '\r'; }
static bool is_digit(int c) { return c >= '0' && c <= '9'; }
static bool is_name_start(int c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
static bool is_space(int c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
static int hexadecimal(int c) {
    if (is_digit(c)) return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

static int current(const guard_lexer *lexer) {
    return lexer->at < lexer->end ? (unsigned char)*lexer->at : END;
}
static bool at_line_end(const guard_lexer *lexer) { return lexer->at < lexer->end && guard_is_line_end(*lexer->at); }

/// A line ends at LF, CR, CR LF or LF CR.
static void skip_line_end(guard_lexer *lexer) {
    char first = *lexer->at++;
    if (at_line_end(lexer) && *lexer->at != first) lexer->at++;
    lexer->line++;
}

/// At a bracket: passes it and the equal signs behind it. How many there were, if the same bracket follows; -1 for a
/// lone bracket, -2 for one with equal signs and no other behind them.
static int long_bracket(guard_lexer *lexer) {
    int bracket = current(lexer), level = 0;
    lexer->at++;
    while (current(lexer) == '=') lexer->at++, level++;
    if (current(lexer) == bracket) return level;
    return level ? -2 : -1;
}

/// At the second bracket; false: the text ends within.
static bool skip_long_text(guard_lexer *lexer, int level) {
    lexer->at++;
    while (lexer->at < lexer->end) {
        if (*lexer->at == ']') {
            if (long_bracket(lexer) != level) continue;
            lexer->at++;
            return true;
        }
        if (at_line_end(lexer)) skip_line_end(lexer);
        else lexer->at++;
    }
    return false;
}

/// Behind "--".
static bool skip_comment(guard_lexer *lexer) {
    if (current(lexer) == '[') {
        int level = long_bracket(lexer);
        if (level >= 0) return skip_long_text(lexer, level);
    }
    while (lexer->at < lexer->end && !at_line_end(lexer)) lexer->at++;
    return true;
}

static bool skip_hexadecimal_escape(guard_lexer *lexer) {
    for (int digit = 0; digit < 2; digit++, lexer->at++)
        if (hexadecimal(current(lexer)) < 0) return false;
    return true;
}

static bool skip_unicode_escape(guard_lexer *lexer) {
    if (current(lexer) != '{') return false;
    lexer->at++;
    if (hexadecimal(current(lexer)) < 0) return false;
    unsigned long long value = 0;
    for (; hexadecimal(current(lexer)) >= 0; lexer->at++) {
        value = value << 4 | (unsigned)hexadecimal(current(lexer));
        if (value > LARGEST_ESCAPE) return false;
    }
    if (current(lexer) != '}') return false;
    lexer->at++;
    return true;
}

static bool skip_decimal_escape(guard_lexer *lexer) {
    if (!is_digit(current(lexer))) return false;
    int value = 0;
    for (int digit = 0; digit < 3 && is_digit(current(lexer)); digit++) value = value * 10 + *lexer->at++ - '0';
    return value <= 255;
}

/// Behind a backslash.
static bool skip_escape(guard_lexer *lexer) {
    int c = current(lexer);
    switch (c) {
    case 'a': case 'b': case 'f': case 'n': case 'r': case 't': case 'v': case '\\': case '"': case '\'':
        lexer->at++;
        return true;
    case 'x': lexer->at++; return skip_hexadecimal_escape(lexer);
    case 'u': lexer->at++; return skip_unicode_escape(lexer);
    case 'z':
        lexer->at++;
        while (is_space(current(lexer)))
            if (at_line_end(lexer)) skip_line_end(lexer);
            else lexer->at++;
        return true;
    case '\n': case '\r': skip_line_end(lexer); return true;
    default: return skip_decimal_escape(lexer);
    }
}

static bool skip_string(guard_lexer *lexer) {
    int quote = current(lexer);
    lexer->at++;
    while (current(lexer) != quote) {
        if (lexer->at == lexer->end || at_line_end(lexer)) return false;
        if (*lexer->at++ == '\\' && !skip_escape(lexer)) return false;
    }
    lexer->at++;
    return true;
}

/// Greedily, as Lua does before it asks whether it is a numeral.
static void skip_numeral(guard_lexer *lexer) {
    int first = current(lexer), mark = 'e';
    lexer->at++;
    if (first == '0' && (current(lexer) == 'x' || current(lexer) == 'X')) {
        lexer->at++;
        mark = 'p';
    }
    for (int c = current(lexer); c != END; c = current(lexer)) {
        if (c == mark || c == mark - 32) {
            lexer->at++;
            if (current(lexer) == '+' || current(lexer) == '-') lexer->at++;
        } else if (hexadecimal(c) >= 0 || c == '.') {
            lexer->at++;
        } else {
            break;
        }
    }
    if (is_name_start(current(lexer))) lexer->at++;
}

/// How many bytes a symbol that begins with `first` has.
static int symbol_width(const guard_lexer *lexer, int first) {
    int second = lexer->end - lexer->at > 1 ? (unsigned char)lexer->at[1] : END;
    switch (first) {
    case '=': case '~': return second == '=' ? 2 : 1;
    case '<': case '>': return second == '=' || second == first ? 2 : 1;
    case '/': case ':': return second == first ? 2 : 1;
    case '.':
        if (second != '.') return 1;
        return lexer->end - lexer->at > 2 && lexer->at[2] == '.' ? 3 : 2;
    default: return 1;
    }
}

static enum guard_token read_token(guard_lexer *lexer, int first) {
    if (first == '"' || first == '\'') return skip_string(lexer) ? GUARD_TOKEN_STRING : GUARD_TOKEN_MALFORMED;
    if (first == '[') {
        int level = long_bracket(lexer);
        if (level == -1) return GUARD_TOKEN_SYMBOL;
        return level >= 0 && skip_long_text(lexer, level) ? GUARD_TOKEN_STRING : GUARD_TOKEN_MALFORMED;
    }
    bool begins_fraction = first == '.' && lexer->end - lexer->at > 1 && is_digit((unsigned char)lexer->at[1]);
    if (is_digit(first) || begins_fraction) {
        skip_numeral(lexer);
        return GUARD_TOKEN_NUMERAL;
    }
    if (is_name_start(first)) {
        while (is_name_start(current(lexer)) || is_digit(current(lexer))) lexer->at++;
        return GUARD_TOKEN_NAME;
    }
    lexer->at += symbol_width(lexer, first);
    return GUARD_TOKEN_SYMBOL;
}

enum guard_token guard_next_token(guard_lexer *lexer) {
    while (lexer->at < lexer->end) {
        int c = current(lexer);
        lexer->token = lexer->at;
        if (at_line_end(lexer)) {
            skip_line_end(lexer);
        } else if (is_space(c)) {
            lexer->at++;
        } else if (c == '-' && lexer->end - lexer->at > 1 && lexer->at[1] == '-') {
            lexer->at += 2;
            if (!skip_comment(lexer)) return GUARD_TOKEN_MALFORMED;
        } else {
            enum guard_token kind = read_token(lexer, c);
            lexer->count = (size_t)(lexer->at - lexer->token);
            return kind;
        }
    }
    return GUARD_TOKEN_END;
}
