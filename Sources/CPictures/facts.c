// What the first bytes of a file say: its kind, how large the picture is, how it is to be turned. Decoders allocate by these numbers.
#include "pictures.h"

#include <string.h>

// A file's bytes; what stands beyond them is 0.
struct file {
    const uint8_t *bytes;
    size_t count;
};

static uint64_t byte(const struct file *file, size_t place) { return place < file->count ? file->bytes[place] : 0; }

static uint64_t big(const struct file *file, size_t place, int size) {
    uint64_t number = 0;
    for (int i = 0; i < size; i++) number = number << 8 | byte(file, place + (size_t)i);
    return number;
}

static uint64_t little(const struct file *file, size_t place, int size) {
    uint64_t number = 0;
    for (int i = size - 1; i >= 0; i--) number = number << 8 | byte(file, place + (size_t)i);
    return number;
}

static int has(const struct file *file, size_t place, const char *text, size_t length) {
    return place <= file->count && length <= file->count - place && !memcmp(file->bytes + place, text, length);
}

// MARK: JPEG

// The tag 0x0112 of the first directory of an EXIF block that begins here; 1 where there is none.
static int orientation(const struct file *file, size_t start, size_t end) {
    int is_little = has(file, start, "II*\0", 4);
    if (!is_little && !has(file, start, "MM\0*", 4)) return 1;
    uint64_t (*number)(const struct file *, size_t, int) = is_little ? little : big;
    uint64_t directory = number(file, start + 4, 4);
    if (directory > end - start || end - start - directory < 2) return 1;
    size_t place = start + (size_t)directory;
    uint64_t entries = number(file, place, 2);
    place += 2;
    for (uint64_t i = 0; i < entries && place + 12 <= end; i++, place += 12) {
        if (number(file, place, 2) != 0x0112) continue;
        uint64_t value = number(file, place + 8, 2);
        return value >= 1 && value <= 8 ? (int)value : 1;
    }
    return 1;
}

// Behind the data of a scan that begins here: at the next marker that is not part of it.
static size_t behind_scan(const struct file *file, size_t place) {
    for (; place + 1 < file->count; place++) {
        if (file->bytes[place] != 0xFF) continue;
        uint8_t next = file->bytes[place + 1];
        if (next && next != 0xFF && (next < 0xD0 || next > 0xD7)) return place;
    }
    return file->count;
}

static void read_jpeg(const struct file *file, struct moonshelf_facts *facts) {
    uint64_t width = 0, height = 0;
    size_t place = 2;
    while (place + 1 < file->count && byte(file, place) == 0xFF) {
        uint64_t marker = byte(file, place + 1);
        if (marker == 0xFF) {
            place++;
            continue;
        }
        if (marker == 0xD9) {
            // Whole: a file that ends before would be shown grey from there on.
            facts->width = width;
            facts->height = height;
            return;
        }
        size_t length = (size_t)big(file, place + 2, 2);
        if (length < 2 || length > file->count - place - 2) return;
        if (marker == 0xE1 && has(file, place + 4, "Exif\0\0", 6) && length >= 16)
            facts->orientation = orientation(file, place + 10, place + 2 + length);
        int is_frame = marker >= 0xC0 && marker <= 0xCF && marker != 0xC4 && marker != 0xC8 && marker != 0xCC;
        if (is_frame) {
            height = big(file, place + 5, 2);
            width = big(file, place + 7, 2);
        }
        place += 2 + length;
        if (marker == 0xDA) place = behind_scan(file, place);
    }
}

// MARK: GIF

// Behind blocks of data that begin here; 0 where the file ends before.
static size_t behind_blocks(const struct file *file, size_t place) {
    while (place < file->count) {
        size_t length = (size_t)byte(file, place);
        place += 1 + length;
        if (!length) return place;
    }
    return 0;
}

static size_t colours(uint64_t flags) { return flags & 0x80 ? (size_t)3 << ((flags & 7) + 1) : 0; }

static void read_gif(const struct file *file, struct moonshelf_facts *facts) {
    uint64_t width = little(file, 6, 2), height = little(file, 8, 2);
    size_t place = 13 + colours(byte(file, 10));
    while (place && place < file->count) {
        uint64_t start = byte(file, place);
        if (start == 0x21) {
            place = behind_blocks(file, place + 2);
        } else if (start == 0x2C) {
            uint64_t own_width = little(file, place + 5, 2), own_height = little(file, place + 7, 2);
            place = behind_blocks(file, place + 11 + colours(byte(file, place + 9)));
            if (!place) return;
            facts->width = width > own_width ? width : own_width;
            facts->height = height > own_height ? height : own_height;
            return;
        } else {
            return;
        }
    }
}

// MARK: WebP

static void read_webp(const struct file *file, struct moonshelf_facts *facts) {
    if (has(file, 12, "VP8X", 4)) {
        facts->width = little(file, 24, 3) + 1;
        facts->height = little(file, 27, 3) + 1;
    } else if (has(file, 12, "VP8L", 4)) {
        uint64_t bits = little(file, 21, 4);
        facts->width = (bits & 0x3FFF) + 1;
        facts->height = (bits >> 14 & 0x3FFF) + 1;
    } else if (has(file, 12, "VP8 ", 4)) {
        facts->width = little(file, 26, 2) & 0x3FFF;
        facts->height = little(file, 28, 2) & 0x3FFF;
    }
}

struct moonshelf_facts moonshelf_facts(const uint8_t *bytes, size_t count) {
    struct file file = {bytes, count};
    struct moonshelf_facts facts = {kind_unknown, 0, 0, 1};
    if (has(&file, 0, "\xFF\xD8\xFF", 3)) {
        facts.kind = kind_jpeg;
        read_jpeg(&file, &facts);
    } else if (has(&file, 0, "\x89PNG\r\n\x1A\n", 8)) {
        facts.kind = kind_png;
        if (has(&file, 12, "IHDR", 4)) {
            facts.width = big(&file, 16, 4);
            facts.height = big(&file, 20, 4);
        }
    } else if (has(&file, 0, "GIF87a", 6) || has(&file, 0, "GIF89a", 6)) {
        facts.kind = kind_gif;
        read_gif(&file, &facts);
    } else if (has(&file, 0, "RIFF", 4) && has(&file, 8, "WEBP", 4)) {
        facts.kind = kind_webp;
        read_webp(&file, &facts);
    }
    return facts;
}

size_t moonshelf_without_comments(uint8_t *bytes, size_t count) {
    struct file file = {bytes, count};
    size_t place = 2;
    while (place + 4 <= file.count && byte(&file, place) == 0xFF && byte(&file, place + 1) != 0xDA) {
        size_t whole = 2 + (size_t)big(&file, place + 2, 2);
        if (whole > file.count - place) break;
        if (byte(&file, place + 1) == 0xFE) {
            memmove(bytes + place, bytes + place + whole, file.count - place - whole);
            file.count -= whole;
        } else {
            place += whole;
        }
    }
    return file.count;
}
