// Decodes a picture, makes it small, and writes it anew.
#define _GNU_SOURCE
#include "pictures.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <gd.h>
#include <limits.h>
#include <malloc.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

// The functions of libgd, with the types that its header gives them.
#define GD_FUNCTIONS(X)                                                                                                \
    X(gdSetErrorMethod)                                                                                                \
    X(gdImageCreateFromJpegPtr)                                                                                        \
    X(gdImageCreateFromPngPtr)                                                                                         \
    X(gdImageCreateFromGifPtr)                                                                                         \
    X(gdImageCreateFromWebpPtr)                                                                                        \
    X(gdImageCreateTrueColor)                                                                                          \
    X(gdImageFilledRectangle)                                                                                          \
    X(gdImageCopyResampled)                                                                                            \
    X(gdImageInterlace)                                                                                                \
    X(gdImageJpegPtr)

#define POINTER(name) static __typeof__(&name) p_##name;
GD_FUNCTIONS(POINTER)

static int load(void) {
    // The name that Debian's libgd3 installs.
    void *gd = dlopen("libgd.so.3", RTLD_NOW | RTLD_LOCAL);
    if (!gd) return 0;
#define FIND(name)                                                                                                     \
    p_##name = (__typeof__(&name))dlsym(gd, #name);                                                                    \
    if (!p_##name) return 0;
    GD_FUNCTIONS(FIND)
    return 1;
}

// What decoders have to say is of no use to anybody.
static void say_nothing(int priority, const char *format, va_list values) {
    (void)priority;
    (void)format;
    (void)values;
}

_Noreturn static void end(int status) {
    syscall(SYS_exit_group, status);
    __builtin_unreachable();
}

// MARK: In and out

static uint8_t *input(size_t *count) {
    uint8_t *bytes = malloc(moonshelf_picture_most_bytes + 1);
    if (!bytes) end(moonshelf_picture_damaged);
    for (*count = 0; *count <= moonshelf_picture_most_bytes;) {
        ssize_t more = read(STDIN_FILENO, bytes + *count, moonshelf_picture_most_bytes + 1 - *count);
        if (more < 0 && errno == EINTR) continue;
        if (more < 0) end(moonshelf_picture_damaged);
        if (!more) return bytes;
        *count += (size_t)more;
    }
    end(moonshelf_picture_too_large);
}

static void put(const void *given, size_t count) {
    const uint8_t *bytes = given;
    while (count) {
        ssize_t done = write(STDOUT_FILENO, bytes, count);
        if (done < 0 && errno == EINTR) continue;
        if (done <= 0) end(moonshelf_picture_damaged);
        bytes += done;
        count -= (size_t)done;
    }
}

static void put_number(size_t number) {
    uint8_t bytes[4] = {(uint8_t)(number >> 24), (uint8_t)(number >> 16), (uint8_t)(number >> 8), (uint8_t)number};
    put(bytes, sizeof bytes);
}

// MARK: The picture

static gdImagePtr decoded(const struct moonshelf_facts *facts, uint8_t *bytes, size_t count) {
    switch (facts->kind) {
    case kind_jpeg: return p_gdImageCreateFromJpegPtr((int)count, bytes);
    case kind_png: return p_gdImageCreateFromPngPtr((int)count, bytes);
    case kind_gif: return p_gdImageCreateFromGifPtr((int)count, bytes);
    case kind_webp: return p_gdImageCreateFromWebpPtr((int)count, bytes);
    case kind_unknown: break;
    }
    return NULL;
}

// On white, with a longer side of at most so many pixels.
static gdImagePtr shrunk(gdImagePtr picture, int side) {
    int width = gdImageSX(picture), height = gdImageSY(picture);
    int longer = width > height ? width : height;
    if (longer > side) {
        width = (int)((int64_t)width * side / longer);
        height = (int)((int64_t)height * side / longer);
    }
    if (width < 1) width = 1;
    if (height < 1) height = 1;
    gdImagePtr small = p_gdImageCreateTrueColor(width, height);
    if (!small) end(moonshelf_picture_damaged);
    p_gdImageFilledRectangle(small, 0, 0, width - 1, height - 1, gdTrueColor(255, 255, 255));
    p_gdImageCopyResampled(small, picture, 0, 0, 0, 0, width, height, gdImageSX(picture), gdImageSY(picture));
    return small;
}

// As EXIF says that it is to be shown.
static gdImagePtr turned(gdImagePtr picture, int orientation) {
    if (orientation == 1) return picture;
    int across = gdImageSX(picture), down = gdImageSY(picture);
    int is_on_its_side = orientation >= 5;
    gdImagePtr result = p_gdImageCreateTrueColor(is_on_its_side ? down : across, is_on_its_side ? across : down);
    if (!result) end(moonshelf_picture_damaged);
    for (int y = 0; y < gdImageSY(result); y++) {
        for (int x = 0; x < gdImageSX(result); x++) {
            int from_x = is_on_its_side ? y : x, from_y = is_on_its_side ? x : y;
            if (orientation == 2 || orientation == 3 || orientation == 7 || orientation == 8) from_x = across - 1 - from_x;
            if (orientation == 3 || orientation == 4 || orientation == 6 || orientation == 7) from_y = down - 1 - from_y;
            result->tpixels[y][x] = picture->tpixels[from_y][from_x];
        }
    }
    return result;
}

struct written {
    gdImagePtr picture;
    uint8_t *bytes;
    size_t count;
};

// As JPEG of at most so many bytes: where it has more, at a lower quality, then smaller.
static struct written written(gdImagePtr picture, int side, size_t most) {
    static const int qualities[] = {84, 72, 60, 48};
    for (; side >= 16; side = side * 3 / 4) {
        struct written result = {shrunk(picture, side), NULL, 0};
        p_gdImageInterlace(result.picture, 1);
        for (size_t i = 0; i < sizeof qualities / sizeof *qualities; i++) {
            int count = 0;
            result.bytes = p_gdImageJpegPtr(result.picture, &count, qualities[i]);
            if (!result.bytes) end(moonshelf_picture_damaged);
            result.count = moonshelf_without_comments(result.bytes, (size_t)count);
            if (result.count <= most) return result;
        }
    }
    end(moonshelf_picture_damaged);
}

_Noreturn void moonshelf_picture_work(void) {
    if (!load()) end(moonshelf_picture_unavailable);
    p_gdSetErrorMethod(say_nothing);
    // Before it gave memory of a thread back, malloc would read a setting of the kernel from a file.
    mallopt(M_TRIM_THRESHOLD, INT_MAX);
    if (!moonshelf_seal()) end(moonshelf_picture_unsealed);
    size_t count = 0;
    uint8_t *bytes = input(&count);
    struct moonshelf_facts facts = moonshelf_facts(bytes, count);
    if (facts.kind == kind_unknown) end(moonshelf_picture_unknown);
    if (!facts.width || !facts.height) end(moonshelf_picture_damaged);
    if (facts.width > moonshelf_picture_most_pixels || facts.height > moonshelf_picture_most_pixels / facts.width)
        end(moonshelf_picture_too_large);
    gdImagePtr whole = decoded(&facts, bytes, count);
    if (!whole) end(moonshelf_picture_damaged);
    gdImagePtr picture = turned(shrunk(whole, moonshelf_picture_side), facts.orientation);
    struct written large = written(picture, moonshelf_picture_side, moonshelf_picture_most_written);
    struct written small = written(picture, moonshelf_picture_small_side, moonshelf_picture_most_small);
    for (int i = 0; i < 2; i++) {
        struct written *each = i ? &small : &large;
        put_number((size_t)gdImageSX(each->picture));
        put_number((size_t)gdImageSY(each->picture));
        put_number(each->count);
    }
    put(large.bytes, large.count);
    put(small.bytes, small.count);
    end(moonshelf_picture_written);
}

// MARK: What a shut-in process may not

_Noreturn void moonshelf_picture_try(const char *deed) {
    // A descriptor that it has, but was not given.
    int other = dup(STDIN_FILENO);
    pid_t parent = getppid();
    if (!moonshelf_seal()) end(moonshelf_picture_unsealed);
    char *const nothing[] = {NULL};
    char buffer[1];
    if (!strcmp(deed, "open")) open("/dev/null", O_RDONLY);
    else if (!strcmp(deed, "socket")) socket(AF_INET, SOCK_STREAM, 0);
    else if (!strcmp(deed, "exec")) execve("/bin/true", nothing, nothing);
    else if (!strcmp(deed, "fork")) fork();
    else if (!strcmp(deed, "kill")) kill(parent, 0);
    else if (!strcmp(deed, "code")) mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    else if (!strcmp(deed, "map")) mmap(NULL, 4096, PROT_READ, MAP_PRIVATE, other, 0);
    else if (!strcmp(deed, "read")) end(read(other, buffer, 1) >= 0 ? 0 : moonshelf_picture_damaged);
    else if (!strcmp(deed, "write")) end(write(STDERR_FILENO, deed, 1) == 1 ? 0 : moonshelf_picture_damaged);
    else if (!strcmp(deed, "memory")) {
        // Far more than it may have.
        end(malloc((size_t)1 << 30) ? 0 : moonshelf_picture_damaged);
    } else if (strcmp(deed, "nothing")) end(moonshelf_picture_unknown);
    end(0);
}
