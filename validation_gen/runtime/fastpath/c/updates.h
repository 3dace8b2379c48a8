/* Equality: whether two values are certainly the same JSON, and of the type that they should be. */

#ifndef VALIDATION_GEN_UPDATES_H
#define VALIDATION_GEN_UPDATES_H

/* Whether two exact integers are equal. */
static int
same_integer(PyObject *a, PyObject *b)
{
    if (a == b) {
        return 1;
    }
    int equal = PyObject_RichCompareBool(a, b, Py_EQ);
    if (equal < 0) {
        PyErr_Clear();
    }
    return equal == 1;
}

/* Returns the member with the same name in another object, held. The lookup may run code of names that are not strings,
 * so callers hold all values. An error counts as absent. */
static inline PyObject *
counterpart(PyObject *other, Py_ssize_t *at, PyObject *name)
{
    PyObject *value = value_of(other, at, name);
    if (value == NULL) {
        PyErr_Clear();
    }
    return Py_XNewRef(value);
}

/* Returns whether two values are certainly equal in type and content, all of it JSON. No Python runs here. */
static int
same(PyObject *a, PyObject *b, int depth)
{
    PyTypeObject *type = Py_TYPE(a);
    if (type != Py_TYPE(b)) {
        return 0;
    }
    if (type == &PyUnicode_Type) {
        return same_text(a, b);
    }
    if (type == &PyDict_Type) {
        Py_ssize_t here = 0, there = 0;
        PyObject *key, *value;
        if (PyDict_GET_SIZE(a) != PyDict_GET_SIZE(b) || depth >= DEEPEST) {
            return 0;
        }
        while (PyDict_Next(a, &here, &key, &value)) {
            Py_INCREF(key);
            Py_INCREF(value);
            PyObject *other = PyUnicode_CheckExact(key) ? counterpart(b, &there, key) : NULL;
            int equal = other != NULL && same(value, other, depth + 1);
            Py_XDECREF(other);
            Py_DECREF(value);
            Py_DECREF(key);
            if (!equal) {
                return 0;
            }
        }
        return 1;
    }
    if (type == &PyList_Type) {
        Py_ssize_t count = PyList_GET_SIZE(a);
        if (count != PyList_GET_SIZE(b) || depth >= DEEPEST) {
            return 0;
        }
        for (Py_ssize_t i = 0; i < PyList_GET_SIZE(a) && i < PyList_GET_SIZE(b); i++) {
            PyObject *item = PyList_GET_ITEM(a, i), *other = PyList_GET_ITEM(b, i);
            Py_INCREF(item);
            Py_INCREF(other);
            int equal = same(item, other, depth + 1);
            Py_DECREF(other);
            Py_DECREF(item);
            if (!equal) {
                return 0;
            }
        }
        return 1;
    }
    if (type == &PyLong_Type) {
        return same_integer(a, b);
    }
    if (type == &PyFloat_Type) {
        return PyFloat_AS_DOUBLE(a) == PyFloat_AS_DOUBLE(b); /* NaN equals nothing */
    }
    return a == b && (a == Py_None || a == Py_True || a == Py_False);
}

/* Returns whether an item of an array certainly equals a missing one. */
static int
is_zero_item(const Walk *walk, const Node *node, PyObject *item)
{
    if (item == Py_None) {
        return (node->flags & NULLS) != 0;
    }
    if (node->flags & NIL_NULLS) {
        return 0;
    }
    switch (walk->nodes[node->item].op) {
    case TEXT:
        return PyUnicode_CheckExact(item) && PyUnicode_GET_LENGTH(item) == 0;
    case INTEGER:
        return PyLong_CheckExact(item) && PyObject_Not(item) == 1;
    case BOOLEAN:
        return item == Py_False;
    default:
        return 0;
    }
}

/* Whether two arrays certainly have the same items, as far as items are not ignored. */
static int
array_unchanged(const Walk *walk, const Node *node, PyObject *list, PyObject *old, int depth)
{
    for (Py_ssize_t i = 0; i < node->high && (i < PyList_GET_SIZE(list) || i < PyList_GET_SIZE(old)); i++) {
        PyObject *item = i < PyList_GET_SIZE(list) ? Py_NewRef(PyList_GET_ITEM(list, i)) : NULL;
        PyObject *was = i < PyList_GET_SIZE(old) ? Py_NewRef(PyList_GET_ITEM(old, i)) : NULL;
        int equal;
        if (item != NULL && item != Py_None && was != NULL && was != Py_None) {
            equal = unchanged(walk, node->item, item, was, depth + 1);
        }
        else {
            equal = (item == NULL || is_zero_item(walk, node, item)) && (was == NULL || is_zero_item(walk, node, was));
        }
        Py_XDECREF(was);
        Py_XDECREF(item);
        if (!equal) {
            return 0;
        }
    }
    return 1;
}

/* Returns whether a member that is present certainly equals an absent one. */
static int
is_nothing(const Walk *walk, const Member *member, PyObject *value, int depth)
{
    const Node *node = &walk->nodes[member->node];
    if (member->flags & POINTER || depth >= DEEPEST) {
        return 0;
    }
    switch (node->op) {
    case TEXT:
    case INTEGER:
    case BOOLEAN:
        return Py_TYPE(value) == Py_TYPE(member->zero) && PyObject_Not(value) == 1;
    case NUMBER:
        return (PyLong_CheckExact(value) || PyFloat_CheckExact(value)) && PyObject_Not(value) == 1;
    case LIST:
        if (PyList_CheckExact(value) && node->flags & ARRAY) {
            for (Py_ssize_t i = 0; i < node->high && i < PyList_GET_SIZE(value); i++) {
                if (!is_zero_item(walk, node, PyList_GET_ITEM(value, i))) {
                    return 0;
                }
            }
            return 1;
        }
        return PyList_CheckExact(value) && PyList_GET_SIZE(value) == 0;
    case MAP:
        return PyDict_CheckExact(value) && PyDict_GET_SIZE(value) == 0;
    case STRUCT:
        if (PyDict_CheckExact(value)) {
            Py_ssize_t at = 0, position = -1;
            PyObject *key, *part;
            if (node->flags & WHOLE) {
                return PyDict_GET_SIZE(value) == 0;
            }
            while (PyDict_Next(value, &at, &key, &part)) {
                position = PyUnicode_CheckExact(key) ? position_of(node, key, position) : -1;
                if (position < 0 || (part == Py_None ? node->members[position].flags & NOT_NULL
                                                     : !is_nothing(walk, &node->members[position], part, depth + 1))) {
                    return 0;
                }
            }
            return 1;
        }
        return 0;
    default:
        return 0;
    }
}

/* Returns whether all members of the old object that are absent in the new one certainly equal absent ones. */
static int
lost_nothing(const Walk *walk, const Node *node, PyObject *object, PyObject *old, int depth)
{
    Py_ssize_t at = 0, position = -1;
    PyObject *key, *was;
    int nothing = 1;
    while (nothing && PyDict_Next(old, &at, &key, &was)) {
        position = PyUnicode_CheckExact(key) ? position_of(node, key, position) : -1;
        Py_INCREF(key);
        Py_INCREF(was);
        if (position < 0) {
            nothing = PyUnicode_CheckExact(key); /* it is ignored */
        }
        else if (PyDict_GetItemWithError(object, key) == NULL) {
            PyErr_Clear();
            nothing = was == Py_None ? !(node->members[position].flags & NOT_NULL)
                                     : is_nothing(walk, &node->members[position], was, depth);
        }
        Py_DECREF(was);
        Py_DECREF(key);
    }
    return nothing;
}

static int
struct_unchanged(const Walk *walk, const Node *node, PyObject *object, PyObject *old, int depth)
{
    Py_ssize_t here = 0, there = 0, count = 0, position = -1;
    PyObject *key, *value;
    if (node->flags & WHOLE && !same(object, old, depth)) {
        return 0;
    }
    while (PyDict_Next(object, &here, &key, &value)) {
        if (!PyUnicode_CheckExact(key)) {
            return 0;
        }
        position = position_of(node, key, position);
        Py_INCREF(key);
        Py_INCREF(value);
        PyObject *was = counterpart(old, &there, key);
        int equal = position < 0; /* it is ignored */
        count += was != NULL;
        if (position >= 0) {
            const Member *member = &node->members[position];
            if (value == Py_None || was == NULL || was == Py_None) {
                PyObject *one = value == Py_None ? was : value;
                equal = !((value == Py_None || was == Py_None) && member->flags & NOT_NULL)
                    && (one == NULL || one == Py_None || is_nothing(walk, member, one, depth));
            }
            else {
                equal = unchanged(walk, member->node, value, was, depth);
            }
        }
        Py_XDECREF(was);
        Py_DECREF(value);
        Py_DECREF(key);
        if (!equal) {
            return 0;
        }
    }
    return count == PyDict_GET_SIZE(old) || lost_nothing(walk, node, object, old, depth);
}

/* Returns whether an unchanged name of a map certainly has the right type: any string for most maps, integers for
 * others. */
static int
is_typed_name(const Node *names, PyObject *key)
{
    if (!(names->flags & DEMANDED)) {
        return PyUnicode_CheckExact(key);
    }
    if (!PyUnicode_CheckExact(key) || !PyUnicode_IS_ASCII(key)) {
        return 0;
    }
    const Py_UCS1 *text = PyUnicode_1BYTE_DATA(key);
    Py_ssize_t length = PyUnicode_GET_LENGTH(key), negative = length > 0 && text[0] == '-';
    long long number = 0;
    if (length == negative || length - negative > 18) { /* longer ones may not fit */
        return 0;
    }
    for (Py_ssize_t i = negative; i < length; i++) {
        if (text[i] < '0' || text[i] > '9') {
            return 0;
        }
        number = 10 * number + (text[i] - '0');
    }
    number = negative ? -number : number;
    return number >= names->least && number <= names->most;
}

/* Returns whether a list item or map value certainly equals the old one. */
static inline int
item_unchanged(const Walk *walk, const Node *node, PyObject *item, PyObject *was, int depth)
{
    return item == Py_None && node->flags & NULLS ? was == Py_None : unchanged(walk, node->item, item, was, depth + 1);
}

/* Returns whether a value may decode itself: a string, a number, or a list of numbers, as for bytes. */
static int
may_decode(PyObject *value)
{
    if (PyList_CheckExact(value)) {
        Py_ssize_t i = 0;
        while (i < PyList_GET_SIZE(value) && PyLong_CheckExact(PyList_GET_ITEM(value, i))) {
            i++;
        }
        return i == PyList_GET_SIZE(value);
    }
    return PyUnicode_CheckExact(value) ? !is_broken(value) : PyLong_CheckExact(value);
}

/* Returns whether a value that decodes itself certainly equals the old one in another notation, such as `1` and
 * `1000m`. */
static RARE int
is_rewritten(const Node *node, PyObject *value, PyObject *old)
{
    if (node->finder == Py_None || !may_decode(value) || !may_decode(old)) {
        return 0;
    }
    PyObject *found = PyObject_CallFunctionObjArgs(node->finder, value, old, NULL);
    int equal = found == Py_True;
    if (found == NULL) {
        int interrupted = PyErr_ExceptionMatches(PyExc_KeyboardInterrupt);
        PyErr_Clear();
        if (interrupted) { /* callers cannot return it, so it is raised again */
            PyErr_SetInterrupt();
        }
    }
    Py_XDECREF(found);
    return equal;
}

/* Returns whether a value certainly equals the old one and has the right type: Python reports values of a wrong type
 * again even if unchanged. Rules do not matter. The only Python code that runs here reads texts and numbers. */
static int
unchanged(const Walk *walk, uint32_t index, PyObject *value, PyObject *old, int depth)
{
    const Node *node = &walk->nodes[index];
    if (node->op == WIRE && !(PyUnicode_CheckExact(value) && PyUnicode_CheckExact(old) && same_text(value, old))) {
        return is_rewritten(node, value, old);
    }
    if (Py_TYPE(value) != Py_TYPE(old) || depth >= DEEPEST) {
        return 0;
    }
    switch (node->op) {
    case ANY:
        return same(value, old, depth);
    case TEXT:
        return PyUnicode_CheckExact(value) && same_text(value, old);
    case WIRE:
        return PyUnicode_CheckExact(value) && same_text(value, old)
            && (!walk->strict || (node->n_patterns > 0 && is_known(&node->patterns[0], value)));
    case BOOLEAN:
        return PyBool_Check(value) && value == old;
    case NUMBER:
        return (PyLong_CheckExact(value) || PyFloat_CheckExact(value)) && same(value, old, depth);
    case INT_OR_TEXT:
    case INTEGER:
        if (PyLong_CheckExact(value)) {
            int overflow;
            long long number = PyLong_AsLongLongAndOverflow(value, &overflow);
            int fits = overflow ? fits_unsigned(node, value, overflow) : number >= node->least && number <= node->most;
            return fits && same_integer(value, old);
        }
        return node->op == INT_OR_TEXT && PyUnicode_CheckExact(value) && same_text(value, old);
    case LIST: {
        if (!PyList_CheckExact(value)) {
            return 0;
        }
        if (node->flags & ARRAY) {
            return array_unchanged(walk, node, value, old, depth);
        }
        if (PyList_GET_SIZE(value) != PyList_GET_SIZE(old)) {
            return 0;
        }
        for (Py_ssize_t i = 0; i < PyList_GET_SIZE(value) && i < PyList_GET_SIZE(old); i++) {
            PyObject *item = PyList_GET_ITEM(value, i), *was = PyList_GET_ITEM(old, i);
            Py_INCREF(item);
            Py_INCREF(was);
            int equal = item_unchanged(walk, node, item, was, depth);
            Py_DECREF(was);
            Py_DECREF(item);
            if (!equal) {
                return 0;
            }
        }
        return 1;
    }
    case MAP: {
        Py_ssize_t here = 0, there = 0;
        PyObject *key, *item;
        if (!PyDict_CheckExact(value) || PyDict_GET_SIZE(value) != PyDict_GET_SIZE(old)) {
            return 0;
        }
        while (PyDict_Next(value, &here, &key, &item)) {
            Py_INCREF(key);
            Py_INCREF(item);
            PyObject *was = is_typed_name(&walk->nodes[node->key], key) ? counterpart(old, &there, key) : NULL;
            int equal = was != NULL && item_unchanged(walk, node, item, was, depth);
            Py_XDECREF(was);
            Py_DECREF(item);
            Py_DECREF(key);
            if (!equal) {
                return 0;
            }
        }
        return 1;
    }
    case STRUCT:
        return PyDict_CheckExact(value) && struct_unchanged(walk, node, value, old, depth + 1);
    default:
        return 0;
    }
}

#endif
