#include "CMARC.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define YAZ_HAVE_XML2 1
#include <libxml/parser.h>
#include <libxml/SAX2.h>
#include <yaz/marc_sax.h>
#include <yaz/marcdisp.h>
#include <yaz/yaz-iconv.h>

// The functions of libyaz and of libxml2, which comes with it, with the types that their headers give them.
#define FUNCTIONS(X)                                                                                                   \
    X(yaz_marc_create)                                                                                                 \
    X(yaz_marc_destroy)                                                                                                \
    X(yaz_marc_reset)                                                                                                  \
    X(yaz_marc_subfield_str)                                                                                           \
    X(yaz_marc_endline_str)                                                                                            \
    X(yaz_marc_read_iso2709)                                                                                           \
    X(yaz_marc_write_line)                                                                                             \
    X(yaz_marc_write_iso2709)                                                                                          \
    X(yaz_marc_write_marcxml)                                                                                          \
    X(yaz_marc_set_leader)                                                                                             \
    X(yaz_marc_add_controlfield)                                                                                       \
    X(yaz_marc_add_datafield)                                                                                          \
    X(yaz_marc_add_subfield)                                                                                           \
    X(yaz_marc_sax_new)                                                                                                \
    X(yaz_marc_sax_get_handler)                                                                                        \
    X(yaz_marc_sax_destroy)                                                                                            \
    X(yaz_iconv_open)                                                                                                  \
    X(yaz_iconv)                                                                                                       \
    X(yaz_iconv_error)                                                                                                 \
    X(yaz_iconv_close)                                                                                                 \
    X(wrbuf_alloc)                                                                                                     \
    X(wrbuf_destroy)                                                                                                   \
    X(wrbuf_rewind)                                                                                                    \
    X(wrbuf_write)                                                                                                     \
    X(wrbuf_puts)                                                                                                      \
    X(xmlCreatePushParserCtxt)                                                                                         \
    X(xmlCtxtUseOptions)                                                                                               \
    X(xmlParseChunk)                                                                                                   \
    X(xmlFreeParserCtxt)                                                                                               \
    X(xmlSetStructuredErrorFunc)

#define POINTER(name) static __typeof__(&name) p_##name;
FUNCTIONS(POINTER)

static const char *fault = "not loaded";
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void load(void) {
    // The name that Debian's libyaz5 installs. What it needs itself is found with it.
    void *library = dlopen("libyaz.so.5", RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        fault = "libyaz.so.5 is not there";
        return;
    }
#define FIND(name)                                                                                                     \
    p_##name = (__typeof__(&name))dlsym(library, #name);                                                               \
    if (!p_##name) {                                                                                                   \
        fault = "libyaz.so.5 lacks " #name;                                                                            \
        return;                                                                                                        \
    }
    FUNCTIONS(FIND)
    fault = NULL;
}

const char *moonshelf_marc_load(void) {
    pthread_once(&once, load);
    return fault;
}

// MARK: Records

static const char subfield_mark[] = {moonshelf_marc_subfield, 0};
static const char field_end[] = {moonshelf_marc_field_end, 0};
static const char record_end[] = {moonshelf_marc_record_end, 0};

struct record {
    yaz_marc_t marc;
    WRBUF text;
};

static int give(WRBUF buffer, const char **text, size_t *length) {
    *text = buffer->buf ? buffer->buf : "";
    *length = buffer->pos;
    return 1;
}

void *moonshelf_marc_make(void) {
    struct record *record = calloc(1, sizeof *record);
    if (!record) return NULL;
    record->marc = p_yaz_marc_create();
    record->text = p_wrbuf_alloc();
    p_yaz_marc_subfield_str(record->marc, subfield_mark);
    p_yaz_marc_endline_str(record->marc, field_end);
    return record;
}

void moonshelf_marc_free(void *given) {
    struct record *record = given;
    if (!record) return;
    p_yaz_marc_destroy(record->marc);
    p_wrbuf_destroy(record->text);
    free(record);
}

int moonshelf_marc_read(void *given, const char *bytes, size_t count, const char **text, size_t *length) {
    struct record *record = given;
    p_wrbuf_rewind(record->text);
    p_yaz_marc_reset(record->marc);
    if (count > 1 << 30 || p_yaz_marc_read_iso2709(record->marc, bytes, (int)count) <= 0) return 0;
    if (p_yaz_marc_write_line(record->marc, record->text) != 0) return 0;
    return give(record->text, text, length);
}

void moonshelf_marc_start(void *given, const char *leader) {
    struct record *record = given;
    int unused[6];
    p_yaz_marc_reset(record->marc);
    p_yaz_marc_set_leader(
        record->marc, leader, &unused[0], &unused[1], &unused[2], &unused[3], &unused[4], &unused[5]);
}

void moonshelf_marc_add_control(void *given, const char *tag, const char *value, size_t length) {
    struct record *record = given;
    p_yaz_marc_add_controlfield(record->marc, tag, value, length);
}

void moonshelf_marc_add_data(void *given, const char *tag, const char *indicators, size_t length) {
    struct record *record = given;
    p_yaz_marc_add_datafield(record->marc, tag, indicators, length);
}

void moonshelf_marc_add_subfield(void *given, const char *code_and_value, size_t length) {
    struct record *record = given;
    p_yaz_marc_add_subfield(record->marc, code_and_value, length);
}

int moonshelf_marc_write(void *given, int is_xml, const char **text, size_t *length) {
    struct record *record = given;
    p_wrbuf_rewind(record->text);
    int result = is_xml ? p_yaz_marc_write_marcxml(record->marc, record->text)
                        : p_yaz_marc_write_iso2709(record->marc, record->text);
    return result == 0 ? give(record->text, text, length) : 0;
}

// MARK: MARCXML

struct xml_reader {
    yaz_marc_t marc;
    yaz_marc_sax_t sax;
    xmlParserCtxtPtr parser;
    WRBUF text;
    WRBUF faults;
    int is_broken;
};

static void put_leader_first(WRBUF text, size_t start) {
    static const char leader[] = moonshelf_marc_no_leader "\n";
    const size_t length = sizeof leader - 1;
    for (size_t place = start; place + length <= text->pos; place++) {
        if (memcmp(text->buf + place, leader, length) != 0) continue;
        memmove(text->buf + start + length, text->buf + start, place - start);
        memcpy(text->buf + start, leader, length);
        return;
    }
}

static void take_record(yaz_marc_t marc, void *given) {
    struct xml_reader *reader = given;
    size_t start = reader->text->pos;
    if (p_yaz_marc_write_line(marc, reader->text) != 0) {
        // Without a leader nothing is written; one that is added stands behind the fields.
        int unused[6];
        reader->text->pos = start;
        p_yaz_marc_set_leader(
            marc, moonshelf_marc_no_leader, &unused[0], &unused[1], &unused[2], &unused[3], &unused[4], &unused[5]);
        p_yaz_marc_write_line(marc, reader->text);
        put_leader_first(reader->text, start);
    }
    p_wrbuf_puts(reader->text, record_end);
}

// The second type is const from libxml2 2.12 on.
static void take_fault(void *given, xmlErrorPtr error) {
    struct xml_reader *reader = given;
    if (!error || error->level < XML_ERR_ERROR || reader->faults->pos > 1 << 16) return;
    char line[32];
    snprintf(line, sizeof line, "%d\t", error->line);
    p_wrbuf_puts(reader->faults, line);
    const char *message = error->message ? error->message : "";
    for (; *message && *message != '\n'; message++) p_wrbuf_write(reader->faults, message, 1);
    p_wrbuf_puts(reader->faults, "\n");
}

void *moonshelf_marc_xml_make(void) {
    struct xml_reader *reader = calloc(1, sizeof *reader);
    if (!reader) return NULL;
    reader->marc = p_yaz_marc_create();
    reader->text = p_wrbuf_alloc();
    reader->faults = p_wrbuf_alloc();
    p_yaz_marc_subfield_str(reader->marc, subfield_mark);
    p_yaz_marc_endline_str(reader->marc, field_end);
    reader->sax = p_yaz_marc_sax_new(reader->marc, take_record, reader);
    reader->parser = p_xmlCreatePushParserCtxt(p_yaz_marc_sax_get_handler(reader->sax), reader->sax, NULL, 0, NULL);
    if (!reader->parser) {
        moonshelf_marc_xml_free(reader);
        return NULL;
    }
    // Nothing is fetched, and what is damaged is read as far as it goes.
    p_xmlCtxtUseOptions(reader->parser, XML_PARSE_RECOVER | XML_PARSE_NONET);
    return reader;
}

void moonshelf_marc_xml_free(void *given) {
    struct xml_reader *reader = given;
    if (!reader) return;
    if (reader->parser) p_xmlFreeParserCtxt(reader->parser);
    if (reader->sax) p_yaz_marc_sax_destroy(reader->sax);
    p_yaz_marc_destroy(reader->marc);
    p_wrbuf_destroy(reader->text);
    p_wrbuf_destroy(reader->faults);
    free(reader);
}

int moonshelf_marc_xml_take(
    void *given, const char *bytes, size_t count, int is_last, const char **text, size_t *length,
    const char **faults, size_t *faults_length) {
    struct xml_reader *reader = given;
    p_wrbuf_rewind(reader->text);
    p_wrbuf_rewind(reader->faults);
    if (!reader->is_broken) {
        // Of this thread, and of this call alone.
        p_xmlSetStructuredErrorFunc(reader, (xmlStructuredErrorFunc)take_fault);
        p_xmlParseChunk(reader->parser, bytes, (int)count, is_last);
        p_xmlSetStructuredErrorFunc(NULL, NULL);
        reader->is_broken = reader->parser->disableSAX != 0;
    }
    give(reader->text, text, length);
    give(reader->faults, faults, faults_length);
    return !reader->is_broken;
}

// MARK: Characters

struct converter {
    yaz_iconv_t iconv;
    char *buffer;
    size_t capacity;
};

void *moonshelf_marc_converter_make(const char *to, const char *from) {
    yaz_iconv_t iconv = p_yaz_iconv_open(to, from);
    if (!iconv) return NULL;
    struct converter *converter = calloc(1, sizeof *converter);
    if (!converter) {
        p_yaz_iconv_close(iconv);
        return NULL;
    }
    converter->iconv = iconv;
    return converter;
}

void moonshelf_marc_converter_free(void *given) {
    struct converter *converter = given;
    if (!converter) return;
    p_yaz_iconv_close(converter->iconv);
    free(converter->buffer);
    free(converter);
}

size_t moonshelf_marc_convert(void *given, const char *bytes, size_t count, const char **result, size_t *length) {
    struct converter *converter = given;
    // No character of these encodings becomes more than eight times its bytes, and what ends a text a few.
    size_t wanted = count * 8 + 64;
    if (wanted > converter->capacity) {
        char *larger = realloc(converter->buffer, wanted);
        *result = "";
        *length = 0;
        if (!larger) return 0;
        converter->buffer = larger;
        converter->capacity = wanted;
    }
    char *input = (char *)bytes, *output = converter->buffer;
    size_t left = count, room = converter->capacity;
    // Each text begins in the state of the first.
    p_yaz_iconv(converter->iconv, NULL, NULL, NULL, NULL);
    size_t done = p_yaz_iconv(converter->iconv, &input, &left, &output, &room);
    if (done != (size_t)-1) p_yaz_iconv(converter->iconv, NULL, NULL, &output, &room);
    *result = converter->buffer;
    *length = (size_t)(output - converter->buffer);
    return count - left;
}
