/* The walk of any value: chooses the function for its node, evaluates guards, and records the doubtful part. */

#ifndef VALIDATION_GEN_VALUES_H
#define VALIDATION_GEN_VALUES_H

/* Returns the answer of a guard for a value, or for an update. */
static PyObject *
guard_gives(const Node *node, Py_ssize_t i, PyObject *value, PyObject *old)
{
    PyObject *arguments[2] = {value, old};
    return PyObject_Vectorcall(PyTuple_GET_ITEM(PyTuple_GET_ITEM(node->guards, i), 0), arguments, old == NULL ? 1 : 2, NULL);
}

/* Returns whether a guard skips the checks of a value or an update, and all checks before it pass. */
static RARE int
guarded(const Walk *walk, uint32_t index, PyObject *value, PyObject *old, int depth)
{
    const Node *node = &walk->nodes[index];
    int answer = UNSURE;
    PyObject *held = value == NULL ? PyDict_New() : Py_NewRef(value);
    for (Py_ssize_t i = 0; held != NULL && i < PyTuple_GET_SIZE(node->guards) && answer == UNSURE; i++) {
        uint32_t before = (uint32_t)PyLong_AsLong(PyTuple_GET_ITEM(PyTuple_GET_ITEM(node->guards, i), 1));
        answer = old == NULL ? accepted(walk, before, value, depth) : updated(walk, before, value, old, depth);
        if (answer > UNSURE) {
            answer = old == NULL || unchanged(walk, index, old, old, depth); /* functions get an old value of its type */
            PyObject *found = answer ? guard_gives(node, i, held, old) : NULL;
            answer = !answer ? UNSURE : found == NULL ? doubt() : found == Py_None;
            Py_XDECREF(found);
        }
    }
    Py_XDECREF(held);
    return held == NULL ? FAILED : answer;
}

/* Returns whether certainly no guard skips the checks. */
static RARE int
passable(const Node *node, PyObject *value, PyObject *old)
{
    int answer = YES;
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(node->guards) && answer == YES; i++) {
        PyObject *found = guard_gives(node, i, value, old);
        answer = found == NULL ? doubt() : found == Py_False;
        Py_XDECREF(found);
    }
    return answer;
}

/* Records a struct as the doubtful part, if only its own table causes the doubt, which its functions can check. Callers
 * prepend the path to it. */
static RARE int
doubted(const Walk *walk, const Node *node, PyObject *value, PyObject *old, int depth)
{
    Doubt *doubt = walk->doubt;
    if (doubt->too_deep || node->part == Py_None || value == NULL || !PyDict_CheckExact(value)) {
        return UNSURE;
    }
    int answer = passable(node, value, old);
    if (answer == YES && node->beside != 0) {
        const Walk plain = without_doubt(walk);
        answer = old == NULL ? accepted(&plain, node->beside, value, depth)
                         : updated(&plain, node->beside, value, old, depth);
    }
    if (answer == UNSURE || answer == FAILED) {
        return answer;
    }
    Py_XSETREF(doubt->path, PyList_New(0));
    Py_XSETREF(doubt->value, Py_NewRef(value));
    Py_XSETREF(doubt->old, Py_XNewRef(old));
    doubt->part = node->part;
    return doubt->path == NULL ? FAILED : LOCATED;
}

/* Returns whether a value without parts is certainly valid, without its guards. */
static inline int
single_accepted(const Node *node, PyObject *value, int depth)
{
    switch (node->op) {
    case ANY:
        return YES;
    case TEXT:
        if (!PyUnicode_CheckExact(value)) {
            return UNSURE;
        }
        return node->free && PyUnicode_IS_ASCII(value) ? YES : text_accepted(node, value);
    case INTEGER:
        return PyLong_CheckExact(value) ? integer_accepted(node, value) : UNSURE;
    case BOOLEAN:
        return PyBool_Check(value) ? boolean_accepted(node, value) : UNSURE;
    case NUMBER:
        return PyFloat_CheckExact(value) || PyLong_CheckExact(value) ? calls_pass(node->calls, value) : UNSURE;
    case INT_OR_TEXT:
        if (PyUnicode_CheckExact(value)) {
            return is_broken(value) ? UNSURE : calls_pass(node->calls, value);
        }
        return PyLong_CheckExact(value) ? integer_accepted(node, value) : UNSURE;
    case WIRE:
        if (PyUnicode_CheckExact(value)) {
            return text_accepted(node, value);
        }
        return PyLong_CheckExact(value) ? number_decodes(node, value) : UNSURE;
    case DATA:
        return value != Py_None && is_data(value, depth) ? calls_pass(node->calls, value) : UNSURE;
    default:
        return UNSURE;
    }
}

/* Returns whether a value is certainly valid, without its guards. NULL means an absent struct. */
static inline int
unguarded_accepted(const Walk *walk, const Node *node, PyObject *value, int depth)
{
    switch (node->op) {
    case LIST:
        return PyList_CheckExact(value) && depth < DEEPEST ? list_accepted(walk, node, value, depth + 1) : UNSURE;
    case MAP:
        return PyDict_CheckExact(value) && depth < DEEPEST ? map_accepted(walk, node, value, depth + 1) : UNSURE;
    case STRUCT:
        return (value == NULL || PyDict_CheckExact(value)) && depth < DEEPEST
            ? struct_accepted(walk, node, value, depth + 1) : UNSURE;
    default:
        return single_accepted(node, value, depth);
    }
}

/* Does the same for a value with guards or parts, of which a struct may be doubtful. */
static NOT_INLINED int
parts_accepted(const Walk *walk, const Node *node, PyObject *value, int depth)
{
    int answer = YES;
    const Walk *outer = walk;
    Walk inner;
    Py_XINCREF(value); /* called functions may release it */
    if (node->guarded) { /* functions may skip it, so a doubt inside does not count */
        inner = without_doubt(walk);
        inner.guarded++;
        answer = unguarded_accepted(&inner, node, value, depth);
        if (answer == UNSURE && outer->guarded < GUARDS_NESTED) {
            answer = guarded(&inner, (uint32_t)(node - walk->nodes), value, NULL, depth);
            inner.doubt = answer == UNSURE && value != NULL ? outer->doubt : NULL;
            answer = inner.doubt != NULL ? passable(node, value, NULL) : answer;
        }
        walk = &inner;
    }
    if (answer == YES && (walk == outer || inner.doubt != NULL)) {
        answer = unguarded_accepted(walk, node, value, depth);
        if (walk->doubt != NULL && depth >= DEEPEST) {
            walk->doubt->too_deep = 1;
        }
        answer = answer == UNSURE && walk->doubt != NULL ? doubted(walk, node, value, NULL, depth) : answer;
    }
    Py_XDECREF(value);
    return answer;
}

/* Returns whether a value is certainly valid. */
static int
accepted(const Walk *walk, uint32_t index, PyObject *value, int depth)
{
    const Node *node = &walk->nodes[index];
    return node->single ? single_accepted(node, value, depth) : parts_accepted(walk, node, value, depth);
}

#endif
