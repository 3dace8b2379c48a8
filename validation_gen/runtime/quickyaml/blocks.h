/* Objects, lists and the document. Each function begins at the first character of its value and ends at the next
 * content, which belongs to a parent or sibling, as its column shows. */

#ifndef VALIDATION_GEN_QUICKYAML_BLOCKS_H
#define VALIDATION_GEN_QUICKYAML_BLOCKS_H

#include "places.h"
#include "scalars.h"

static PyObject *yaml_node(Yaml *yaml, Py_ssize_t column, Py_ssize_t parent, int depth);
static PyObject *yaml_list(Yaml *yaml, Py_ssize_t column, int is_indented, int depth);

/* Adds a member, and takes over the references. A duplicate name is a doubt. */
static int
yaml_put(PyObject *object, PyObject *name, PyObject *value)
{
    Py_ssize_t before = PyDict_GET_SIZE(object);
    int failed = name == NULL || value == NULL || PyDict_SetItem(object, name, value) < 0;
    Py_XDECREF(name);
    Py_XDECREF(value);
    return failed || PyDict_GET_SIZE(object) == before ? -1 : 0;
}

/* Returns whether there is no value, or an empty item whose position was requested. */
static int
yaml_is_no_item(const Yaml *yaml, PyObject *value)
{
    return value == NULL || (yaml->places && value == Py_None);
}

/* --- in brackets ------------------------------------------------------------------------------------------------------ */

/* Reads an unquoted scalar in brackets, of characters without a special meaning there. */
static PyObject *
yaml_flow_plain(Yaml *yaml)
{
    const char *begin = yaml->at, *at = begin;
    while ((*at >= 'a' && *at <= 'z') || (*at >= 'A' && *at <= 'Z') || (*at >= '0' && *at <= '9')
           || (*at != '\0' && strchr("_./+-~", *at) != NULL)) {
        at++;
    }
    yaml->at = at;
    return at == begin || *begin == ':' || !yaml_begins_plain(begin) ? NULL : yaml_meaning(yaml, begin, at - begin);
}

static void
yaml_skip_blanks(Yaml *yaml)
{
    while (*yaml->at == ' ') {
        yaml->at++;
    }
}

static PyObject *
yaml_flow_scalar(Yaml *yaml)
{
    return *yaml->at == '"' || *yaml->at == '\'' ? yaml_quoted(yaml, 0) : yaml_flow_plain(yaml);
}

/* Counts a value. Values take much more memory than their text, so their number is limited. */
static int
yaml_is_too_much(Yaml *yaml)
{
    return yaml->values++ >= yaml->most;
}

static PyObject *
yaml_flow(Yaml *yaml, int depth)
{
    if (yaml_is_too_much(yaml)) {
        return NULL;
    }
    const char *begin = yaml->at;
    char opening = *begin;
    if (opening != '[' && opening != '{') {
        PyObject *scalar = yaml_flow_scalar(yaml);
        return yaml_scalar(yaml, scalar, begin);
    }
    if (depth > YAML_DEEPEST) {
        return NULL;
    }
    Py_ssize_t first = yaml_place(yaml, begin);
    int is_list = opening == '[';
    char closing = is_list ? ']' : '}';
    PyObject *made = is_list ? PyList_New(0) : PyDict_New();
    if (made == NULL) {
        return NULL;
    }
    yaml->at++;
    yaml_skip_blanks(yaml);
    if (*yaml->at == closing) {
        yaml->at++;
        return yaml_whole(yaml, made, first);
    }
    for (;;) {
        int failed;
        if (is_list) {
            PyObject *item = yaml_flow(yaml, depth + 1);
            failed = yaml_is_no_item(yaml, item) || PyList_Append(made, item) < 0;
            Py_XDECREF(item);
        }
        else {
            begin = yaml->at;
            PyObject *name = yaml_flow_scalar(yaml);
            failed = name == NULL || !PyUnicode_CheckExact(name) || yaml->at - begin > YAML_LONGEST_KEY
                     || yaml->at[0] != ':' || yaml->at[1] != ' ';
            if (failed) {
                Py_XDECREF(name);
            }
            else {
                Py_ssize_t from = yaml_place(yaml, begin), to = yaml_place(yaml, yaml->at);
                yaml->at++;
                yaml_skip_blanks(yaml);
                failed = yaml_put(made, name, yaml_named(yaml, from, to, yaml_flow(yaml, depth + 1))) < 0;
            }
        }
        yaml_skip_blanks(yaml);
        char next = failed ? '\0' : *yaml->at;
        if (next != ',' && next != closing) {
            Py_DECREF(made);
            return NULL;
        }
        yaml->at++;
        if (next == closing) {
            return yaml_whole(yaml, made, first);
        }
        yaml_skip_blanks(yaml);
    }
}

/* --- by indentation --------------------------------------------------------------------------------------------------- */

static inline int
yaml_is_item(const char *at)
{
    return *at == '-' && yaml_is_end(at[1]);
}

/* Returns whether this line has a name and a colon. */
static int
yaml_is_member(const char *at)
{
    if (*at == '"' || *at == '\'') {
        char quote = *at++;
        for (; *at != quote; at++) {
            if (*at == '\n' || *at == '\0') {
                return 0;
            }
            at += *at == '\\' && quote == '"' && at[1] != '\0';
        }
        for (at++; *at == ' '; at++) {
        }
        return *at == ':';
    }
    for (; *at != '\n' && *at != '\0'; at++) {
        if (*at == ':' && yaml_is_end(at[1])) {
            return 1;
        }
        if (*at == ' ' && at[1] == '#') {
            return 0;
        }
    }
    return 0;
}

/* Reads the name of a member and its colon, and sets the end of the name. */
static PyObject *
yaml_name(Yaml *yaml, const char **end)
{
    const char *begin = yaml->at;
    PyObject *name;
    if (*begin == '"' || *begin == '\'') {
        name = yaml_quoted(yaml, 0);
        *end = yaml->at;
        yaml_skip_blanks(yaml);
    }
    else {
        if (!yaml_begins_plain(begin)) {
            return NULL;
        }
        const char *at = begin;
        for (; *at != ':' || !yaml_is_end(at[1]); at++) {
            if (*at == '\n' || *at == '\0' || *at == '\t' || (*at == ' ' && at[1] == '#')) {
                return NULL;
            }
        }
        yaml->at = at;
        while (at[-1] == ' ') {
            at--;
        }
        *end = at;
        if (at - begin == 2 && memcmp(begin, "<<", 2) == 0) {
            return NULL;
        }
        name = yaml_meaning(yaml, begin, at - begin);
    }
    if (name != NULL && PyUnicode_CheckExact(name) && yaml->at - begin <= YAML_LONGEST_KEY && *yaml->at == ':'
        && yaml_is_end(yaml->at[1])) {
        yaml->at++;
        return name;
    }
    Py_XDECREF(name);
    return NULL;
}

/* Reads the value after a name and its colon, or after an item's dash: on the same line, or below. */
static PyObject *
yaml_value(Yaml *yaml, Py_ssize_t parent, int is_member, int depth)
{
    if (yaml_is_too_much(yaml)) {
        return NULL;
    }
    yaml_skip_blanks(yaml);
    if (*yaml->at != '\n' && *yaml->at != '\0' && *yaml->at != '#') {
        return yaml_node(yaml, is_member ? -1 : yaml->at - yaml->line_begin, parent, depth);
    }
    if (yaml_advance(yaml) < 0) {
        return NULL;
    }
    if (yaml->column > parent) {
        return yaml_node(yaml, yaml->column, parent, depth);
    }
    if (is_member && yaml->column == parent && yaml_is_item(yaml->at)) {
        return yaml_list(yaml, parent, 0, depth);
    }
    Py_RETURN_NONE;
}

static PyObject *
yaml_object(Yaml *yaml, Py_ssize_t column, int depth)
{
    PyObject *made = depth > YAML_DEEPEST ? NULL : PyDict_New();
    if (made == NULL) {
        return NULL;
    }
    Py_ssize_t first = yaml_place(yaml, yaml->at);
    do {
        const char *begin = yaml->at, *end;
        PyObject *name = yaml_name(yaml, &end);
        if (name == NULL) {
            break;
        }
        Py_ssize_t from = yaml_place(yaml, begin), to = yaml_place(yaml, end);
        yaml->wants_lines = depth == 0 && PyUnicode_CompareWithASCIIString(name, "items") == 0;
        if (yaml_put(made, name, yaml_named(yaml, from, to, yaml_value(yaml, column, 1, depth + 1))) < 0) {
            break;
        }
        if (yaml->column < column) {
            return yaml_whole(yaml, made, first);
        }
    } while (yaml->column == column);
    Py_DECREF(made);
    return NULL;
}

/* Reads a list. A list without indentation ends at the next member of its parent object. */
static PyObject *
yaml_list(Yaml *yaml, Py_ssize_t column, int is_indented, int depth)
{
    int wants_lines = yaml->wants_lines;
    yaml->wants_lines = 0;
    PyObject *made = depth > YAML_DEEPEST ? NULL : PyList_New(0);
    if (made == NULL) {
        return NULL;
    }
    Py_ssize_t first = yaml_place(yaml, yaml->at);
    for (;;) {
        yaml->at++;
        PyObject *line = NULL;
        if (wants_lines) {
            const char *at = yaml->at;
            while (*at == ' ') {
                at++;
            }
            /* An item that begins in another line than its dash is rare. */
            line = *at == '\n' || *at == '\0' || *at == '#' ? NULL : PyLong_FromSsize_t(yaml_line_of(yaml, at));
            if (line == NULL || PyList_Append(yaml->item_lines, line) < 0) {
                Py_XDECREF(line);
                break;
            }
            Py_DECREF(line);
        }
        PyObject *item = yaml_value(yaml, column, 0, depth + 1);
        int failed = yaml_is_no_item(yaml, item) || PyList_Append(made, item) < 0;
        Py_XDECREF(item);
        if (failed) {
            break;
        }
        if (yaml->column == column && yaml_is_item(yaml->at)) {
            continue;
        }
        if (yaml->column < column || (yaml->column == column && !is_indented)) {
            return yaml_whole(yaml, made, first);
        }
        break;
    }
    Py_DECREF(made);
    return NULL;
}

/* Reads a value at a column, or after a name (-1), where neither a list nor another name may begin. */
static PyObject *
yaml_node(Yaml *yaml, Py_ssize_t column, Py_ssize_t parent, int depth)
{
    PyObject *made;
    if (column >= 0 && yaml_is_item(yaml->at)) {
        return yaml_list(yaml, column, 1, depth);
    }
    if (column >= 0 && *yaml->at != '[' && *yaml->at != '{' && yaml_is_member(yaml->at)) {
        return yaml_object(yaml, column, depth);
    }
    const char *begin = yaml->at;
    int is_block = *begin == '|' || *begin == '>';
    if (is_block) {
        made = yaml_block_scalar(yaml, parent);
    }
    else if (*begin == '"' || *begin == '\'') {
        made = yaml_quoted(yaml, 1);
    }
    else if (*begin == '[' || *begin == '{') {
        made = yaml->wants_lines ? NULL : yaml_flow(yaml, depth);
        if (made != NULL && yaml_advance(yaml) < 0) {
            Py_CLEAR(made);
        }
        return made;
    }
    else {
        made = yaml_plain(yaml, parent);
    }
    made = yaml_scalar(yaml, made, begin);
    if (made != NULL && (is_block ? yaml_next_content(yaml) : yaml_advance(yaml)) < 0) {
        Py_CLEAR(made);
    }
    return made;
}

/* --- a document ------------------------------------------------------------------------------------------------------- */

/* Moves to the first content, after `---` if there is one. */
static int
yaml_begin(Yaml *yaml)
{
    if (yaml_next_content(yaml) < 0) {
        if (yaml->column != 0 || strncmp(yaml->at, "---", 3) != 0) {
            return -1;
        }
        yaml->at += 3;
        if (yaml_advance(yaml) < 0) {
            return -1;
        }
    }
    return yaml->column == 0 && (yaml_is_item(yaml->at) || yaml_is_member(yaml->at)) ? 0 : -1;
}

/* Returns the value of a text, its first line, and the lines of its items; or their positions. None for a doubt; an
 * OverflowError for more values than `most`. */
static PyObject *
yaml_read(PyObject *text, PyObject *meaning, Py_ssize_t most, int places)
{
    Py_ssize_t length;
    const char *begin = PyUnicode_AsUTF8AndSize(text, &length);
    PyObject *found = NULL;
    Yaml *yaml = begin == NULL ? NULL : PyMem_Calloc(1, sizeof(Yaml));
    if (yaml == NULL) {
        if (begin != NULL) {
            PyErr_NoMemory();
        }
    }
    else if (yaml_has_usual_characters(begin, begin + length) && (yaml->item_lines = PyList_New(0)) != NULL) {
        yaml->begin = yaml->at = yaml->line_begin = yaml->counted = yaml->placed = begin;
        yaml->end = begin + length;
        yaml->meaning = meaning;
        yaml->places = places;
        yaml->most = most;
        if (yaml_begin(yaml) == 0) {
            Py_ssize_t line = yaml_line_of(yaml, yaml->at);
            PyObject *value = yaml_node(yaml, 0, -1, 0);
            if (value != NULL && yaml->column < 0) {
                found = places ? Py_NewRef(value) : Py_BuildValue("OnO", value, line, yaml->item_lines);
            }
            Py_XDECREF(value);
        }
    }
    int is_too_much = 0;
    if (yaml != NULL) {
        is_too_much = yaml->values > yaml->most && !PyErr_Occurred();
        for (Py_ssize_t i = 0; i < YAML_KNOWN; i++) {
            Py_XDECREF(yaml->known[i]);
        }
        Py_XDECREF(yaml->item_lines);
        PyMem_Free(yaml->scratch);
        PyMem_Free(yaml);
    }
    if (is_too_much) {
        Py_XDECREF(found);
        PyErr_SetString(PyExc_OverflowError, "more values than are read");
        return NULL;
    }
    if (found == NULL && (!PyErr_Occurred() || doubt() == UNSURE)) {
        Py_RETURN_NONE;
    }
    return found;
}

#endif
