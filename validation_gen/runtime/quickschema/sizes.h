/* Counts the bytes of decoded JSON as Go writes it, without writing it. `validation_gen.runtime.gotext.go_json` defines
 * what Go writes. Floats, unpaired surrogates, integers of more than 64 bits, names that are not strings, subclasses
 * and deep nesting are doubts. */

#ifndef VALIDATION_GEN_SIZES_H
#define VALIDATION_GEN_SIZES_H

/* Maximum nesting of lists and objects. A schema has two of them for each field on a path. */
#define DEEPEST_SIZED 200

/* The bytes of an ASCII character in a text. */
static int
size_of_ascii(Py_UCS4 character)
{
    if (character >= ' ') {
        return character == '"' || character == '\\' ? 2 : character == '<' || character == '>' || character == '&' ? 6 : 1;
    }
    return character == '\n' || character == '\t' || character == '\r' || character == '\b' || character == '\f' ? 2 : 6;
}

/* The bytes of a text, or -1. */
static Py_ssize_t
size_of_text(PyObject *text)
{
    Py_ssize_t length = PyUnicode_GET_LENGTH(text), size = 2;
    const void *data = PyUnicode_DATA(text);
    if (PyUnicode_IS_ASCII(text)) {
        const Py_UCS1 *at = data;
        for (Py_ssize_t i = 0; i < length; i++) {
            size += at[i] >= ' ' && at[i] != '"' && at[i] != '\\' && at[i] != '<' && at[i] != '>' && at[i] != '&'
                ? 1 : size_of_ascii(at[i]);
        }
        return size;
    }
    int kind = PyUnicode_KIND(text);
    for (Py_ssize_t i = 0; i < length; i++) {
        Py_UCS4 character = PyUnicode_READ(kind, data, i);
        if (character >= 0xD800 && character <= 0xDFFF) {
            return -1;
        }
        size += character < 0x80 ? size_of_ascii(character)
            : character < 0x800 ? 2
            : character == 0x2028 || character == 0x2029 ? 6
            : character < 0x10000 ? 3 : 4;
    }
    return size;
}

/* The bytes of an integer, or -1. */
static Py_ssize_t
size_of_integer(PyObject *value)
{
    int overflow;
    long long number = PyLong_AsLongLongAndOverflow(value, &overflow);
    if (overflow) {
        return -1;
    }
    Py_ssize_t size = number < 0 ? 2 : 1;
    while ((number /= 10) != 0) {
        size++;
    }
    return size;
}

/* The bytes of a value, or -1 where they are not certain. */
static Py_ssize_t
size_of_json(PyObject *value, int depth)
{
    if (PyUnicode_CheckExact(value)) {
        return size_of_text(value);
    }
    if (value == Py_None || value == Py_True) {
        return 4;
    }
    if (value == Py_False) {
        return 5;
    }
    if (PyLong_CheckExact(value)) {
        return size_of_integer(value);
    }
    if (depth >= DEEPEST_SIZED) {
        return -1;
    }
    if (PyDict_CheckExact(value)) {
        Py_ssize_t size = PyDict_GET_SIZE(value) ? 1 : 2, position = 0;
        PyObject *key, *item;
        while (PyDict_Next(value, &position, &key, &item)) {
            Py_ssize_t name = PyUnicode_CheckExact(key) ? size_of_text(key) : -1;
            Py_ssize_t inner = name < 0 ? -1 : size_of_json(item, depth + 1);
            if (inner < 0) {
                return -1;
            }
            size += name + inner + 2; /* a colon, and a comma or the brace */
        }
        return size;
    }
    if (PyList_CheckExact(value)) {
        Py_ssize_t size = PyList_GET_SIZE(value) ? 1 : 2;
        for (Py_ssize_t i = 0; i < PyList_GET_SIZE(value); i++) {
            Py_ssize_t inner = size_of_json(PyList_GET_ITEM(value, i), depth + 1);
            if (inner < 0) {
                return -1;
            }
            size += inner + 1;
        }
        return size;
    }
    return -1;
}

#endif
