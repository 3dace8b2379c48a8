/* Updates with errors: what has not changed is not looked at again, so that only places count at which something has. */

#ifndef VALIDATION_GEN_RATCHET_H
#define VALIDATION_GEN_RATCHET_H

/* Whether two values certainly differ, also for the API server, which takes some for the same that are not equal. */
static int
differs(const Walk *walk, uint32_t index, PyObject *a, PyObject *b, int depth)
{
    const Node *node = &walk->nodes[index];
    if (Py_TYPE(a) != Py_TYPE(b) || depth >= DEEPEST || node->inside == 0 || is_mistyped(node, b)) {
        return 0;
    }
    switch (node->op) {
    case TEXT:
        return PyUnicode_CheckExact(a) && !same_text(a, b);
    case BOOLEAN:
        return PyBool_Check(a) && a != b;
    case INTEGER:
        return PyLong_CheckExact(a) && !same_integer(a, b);
    case LIST: {
        if (!PyList_CheckExact(a) || PyList_GET_SIZE(a) != PyList_GET_SIZE(b)) {
            return PyList_CheckExact(a);
        }
        for (Py_ssize_t i = 0; i < PyList_GET_SIZE(a); i++) {
            if (differs(walk, node->item, PyList_GET_ITEM(a, i), PyList_GET_ITEM(b, i), depth + 1)) {
                return 1;
            }
        }
        return 0;
    }
    case MAP:
    case STRUCT: {
        Py_ssize_t at = 0, there = 0;
        PyObject *key, *value;
        if (!PyDict_CheckExact(a)) {
            return 0;
        }
        if (node->op == MAP && PyDict_GET_SIZE(a) != PyDict_GET_SIZE(b)) {
            return 1;
        }
        Py_INCREF(b);
        int found = 0;
        while (!found && PyDict_Next(a, &at, &key, &value)) {
            Py_ssize_t position = !PyUnicode_CheckExact(key) ? -1 : node->op == STRUCT ? position_of(node, key) : 0;
            if (position < 0) {
                continue;
            }
            Py_INCREF(value);
            PyObject *was = counterpart(b, &there, key);
            uint32_t part = node->op == STRUCT ? node->members[position].node : node->item;
            found = was != NULL && differs(walk, part, value, was, depth + 1);
            Py_XDECREF(was);
            Py_DECREF(value);
        }
        Py_DECREF(b);
        return found;
    }
    default:
        return 0;
    }
}

/* The old item with the keys of an item, held. `Py_None` where there is none; NULL where there are several, or keys that are no
 * plain values. */
static PyObject *
old_item(const Node *node, PyObject *item, PyObject *old)
{
    Py_ssize_t width = PyTuple_GET_SIZE(node->unique);
    PyObject *found = NULL;
    if (!PyDict_CheckExact(item)) {
        return NULL;
    }
    for (Py_ssize_t i = 0; i < PyList_GET_SIZE(old); i++) {
        PyObject *other = PyList_GET_ITEM(old, i);
        int equal = PyDict_CheckExact(other);
        if (!equal) {
            return NULL;
        }
        for (Py_ssize_t k = 0; equal && k < width; k++) {
            PyObject *key = PyTuple_GET_ITEM(node->unique, k), *a = key_of(item, key), *b = key_of(other, key);
            if (a == NULL || b == NULL || Py_TYPE(a) != Py_TYPE(b)) {
                PyErr_Clear();
                return NULL;
            }
            equal = !differ(a, b);
        }
        if (equal && found != NULL) {
            return NULL;
        }
        found = equal ? other : found;
    }
    return Py_NewRef(found == NULL ? Py_None : found);
}

/* Where a way has come to, from the outside. */
typedef struct {
    uint32_t index;
    PyObject *value, *old; /* held; NULL for what is not there */
    int fresh;             /* whether nothing was there before for certain, so that functions look at all of it */
    PyObject *list, *list_old; /* the outermost list or map on the way, held */
} At;

/* Goes a step further, to the part of a container. Returns YES, or UNSURE where that is not clear. */
static int
stepped(const Walk *walk, At *at, PyObject *step, int gone)
{
    const Node *node = &walk->nodes[at->index];
    PyObject *value = NULL, *old = NULL;
    int fresh = at->fresh;
    if (node->op == STRUCT && PyDict_CheckExact(at->value)) {
        Py_ssize_t i = 0;
        while (i < node->n_members && node->steps[i].element != step) {
            i++;
        }
        if (i == node->n_members) {
            return UNSURE;
        }
        const Member *member = &node->members[i];
        value = Py_XNewRef(PyDict_GetItemWithError(at->value, member->name));
        old = at->old == NULL ? NULL : Py_XNewRef(PyDict_GetItemWithError(at->old, member->name));
        if (value == Py_None) {
            Py_CLEAR(value);
        }
        if (old == Py_None) {
            Py_CLEAR(old);
        }
        if (old == NULL && (member->flags & POINTER) && value != NULL) {
            fresh = 1;
        }
        at->index = member->node;
    }
    else if (node->op == MAP && PyDict_CheckExact(at->value)) {
        PyObject *key = PyUnicode_Substring(step, 1, PyUnicode_GET_LENGTH(step) - 1);
        if (key == NULL) {
            return FAILED;
        }
        value = Py_XNewRef(PyDict_GetItemWithError(at->value, key));
        old = at->old == NULL ? NULL : Py_XNewRef(PyDict_GetItemWithError(at->old, key));
        fresh |= old == NULL;
        Py_DECREF(key);
        at->index = node->item;
    }
    else if (node->op == LIST && PyList_CheckExact(at->value)) {
        Py_ssize_t i = 0;
        for (Py_ssize_t k = 1; k < PyUnicode_GET_LENGTH(step) - 1; k++) {
            i = 10 * i + (Py_ssize_t)(PyUnicode_READ_CHAR(step, k) - '0');
        }
        if (i < PyList_GET_SIZE(at->value)) {
            value = Py_NewRef(PyList_GET_ITEM(at->value, i));
        }
        fresh |= at->old == NULL || PyList_GET_SIZE(at->old) == 0;
        if (value != NULL && !fresh) {
            /* How items without keys are told apart, if they are, is not known here. */
            int keyed = node->unique != NULL && PyTuple_GET_SIZE(node->unique) > 0;
            old = keyed ? old_item(node, value, at->old) : NULL;
            if (old == NULL) {
                Py_DECREF(value);
                return UNSURE;
            }
            if (old == Py_None) {
                Py_CLEAR(old);
                fresh = 1;
            }
        }
        at->index = node->item;
    }
    else {
        return UNSURE;
    }
    PyErr_Clear();
    if (node->op != STRUCT && at->list == NULL) {
        at->list = at->value;
        at->list_old = at->old;
    }
    else {
        Py_DECREF(at->value);
        Py_XDECREF(at->old);
    }
    at->value = value;
    at->old = old;
    at->fresh = fresh;
    return (value != NULL || gone) && (old == NULL || value == NULL || Py_TYPE(value) == Py_TYPE(old)) ? YES : UNSURE;
}

enum { UNCHANGED = 3 };

/* Whether a value at the end of a way has changed: YES, UNCHANGED, or UNSURE. */
static int
arrived(const Walk *walk, const At *at, int gone)
{
    if (at->fresh) {
        return YES;
    }
    if (gone) {
        return at->old != NULL && is_set(at->old) == 1 && !is_mistyped(&walk->nodes[at->index], at->old) ? YES : UNSURE;
    }
    if (at->old == NULL) {
        return is_set(at->value) == 1 ? YES : UNSURE;
    }
    if (differs(walk, at->index, at->value, at->old, 0)) {
        return YES;
    }
    /* In lists and maps it depends: functions may look at all that is in them. */
    PyObject *value = at->list == NULL ? at->value : at->list, *old = at->list == NULL ? at->old : at->list_old;
    return old != NULL && same(value, old, 0) ? UNCHANGED : UNSURE;
}

/* Whether something has changed at a place. */
static int
place_changed(const Walk *walk, const Place *place, PyObject *object, PyObject *old)
{
    At at = {.index = 0, .value = Py_NewRef(object), .old = Py_NewRef(old)};
    int answer = YES;
    for (Py_ssize_t i = PyList_GET_SIZE(place->way) - 1; i >= 0 && answer == YES; i--) {
        answer = stepped(walk, &at, PyList_GET_ITEM(place->way, i), place->gone && i == 0);
    }
    if (answer == YES) {
        answer = arrived(walk, &at, place->gone);
    }
    Py_XDECREF(at.value);
    Py_XDECREF(at.old);
    Py_XDECREF(at.list);
    Py_XDECREF(at.list_old);
    return answer;
}

/* What an update comes to whose new object has places: those at which nothing has changed are dropped. */
static int
places_changed(const Walk *walk, PyObject *object, PyObject *old)
{
    Places *places = walk->places;
    int kept = 0, answer = places->n_wrong > 0 ? UNSURE : changed(walk, 0, object, old, 0);
    for (int i = 0; i < places->n_others; i++) {
        Place place = places->others[i];
        int found = answer == YES ? place_changed(walk, &place, object, old) : YES;
        if (found == UNCHANGED) {
            Py_DECREF(place.value);
            Py_DECREF(place.way);
            continue;
        }
        answer = found == YES ? answer : found;
        places->others[kept++] = place;
    }
    places->n_others = kept;
    return answer == YES && kept > 0 ? PLACED : answer;
}

#endif
