/* Updates: whether two values are the same, and whether rules of changes have a say in what differs. */

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

/* The value of a name in another object, which mostly has its names in the same order. Held, or NULL. To look for a name may
 * run code of names that are no texts, so that all values are held meanwhile. */
static inline PyObject *
counterpart(PyObject *other, Py_ssize_t *at, PyObject *name)
{
    PyObject *key, *value;
    if (PyDict_Next(other, at, &key, &value) && PyUnicode_CheckExact(key) && same_text(key, name)) {
        Py_INCREF(value);
        return value;
    }
    value = PyDict_GetItemWithError(other, name);
    if (value == NULL) {
        PyErr_Clear();
    }
    Py_XINCREF(value);
    return value;
}

/* Whether two values are certainly the same in type and content, all of it JSON. No Python runs here. */
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
        return PyFloat_AS_DOUBLE(a) == PyFloat_AS_DOUBLE(b); /* NaN is never the same */
    }
    return a == b && (a == Py_None || a == Py_True || a == Py_False);
}

static int unchanged(const Walk *walk, uint32_t index, PyObject *value, PyObject *old, int depth);

static int
struct_unchanged(const Walk *walk, const Node *node, PyObject *object, PyObject *old, int depth)
{
    Py_ssize_t here = 0, there = 0, count = 0;
    PyObject *key, *value;
    while (PyDict_Next(object, &here, &key, &value)) {
        if (!PyUnicode_CheckExact(key)) {
            return 0;
        }
        Py_ssize_t position = position_of(node, key);
        Py_INCREF(value);
        PyObject *was = counterpart(old, &there, key);
        int equal = position < 0; /* nobody looks at it */
        if (position >= 0 && was != NULL) {
            const Member *member = &node->members[position];
            equal = value == Py_None ? was == Py_None && !(member->flags & NOT_NULL)
                                     : unchanged(walk, member->node, value, was, depth);
        }
        count += was != NULL;
        Py_XDECREF(was);
        Py_DECREF(value);
        if (!equal) {
            return 0;
        }
    }
    return count == PyDict_GET_SIZE(old); /* else there was something more, known or not */
}

/* Whether a value certainly is the old one, and of the type that it should be: of what is not, Python may say so again
 * and again. What rules say of it does not matter. No Python runs here. */
static int
unchanged(const Walk *walk, uint32_t index, PyObject *value, PyObject *old, int depth)
{
    const Node *node = &walk->nodes[index];
    if (Py_TYPE(value) != Py_TYPE(old) || depth >= DEEPEST) {
        return 0;
    }
    switch (node->op) {
    case ANY:
        return same(value, old, depth);
    case TEXT:
    case WIRE:
        return PyUnicode_CheckExact(value) && same_text(value, old);
    case BOOLEAN:
        return PyBool_Check(value) && value == old;
    case NUMBER:
        return (PyLong_CheckExact(value) || PyFloat_CheckExact(value)) && same(value, old, depth);
    case INT_OR_TEXT:
    case INTEGER:
        if (PyLong_CheckExact(value)) {
            int overflow;
            long long number = PyLong_AsLongLongAndOverflow(value, &overflow);
            return !overflow && number >= node->least && number <= node->most && same_integer(value, old);
        }
        return node->op == INT_OR_TEXT && PyUnicode_CheckExact(value) && same_text(value, old);
    case LIST: {
        if (!PyList_CheckExact(value) || PyList_GET_SIZE(value) != PyList_GET_SIZE(old)) {
            return 0;
        }
        for (Py_ssize_t i = 0; i < PyList_GET_SIZE(value) && i < PyList_GET_SIZE(old); i++) {
            PyObject *item = PyList_GET_ITEM(value, i), *was = PyList_GET_ITEM(old, i);
            Py_INCREF(item);
            Py_INCREF(was);
            int equal = unchanged(walk, node->item, item, was, depth + 1);
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
        if (!PyDict_CheckExact(value) || PyDict_GET_SIZE(value) != PyDict_GET_SIZE(old)
            || PyTuple_GET_SIZE(walk->nodes[node->key].asks) > 0) {
            return 0;
        }
        while (PyDict_Next(value, &here, &key, &item)) {
            Py_INCREF(key);
            Py_INCREF(item);
            PyObject *was = PyUnicode_CheckExact(key) ? counterpart(old, &there, key) : NULL;
            int equal = was != NULL && unchanged(walk, node->item, item, was, depth + 1);
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

static int changed(const Walk *walk, uint32_t index, PyObject *value, PyObject *old, int depth);

/* Whether a function that finds old items, and what it found for an item, have nothing against the item. */
static int
item_changed(const Walk *walk, const Node *node, PyObject *find, PyObject *item, int depth)
{
    Py_INCREF(item);
    PyObject *old = PyObject_CallOneArg(find, item);
    int answer = UNSURE;
    if (old == NULL) {
        answer = doubt();
    }
    else if (old == Py_True || same(item, old, depth)) { /* items without keys are found only if they are equal */
        answer = YES;
    }
    else if (old != Py_None) { /* rules of changes may speak of new items, too */
        answer = changed(walk, node->item, item, old, depth);
    }
    Py_XDECREF(old);
    Py_DECREF(item);
    return answer;
}

static int
list_changed(const Walk *walk, const Node *node, PyObject *list, PyObject *old, int depth)
{
    if (node->finder == Py_None) {
        return UNSURE;
    }
    PyObject *find = PyObject_CallOneArg(node->finder, old);
    if (find == NULL) {
        return doubt();
    }
    int answer = YES;
    for (Py_ssize_t i = 0; i < PyList_GET_SIZE(list) && answer == YES; i++) {
        answer = item_changed(walk, node, find, PyList_GET_ITEM(list, i), depth);
    }
    Py_DECREF(find);
    return answer;
}

static int
map_changed(const Walk *walk, const Node *node, PyObject *map, PyObject *old, int depth)
{
    Py_ssize_t at = 0;
    PyObject *key, *value;
    int answer = YES;
    while (answer == YES && PyDict_Next(map, &at, &key, &value)) {
        Py_INCREF(value);
        PyObject *was = PyUnicode_CheckExact(key) ? PyDict_GetItemWithError(old, key) : NULL;
        PyErr_Clear();
        Py_XINCREF(was);
        if (was == NULL || was == Py_None) {
            answer = UNSURE;
        }
        else if (!same(value, was, depth)) {
            answer = changed(walk, node->item, value, was, depth);
        }
        Py_XDECREF(was);
        Py_DECREF(value);
    }
    return answer;
}

/* A member that is there only before or only afterwards. A struct that is no pointer is then an empty one. */
static int
member_came_or_went(const Walk *walk, const Member *member, PyObject *value, PyObject *old, int depth)
{
    const Node *node = &walk->nodes[member->node];
    if (node->op == STRUCT && !(member->flags & POINTER)) {
        PyObject *nothing = PyDict_New();
        if (nothing == NULL) {
            return FAILED;
        }
        int answer = changed(walk, member->node, value == NULL ? nothing : value, old == NULL ? nothing : old, depth);
        Py_DECREF(nothing);
        return answer;
    }
    if (value != NULL) { /* rules of changes may speak of what is new, too */
        int parts = node->op == STRUCT || ((node->op == LIST || node->op == MAP) && is_set(value) != 0
                                           && (walk->nodes[node->item].flags & CHANGES));
        if (parts) {
            return UNSURE;
        }
    }
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(node->changes); i++) {
        PyObject *ask = PyTuple_GET_ITEM(node->changes, i);
        if (ask == Py_None) {
            return UNSURE;
        }
        int answer = asked(PyTuple_GET_ITEM(ask, 0), PyTuple_GET_ITEM(ask, 1), value == NULL ? member->zero : value,
                           old == NULL ? member->zero : old);
        if (answer != YES) {
            return answer;
        }
    }
    return YES;
}

static int
struct_changed(const Walk *walk, const Node *node, PyObject *object, PyObject *old, int depth)
{
    int answer = YES;
    for (Py_ssize_t i = 0; i < node->n_members && answer == YES; i++) {
        const Member *member = &node->members[i];
        if (!(walk->nodes[member->node].flags & CHANGES)) {
            continue;
        }
        PyObject *value = PyDict_GetItemWithError(object, member->name);
        value = value == Py_None ? NULL : value;
        Py_XINCREF(value);
        PyObject *was = PyDict_GetItemWithError(old, member->name);
        was = was == Py_None ? NULL : was;
        Py_XINCREF(was);
        PyErr_Clear();
        if (value == NULL && was == NULL) {
            continue;
        }
        if (value == NULL || was == NULL) {
            if (was != NULL) {
                answer = accepted(walk, member->node, was, depth);
            }
            if (answer == YES) {
                answer = member_came_or_went(walk, member, value, was, depth);
            }
        }
        else if (!same(value, was, depth)) {
            answer = changed(walk, member->node, value, was, depth);
        }
        Py_XDECREF(value);
        Py_XDECREF(was);
    }
    return answer;
}

/* Whether rules of changes have nothing against a value that is not the same as the old one. It has been accepted. */
static int
changed(const Walk *walk, uint32_t index, PyObject *value, PyObject *old, int depth)
{
    const Node *node = &walk->nodes[index];
    int answer = YES;
    if (!(node->flags & CHANGES)) {
        return YES;
    }
    if (depth >= DEEPEST || Py_TYPE(value) != Py_TYPE(old)) {
        return UNSURE;
    }
    Py_INCREF(value);
    Py_INCREF(old);
    Py_ssize_t count = PyTuple_GET_SIZE(node->changes);
    if (count > 0) { /* functions are asked about values that decode */
        answer = PyTuple_GET_ITEM(node->changes, 0) == Py_None ? UNSURE : accepted(walk, index, old, depth);
    }
    for (Py_ssize_t i = 0; i < count && answer == YES; i++) {
        PyObject *ask = PyTuple_GET_ITEM(node->changes, i);
        answer = ask == Py_None ? UNSURE : asked(PyTuple_GET_ITEM(ask, 0), PyTuple_GET_ITEM(ask, 1), value, old);
    }
    if (answer == YES && node->op == STRUCT) {
        answer = struct_changed(walk, node, value, old, depth + 1);
    }
    else if (answer == YES && node->op == LIST && (walk->nodes[node->item].flags & CHANGES)) {
        answer = list_changed(walk, node, value, old, depth + 1);
    }
    else if (answer == YES && node->op == MAP && (walk->nodes[node->item].flags & CHANGES)) {
        answer = map_changed(walk, node, value, old, depth + 1);
    }
    Py_DECREF(value);
    Py_DECREF(old);
    return answer;
}

/* Whether an update from one object to another is certainly valid. */
static int
update_accepted(const Walk *walk, PyObject *object, PyObject *old)
{
    const Node *kind = &walk->nodes[0];
    if (!PyDict_CheckExact(old) || PyTuple_GET_SIZE(kind->changes) > 0) {
        return UNSURE; /* rules of the kind as a whole are asked whether it has changed or not */
    }
    if ((kind->flags & COMPARED) && unchanged(walk, 0, object, old, 0)) {
        return YES;
    }
    int answer = accepted(walk, 0, object, 0);
    return answer == YES ? changed(walk, 0, object, old, 0) : answer;
}

#endif
