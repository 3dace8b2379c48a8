/* Checks combinations of keywords in a schema, and its default. */

#ifndef VALIDATION_GEN_TOGETHER_H
#define VALIDATION_GEN_TOGETHER_H

#include "keywords.h"

/* The member of a name, borrowed, or NULL. */
static PyObject *
member_of(PyObject *object, const char *name)
{
    PyObject *found = PyDict_CheckExact(object) ? PyDict_GetItemString(object, name) : NULL;
    return found;
}

/* Returns whether a key can identify list items: it is a scalar, and present in each, by `required` or a default. */
static int
is_key(PyObject *properties, PyObject *required, PyObject *name)
{
    PyObject *key = PyDict_GetItemWithError(properties, name);
    if (key == NULL || !PyDict_CheckExact(key) || member_of(key, "nullable") == Py_True) {
        return PyErr_Occurred() ? FAILED : UNSURE;
    }
    PyObject *type = member_of(key, "type"), *filled = member_of(key, "default");
    if (type == NULL || !PyUnicode_CheckExact(type) || is_text(type, "object") || is_text(type, "array")) {
        return UNSURE;
    }
    if (filled != NULL && filled != Py_None) {
        return YES;
    }
    int found = PySet_Contains(required, name);
    return found < 0 ? FAILED : found ? YES : UNSURE;
}

/* Returns whether all keys can identify the items of a list, without duplicates. Sets keep this linear. */
static int
keys_settled(PyObject *item, PyObject *keys)
{
    PyObject *properties = member_of(item, "properties"), *names = member_of(item, "required");
    if (properties == NULL || !PyDict_CheckExact(properties)) {
        return UNSURE;
    }
    PyObject *different = PySet_New(keys);
    PyObject *required = PySet_New(names != NULL && PyList_CheckExact(names) ? names : NULL);
    int answer = different == NULL || required == NULL ? FAILED
        : PySet_GET_SIZE(different) == PyList_GET_SIZE(keys) ? YES : UNSURE;
    for (Py_ssize_t i = 0; answer == YES && i < PyList_GET_SIZE(keys); i++) {
        answer = is_key(properties, required, PyList_GET_ITEM(keys, i));
    }
    Py_XDECREF(different);
    Py_XDECREF(required);
    return answer == YES ? SETTLED : answer;
}

/* Returns whether the items of a list can be identified as its type requires. */
static int
list_settled(const Said *said)
{
    PyObject *type = member_of(said->item, "type"), *keys = said->keys;
    if (said->list_type == NULL || is_text(said->list_type, "atomic")) {
        return keys == NULL ? YES : UNSURE;
    }
    if (type == NULL || !PyUnicode_CheckExact(type) || member_of(said->item, "nullable") == Py_True) {
        return UNSURE;
    }
    if (is_text(said->list_type, "set")) {
        return keys == NULL && !is_text(type, "object") && !is_text(type, "array") ? SETTLED : UNSURE;
    }
    if (!is_text(said->list_type, "map") || !is_text(type, "object") || keys == NULL || PyList_GET_SIZE(keys) == 0) {
        return UNSURE;
    }
    return keys_settled(said->item, keys);
}

/* Returns whether the keywords, each of which is plain, are valid together. */
static int
said_plain(const Said *said)
{
    int object = is_text(said->type, "object"), list = is_text(said->type, "array");
    if (!object && (said->properties || said->values || said->map_type != NULL || said->preserving)) {
        return UNSURE;
    }
    if (!list && (said->item != NULL || said->list_type != NULL || said->keys != NULL)) {
        return UNSURE;
    }
    if (said->alternatives || said->integer_or_text) {
        return said->integer_or_text && said->type == NULL ? YES : UNSURE;
    }
    if (list) {
        return said->item != NULL ? list_settled(said) : UNSURE;
    }
    if (object) {
        return !(said->properties && said->values)
            && (said->map_type == NULL || is_text(said->map_type, "atomic") || is_text(said->map_type, "granular"))
            ? YES : UNSURE;
    }
    return is_text(said->type, "string") || is_text(said->type, "integer") || is_text(said->type, "boolean")
        || is_text(said->type, "number") ? YES : UNSURE;
}

static int
is_said(PyObject *text)
{
    return text != NULL && PyUnicode_GET_LENGTH(text) > 0;
}

/* Whether a text is one of those that are allowed. */
static int
is_allowed(PyObject *text, PyObject *allowed)
{
    for (Py_ssize_t i = 0; i < PyList_GET_SIZE(allowed); i++) {
        PyObject *other = PyList_GET_ITEM(allowed, i);
        if (PyUnicode_CheckExact(other) && PyUnicode_Compare(text, other) == 0) {
            return 1;
        }
    }
    return PyList_GET_SIZE(allowed) == 0;
}

/* Returns whether a default certainly fits its schema. */
static int
default_settled(const Said *said)
{
    PyObject *value = said->filled;
    if (PyUnicode_CheckExact(value)) {
        return is_text(said->type, "string") && !is_said(said->format) && !is_said(said->pattern)
            && within(&said->length, PyUnicode_GET_LENGTH(value)) && (said->allowed == NULL || is_allowed(value, said->allowed));
    }
    if (said->allowed != NULL) {
        return 0;
    }
    if (PyBool_Check(value)) {
        return is_text(said->type, "boolean") && !is_said(said->format);
    }
    if (PyLong_CheckExact(value)) {
        long long number;
        int there, small = is_text(said->format, "int32");
        return integer_said(value, &number, &there) == YES && is_text(said->type, "integer") && !said->odd
            && (!is_said(said->format) || small || is_text(said->format, "int64"))
            && number >= -0x80000000LL && number <= 0x7fffffffLL && within(&said->number, number)
            && (!said->number.above || said->number.least >= -0x80000000LL)
            && (!said->number.below || said->number.most <= 0x7fffffffLL);
    }
    if (PyDict_CheckExact(value)) {
        return is_text(said->type, "object") && !is_said(said->format) && !said->required && PyDict_GET_SIZE(value) == 0
            && within(&said->names, 0);
    }
    return PyList_CheckExact(value) && is_text(said->type, "array") && !is_said(said->format) && PyList_GET_SIZE(value) == 0
        && within(&said->items, 0);
}

#endif
