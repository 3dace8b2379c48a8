/* The text that is read, and its lines: the base of the fast YAML reader. Most manifests are plain: objects and lists
 * by indentation, and scalars. They are read here, many times faster than by a library that makes events, nodes and
 * marks. All else is a doubt, for which Python code reads the whole text with PyYAML. Doubts are anchors, aliases,
 * tags, directives, several documents, `?`, `<<`, names that are not strings or are duplicates, tabs where they could
 * matter, unusual line breaks, most brackets over several lines, malformed text, and deep nesting. So a wrong value is
 * the only possible mistake. All texts are UTF-8 that ends with a NUL and has no other one, which ends each loop that
 * searches for another character. */

#ifndef VALIDATION_GEN_QUICKYAML_TEXT_H
#define VALIDATION_GEN_QUICKYAML_TEXT_H

#include <Python.h>
#include <string.h>

enum {
    YAML_DEEPEST = 200,   /* in objects and lists, so that stacks of threads suffice */
    YAML_LONGEST_KEY = 512, /* in bytes: YAML has a limit of 1,024 characters */
    YAML_KNOWN = 1024,    /* how many short texts are kept; a power of two */
    YAML_SHORT = 48,      /* the most bytes of such a text */
};

typedef struct {
    const char *begin, *end;
    const char *at;
    const char *line_begin; /* of the line with `at`, if that begins a value */
    Py_ssize_t column;      /* of the content at `at`, -1 at the end of the text */
    const char *counted;    /* up to where lines have been counted, ... */
    Py_ssize_t lines;       /* ... and how many there were */
    Py_ssize_t values, most; /* how many values there are, and how many there may be */
    int places;             /* the caller wants positions instead of values (see `places.h`) */
    const char *placed;     /* up to where characters have been counted, ... */
    Py_ssize_t characters;  /* ... and how many there were */
    PyObject *meaning;      /* a function that decides the value of an unquoted text */
    PyObject *item_lines;   /* the lines of the items of the document's `items` */
    int wants_lines;        /* whether the next list is `items` of the document */
    char *scratch;          /* a text that is not in one piece in its file */
    size_t used, room;
    PyObject *known[YAML_KNOWN]; /* short texts that were there before, by hash */
} Yaml;

/* Returns whether PyYAML accepts all characters, and only `\n` breaks lines. */
static int
yaml_has_usual_characters(const char *text, const char *end)
{
    for (const unsigned char *at = (const unsigned char *)text; at < (const unsigned char *)end; at++) {
        if (*at >= 0x20 && *at < 0x7f) {
            continue;
        }
        if (*at < 0x80) {
            if (*at != '\n' && *at != '\t') {
                return 0;
            }
        }
        else if ((at[0] == 0xc2 && at[1] < 0xa0)                             /* controls, a line break among them */
                 || (at[0] == 0xe2 && at[1] == 0x80 && (at[2] & 0xfe) == 0xa8) /* two more of those */
                 || (at[0] == 0xef && at[1] >= 0xbb)) { /* a mark of the byte order, and what is no character */
            if (at[0] != 0xef || (at[1] == 0xbb && at[2] == 0xbf) || (at[1] == 0xbf && at[2] >= 0xbe)) {
                return 0;
            }
        }
    }
    return 1;
}

static Py_ssize_t
yaml_line_of(Yaml *yaml, const char *at)
{
    while (yaml->counted < at) {
        const char *found = memchr(yaml->counted, '\n', (size_t)(at - yaml->counted));
        if (found == NULL) {
            yaml->counted = at;
            break;
        }
        yaml->lines++;
        yaml->counted = found + 1;
    }
    return yaml->lines;
}

static inline int
yaml_is_end(char character)
{
    return character == ' ' || character == '\n' || character == '\0';
}

/* Moves from the beginning of a line to the next content, and sets its column. */
static int
yaml_next_content(Yaml *yaml)
{
    for (;;) {
        const char *begin = yaml->at, *at = begin;
        while (*at == ' ') {
            at++;
        }
        if (*at == '#') {
            while (*at != '\n' && *at != '\0') {
                at++;
            }
        }
        if (*at == '\n') {
            yaml->at = at + 1;
            continue;
        }
        yaml->at = at;
        yaml->line_begin = begin;
        yaml->column = *at == '\0' ? -1 : at - begin;
        if (*at == '\t' || (at == begin && (*at == '%' || strncmp(at, "---", 3) == 0 || strncmp(at, "...", 3) == 0))) {
            return -1;
        }
        return 0;
    }
}

/* Moves from the end of a value to the next content. The rest of the line must be blank or a comment. */
static int
yaml_advance(Yaml *yaml)
{
    const char *at = yaml->at;
    while (*at == ' ') {
        at++;
    }
    if (*at == '#' && at > yaml->begin && at[-1] == ' ') {
        while (*at != '\n' && *at != '\0') {
            at++;
        }
    }
    if (*at == '\n') {
        at++;
    }
    else if (*at != '\0') {
        return -1;
    }
    yaml->at = at;
    return yaml_next_content(yaml);
}

/* --- texts in pieces -------------------------------------------------------------------------------------------------- */

static int
yaml_add(Yaml *yaml, const char *piece, size_t length)
{
    if (length == 0) { /* there may be no room at all yet */
        return 0;
    }
    if (yaml->room - yaml->used < length) {
        size_t room = 2 * (yaml->room + length);
        char *grown = PyMem_Realloc(yaml->scratch, room);
        if (grown == NULL) {
            PyErr_NoMemory();
            return -1;
        }
        yaml->scratch = grown;
        yaml->room = room;
    }
    memcpy(yaml->scratch + yaml->used, piece, length);
    yaml->used += length;
    return 0;
}

static int
yaml_add_breaks(Yaml *yaml, Py_ssize_t count)
{
    for (; count > 0; count--) {
        if (yaml_add(yaml, "\n", 1) < 0) {
            return -1;
        }
    }
    return 0;
}

static PyObject *
yaml_pieces(const Yaml *yaml)
{
    return PyUnicode_DecodeUTF8(yaml->scratch == NULL ? "" : yaml->scratch, (Py_ssize_t)yaml->used, NULL);
}

/* Returns a Python string. Most short texts are repeated, so they are cached. */
static PyObject *
yaml_text(Yaml *yaml, const char *text, Py_ssize_t length)
{
    if (length > YAML_SHORT) {
        return PyUnicode_DecodeUTF8(text, length, NULL);
    }
    uint32_t hash = 2166136261u;
    for (Py_ssize_t i = 0; i < length; i++) {
        hash = (hash ^ (unsigned char)text[i]) * 16777619u;
    }
    PyObject **place = &yaml->known[(hash ^ (hash >> 15)) & (YAML_KNOWN - 1)];
    if (*place != NULL && PyUnicode_GET_LENGTH(*place) == length && memcmp(PyUnicode_DATA(*place), text, (size_t)length) == 0) {
        return Py_NewRef(*place);
    }
    PyObject *made = PyUnicode_DecodeUTF8(text, length, NULL);
    if (made != NULL && PyUnicode_IS_ASCII(made)) {
        Py_XDECREF(*place);
        *place = Py_NewRef(made);
    }
    return made;
}

#endif
