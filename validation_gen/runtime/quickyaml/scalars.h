/* Scalars: unquoted, quoted, and block scalars (`|`, `>`). Each function begins at the first character and ends after
 * the last; for block scalars, at the beginning of the next line. */

#ifndef VALIDATION_GEN_QUICKYAML_SCALARS_H
#define VALIDATION_GEN_QUICKYAML_SCALARS_H

#include "text.h"

/* Returns the value of an unquoted text. It decides the most frequent cases; a Python function decides the others. */
static PyObject *
yaml_meaning(Yaml *yaml, const char *text, Py_ssize_t length)
{
    char first = *text;
    if (strchr("+-.0123456789", first) != NULL) {
        Py_ssize_t digits = 0;
        long long number = 0;
        while (digits < length && digits < 18 && text[digits] >= '0' && text[digits] <= '9') {
            number = 10 * number + (text[digits++] - '0');
        }
        if (digits == length && (first != '0' || length == 1)) {
            return PyLong_FromLongLong(number);
        }
    }
    else if (length > 5 || strchr("yYnNtTfFoO~", first) == NULL) {
        return yaml_text(yaml, text, length);
    }
    else if (length == 4 && memcmp(text, "true", 4) == 0) {
        Py_RETURN_TRUE;
    }
    else if (length == 5 && memcmp(text, "false", 5) == 0) {
        Py_RETURN_FALSE;
    }
    PyObject *whole = yaml_text(yaml, text, length);
    if (whole == NULL) {
        return NULL;
    }
    PyObject *found = PyObject_CallOneArg(yaml->meaning, whole);
    Py_DECREF(whole);
    return found;
}

/* Returns whether a colon may begin an unquoted text: outside of brackets, as in `:8080`. */
static int
yaml_begins_plain(const char *at)
{
    if (*at == '-' || *at == ':') {
        return !yaml_is_end(at[1]) && (*at == '-' || at[1] != '\t');
    }
    return *at != '\0' && strchr("?,[]{}#&*!|>'\"%@` \t\n", *at) == NULL;
}

/* Returns the end of an unquoted text in its line, without blanks; NULL if it is not an unquoted text. */
static const char *
yaml_plain_end(const char *at)
{
    const char *end = at;
    for (;; at++) {
        if (*at == '\n' || *at == '\0') {
            return end;
        }
        if (*at == '\t' || (*at == ':' && (yaml_is_end(at[1]) || at[1] == '\t'))) {
            return NULL;
        }
        if (*at == ' ') {
            if (at[1] == '#') {
                return end;
            }
            continue;
        }
        end = at + 1;
    }
}

/* Reads an unquoted scalar, which continues on lines that are indented more than `parent`. */
static PyObject *
yaml_plain(Yaml *yaml, Py_ssize_t parent)
{
    if (!yaml_begins_plain(yaml->at)) {
        return NULL;
    }
    const char *begin = yaml->at, *end = yaml_plain_end(begin);
    if (end == NULL) {
        return NULL;
    }
    int pieces = 0;
    yaml->at = end;
    for (;;) {
        const char *at = end;
        while (*at == ' ') {
            at++;
        }
        const char *line = at;
        Py_ssize_t breaks = 0;
        while (*at == '\n') {
            breaks++;
            line = ++at;
            while (*at == ' ') {
                at++;
            }
        }
        if (*at == '\t') {
            return NULL;
        }
        if (breaks == 0 || *at == '\0' || *at == '#' || at - line <= parent) {
            break;
        }
        if (!pieces) {
            pieces = 1;
            yaml->used = 0;
            if (yaml_add(yaml, begin, (size_t)(end - begin)) < 0) {
                return NULL;
            }
        }
        begin = at;
        end = yaml_plain_end(at);
        if (end == NULL || (breaks == 1 ? yaml_add(yaml, " ", 1) : yaml_add_breaks(yaml, breaks - 1)) < 0
            || yaml_add(yaml, begin, (size_t)(end - begin)) < 0) {
            return NULL;
        }
        yaml->at = end;
    }
    if (!pieces) {
        return yaml_meaning(yaml, begin, end - begin);
    }
    /* A text of several pieces contains a blank or a line break, so it is no number and no special word. */
    return yaml_pieces(yaml);
}

/* --- quotes ----------------------------------------------------------------------------------------------------------- */

/* Adds the character of an escape in double quotes. Returns the position after it; NULL for a rare or invalid escape.
 */
static const char *
yaml_escape(Yaml *yaml, const char *at)
{
    static const char names[] = "\"\\/ntr ", meanings[] = "\"\\/\n\t\r ";
    const char *known = *at == '\0' ? NULL : strchr(names, *at);
    if (known != NULL) {
        return yaml_add(yaml, meanings + (known - names), 1) < 0 ? NULL : at + 1;
    }
    static const char HEX[] = "0123456789abcdef0123456789ABCDEF";
    int digits = *at == 'x' ? 2 : *at == 'u' ? 4 : 0;
    unsigned code = *at == '_' ? 0xa0 : 0;
    for (at++; digits > 0; digits--, at++) {
        const char *digit = *at == '\0' ? NULL : strchr(HEX, *at);
        if (digit == NULL) {
            return NULL;
        }
        code = 16 * code + (unsigned)(digit - HEX) % 16;
    }
    if (code == 0 || (code >= 0xd800 && code < 0xe000)) {
        return NULL;
    }
    char bytes[3];
    size_t length = code < 0x80 ? 1 : code < 0x800 ? 2 : 3;
    bytes[0] = (char)(length == 1 ? code : length == 2 ? 0xc0 | code >> 6 : 0xe0 | code >> 12);
    bytes[length - 1] = (char)(length == 1 ? code : 0x80 | (code & 0x3f));
    if (length == 3) {
        bytes[1] = (char)(0x80 | (code >> 6 & 0x3f));
    }
    return yaml_add(yaml, bytes, length) < 0 ? NULL : at;
}

/* Adds the line breaks and blanks before a line of a quoted text, from the first break on. */
static int
yaml_folded(Yaml *yaml, int escaped)
{
    Py_ssize_t breaks = 0;
    const char *at = yaml->at, *line = at;
    while (*at == '\n') {
        breaks++;
        line = ++at;
        while (*at == ' ') {
            at++;
        }
    }
    if (*at == '\0' || *at == '\t' || at == line) {
        return -1;
    }
    yaml->at = at;
    return breaks == 1 && !escaped ? yaml_add(yaml, " ", 1) : yaml_add_breaks(yaml, breaks - 1);
}

/* Reads a quoted scalar, which may have several lines if `folded`. */
static PyObject *
yaml_quoted(Yaml *yaml, int folded)
{
    char quote = *yaml->at++;
    const char *begin = yaml->at, *at = begin;
    int pieces = 0;
    for (;;) {
        while (*at != quote && *at != '\\' && *at != '\n' && *at != '\t' && *at != '\0') {
            at++;
        }
        if (*at == '\\' && quote == '\'') {
            at++;
            continue;
        }
        if (*at == '\0' || *at == '\t') {
            return NULL;
        }
        if (*at == quote && !(quote == '\'' && at[1] == '\'')) {
            break;
        }
        if (!pieces) {
            pieces = 1;
            yaml->used = 0;
        }
        const char *end = at;
        if (*at == '\n') {
            while (end > begin && end[-1] == ' ') {
                end--;
            }
        }
        if (yaml_add(yaml, begin, (size_t)(end - begin)) < 0) {
            return NULL;
        }
        if (*at == '\'') {
            begin = at + 1; /* the second of two */
            at += 2;
            continue;
        }
        if (*at == '\\' && at[1] != '\n') {
            at = yaml_escape(yaml, at + 1);
            if (at == NULL) {
                return NULL;
            }
        }
        else {
            int escaped = *at == '\\';
            yaml->at = at + escaped;
            if (!folded || yaml_folded(yaml, escaped) < 0) {
                return NULL;
            }
            at = yaml->at;
        }
        begin = at;
    }
    yaml->at = at + 1;
    if (!pieces) {
        return yaml_text(yaml, begin, at - begin);
    }
    return yaml_add(yaml, begin, (size_t)(at - begin)) < 0 ? NULL : yaml_pieces(yaml);
}

/* --- lines below `|` and `>` ------------------------------------------------------------------------------------------ */

/* Reads `|` or `>` and the rest of the line. */
static int
yaml_block_header(Yaml *yaml, char *chomping, int *increment)
{
    const char *at = yaml->at + 1;
    *chomping = '\0';
    *increment = 0;
    for (; !yaml_is_end(*at); at++) {
        if ((*at == '-' || *at == '+') && *chomping == '\0') {
            *chomping = *at;
        }
        else if (*at >= '1' && *at <= '9' && *increment == 0) {
            *increment = *at - '0';
        }
        else {
            return -1;
        }
    }
    while (*at == ' ') {
        at++;
    }
    if (*at == '#') {
        while (*at != '\n' && *at != '\0') {
            at++;
        }
    }
    if (*at != '\n') {
        return -1;
    }
    yaml->at = at + 1;
    return 0;
}

/* Returns the column of the first line that is not blank; -1 without one, or if a blank line before it is longer. */
static Py_ssize_t
yaml_first_column(const char *at)
{
    Py_ssize_t longest = 0;
    for (;;) {
        const char *line = at;
        while (*at == ' ') {
            at++;
        }
        if (*at != '\n') {
            return *at == '\0' || *at == '\t' || longest > at - line ? -1 : at - line;
        }
        if (at - line > longest) {
            longest = at - line;
        }
        at++;
    }
}

static PyObject *
yaml_block_scalar(Yaml *yaml, Py_ssize_t parent)
{
    char chomping;
    int increment, is_literal = *yaml->at == '|';
    if (yaml_block_header(yaml, &chomping, &increment) < 0) {
        return NULL;
    }
    Py_ssize_t first = yaml_first_column(yaml->at), indent = increment > 0 ? parent + increment : first;
    if (first < 0 || indent <= parent || first < indent) {
        return NULL;
    }
    yaml->used = 0;
    const char *at = yaml->at;
    int has_break = 0, was_blank = 0; /* a line has ended; it began with a blank */
    Py_ssize_t breaks = 0;            /* empty lines since then */
    for (;;) {
        const char *line = at;
        while (*at == ' ' && at - line < indent) {
            at++;
        }
        if (*at == '\n') {
            breaks++;
            at++;
            continue;
        }
        if (at - line < indent || *at == '\0') {
            if (*at == '\t') {
                return NULL;
            }
            at = line;
            break;
        }
        if (*at == '\t') {
            return NULL;
        }
        int is_blank = *at == ' ';
        if (has_break) {
            int folds = !is_literal && !was_blank && !is_blank;
            if (folds ? breaks == 0 && yaml_add(yaml, " ", 1) < 0 : yaml_add(yaml, "\n", 1) < 0) {
                return NULL;
            }
        }
        if (yaml_add_breaks(yaml, breaks) < 0) {
            return NULL;
        }
        was_blank = is_blank;
        const char *end = strchr(at, '\n');
        has_break = end != NULL;
        end = end != NULL ? end : yaml->end;
        if (yaml_add(yaml, at, (size_t)(end - at)) < 0) {
            return NULL;
        }
        at = end + has_break;
        breaks = 0;
        if (!has_break) {
            break;
        }
    }
    yaml->at = at;
    if (chomping != '-' && has_break && yaml_add(yaml, "\n", 1) < 0) {
        return NULL;
    }
    return chomping == '+' && yaml_add_breaks(yaml, breaks) < 0 ? NULL : yaml_pieces(yaml);
}

#endif
