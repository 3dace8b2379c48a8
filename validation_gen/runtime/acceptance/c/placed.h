/* Updates with errors: what has not changed is not looked at again, so that only places count at which something has. */

#ifndef VALIDATION_GEN_PLACED_H
#define VALIDATION_GEN_PLACED_H

/* Whether two values certainly differ, also for the API server, which takes some for the same that are not equal. Somebody holds
 * both: to look for a name in an old object may run code of names that are no texts. */
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
        int found = 0;
        for (Py_ssize_t i = 0; !found && i < PyList_GET_SIZE(a) && i < PyList_GET_SIZE(b); i++) {
            PyObject *item = Py_NewRef(PyList_GET_ITEM(a, i)), *was = Py_NewRef(PyList_GET_ITEM(b, i));
            found = differs(walk, node->item, item, was, depth + 1);
            Py_DECREF(was);
            Py_DECREF(item);
        }
        return found;
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
        int found = 0;
        while (!found && PyDict_Next(a, &at, &key, &value)) {
            Py_ssize_t position = !PyUnicode_CheckExact(key) ? -1 : node->op == STRUCT ? position_of(node, key) : 0;
            if (position < 0) {
                continue;
            }
            Py_INCREF(key);
            Py_INCREF(value);
            PyObject *was = counterpart(b, &there, key);
            uint32_t part = node->op == STRUCT ? node->members[position].node : node->item;
            found = was != NULL && differs(walk, part, value, was, depth + 1);
            Py_XDECREF(was);
            Py_DECREF(value);
            Py_DECREF(key);
        }
        return found;
    }
    default:
        return 0;
    }
}

/* Whether two items have the same keys: 0 or 1, or -1 for keys that are no plain values. Somebody holds both. */
static int
same_keys(PyObject *keys, PyObject *item, PyObject *other)
{
    int equal = PyDict_CheckExact(item) && PyDict_CheckExact(other) ? 1 : -1;
    for (Py_ssize_t k = 0; equal == 1 && k < PyTuple_GET_SIZE(keys); k++) {
        PyObject *a = Py_XNewRef(key_of(item, PyTuple_GET_ITEM(keys, k)));
        PyObject *b = Py_XNewRef(key_of(other, PyTuple_GET_ITEM(keys, k)));
        equal = a == NULL || b == NULL || Py_TYPE(a) != Py_TYPE(b) ? -1 : !differ(a, b);
        Py_XDECREF(a);
        Py_XDECREF(b);
    }
    PyErr_Clear();
    return equal;
}

/* The old item with the keys of an item, held. `Py_None` where there is none; NULL where there are several, or keys that are no
 * plain values. */
static PyObject *
old_item(const Node *node, PyObject *item, PyObject *old)
{
    PyObject *found = Py_NewRef(Py_None);
    for (Py_ssize_t i = 0; found != NULL && i < PyList_GET_SIZE(old); i++) {
        PyObject *other = Py_NewRef(PyList_GET_ITEM(old, i));
        int equal = same_keys(node->unique, item, other);
        if (equal < 0 || (equal && found != Py_None)) {
            Py_CLEAR(found);
        }
        else if (equal) {
            Py_SETREF(found, Py_NewRef(other));
        }
        Py_DECREF(other);
    }
    return found;
}

/* What a step of a way is a step to. */
typedef struct {
    uint32_t index;
    int is_pointer;    /* whether it is a member that is one */
    Py_ssize_t number; /* of an item */
    PyObject *name;    /* of a member or an entry, held */
} Part;

/* Finds out what a step from a container leads to. */
static int
part_of(const Walk *walk, uint32_t index, PyObject *step, Part *part)
{
    const Node *node = &walk->nodes[index];
    *part = (Part){.index = node->item, .is_pointer = 0, .number = -1, .name = NULL};
    switch (node->op) {
    case STRUCT: {
        Py_ssize_t i = 0;
        while (i < node->n_members && node->steps[i].element != step) {
            i++;
        }
        if (i == node->n_members) {
            return UNSURE;
        }
        part->index = node->members[i].node;
        part->is_pointer = (node->members[i].flags & POINTER) != 0;
        part->name = Py_NewRef(node->members[i].name);
        return YES;
    }
    case MAP:
        part->name = PyUnicode_Substring(step, 1, PyUnicode_GET_LENGTH(step) - 1);
        if (part->name == NULL) {
            PyErr_Clear();
            return UNSURE;
        }
        return YES;
    case LIST:
        part->number = 0;
        for (Py_ssize_t k = 1; k < PyUnicode_GET_LENGTH(step) - 1; k++) {
            part->number = 10 * part->number + (Py_ssize_t)(PyUnicode_READ_CHAR(step, k) - '0');
        }
        return YES;
    default:
        return UNSURE;
    }
}

/* The value of a part in a container, held; NULL for one that is not there. */
static PyObject *
value_of(const Part *part, PyObject *container)
{
    PyObject *found = NULL;
    if (container == NULL) {
        return NULL;
    }
    if (part->name == NULL) {
        int there = PyList_CheckExact(container) && part->number < PyList_GET_SIZE(container);
        found = there ? PyList_GET_ITEM(container, part->number) : NULL;
    }
    else if (PyDict_CheckExact(container)) {
        found = PyDict_GetItemWithError(container, part->name);
        PyErr_Clear();
    }
    return found == Py_None ? NULL : Py_XNewRef(found);
}

/* Where a way has come to, from the outside. */
typedef struct {
    uint32_t index;
    PyObject *value, *old;     /* held; NULL for what is not there */
    int fresh;                 /* whether nothing was there before for certain, so that functions look at all of it */
    int several;               /* whether there are other values that may be the old one */
    PyObject *list, *list_old; /* the outermost list or map on the way, held */
} At;

static void
left_behind(At *at)
{
    Py_XDECREF(at->value);
    Py_XDECREF(at->old);
    Py_XDECREF(at->list);
    Py_XDECREF(at->list_old);
}

/* What is at the end of a way. */
enum { GONE, MISTYPED, PLAIN };

/* Goes a step further, to the part of a container, or to what is at the end. Returns YES, or UNSURE where that is not clear. */
static int
stepped(const Walk *walk, At *at, PyObject *step, int end)
{
    const Node *node = &walk->nodes[at->index];
    Part part;
    int answer = part_of(walk, at->index, step, &part), fresh = at->fresh;
    if (answer != YES) {
        return UNSURE;
    }
    PyObject *value = value_of(&part, at->value), *old = NULL;
    if (node->op != LIST) {
        old = value_of(&part, at->old);
        if (value != NULL && old == NULL && !fresh) { /* null is the zero value of what is no pointer */
            fresh = part.is_pointer || (node->op == MAP && (at->old == NULL || PyDict_Contains(at->old, part.name) == 0));
            PyErr_Clear();
        }
        Py_DECREF(part.name);
    }
    else if (at->old == NULL || PyList_GET_SIZE(at->old) == 0) {
        fresh = 1;
    }
    else if (value != NULL && !fresh) {
        old = old_item(node, value, at->old);
        answer = old == NULL ? UNSURE : YES;
        if (old == Py_None) {
            Py_CLEAR(old);
            fresh = 1;
        }
    }
    if (node->op != STRUCT && at->list == NULL) {
        at->list = at->value;
        at->list_old = at->old;
    }
    else {
        Py_DECREF(at->value);
        Py_XDECREF(at->old);
    }
    at->index = part.index;
    at->value = value;
    at->old = old;
    at->fresh = fresh;
    if (value == NULL) {
        return end == GONE ? answer : UNSURE;
    }
    return end == MISTYPED || old == NULL || Py_TYPE(value) == Py_TYPE(old) ? answer : UNSURE;
}

enum { UNCHANGED = 3 };

/* What is to be said where no difference is certain. In lists and maps functions may look at all that is in them, or at what
 * has changed. */
static int
unchanged_or_unsure(const At *at)
{
    PyObject *value = at->list == NULL ? at->value : at->list, *old = at->list == NULL ? at->old : at->list_old;
    return !at->several && old != NULL && same(value, old, 0) ? UNCHANGED : UNSURE;
}

/* Whether two values certainly differ for Python, too, to which `1`, `1.0` and `True` are the same. */
static int
differs_plainly(PyObject *a, PyObject *b)
{
    int text = PyUnicode_CheckExact(a), number = PyLong_Check(a) || PyFloat_CheckExact(a);
    if (Py_TYPE(a) == Py_TYPE(b)) {
        return (text && !same_text(a, b)) || (PyLong_Check(a) && !same(a, b, 0));
    }
    return is_json(a) && is_json(b) && !(number && (PyLong_Check(b) || PyFloat_CheckExact(b)));
}

/* Whether a value at the end of a way has changed: YES, UNCHANGED, or UNSURE. */
static int
arrived(const Walk *walk, const At *at, int end)
{
    if (at->fresh) {
        return YES;
    }
    if (end == MISTYPED) {
        return (at->old == NULL ? is_set(at->value) == 1 : differs_plainly(at->value, at->old)) ? YES : UNSURE;
    }
    if (end == GONE) {
        return at->old != NULL && is_set(at->old) == 1 && !is_mistyped(&walk->nodes[at->index], at->old) ? YES : UNSURE;
    }
    if (at->old == NULL) {
        return is_set(at->value) == 1 ? YES : UNSURE;
    }
    return differs(walk, at->index, at->value, at->old, 0) ? YES : unchanged_or_unsure(at);
}

/* Whether items are told apart by keys that are known here. */
static int
is_keyed(const Node *node)
{
    return node->unique != NULL && PyTuple_GET_SIZE(node->unique) > 0;
}

static int way_changed(const Walk *walk, At *at, PyObject *way, Py_ssize_t left, int end);

/* The same for an item of a list of which nobody knows here how its items are told apart, if they are: whichever of the old items
 * it was, it must have changed. */
static int
item_of_any_changed(const Walk *walk, const At *at, PyObject *way, Py_ssize_t left, int end)
{
    Part part;
    int answer = part_of(walk, at->index, PyList_GET_ITEM(way, left - 1), &part);
    PyObject *item = answer == YES ? value_of(&part, at->value) : NULL;
    if (item == NULL || PyList_GET_SIZE(at->old) > FEW) {
        answer = UNSURE;
    }
    for (Py_ssize_t i = 0; answer == YES && i < PyList_GET_SIZE(at->old); i++) {
        PyObject *old = PyList_GET_ITEM(at->old, i);
        At next = {.index = part.index, .value = Py_NewRef(item), .old = Py_NewRef(old), .several = 1};
        answer = Py_TYPE(item) == Py_TYPE(old) ? way_changed(walk, &next, way, left - 1, end) : UNSURE;
        left_behind(&next);
    }
    Py_XDECREF(item);
    return answer == YES ? YES : unchanged_or_unsure(at);
}

/* Whether the value to which a way leads has changed, of which some steps are left: YES, UNCHANGED, or UNSURE. */
static int
way_changed(const Walk *walk, At *at, PyObject *way, Py_ssize_t left, int end)
{
    int answer = YES;
    for (; left > 0 && answer == YES; left--) {
        const Node *node = &walk->nodes[at->index];
        if (node->op == LIST && at->old != NULL && !PyList_CheckExact(at->old)) {
            return UNSURE;
        }
        if (node->op == LIST && !at->fresh && !is_keyed(node) && at->old != NULL && PyList_GET_SIZE(at->old) > 0) {
            return at->several ? UNSURE : item_of_any_changed(walk, at, way, left, end);
        }
        answer = stepped(walk, at, PyList_GET_ITEM(way, left - 1), left == 1 ? end : PLAIN);
    }
    return answer == YES ? arrived(walk, at, end) : answer;
}

/* Whether something has changed at a place. */
static int
place_changed(const Walk *walk, const Place *place, int end, PyObject *object, PyObject *old)
{
    At at = {.index = 0, .value = Py_NewRef(object), .old = Py_NewRef(old)};
    int answer = way_changed(walk, &at, place->way, PyList_GET_SIZE(place->way), end);
    left_behind(&at);
    return answer;
}

/* Whether a value of the wrong type is told again, if any is: YES unless the same may have been there before, at the same path.
 * No rules of changes may be about what is around it. */
static int
mistyped_changed(const Walk *walk, const Place *place, PyObject *old)
{
    uint32_t index = 0;
    PyObject *was = Py_NewRef(old);
    int answer = YES;
    for (Py_ssize_t i = PyList_GET_SIZE(place->way) - 1; i >= 0 && answer == YES; i--) {
        Part part;
        answer = PyTuple_GET_SIZE(walk->nodes[index].changes) > 0 ? UNSURE
                                                                  : part_of(walk, index, PyList_GET_ITEM(place->way, i), &part);
        if (answer == YES) {
            PyObject *next = value_of(&part, was);
            Py_XDECREF(part.name);
            Py_XSETREF(was, next);
            index = part.index;
        }
    }
    if (answer == YES && was != NULL && Py_TYPE(was) == Py_TYPE(place->value)) {
        answer = differs_plainly(place->value, was) ? YES : UNSURE;
    }
    Py_XDECREF(was);
    return answer;
}

/* What an update comes to that is not certainly valid. Of the places of the new object those count at which something has
 * changed; nothing else of it may be wrong, and no rule of changes may have anything against it. */
static RARE int
update_placed(const Walk *walk, PyObject *object, PyObject *old)
{
    Places *places = walk->places;
    const Walk apart = {.nodes = walk->nodes, .places = NULL}; /* the old object has no places */
    if (!PyDict_CheckExact(old) || PyTuple_GET_SIZE(walk->nodes[0].changes) > 0) {
        return UNSURE;
    }
    int answer = accepted(walk, 0, object, 0), kept = 0, met = places->n_wrong == 0;
    if (answer != PLACED) {
        return answer == YES ? UNSURE : answer;
    }
    answer = YES;
    for (int i = 0; i < places->n_wrong && answer == YES; i++) {
        answer = mistyped_changed(walk, &places->wrong[i], old);
        met = met || place_changed(walk, &places->wrong[i], MISTYPED, object, old) == YES;
    }
    if (answer == YES) {
        answer = met ? may_change(&apart, 0, object, old, 0) : UNSURE; /* functions may not come across any of them */
    }
    for (int i = 0; i < places->n_others; i++) {
        Place place = places->others[i];
        int found = answer == YES ? place_changed(walk, &place, place.gone ? GONE : PLAIN, object, old) : YES;
        if (found == UNCHANGED) {
            Py_DECREF(place.value);
            Py_DECREF(place.way);
            continue;
        }
        answer = found == YES ? answer : found;
        places->others[kept++] = place;
    }
    places->n_others = kept;
    return answer == YES && kept + places->n_wrong > 0 ? PLACED : answer;
}

#endif
