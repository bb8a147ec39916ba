#define _GNU_SOURCE
#include "CTerminal.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

// ---- signals during typing ----------------------------------------------------------------------------------

// The system may give a signal to any thread: it is handed on to the one that reads, where it is blocked except while
// that thread waits, so that none comes between the look at the flag and the wait.
static volatile sig_atomic_t interrupted, resized, ended;
static pthread_t reading_thread;

static void hand_on(int number) {
    if (!pthread_equal(pthread_self(), reading_thread)) pthread_kill(reading_thread, number);
}
static void note_interrupt(int number) {
    interrupted = 1;
    hand_on(number);
}
static void note_resize(int number) {
    resized = 1;
    hand_on(number);
}
static void note_end(int number) {
    ended = number;
    hand_on(number);
}

static const struct {
    int number;
    void (*handler)(int);
} watched[] = {{SIGINT, note_interrupt}, {SIGWINCH, note_resize}, {SIGTERM, note_end}, {SIGHUP, note_end}};
enum { watched_count = sizeof watched / sizeof *watched };
static struct sigaction actions_before[watched_count];
static sigset_t mask_before;
static bool is_watching;

static void watch(void) {
    if (is_watching) return;
    sigset_t blocked;
    sigemptyset(&blocked);
    for (int i = 0; i < watched_count; i++) sigaddset(&blocked, watched[i].number);
    interrupted = resized = ended = 0;
    reading_thread = pthread_self();
    pthread_sigmask(SIG_BLOCK, &blocked, &mask_before);
    for (int i = 0; i < watched_count; i++) {
        struct sigaction action;
        memset(&action, 0, sizeof action);
        action.sa_handler = watched[i].handler;
        sigaction(watched[i].number, &action, &actions_before[i]);
        // A signal that the parent ignored, as nohup does, stays ignored.
        if (actions_before[i].sa_handler == SIG_IGN) sigaction(watched[i].number, &actions_before[i], NULL);
    }
    is_watching = true;
}

static void unwatch(void) {
    if (!is_watching) return;
    is_watching = false;
    for (int i = 0; i < watched_count; i++) sigaction(watched[i].number, &actions_before[i], NULL);
    pthread_sigmask(SIG_SETMASK, &mask_before, NULL);
}

// ---- settings ------------------------------------------------------------------------------------------------------

static struct termios settings_found;
static bool settings_kept;

bool moonshelf_terminal_keep(void) {
    settings_kept = isatty(STDOUT_FILENO) == 1 && tcgetattr(STDIN_FILENO, &settings_found) == 0;
    return settings_kept;
}

static void set(struct termios *settings) {
    while (tcsetattr(STDIN_FILENO, TCSADRAIN, settings) < 0 && errno == EINTR) {
    }
}

void moonshelf_terminal_restore(void) {
    if (settings_kept) set(&settings_found);
    unwatch();
}

static void set_for_keys(bool signals) {
    if (!settings_kept) return;
    struct termios settings = settings_found;
    settings.c_iflag &= ~(tcflag_t)(BRKINT | ICRNL | INLCR | INPCK | ISTRIP | IXON);
    settings.c_lflag &= ~(tcflag_t)(ECHO | ICANON | IEXTEN);
    if (signals) settings.c_lflag |= ISIG;
    else settings.c_lflag &= ~(tcflag_t)ISIG;
    settings.c_cc[VMIN] = 1;
    settings.c_cc[VTIME] = 0;
    set(&settings);
}

void moonshelf_terminal_edit(void) {
    watch();
    set_for_keys(false);
}

void moonshelf_terminal_run(void) {
    set_for_keys(true);
    unwatch();
}

static struct winsize size(void) {
    struct winsize size;
    memset(&size, 0, sizeof size);
    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0) memset(&size, 0, sizeof size);
    return size;
}

int moonshelf_terminal_columns(void) { return size().ws_col; }

int moonshelf_terminal_rows(void) { return size().ws_row; }

// ---- bytes ---------------------------------------------------------------------------------------------------------

// Ends the process by the signal that asked for it, with the terminal as it was found.
static void end(void) {
    int number = ended;
    moonshelf_terminal_restore();
    raise(number);
    ended = 0;
}

int moonshelf_terminal_read(unsigned char *bytes, int size, int milliseconds) {
    sigset_t waiting;
    pthread_sigmask(SIG_SETMASK, NULL, &waiting);
    for (int i = 0; i < watched_count; i++) sigdelset(&waiting, watched[i].number);
    struct timespec patience = {.tv_sec = milliseconds / 1000, .tv_nsec = milliseconds % 1000 * 1000000L};
    for (;;) {
        if (ended) {
            end();
            return MOONSHELF_TERMINAL_END;
        }
        if (interrupted) {
            interrupted = 0;
            return MOONSHELF_TERMINAL_INTERRUPTED;
        }
        if (resized) {
            resized = 0;
            return MOONSHELF_TERMINAL_RESIZED;
        }
        struct pollfd terminal = {.fd = STDIN_FILENO, .events = POLLIN};
        int ready = ppoll(&terminal, 1, milliseconds < 0 ? NULL : &patience, &waiting);
        if (ready == 0) return MOONSHELF_TERMINAL_NOTHING;
        if (ready < 0) {
            if (errno == EINTR) continue;
            return MOONSHELF_TERMINAL_END;
        }
        ssize_t count = read(STDIN_FILENO, bytes, (size_t)size);
        if (count >= 0) return (int)count;
        if (errno != EINTR && errno != EAGAIN) return MOONSHELF_TERMINAL_END;
    }
}

void moonshelf_terminal_write(const char *bytes, long count) {
    while (count > 0) {
        ssize_t written = write(STDOUT_FILENO, bytes, (size_t)count);
        if (written < 0) {
            if (errno == EINTR) continue;
            if (errno != EAGAIN) return;
            struct pollfd terminal = {.fd = STDOUT_FILENO, .events = POLLOUT};
            poll(&terminal, 1, -1);
            continue;
        }
        bytes += written;
        count -= written;
    }
}

void moonshelf_terminal_stop(void) {
    kill(0, SIGTSTP);
}
