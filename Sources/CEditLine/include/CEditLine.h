// libedit's calls are variadic, which Swift cannot import: each that is used has a plain wrapper here.
#ifndef CEDITLINE_H
#define CEDITLINE_H
#include <errno.h>
#include <histedit.h>
#include <langinfo.h>
#include <locale.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef const char *(*moonshelf_prompt_function)(EditLine *);
typedef unsigned char (*moonshelf_key_function)(EditLine *, int);

static inline void moonshelf_el_set_context(EditLine *editor, void *context) {
    el_set(editor, EL_CLIENTDATA, context);
}

static inline void *moonshelf_el_context(EditLine *editor) {
    void *context = NULL;
    el_get(editor, EL_CLIENTDATA, &context);
    return context;
}

static inline void moonshelf_el_set_prompt(EditLine *editor, moonshelf_prompt_function prompt) {
    el_set(editor, EL_PROMPT, prompt);
}

static inline void moonshelf_el_set_history(EditLine *editor, History *history_) {
    el_set(editor, EL_HIST, history, history_);
}

static inline void moonshelf_el_use_emacs_keys(EditLine *editor) {
    el_set(editor, EL_EDITOR, "emacs");
    el_set(editor, EL_SIGNAL, 0);
    el_set(editor, EL_BIND, "^R", "em-inc-search-prev", NULL);
    el_set(editor, EL_BIND, "\\e[1;5C", "em-next-word", NULL);
    el_set(editor, EL_BIND, "\\e[1;5D", "ed-prev-word", NULL);
    el_set(editor, EL_BIND, "\\e[3~", "ed-delete-next-char", NULL);
    el_set(editor, EL_BIND, "\\e[H", "ed-move-to-beg", NULL);
    el_set(editor, EL_BIND, "\\e[F", "ed-move-to-end", NULL);
}

// Between two lines the terminal collects whole lines itself. A Ctrl-D typed then would be gone before the next line is
// read: its place in the input is left as a NUL. Without its meaning it stays what it is, and the editor reads it; and
// what is typed ahead is shown once, by the editor.
static inline void moonshelf_el_keep_typed_ahead(EditLine *editor) {
    el_set(editor, EL_SETTY, "-x", "eof=", "-echo", NULL);
}

static inline void moonshelf_el_set_completion(EditLine *editor, moonshelf_key_function complete) {
    el_set(editor, EL_ADDFN, "moonshelf-complete", "Completes a name", complete);
    el_set(editor, EL_BIND, "^I", "moonshelf-complete", NULL);
}

static inline void moonshelf_history_configure(History *history_, int size) {
    HistEvent event;
    history(history_, &event, H_SETSIZE, size);
    history(history_, &event, H_SETUNIQUE, 1);
}

static inline int moonshelf_history_add(History *history_, const char *line) {
    HistEvent event;
    return history(history_, &event, H_ENTER, line);
}

static inline int moonshelf_history_load(History *history_, const char *path) {
    HistEvent event;
    return history(history_, &event, H_LOAD, path);
}

static inline int moonshelf_history_save(History *history_, const char *path) {
    HistEvent event;
    return history(history_, &event, H_SAVE, path);
}

// The latest entry, then by each call the one before it; NULL where there is none.
static inline const char *moonshelf_history_newest(History *history_) {
    HistEvent event;
    return history(history_, &event, H_FIRST) == 0 ? event.str : NULL;
}

static inline const char *moonshelf_history_older(History *history_) {
    HistEvent event;
    return history(history_, &event, H_NEXT) == 0 ? event.str : NULL;
}

// The character set alone follows the terminal; Lua compares text and reads numbers in the C locale.
static inline void moonshelf_use_utf8(void) {
    setlocale(LC_CTYPE, "");
    if (strcmp(nl_langinfo(CODESET), "UTF-8") != 0) setlocale(LC_CTYPE, "C.UTF-8");
    setlocale(LC_COLLATE, "C");
    setlocale(LC_NUMERIC, "C");
}

// Notes the settings of the terminal of standard input before an editor changes them, and sets them again.
void moonshelf_terminal_keep(void);
void moonshelf_terminal_restore(void);

// The columns of the terminal of standard output; 0 if it is none or does not say.
int moonshelf_terminal_columns(void);

// The key function of the mark that begins a paste.
unsigned char moonshelf_el_paste(EditLine *editor, int key);

static inline void moonshelf_el_set_paste(EditLine *editor) {
    el_set(editor, EL_ADDFN, "moonshelf-paste", "Inserts what is pasted", moonshelf_el_paste);
    el_set(editor, EL_BIND, "\\e[200~", "moonshelf-paste", NULL);
}

// Reads a line; *interrupted tells whether Ctrl-C ended it. With marks_pastes the terminal is asked to mark pastes.
const char *moonshelf_el_read(EditLine *editor, int *count, bool *interrupted, bool marks_pastes);
#endif
