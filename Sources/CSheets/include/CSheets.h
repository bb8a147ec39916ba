// Spreadsheets by libzip and libxml2, loaded when one is first met: the program starts without them, and runs where they are not installed.
#ifndef CSHEETS_H
#define CSHEETS_H

#include <stddef.h>
#include <stdint.h>

// Loads the libraries. NULL where they are loaded, otherwise why they are not.
const char *moonshelf_sheets_load(void);

// MARK: Archives

// Opens a ZIP file, used by one thread. NULL where it is none; then why, a text of the library's own.
void *moonshelf_zip_open(const char *path, const char **why);
void moonshelf_zip_close(void *archive);

// The place of a part, without regard to the case of letters; -1 where there is none.
int64_t moonshelf_zip_find(void *archive, const char *name);

// MARK: XML

enum {
    moonshelf_xml_end = 0,
    moonshelf_xml_start_of_element = 1,
    moonshelf_xml_end_of_element = 2,
    moonshelf_xml_text = 3,
    moonshelf_xml_fault = -1,
};

// Reads a part of an archive as XML, forwards only; NULL where there is no memory.
//
// budget: how many more bytes the parts of the archive may unfold to, one count for all; what goes beyond it is a fault.
void *moonshelf_xml_open(void *archive, int64_t part, int64_t *budget);

// Reads a file as XML, by its descriptor, which it closes; NULL where there is no memory.
//
// budget: how many bytes may be read of it.
void *moonshelf_xml_open_file(int descriptor, int64_t *budget);
void moonshelf_xml_close(void *reader);

// Goes on to the next start, end or text, and says which it is. An element without content has an end as well.
int moonshelf_xml_next(void *reader);

// The name of an element without its prefix, or a text; until the next call of any function.
const char *moonshelf_xml_value(void *reader);

// An attribute of the element that starts here, by its name without a prefix; NULL where it has none. Until the next call.
const char *moonshelf_xml_attribute(void *reader, const char *name);

// What was wrong.
const char *moonshelf_xml_why(void *reader);

// MARK: HTML

// What stands before the pieces that a reader of HTML gives, each up to the next of these: the start of an element, followed by its name,
// a blank and how many columns it says it spans; its end; a text.
enum {
    moonshelf_html_start_of_element = 1,
    moonshelf_html_end_of_element = 2,
    moonshelf_html_text = 3,
};

// A reader of HTML in UTF-8 that is given the document piece by piece; NULL where there is no memory.
void *moonshelf_html_make(void);
void moonshelf_html_free(void *reader);

// Takes the next piece.
//
// events, length: what was found in it, until the next call.
// Returns 1, or 0 where nothing more can be read: elements are nested too deeply.
int moonshelf_html_take(
    void *reader, const char *bytes, size_t count, int is_last, const char **events, size_t *length);

#endif
