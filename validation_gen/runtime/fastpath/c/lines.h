/* Checks whether Python's JSON decoder has lost information of a line, by a quick scan of the text and the decoded
 * value. The decoder without hooks is written in C, and twice as fast as with them. But it keeps the last of two
 * members with one name, reads `-0` as 0, a number that no float can hold as infinity, and an unpaired surrogate as a
 * character. The scan answers whether any of that can have happened. As elsewhere, "no" means unsure. */

#ifndef VALIDATION_GEN_LINES_H
#define VALIDATION_GEN_LINES_H

/* Counts the names of members in a text. -1 if it has something that the decoder loses. */
static Py_ssize_t
names_in(const char *at, const char *end)
{
    Py_ssize_t names = 0;
    while (at < end) {
        char character = *at++;
        if (character == '-' && at < end && *at == '0') {
            return -1;
        }
        if (character != '"') {
            continue;
        }
        for (;;) {
            while (at < end && *at != '"' && *at != '\\') {
                at++;
            }
            if (at >= end) {
                return -1; /* not a line that the decoder accepts */
            }
            if (*at == '"') {
                break;
            }
            /* An escape. Half of a pair, or a whole one, begins with one of D8 to DF. */
            if (end - at >= 4 && at[1] == 'u' && (at[2] == 'd' || at[2] == 'D') && at[3] >= '8') {
                return -1;
            }
            at += 2;
        }
        at++;
        while (at < end && (*at == ' ' || *at == '\t' || *at == '\r' || *at == '\n')) {
            at++;
        }
        names += at < end && *at == ':';
    }
    return names;
}

/* Counts the members in a decoded value. -1 if it is nested deeply or unusual. */
static Py_ssize_t
members_in(PyObject *value, int depth)
{
    if (PyUnicode_CheckExact(value) || PyLong_CheckExact(value) || PyBool_Check(value) || value == Py_None) {
        return 0;
    }
    if (PyFloat_CheckExact(value)) {
        double number = PyFloat_AS_DOUBLE(value);
        return number - number == 0.0 ? 0 : -1;
    }
    if (depth >= DEEPEST) {
        return -1;
    }
    Py_ssize_t members = 0, below;
    if (PyDict_CheckExact(value)) {
        members = PyDict_GET_SIZE(value);
        PyObject *name, *item;
        for (Py_ssize_t at = 0; PyDict_Next(value, &at, &name, &item);) {
            if (!PyUnicode_CheckExact(item)) {
                if ((below = members_in(item, depth + 1)) < 0) {
                    return -1;
                }
                members += below;
            }
        }
        return members;
    }
    if (!PyList_CheckExact(value)) {
        return -1;
    }
    for (Py_ssize_t i = 0; i < PyList_GET_SIZE(value); i++) {
        if ((below = members_in(PyList_GET_ITEM(value, i), depth + 1)) < 0) {
            return -1;
        }
        members += below;
    }
    return members;
}

#endif
