#define _GNU_SOURCE
#include "CEditLine.h"

#include <poll.h>
#include <pthread.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>
#include <wchar.h>

// Signals while a line is edited. The system may give one to any thread: it is handed on to the one that reads, where it
// is blocked except while that thread waits, so that none comes between the look at the flag and the wait.
static volatile sig_atomic_t interrupted_by_key, resized;
static pthread_t reading_thread;
static void hand_on(int signal_) {
    if (!pthread_equal(pthread_self(), reading_thread)) pthread_kill(reading_thread, signal_);
}
static void note_interrupt(int signal_) {
    interrupted_by_key = 1;
    hand_on(signal_);
}
static void note_resize(int signal_) {
    resized = 1;
    hand_on(signal_);
}

// ---- the terminal's settings ---------------------------------------------------------------------------------------

static struct termios settings_found;
static bool settings_kept;

void moonshelf_terminal_keep(void) {
    settings_kept = tcgetattr(STDIN_FILENO, &settings_found) == 0;
}

void moonshelf_terminal_restore(void) {
    if (settings_kept) tcsetattr(STDIN_FILENO, TCSADRAIN, &settings_found);
    settings_kept = false;
}

static void tell_terminal(const char *text) {
    size_t length = strlen(text);
    while (length > 0) {
        ssize_t count = write(STDOUT_FILENO, text, length);
        if (count < 0 && errno != EINTR) return;
        if (count > 0) {
            text += count;
            length -= (size_t)count;
        }
    }
}

int moonshelf_terminal_columns(void) {
    struct winsize size;
    return ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

// ---- drawing anew at another width ---------------------------------------------------------------------------------

// How many rows the cursor stands below the beginning of the prompt.
static int rows_above_cursor(EditLine *editor, int columns) {
    char *(*prompt)(EditLine *) = NULL;
    const LineInfoW *line = el_wline(editor);
    if (el_get(editor, EL_PROMPT, &prompt) != 0 || !prompt || columns < 1) return 0;
    int row = 0, column = (int)strlen(prompt(editor)) % columns;
    for (const wchar_t *at = line->buffer; at < line->cursor; at++) {
        int width = *at == L'\n' ? columns - column : wcwidth(*at);
        if (width > 0) column += width;
        if (column >= columns) {
            row++;
            column = *at == L'\n' || column == columns ? 0 : width;
        }
    }
    return row;
}

// The terminal has broken the lines anew, or not: either way all from the prompt on is erased and drawn again.
static void redraw(EditLine *editor) {
    char command[32];
    resized = 0;
    el_resize(editor);
    int rows = rows_above_cursor(editor, moonshelf_terminal_columns());
    tell_terminal("\r");
    if (rows > 0) {
        snprintf(command, sizeof command, "\033[%dA", rows);
        tell_terminal(command);
    }
    tell_terminal("\033[J");
    el_set(editor, EL_REFRESH);
}

// ---- reading keys --------------------------------------------------------------------------------------------------

// One byte of the terminal: 1, at its end 0, -1 if there is none.
static int read_byte(EditLine *editor, unsigned char *byte) {
    sigset_t waiting;
    pthread_sigmask(SIG_SETMASK, NULL, &waiting);
    sigdelset(&waiting, SIGINT);
    sigdelset(&waiting, SIGWINCH);
    for (;;) {
        if (interrupted_by_key) return -1;
        if (resized) redraw(editor);
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
    mbstate_t state;
    memset(&state, 0, sizeof state);
    for (;;) {
        unsigned char byte;
        int count = read_byte(editor, &byte);
        if (count <= 0) return count;
        size_t length = mbrtowc(character, (const char *)&byte, 1, &state);
        if (length == (size_t)-2) continue;
        if (length != (size_t)-1) return 1;
        memset(&state, 0, sizeof state); // no UTF-8: passed over
    }
}

// ---- pasting -------------------------------------------------------------------------------------------------------

// No statement is longer; what a paste has beyond it is left out.
enum { longest_paste = 1 << 18 };
static const wchar_t paste_end[] = L"\033[201~";

// A key's sequence cannot hide in what is inserted: of the controls only line ends and tabs are kept.
static size_t without_controls(wchar_t *text, size_t count) {
    size_t kept = 0;
    wchar_t previous = 0;
    for (size_t i = 0; i < count; i++) {
        wchar_t given = text[i], character = given == L'\r' ? L'\n' : given;
        bool is_second_half = given == L'\n' && previous == L'\r';
        previous = given;
        if (is_second_half || character == 0x7F) continue;
        if (character >= 0x20 || character == L'\n' || character == L'\t') text[kept++] = character;
    }
    // The line end behind the last line is Enter's, which the person presses.
    while (kept > 0 && text[kept - 1] == L'\n') kept--;
    return kept;
}

// The terminal marks a paste (xterm's mode 2004): it is text, in which neither Tab nor Enter is a key.
unsigned char moonshelf_el_paste(EditLine *editor, int key) {
    (void)key;
    const size_t end = wcslen(paste_end);
    wchar_t *text = malloc((longest_paste + end + 1) * sizeof *text);
    if (!text) return CC_ERROR;
    size_t count = 0;
    for (;;) {
        wchar_t character;
        if (read_character(editor, &character) != 1) break;
        text[count++] = character;
        if (count >= end && wmemcmp(text + count - end, paste_end, end) == 0) {
            count -= end;
            break;
        }
        // Full: room is kept for the end mark alone.
        if (count == longest_paste + end) {
            memmove(text + longest_paste, text + longest_paste + 1, (end - 1) * sizeof *text);
            count--;
        }
    }
    count = without_controls(text, count < longest_paste ? count : longest_paste);
    text[count] = L'\0';
    int status = count > 0 ? el_winsertstr(editor, text) : 0;
    free(text);
    return status == 0 ? CC_REFRESH : CC_ERROR;
}

// ---- a line --------------------------------------------------------------------------------------------------------

const char *moonshelf_el_read(EditLine *editor, int *count, bool *interrupted, bool marks_pastes) {
    struct sigaction on_interrupt, on_resize, before_interrupt, before_resize;
    memset(&on_interrupt, 0, sizeof on_interrupt);
    memset(&on_resize, 0, sizeof on_resize);
    on_interrupt.sa_handler = note_interrupt;
    on_resize.sa_handler = note_resize;
    sigset_t blocked, kept;
    sigemptyset(&blocked);
    sigaddset(&blocked, SIGINT);
    sigaddset(&blocked, SIGWINCH);
    interrupted_by_key = resized = 0;
    reading_thread = pthread_self();
    pthread_sigmask(SIG_BLOCK, &blocked, &kept);
    sigaction(SIGINT, &on_interrupt, &before_interrupt);
    sigaction(SIGWINCH, &on_resize, &before_resize);
    el_set(editor, EL_GETCFN, read_character);
    el_resize(editor);
    // libedit itself writes the prompt first: what is typed at once would still be taken for a line of the terminal's.
    el_set(editor, EL_PREP_TERM, 1);
    if (marks_pastes) tell_terminal("\033[?2004h");
    *count = 0;
    const char *line = el_gets(editor, count);
    if (marks_pastes) tell_terminal("\033[?2004l");
    sigaction(SIGWINCH, &before_resize, NULL);
    sigaction(SIGINT, &before_interrupt, NULL);
    pthread_sigmask(SIG_SETMASK, &kept, NULL);
    *interrupted = interrupted_by_key;
    if (*interrupted) {
        el_reset(editor);
        return NULL;
    }
    return *count > 0 ? line : NULL;
}
