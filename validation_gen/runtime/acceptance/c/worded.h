/* Errors: their fields, and the usual ones put into words. */

#ifndef VALIDATION_GEN_WORDED_H
#define VALIDATION_GEN_WORDED_H

/* What all classes of errors are made of. `FieldError` is the one that there is; all that it knows beside is in Python. */
typedef struct {
    PyObject_HEAD
    PyObject *type, *bad_value, *detail, *origin, *rule, *marks, *segments, *json_string;
} Error;

static int
error_traverse(Error *self, visitproc visit, void *arg)
{
    Py_VISIT(Py_TYPE(self));
    Py_VISIT(self->type);
    Py_VISIT(self->bad_value);
    Py_VISIT(self->detail);
    Py_VISIT(self->origin);
    Py_VISIT(self->rule);
    Py_VISIT(self->marks);
    Py_VISIT(self->segments);
    Py_VISIT(self->json_string);
    return 0;
}

static int
error_clear(Error *self)
{
    Py_CLEAR(self->type);
    Py_CLEAR(self->bad_value);
    Py_CLEAR(self->detail);
    Py_CLEAR(self->origin);
    Py_CLEAR(self->rule);
    Py_CLEAR(self->marks);
    Py_CLEAR(self->segments);
    Py_CLEAR(self->json_string);
    return 0;
}

static void
error_dealloc(Error *self)
{
    PyTypeObject *type = Py_TYPE(self);
    PyObject_GC_UnTrack(self);
    error_clear(self);
    type->tp_free((PyObject *)self);
    Py_DECREF(type);
}

/* What all interpreters have of their own. */
typedef struct State {
    PyObject *label, *shows_value; /* names of attributes of types of errors */
    PyObject *indexes[INDEXES];    /* elements of paths for the first items */
    PyObject *keywords;            /* of schemas: their numbers by name */
    PyTypeObject *error;           /* the class above */
} State;

static State *
state_of_error(Error *self)
{
    PyTypeObject *type = Py_TYPE(self);
    while (type->tp_base != &PyBaseObject_Type) {
        type = type->tp_base;
    }
    return PyType_GetModuleState(type);
}

/* A text that is being put together of parts, which are all there. */
typedef struct {
    Py_ssize_t length;
    Py_UCS4 widest;
    PyObject *text; /* NULL while its length is being found out */
} Text;

static void
put(Text *text, PyObject *part, Py_ssize_t from)
{
    Py_ssize_t length = PyUnicode_GET_LENGTH(part) - from;
    if (text->text == NULL) {
        Py_UCS4 widest = PyUnicode_MAX_CHAR_VALUE(part);
        text->widest = widest > text->widest ? widest : text->widest;
    }
    else if (PyUnicode_KIND(part) == PyUnicode_1BYTE_KIND && PyUnicode_KIND(text->text) == PyUnicode_1BYTE_KIND) {
        memcpy(PyUnicode_1BYTE_DATA(text->text) + text->length, PyUnicode_1BYTE_DATA(part) + from, (size_t)length);
    }
    else {
        PyUnicode_CopyCharacters(text->text, text->length, part, from, length);
    }
    text->length += length;
}

static void
put_ascii(Text *text, const char *part, Py_ssize_t length)
{
    for (Py_ssize_t i = 0; text->text != NULL && i < length; i++) {
        PyUnicode_WRITE(PyUnicode_KIND(text->text), PyUnicode_DATA(text->text), text->length + i, (Py_UCS4)part[i]);
    }
    text->length += length;
}

/* How a value is shown. */
typedef struct {
    char number[24];
    Py_ssize_t length; /* of a number or a name; -1: a text between quotes */
} Shown;

/* Whether a text is shown as it is between quotes, whatever the manner: one that nobody escapes anything of. What begins with
 * `<` may stand for a value that is not shown. */
static int
is_plain_text(PyObject *value)
{
    if (!PyUnicode_IS_ASCII(value)) {
        return 0;
    }
    const Py_UCS1 *at = PyUnicode_1BYTE_DATA(value), *end = at + PyUnicode_GET_LENGTH(value);
    for (; at < end; at++) {
        if (*at < ' ' || *at > '~' || *at == '"' || *at == '\\' || *at == '<' || *at == '>' || *at == '&') {
            return 0;
        }
    }
    return 1;
}

/* Finds out how a value is shown. Returns whether that is plain. */
static int
shown_plainly(Shown *shown, PyObject *value)
{
    if (PyUnicode_CheckExact(value)) {
        shown->length = -1;
        return is_plain_text(value);
    }
    if (PyLong_CheckExact(value)) {
        int overflow;
        long long number = PyLong_AsLongLongAndOverflow(value, &overflow);
        unsigned long long rest = number < 0 ? 0 - (unsigned long long)number : (unsigned long long)number;
        char *end = shown->number + sizeof(shown->number), *at = end;
        do {
            *--at = (char)('0' + rest % 10);
            rest /= 10;
        } while (rest != 0);
        if (number < 0) {
            *--at = '-';
        }
        shown->length = end - at;
        memmove(shown->number, at, (size_t)shown->length);
        return !overflow;
    }
    const char *name = value == Py_True ? "true" : value == Py_False ? "false" : value == Py_None ? "null" : NULL;
    if (name == NULL) {
        return 0;
    }
    shown->length = (Py_ssize_t)strlen(name);
    memcpy(shown->number, name, (size_t)shown->length);
    return 1;
}

/* Puts the parts of an error behind each other: where it is, what it is, which value it is about, and why. */
static void
put_error(Text *text, PyObject *segments, Py_ssize_t from, PyObject *label, const Shown *shown, PyObject *value, PyObject *detail)
{
    for (Py_ssize_t i = PyList_GET_SIZE(segments) - 1; i >= 0; i--, from = 0) {
        put(text, PyList_GET_ITEM(segments, i), from);
    }
    put_ascii(text, ": ", 2);
    put(text, label, 0);
    if (shown != NULL && shown->length < 0) {
        put_ascii(text, ": \"", 3);
        put(text, value, 0);
        put_ascii(text, "\"", 1);
    }
    else if (shown != NULL) {
        put_ascii(text, ": ", 2);
        put_ascii(text, shown->number, shown->length);
    }
    if (PyUnicode_GET_LENGTH(detail) > 0) {
        put_ascii(text, ": ", 2);
        put(text, detail, 0);
    }
}

/* Whether a path leads somewhere, through nothing that does not show. */
static int
is_plain_path(PyObject *segments)
{
    if (segments == NULL || !PyList_CheckExact(segments) || PyList_GET_SIZE(segments) == 0) {
        return 0;
    }
    for (Py_ssize_t i = 0; i < PyList_GET_SIZE(segments); i++) {
        PyObject *segment = PyList_GET_ITEM(segments, i);
        if (!PyUnicode_CheckExact(segment) || PyUnicode_GET_LENGTH(segment) < 2) {
            return 0;
        }
    }
    return 1;
}

/* The text of an error, if all in it is plain; else Python's, which knows all of them. */
static PyObject *
error_text(Error *self)
{
    State *state = state_of_error(self);
    PyObject *label = NULL, *shows = NULL, *type = Py_XNewRef(self->type), *found = NULL;
    if (state == NULL) {
        return NULL;
    }
    if (type != NULL) {
        label = PyObject_GetAttr(type, state->label);
        shows = label == NULL ? NULL : PyObject_GetAttr(type, state->shows_value);
    }
    if (PyErr_Occurred() && doubt() == FAILED) {
        Py_XDECREF(type);
        Py_XDECREF(label);
        return NULL;
    }
    /* No Python runs from here. */
    Shown shown;
    PyObject *value = self->bad_value, *detail = self->detail;
    if (label != NULL && PyUnicode_CheckExact(label) && (shows == Py_True || shows == Py_False) && value != NULL
        && self->json_string != NULL && is_plain_path(self->segments) && detail != NULL && PyUnicode_CheckExact(detail)
        && (shows == Py_False || shown_plainly(&shown, value))) {
        PyObject *first = PyList_GET_ITEM(self->segments, PyList_GET_SIZE(self->segments) - 1);
        Py_ssize_t from = PyUnicode_READ_CHAR(first, 0) == '.';
        Text text = {.length = 0, .widest = 127, .text = NULL};
        put_error(&text, self->segments, from, label, shows == Py_True ? &shown : NULL, value, detail);
        found = text.text = PyUnicode_New(text.length, text.widest);
        text.length = 0;
        if (found != NULL) {
            put_error(&text, self->segments, from, label, shows == Py_True ? &shown : NULL, value, detail);
        }
    }
    else {
        found = PyObject_CallMethod((PyObject *)self, "_spelt", NULL);
    }
    Py_XDECREF(type);
    Py_XDECREF(label);
    Py_XDECREF(shows);
    return found;
}

static PyMemberDef error_members[] = {
    {"type", T_OBJECT_EX, offsetof(Error, type), 0, NULL},
    {"bad_value", T_OBJECT_EX, offsetof(Error, bad_value), 0, NULL},
    {"detail", T_OBJECT_EX, offsetof(Error, detail), 0, NULL},
    {"origin", T_OBJECT_EX, offsetof(Error, origin), 0, NULL},
    {"rule", T_OBJECT_EX, offsetof(Error, rule), 0, NULL},
    {"marks", T_OBJECT_EX, offsetof(Error, marks), 0, NULL},
    {"segments", T_OBJECT_EX, offsetof(Error, segments), 0, NULL},
    {"json_string", T_OBJECT_EX, offsetof(Error, json_string), 0, NULL},
    {NULL},
};

static PyType_Slot error_slots[] = {
    {Py_tp_dealloc, error_dealloc},
    {Py_tp_traverse, error_traverse},
    {Py_tp_clear, error_clear},
    {Py_tp_members, error_members},
    {Py_tp_str, error_text},
    {Py_tp_doc, (void *)"The fields of an error, and its text."},
    {0, NULL},
};

static PyType_Spec error_spec = {
    .name = "validation_gen.runtime._accept.Error",
    .basicsize = sizeof(Error),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_BASETYPE,
    .slots = error_slots,
};

#endif
