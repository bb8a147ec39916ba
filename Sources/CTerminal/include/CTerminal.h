// The terminal of standard input and output, as a line editor needs it: its settings, its size, its bytes and the
// signals that come during typing.
#ifndef CTERMINAL_H
#define CTERMINAL_H
#include <stdbool.h>

// Notes the settings that the terminal has before an editor changes them. False without a terminal.
bool moonshelf_terminal_keep(void);

// Sets the noted settings again.
void moonshelf_terminal_restore(void);

// During editing: every key is a byte, none is a signal, nothing is echoed. From here to the next change of the
// settings SIGINT, SIGWINCH, SIGTERM and SIGHUP come to the thread that called.
void moonshelf_terminal_edit(void);

// While a statement runs: Ctrl-C is a signal; what is typed waits unseen, each key as it was typed.
void moonshelf_terminal_run(void);

// The size of the terminal; 0 where it does not say.
int moonshelf_terminal_columns(void);
int moonshelf_terminal_rows(void);

enum moonshelf_terminal_event {
    MOONSHELF_TERMINAL_END = 0,
    MOONSHELF_TERMINAL_INTERRUPTED = -1,
    MOONSHELF_TERMINAL_RESIZED = -2,
    MOONSHELF_TERMINAL_NOTHING = -3
};

// Reads what was typed: the number of bytes, or one of the events. Waits so many milliseconds, with -1 for ever.
int moonshelf_terminal_read(unsigned char *bytes, int size, int milliseconds);

// Writes all of it.
void moonshelf_terminal_write(const char *bytes, long count);

// Stops the process as Ctrl-Z does; returns when it goes on.
void moonshelf_terminal_stop(void);
#endif
