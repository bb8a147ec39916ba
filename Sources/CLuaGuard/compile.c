// Compiling within limits. No hook runs while Lua compiles, and some of what it does takes time by the square of the
// source's length: so it gets the source in small pieces, and each time it asks for one the limits are looked at.
#include "guard.h"

enum { LONGEST_PIECE = 64 };

typedef struct {
    const char *at;
    size_t left;
} reading;

static const char *read_piece(lua_State *L, void *context, size_t *count) {
    reading *source = context;
    guard_charge(L, guard_of(L), 1);
    *count = source->left < LONGEST_PIECE ? source->left : LONGEST_PIECE;
    const char *piece = source->at;
    source->at += *count;
    source->left -= *count;
    return *count ? piece : NULL;
}

int guard_load_text(lua_State *L, const char *source, size_t count, const char *name) {
    reading text = {source, count};
    int status = lua_load(L, read_piece, &text, name, "t");
    if (guard_has_fault(L)) guard_raise_fault(L);
    return status;
}
