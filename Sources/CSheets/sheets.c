#include "CSheets.h"

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <libxml/HTMLparser.h>
#include <libxml/xmlreader.h>
#include <zip.h>

// The functions of both libraries, with the types that their headers give them.
#define ZIP_FUNCTIONS(X)                                                                                               \
    X(zip_open)                                                                                                        \
    X(zip_discard)                                                                                                     \
    X(zip_error_init_with_code)                                                                                        \
    X(zip_error_strerror)                                                                                              \
    X(zip_error_fini)                                                                                                  \
    X(zip_name_locate)                                                                                                 \
    X(zip_fopen_index)                                                                                                 \
    X(zip_fread)                                                                                                       \
    X(zip_fclose)                                                                                                      \
    X(zip_strerror)                                                                                                    \
    X(zip_file_strerror)

#define XML_FUNCTIONS(X)                                                                                               \
    X(xmlReaderForIO)                                                                                                  \
    X(xmlFreeTextReader)                                                                                               \
    X(xmlTextReaderSetStructuredErrorHandler)                                                                          \
    X(xmlTextReaderRead)                                                                                               \
    X(xmlTextReaderNodeType)                                                                                           \
    X(xmlTextReaderIsEmptyElement)                                                                                     \
    X(xmlTextReaderConstLocalName)                                                                                     \
    X(xmlTextReaderConstValue)                                                                                         \
    X(xmlTextReaderMoveToNextAttribute)                                                                                \
    X(xmlTextReaderMoveToElement)                                                                                      \
    X(htmlCreatePushParserCtxt)                                                                                        \
    X(htmlCtxtUseOptions)                                                                                              \
    X(htmlParseChunk)                                                                                                  \
    X(htmlFreeParserCtxt)                                                                                              \
    X(xmlStopParser)

#define POINTER(name) static __typeof__(&name) p_##name;
ZIP_FUNCTIONS(POINTER)
XML_FUNCTIONS(POINTER)

static const char *fault = "not loaded";
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void load(void) {
    // The names that Debian's libzip4 and libxml2 install.
    void *zip = dlopen("libzip.so.4", RTLD_NOW | RTLD_LOCAL);
    if (!zip) {
        fault = "libzip.so.4 is not there";
        return;
    }
    void *xml = dlopen("libxml2.so.2", RTLD_NOW | RTLD_LOCAL);
    if (!xml) {
        fault = "libxml2.so.2 is not there";
        return;
    }
#define FIND(library, file, name)                                                                                      \
    p_##name = (__typeof__(&name))dlsym(library, #name);                                                               \
    if (!p_##name) {                                                                                                   \
        fault = file " lacks " #name;                                                                                  \
        return;                                                                                                        \
    }
#define FIND_ZIP(name) FIND(zip, "libzip.so.4", name)
#define FIND_XML(name) FIND(xml, "libxml2.so.2", name)
    ZIP_FUNCTIONS(FIND_ZIP)
    XML_FUNCTIONS(FIND_XML)
    fault = NULL;
}

const char *moonshelf_sheets_load(void) {
    pthread_once(&once, load);
    return fault;
}

// MARK: Archives

void *moonshelf_zip_open(const char *path, const char **why) {
    static _Thread_local char message[256];
    int code = 0;
    zip_t *archive = p_zip_open(path, ZIP_RDONLY, &code);
    if (!archive) {
        zip_error_t error;
        p_zip_error_init_with_code(&error, code);
        snprintf(message, sizeof message, "%s", p_zip_error_strerror(&error));
        p_zip_error_fini(&error);
        *why = message;
    }
    return archive;
}

void moonshelf_zip_close(void *archive) {
    if (archive) p_zip_discard(archive);
}

int64_t moonshelf_zip_find(void *archive, const char *name) {
    return p_zip_name_locate(archive, name, ZIP_FL_NOCASE);
}

// MARK: XML

struct xml_reader {
    zip_file_t *file; // a part of an archive, or else
    int descriptor;   // a file of its own
    int64_t *budget;
    xmlTextReaderPtr reader;
    int is_at_empty;
    int is_at_attribute;
    int is_broken;
    char why[256];
};

static void note(struct xml_reader *reader, const char *message) {
    if (reader->why[0]) return;
    size_t length = strcspn(message, "\n");
    if (length >= sizeof reader->why) length = sizeof reader->why - 1;
    memcpy(reader->why, message, length);
    reader->why[length] = 0;
}

static int read_part(void *given, char *buffer, int size) {
    struct xml_reader *reader = given;
    int64_t count;
    if (reader->file) {
        count = p_zip_fread(reader->file, buffer, (zip_uint64_t)size);
        if (count < 0) note(reader, p_zip_file_strerror(reader->file));
    } else {
        do {
            count = read(reader->descriptor, buffer, (size_t)size);
        } while (count < 0 && errno == EINTR);
        if (count < 0) note(reader, strerror(errno));
    }
    if (count < 0) return -1;
    *reader->budget -= count;
    if (*reader->budget < 0) {
        note(reader, "it unfolds to far more than a spreadsheet of its size holds");
        return -1;
    }
    return (int)count;
}

static int close_part(void *given) {
    struct xml_reader *reader = given;
    if (reader->file) p_zip_fclose(reader->file);
    reader->file = NULL;
    if (reader->descriptor >= 0) close(reader->descriptor);
    reader->descriptor = -1;
    return 0;
}

// The second type is const from libxml2 2.12 on.
static void take_error(void *given, xmlErrorPtr error) {
    if (error && error->level >= XML_ERR_ERROR) note(given, error->message ? error->message : "it is not XML");
}

static struct xml_reader *make_reader(int descriptor, int64_t *budget) {
    struct xml_reader *reader = calloc(1, sizeof *reader);
    if (!reader) return NULL;
    reader->budget = budget;
    reader->descriptor = descriptor;
    return reader;
}

static struct xml_reader *begin(struct xml_reader *reader) {
    // Nothing is fetched, no entity is put in, and libxml2's own limits hold.
    reader->reader = p_xmlReaderForIO(read_part, close_part, reader, NULL, NULL, XML_PARSE_NONET);
    if (!reader->reader) {
        close_part(reader);
        free(reader);
        return NULL;
    }
    p_xmlTextReaderSetStructuredErrorHandler(reader->reader, (xmlStructuredErrorFunc)take_error, reader);
    return reader;
}

void *moonshelf_xml_open_file(int descriptor, int64_t *budget) {
    struct xml_reader *reader = make_reader(descriptor, budget);
    if (!reader) {
        close(descriptor);
        return NULL;
    }
    return begin(reader);
}

void *moonshelf_xml_open(void *archive, int64_t part, int64_t *budget) {
    struct xml_reader *reader = make_reader(-1, budget);
    if (!reader) return NULL;
    reader->file = p_zip_fopen_index(archive, (zip_uint64_t)part, 0);
    if (!reader->file) {
        note(reader, p_zip_strerror(archive));
        reader->is_broken = 1;
        return reader;
    }
    return begin(reader);
}

void moonshelf_xml_close(void *given) {
    struct xml_reader *reader = given;
    if (!reader) return;
    if (reader->reader) p_xmlFreeTextReader(reader->reader);
    close_part(reader);
    free(reader);
}

static int broken(struct xml_reader *reader) {
    note(reader, "it is damaged");
    reader->is_broken = 1;
    return moonshelf_xml_fault;
}

static void leave_attributes(struct xml_reader *reader) {
    if (reader->is_at_attribute) p_xmlTextReaderMoveToElement(reader->reader);
    reader->is_at_attribute = 0;
}

int moonshelf_xml_next(void *given) {
    struct xml_reader *reader = given;
    if (reader->is_broken) return moonshelf_xml_fault;
    leave_attributes(reader);
    if (reader->is_at_empty) {
        reader->is_at_empty = 0;
        return moonshelf_xml_end_of_element;
    }
    while (1) {
        int state = p_xmlTextReaderRead(reader->reader);
        if (state < 0 || reader->why[0]) return broken(reader);
        if (state == 0) return moonshelf_xml_end;
        switch (p_xmlTextReaderNodeType(reader->reader)) {
        case XML_READER_TYPE_ELEMENT:
            reader->is_at_empty = p_xmlTextReaderIsEmptyElement(reader->reader) == 1;
            return moonshelf_xml_start_of_element;
        case XML_READER_TYPE_END_ELEMENT: return moonshelf_xml_end_of_element;
        case XML_READER_TYPE_TEXT:
        case XML_READER_TYPE_CDATA:
        case XML_READER_TYPE_WHITESPACE:
        case XML_READER_TYPE_SIGNIFICANT_WHITESPACE: return moonshelf_xml_text;
        case XML_READER_TYPE_DOCUMENT_TYPE:
        case XML_READER_TYPE_ENTITY_REFERENCE:
            note(reader, "its XML declares entities, which no spreadsheet does");
            return broken(reader);
        default: break;
        }
    }
}

const char *moonshelf_xml_value(void *given) {
    struct xml_reader *reader = given;
    int type = p_xmlTextReaderNodeType(reader->reader);
    const xmlChar *value = type == XML_READER_TYPE_ELEMENT || type == XML_READER_TYPE_END_ELEMENT
                               ? p_xmlTextReaderConstLocalName(reader->reader)
                               : p_xmlTextReaderConstValue(reader->reader);
    return value ? (const char *)value : "";
}

const char *moonshelf_xml_attribute(void *given, const char *name) {
    struct xml_reader *reader = given;
    leave_attributes(reader);
    while (p_xmlTextReaderMoveToNextAttribute(reader->reader) == 1) {
        reader->is_at_attribute = 1;
        const xmlChar *found = p_xmlTextReaderConstLocalName(reader->reader);
        if (found && strcmp((const char *)found, name) == 0) {
            return (const char *)p_xmlTextReaderConstValue(reader->reader);
        }
    }
    return NULL;
}

const char *moonshelf_xml_why(void *given) { return ((struct xml_reader *)given)->why; }

// MARK: HTML

// What closes elements looks through all that are open: this many at most.
enum { most_open_elements = 256 };

struct html_reader {
    htmlParserCtxtPtr parser;
    char *events;
    size_t count, capacity;
    int depth;
    int is_broken;
};

static void append(struct html_reader *reader, const char *bytes, size_t count) {
    if (reader->count + count > reader->capacity) {
        size_t capacity = (reader->count + count) * 2 + 4096;
        char *larger = realloc(reader->events, capacity);
        if (!larger) {
            reader->is_broken = 1;
            return;
        }
        reader->events = larger;
        reader->capacity = capacity;
    }
    memcpy(reader->events + reader->count, bytes, count);
    reader->count += count;
}

static void append_mark(struct html_reader *reader, char mark, const char *text, size_t count) {
    append(reader, &mark, 1);
    size_t start = reader->count;
    append(reader, text, count);
    // The marks themselves are no part of any text.
    for (size_t index = start; index < reader->count; index++) {
        if (reader->events[index] >= 0 && reader->events[index] < 0x20) reader->events[index] = ' ';
    }
}

static void html_start(void *given, const xmlChar *name, const xmlChar **attributes) {
    struct html_reader *reader = given;
    if (++reader->depth > most_open_elements) {
        reader->is_broken = 1;
        p_xmlStopParser(reader->parser);
        return;
    }
    char text[64];
    int span = 1;
    for (; attributes && attributes[0]; attributes += 2) {
        if (strcmp((const char *)attributes[0], "colspan") == 0 && attributes[1]) {
            span = atoi((const char *)attributes[1]);
        }
    }
    int count = snprintf(text, sizeof text, "%.40s %d", (const char *)name, span);
    append_mark(reader, moonshelf_html_start_of_element, text, (size_t)count);
}

static void html_end(void *given, const xmlChar *name) {
    struct html_reader *reader = given;
    reader->depth--;
    append_mark(reader, moonshelf_html_end_of_element, (const char *)name, strlen((const char *)name));
}

static void html_text(void *given, const xmlChar *text, int count) {
    append_mark(given, moonshelf_html_text, (const char *)text, (size_t)count);
}

void *moonshelf_html_make(void) {
    struct html_reader *reader = calloc(1, sizeof *reader);
    if (!reader) return NULL;
    xmlSAXHandler handler;
    memset(&handler, 0, sizeof handler);
    handler.startElement = html_start;
    handler.endElement = html_end;
    handler.characters = html_text;
    handler.ignorableWhitespace = html_text;
    reader->parser = p_htmlCreatePushParserCtxt(&handler, reader, NULL, 0, NULL, XML_CHAR_ENCODING_UTF8);
    if (!reader->parser) {
        free(reader);
        return NULL;
    }
    p_htmlCtxtUseOptions(
        reader->parser,
        HTML_PARSE_NONET | HTML_PARSE_NOERROR | HTML_PARSE_NOWARNING | HTML_PARSE_IGNORE_ENC | HTML_PARSE_NODEFDTD);
    return reader;
}

void moonshelf_html_free(void *given) {
    struct html_reader *reader = given;
    if (!reader) return;
    if (reader->parser) p_htmlFreeParserCtxt(reader->parser);
    free(reader->events);
    free(reader);
}

int moonshelf_html_take(
    void *given, const char *bytes, size_t count, int is_last, const char **events, size_t *length) {
    struct html_reader *reader = given;
    reader->count = 0;
    if (!reader->is_broken) p_htmlParseChunk(reader->parser, bytes, (int)count, is_last);
    *events = reader->events ? reader->events : "";
    *length = reader->count;
    return !reader->is_broken;
}
