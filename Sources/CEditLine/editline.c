#define _GNU_SOURCE
#include "CEditLine.h"

#include <poll.h>
#include <pthread.h>
#include <unistd.h>
#include <wchar.h>

// Ctrl-C while a line is edited. The system may give the signal to any thread: it is handed on to the one that reads,
// where it is blocked except while that thread waits, so that none comes between the look at the flag and the wait.
static volatile sig_atomic_t interrupted_by_key;
static pthread_t reading_thread;
static void note_interrupt(int signal_) {
    interrupted_by_key = 1;
    if (!pthread_equal(pthread_self(), reading_thread)) pthread_kill(reading_thread, signal_);
}

// One byte of the terminal: 1, at its end 0, -1 if there is none.
static int read_byte(unsigned char *byte) {
    sigset_t waiting;
    pthread_sigmask(SIG_SETMASK, NULL, &waiting);
    sigdelset(&waiting, SIGINT);
    for (;;) {
        if (interrupted_by_key) return -1;
        struct pollfd terminal = {.fd = STDIN_FILENO, .events = POLLIN};
        if (ppoll(&terminal, 1, NULL, &waiting) < 0) {
            if (errno == EINTR) continue;
            return -1;
        }
        ssize_t count = read(STDIN_FILENO, byte, 1);
        if (count >= 0) return (int)count;
        if (errno != EINTR && errno != EAGAIN) return -1;
    }
}

// libedit's own reading takes up again once after a signal and then waits for good; this one ends.
static int read_character(EditLine *editor, wchar_t *character) {
    (void)editor;
    mbstate_t state;
    memset(&state, 0, sizeof state);
    for (;;) {
        unsigned char byte;
        int count = read_byte(&byte);
        if (count <= 0) return count;
        size_t length = mbrtowc(character, (const char *)&byte, 1, &state);
        if (length == (size_t)-2) continue;
        if (length != (size_t)-1) return 1;
        memset(&state, 0, sizeof state); // no UTF-8: passed over
    }
}

const char *moonshelf_el_read(EditLine *editor, int *count, bool *interrupted) {
    struct sigaction ours, theirs;
    memset(&ours, 0, sizeof ours);
    ours.sa_handler = note_interrupt;
    sigset_t blocked, kept;
    sigemptyset(&blocked);
    sigaddset(&blocked, SIGINT);
    interrupted_by_key = 0;
    reading_thread = pthread_self();
    pthread_sigmask(SIG_BLOCK, &blocked, &kept);
    sigaction(SIGINT, &ours, &theirs);
    el_set(editor, EL_GETCFN, read_character);
    el_resize(editor);
    *count = 0;
    const char *line = el_gets(editor, count);
    sigaction(SIGINT, &theirs, NULL);
    pthread_sigmask(SIG_SETMASK, &kept, NULL);
    *interrupted = interrupted_by_key;
    if (*interrupted) {
        el_reset(editor);
        return NULL;
    }
    return *count > 0 ? line : NULL;
}
