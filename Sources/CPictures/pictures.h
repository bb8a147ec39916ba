// What the files of this target share.
#pragma once

#include "CPictures.h"

#include <stddef.h>
#include <stdint.h>

// Leaves the process memory, its standard input and output, and its end; limits memory and processor time. Returns 0 where that failed.
int moonshelf_seal(void);

enum moonshelf_kind { kind_unknown, kind_jpeg, kind_png, kind_gif, kind_webp };

struct moonshelf_facts {
    enum moonshelf_kind kind;
    uint64_t width, height;
    // As EXIF numbers them, 1 to 8: how the picture is to be turned.
    int orientation;
};

// What a file says of itself. Width and height are 0 where it does not say, and where a JPEG or a GIF ends before
// its picture does.
struct moonshelf_facts moonshelf_facts(const uint8_t *bytes, size_t count);

// Takes comments out of a JPEG file, and returns the new number of bytes.
size_t moonshelf_without_comments(uint8_t *bytes, size_t count);
