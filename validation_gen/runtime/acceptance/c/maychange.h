/* What rules of changes have to say of objects that have places. */

#ifndef VALIDATION_GEN_MAYCHANGE_H
#define VALIDATION_GEN_MAYCHANGE_H

static int may_change(const Walk *walk, uint32_t index, PyObject *value, PyObject *old, int depth);

/* Whether a function that finds old items, and what it found for an item, have nothing against the item. */
static int
item_may_change(const Walk *walk, const Node *node, PyObject *find, PyObject *item, int depth)
{
    Py_INCREF(item);
    PyObject *old = PyObject_CallOneArg(find, item);
    int answer = UNSURE;
    if (old == NULL) {
        answer = doubt();
    }
    else if (old == Py_None || item == Py_None) { /* rules of changes may speak of new items, too */
        answer = UNSURE;
    }
    else if (old == Py_True || same(item, old, depth)) { /* items without keys are found only if they are equal */
        answer = YES;
    }
    else {
        answer = may_change(walk, node->item, item, old, depth);
    }
    Py_XDECREF(old);
    Py_DECREF(item);
    return answer;
}

static int
list_may_change(const Walk *walk, const Node *node, PyObject *list, PyObject *old, int depth)
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
        answer = item_may_change(walk, node, find, PyList_GET_ITEM(list, i), depth);
    }
    Py_DECREF(find);
    return answer;
}

static int
map_may_change(const Walk *walk, const Node *node, PyObject *map, PyObject *old, int depth)
{
    Py_ssize_t at = 0;
    PyObject *key, *value;
    int answer = YES;
    while (answer == YES && PyDict_Next(map, &at, &key, &value)) {
        Py_INCREF(key);
        Py_INCREF(value);
        PyObject *was = PyUnicode_CheckExact(key) ? Py_XNewRef(PyDict_GetItemWithError(old, key)) : NULL;
        PyErr_Clear();
        if (was == NULL || was == Py_None) {
            answer = UNSURE;
        }
        else if (!same(value, was, depth)) {
            answer = may_change(walk, node->item, value, was, depth);
        }
        Py_XDECREF(was);
        Py_DECREF(value);
        Py_DECREF(key);
    }
    return answer;
}

/* A member that is there only before or only afterwards. A struct that is no pointer is then an empty one. */
static int
member_may_change(const Walk *walk, const Member *member, PyObject *value, PyObject *old, int depth)
{
    const Node *node = &walk->nodes[member->node];
    if (node->op == STRUCT && !(member->flags & POINTER)) {
        PyObject *nothing = PyDict_New();
        if (nothing == NULL) {
            return FAILED;
        }
        int answer = may_change(walk, member->node, value == NULL ? nothing : value, old == NULL ? nothing : old, depth);
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
    return changes_asked(node, value == NULL ? member->zero : value, old == NULL ? member->zero : old);
}

static int
struct_may_change(const Walk *walk, const Node *node, PyObject *object, PyObject *old, int depth)
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
                answer = member_may_change(walk, member, value, was, depth);
            }
        }
        else if (!same(value, was, depth)) {
            answer = may_change(walk, member->node, value, was, depth);
        }
        Py_XDECREF(value);
        Py_XDECREF(was);
    }
    return answer;
}

/* Whether rules of changes have nothing against a value that is not the same as the old one. It has been accepted, or has
 * places. */
static int
may_change(const Walk *walk, uint32_t index, PyObject *value, PyObject *old, int depth)
{
    const Node *node = &walk->nodes[index];
    int answer = YES;
    if (!(node->flags & CHANGES)) {
        return YES;
    }
    int mistyped = node->op == LIST ? !PyList_CheckExact(value)
        : node->op == MAP || node->op == STRUCT ? !PyDict_CheckExact(value) : 0; /* it may be among the places */
    if (depth >= DEEPEST || mistyped || Py_TYPE(value) != Py_TYPE(old)) {
        return UNSURE;
    }
    Py_INCREF(value);
    Py_INCREF(old);
    if (PyTuple_GET_SIZE(node->changes) > 0) { /* functions are asked about values that decode */
        answer = PyTuple_GET_ITEM(node->changes, 0) == Py_None ? UNSURE : accepted(walk, index, old, depth);
        answer = answer == YES ? changes_asked(node, value, old) : answer;
    }
    if (answer == YES && node->op == STRUCT) {
        answer = struct_may_change(walk, node, value, old, depth + 1);
    }
    else if (answer == YES && node->op == LIST && (walk->nodes[node->item].flags & CHANGES)) {
        answer = list_may_change(walk, node, value, old, depth + 1);
    }
    else if (answer == YES && node->op == MAP && (walk->nodes[node->item].flags & CHANGES)) {
        answer = map_may_change(walk, node, value, old, depth + 1);
    }
    Py_DECREF(value);
    Py_DECREF(old);
    return answer;
}

#endif
