// MARC records by libyaz, loaded when they are first met: the program starts without it, and runs where it is not installed.
#ifndef CMARC_H
#define CMARC_H

#include <stddef.h>

// What stands between the parts of a record as a reader gives it: the leader and a line feed, then fields. A field is its tag, a blank and
// a value (of a control field) or indicators; then for each subfield a mark, its code, a blank and its value; then an end. A remark on
// what is wrong stands in parentheses on a line before the field that it is about. Behind each record stands the end of the record.
enum {
    moonshelf_marc_subfield = 0x1F,
    moonshelf_marc_field_end = 0x1E,
    moonshelf_marc_record_end = 0x1D,
};

// The leader of a record of XML that has none.
#define moonshelf_marc_no_leader "00000?   a2200000   4500"

// Loads the library. NULL where it is loaded, otherwise why it is not.
const char *moonshelf_marc_load(void);

// A place for one record at a time, used by one thread; NULL where there is no memory.
void *moonshelf_marc_make(void);
void moonshelf_marc_free(void *record);

// Reads one record of ISO 2709, whose leader must say the count of its bytes.
//
// text, length: what it holds, until the next call; bytes as they stood there.
// Returns 1, or 0 where it cannot be read.
int moonshelf_marc_read(void *record, const char *bytes, size_t count, const char **text, size_t *length);

// Makes a record of parts: leader first (24 bytes), then fields and their subfields in their order.
void moonshelf_marc_start(void *record, const char *leader);
void moonshelf_marc_add_control(void *record, const char *tag, const char *value, size_t length);
void moonshelf_marc_add_data(void *record, const char *tag, const char *indicators, size_t length);
// code_and_value: one text.
void moonshelf_marc_add_subfield(void *record, const char *code_and_value, size_t length);

// Writes what was made: as ISO 2709, or as an element of MARCXML. Returns 1, or 0 where it cannot be written.
int moonshelf_marc_write(void *record, int is_xml, const char **text, size_t *length);

// A reader of MARCXML that is given the document piece by piece; NULL where there is no memory.
void *moonshelf_marc_xml_make(void);
void moonshelf_marc_xml_free(void *reader);

// Takes the next piece.
//
// text, length: the records that ended in it. faults, faults_length: what the parser said, each as line, tab, message, line feed; until
// the next call, both.
// Returns 1, or 0 where nothing more can be read.
int moonshelf_marc_xml_take(
    void *reader, const char *bytes, size_t count, int is_last, const char **text, size_t *length,
    const char **faults, size_t *faults_length);

// What changes the characters of texts; NULL where an encoding is not known.
void *moonshelf_marc_converter_make(const char *to, const char *from);
void moonshelf_marc_converter_free(void *converter);

// Converts a text.
//
// result, length: what became of it, until the next call.
// Returns how many bytes were converted: fewer than count where what follows stands for nothing.
size_t moonshelf_marc_convert(void *converter, const char *bytes, size_t count, const char **result, size_t *length);

#endif
