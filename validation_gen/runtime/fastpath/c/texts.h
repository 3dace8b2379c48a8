/* Texts: compares them, matches them with patterns and limits; and calls the functions of checks, which mostly get texts. */

#ifndef VALIDATION_GEN_TEXTS_H
#define VALIDATION_GEN_TEXTS_H

static inline uint64_t
eight_bytes(const char *at)
{
    uint64_t found;
    memcpy(&found, at, 8);
    return found;
}

static inline uint32_t
four_bytes(const char *at)
{
    uint32_t found;
    memcpy(&found, at, 4);
    return found;
}

/* Returns whether bytes are equal. Most are short names, for which a function call would take longer. */
static inline int
same_bytes(const char *a, const char *b, size_t length)
{
    if (length > 64) {
        return memcmp(a, b, length) == 0;
    }
    for (; length > 16; a += 8, b += 8, length -= 8) {
        if (eight_bytes(a) != eight_bytes(b)) {
            return 0;
        }
    }
    if (length >= 8) {
        return eight_bytes(a) == eight_bytes(b) && eight_bytes(a + length - 8) == eight_bytes(b + length - 8);
    }
    if (length >= 4) {
        return four_bytes(a) == four_bytes(b) && four_bytes(a + length - 4) == four_bytes(b + length - 4);
    }
    return length == 0 || (a[0] == b[0] && a[length / 2] == b[length / 2] && a[length - 1] == b[length - 1]);
}

/* Whether two exact texts are equal. */
static inline int
same_text(PyObject *a, PyObject *b)
{
    if (a == b) {
        return 1;
    }
    Py_ssize_t length = PyUnicode_GET_LENGTH(a);
    int kind = PyUnicode_KIND(a);
    return length == PyUnicode_GET_LENGTH(b) && kind == (int)PyUnicode_KIND(b)
        && same_bytes(PyUnicode_DATA(a), PyUnicode_DATA(b), (size_t)length * (size_t)kind);
}

/* Returns the value of a name in an object, borrowed; mostly it is the next one. NULL without one, or with an error. */
static inline PyObject *
value_of(PyObject *object, Py_ssize_t *at, PyObject *name)
{
    PyObject *key, *value;
    int next = PyDict_Next(object, at, &key, &value) && PyUnicode_CheckExact(key) && same_text(key, name);
    return next ? value : PyDict_GetItemWithError(object, name);
}

/* Whether a text has half of a surrogate pair, which UTF-8 cannot hold. */
static int
is_broken(PyObject *text)
{
    if (PyUnicode_KIND(text) == PyUnicode_1BYTE_KIND) {
        return 0;
    }
    Py_ssize_t length = PyUnicode_GET_LENGTH(text);
    for (Py_ssize_t i = 0; i < length; i++) {
        Py_UCS4 c = PyUnicode_READ_CHAR(text, i);
        if (c >= 0xD800 && c <= 0xDFFF) {
            return 1;
        }
    }
    return 0;
}

static Py_ssize_t
bytes_of(PyObject *text)
{
    Py_ssize_t length = PyUnicode_GET_LENGTH(text), found = length;
    if (PyUnicode_IS_ASCII(text)) {
        return length;
    }
    for (Py_ssize_t i = 0; i < length; i++) {
        Py_UCS4 c = PyUnicode_READ_CHAR(text, i);
        found += (c > 0x7F) + (c > 0x7FF) + (c > 0xFFFF);
    }
    return found;
}

/* Converts an exception to a doubt, unless it is an interruption or the like. */
static int
doubt(void)
{
    if (!PyErr_ExceptionMatches(PyExc_Exception)) {
        return FAILED;
    }
    PyErr_Clear();
    return UNSURE;
}

/* The result of a function for a value, and an old one or NULL, with its further operands. Callers hold the values. */
static PyObject *
called(PyObject *function, PyObject *operands, PyObject *value, PyObject *old)
{
    PyObject *arguments[9];
    Py_ssize_t count = PyTuple_GET_SIZE(operands), values = old == NULL ? 1 : 2;
    if (count > 6) {
        PyErr_SetString(PyExc_ValueError, "too many operands");
        return NULL;
    }
    arguments[1] = value;
    arguments[2] = old;
    for (Py_ssize_t i = 0; i < count; i++) {
        arguments[i + 1 + values] = PyTuple_GET_ITEM(operands, i);
    }
    return PyObject_Vectorcall(
        function, arguments + 1, (size_t)(count + values) | PY_VECTORCALL_ARGUMENTS_OFFSET, NULL);
}

/* Returns whether a function accepts a value: it returns None, or no errors. */
static int
call_passes(PyObject *function, PyObject *operands, PyObject *value, PyObject *old)
{
    PyObject *found = called(function, operands, value, old);
    if (found == NULL) {
        return doubt();
    }
    int right = found == Py_None || (PyList_CheckExact(found) && PyList_GET_SIZE(found) == 0);
    Py_DECREF(found);
    return right ? YES : UNSURE;
}

static int
each_call_passes(PyObject *calls, PyObject *value)
{
    Py_ssize_t count = PyTuple_GET_SIZE(calls);
    int answer = YES;
    Py_INCREF(value);
    for (Py_ssize_t i = 0; i < count && answer == YES; i++) {
        PyObject *call = PyTuple_GET_ITEM(calls, i);
        answer = call_passes(PyTuple_GET_ITEM(call, 0), PyTuple_GET_ITEM(call, 1), value, NULL);
    }
    Py_DECREF(value);
    return answer;
}

/* Whether a value passes all calls, of which there are mostly none. */
static inline int
calls_pass(PyObject *calls, PyObject *value)
{
    return PyTuple_GET_SIZE(calls) == 0 ? YES : each_call_passes(calls, value);
}

/* Returns whether a text matches the table of a pattern. -1 if the pattern has none for texts of this length. */
static inline int
follows_table(const Pattern *pattern, PyObject *text)
{
    if (pattern->table == NULL || !PyUnicode_IS_ASCII(text) || PyUnicode_GET_LENGTH(text) > pattern->longest) {
        return -1;
    }
    const Py_UCS1 *at = PyUnicode_1BYTE_DATA(text), *end = at + PyUnicode_GET_LENGTH(text);
    const uint8_t *table = pattern->table;
    unsigned state = 1;
    while (at < end && state != 0) {
        state = table[state * 128 + *at++];
    }
    return table[pattern->states * 128 + (Py_ssize_t)state] != 0;
}

/* Returns whether a text certainly matches a pattern, without a call. */
static int
is_known(const Pattern *pattern, PyObject *text)
{
    return follows_table(pattern, text) > 0 || (pattern->known != NULL && PySet_Contains(pattern->known, text) > 0);
}

/* Returns whether a text matches a pattern: by its table, as a known text, or by a function. */
static int
follows(const Pattern *pattern, PyObject *text)
{
    if (follows_table(pattern, text) > 0) {
        return YES;
    }
    if (pattern->known != NULL) {
        int known = PySet_Contains(pattern->known, text);
        if (known != 0) {
            return known;
        }
    }
    return pattern->function == Py_None ? UNSURE : call_passes(pattern->function, pattern->operands, text, NULL);
}

static int
text_accepted(const Node *node, PyObject *text)
{
    if (!PyUnicode_IS_ASCII(text) && is_broken(text)) {
        return UNSURE;
    }
    Py_ssize_t length = PyUnicode_GET_LENGTH(text);
    if (length == 0 && (node->flags & (LEAVES_UNSET | FILLED))) {
        return node->flags & LEAVES_UNSET ? YES : UNSURE;
    }
    if (length < node->min || length > node->max) {
        return UNSURE;
    }
    if (node->bytes < PY_SSIZE_T_MAX && bytes_of(text) > node->bytes) {
        return UNSURE;
    }
    if (node->values != NULL) {
        int there = PySet_Contains(node->values, text);
        if (there != 1) {
            return there;
        }
    }
    int answer = YES;
    if (node->n_patterns == 0) {
        return calls_pass(node->calls, text);
    }
    Py_INCREF(text);
    for (Py_ssize_t i = 0; i < node->n_patterns && answer == YES; i++) {
        answer = follows(&node->patterns[i], text);
    }
    if (answer == YES) {
        answer = calls_pass(node->calls, text);
    }
    Py_DECREF(text);
    return answer;
}

#endif
