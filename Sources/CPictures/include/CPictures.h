// Pictures that people upload, read and written anew by libgd in a process that may do nothing else.
#ifndef CPICTURES_H
#define CPICTURES_H

// How a process that was given a picture ends.
enum {
    moonshelf_picture_written = 0,
    // Neither JPEG nor PNG, GIF or WebP.
    moonshelf_picture_unknown = 80,
    // It has more pixels, or more bytes, than a picture may.
    moonshelf_picture_too_large = 81,
    moonshelf_picture_damaged = 82,
    // libgd is not installed.
    moonshelf_picture_unavailable = 83,
    // The system lets no process be shut in.
    moonshelf_picture_unsealed = 84,
};

enum {
    // The most bytes that are read.
    moonshelf_picture_most_bytes = 8 << 20,
    // The most pixels of a picture that is read.
    moonshelf_picture_most_pixels = 40000000,
    // The longer side of a picture that is written, and of its small copy.
    moonshelf_picture_side = 1200,
    moonshelf_picture_small_side = 320,
    // The most bytes that each of them has.
    moonshelf_picture_most_written = 300000,
    moonshelf_picture_most_small = 40000,
};

// Loads libgd, shuts the process in, reads a picture from standard input and writes it anew to standard output: width, height and
// number of bytes of the picture and of its small copy, as 32-bit numbers with the highest byte first, then the bytes of both, JPEG
// without metadata. Ends the process with one of the numbers above; whatever else ends it is the picture's doing.
_Noreturn void moonshelf_picture_work(void);

// Shuts the process in and then does what a shut-in process may not: opens a file or a socket, starts a program or a process, signals
// another one, makes memory executable, or reads a descriptor that is not its input. Ends the process with 0 where it could.
_Noreturn void moonshelf_picture_try(const char *deed);

#endif
