/* Lists: walks the items, and checks whether they are unique. */

#ifndef VALIDATION_GEN_LISTS_H
#define VALIDATION_GEN_LISTS_H

/* Returns the value of a key of an item, borrowed; the zero value if absent. NULL for a value that is no plain scalar.
 */
static PyObject *
key_of(PyObject *item, PyObject *key)
{
    Py_ssize_t first = 0;
    PyObject *value = value_of(item, &first, PyTuple_GET_ITEM(key, 0));
    if (value == NULL || value == Py_None) {
        return PyErr_Occurred() ? NULL : PyTuple_GET_ITEM(key, 1);
    }
    return PyUnicode_CheckExact(value) || PyLong_CheckExact(value) || PyBool_Check(value) ? value : NULL;
}

/* Returns whether two scalars certainly differ; both have passed the checks of list items. */
static int
differ(PyObject *a, PyObject *b)
{
    if (a == b) {
        return 0;
    }
    if (a == Py_None || b == Py_None) { /* the value of an absent key that is a pointer */
        return 1;
    }
    if (PyUnicode_CheckExact(a) && PyUnicode_CheckExact(b)) {
        return !same_text(a, b);
    }
    if (PyLong_CheckExact(a) && PyLong_CheckExact(b)) {
        return PyObject_RichCompareBool(a, b, Py_EQ) == 0;
    }
    return PyUnicode_CheckExact(a) != PyUnicode_CheckExact(b) || (PyBool_Check(a) && PyBool_Check(b));
}

/* Whether two rows of keys differ. */
static int
rows_differ(PyObject *const *a, PyObject *const *b, Py_ssize_t width)
{
    for (Py_ssize_t k = 0; k < width; k++) {
        if (differ(a[k], b[k])) {
            return 1;
        }
    }
    return 0;
}

/* Whether null, as an item of a list or a value of a map, is certainly right. */
static int
null_accepted(const Walk *walk, const Node *node, int depth)
{
    if (!(node->flags & NULLS_PASS)) {
        return UNSURE;
    }
    return (node->flags & NIL_NULLS) || walk->nodes[node->item].op != STRUCT
        ? YES : accepted(walk, node->item, NULL, depth);
}

/* Whether an item of a list of single values, or null, is the zero value. */
static int
is_zero(PyObject *item)
{
    return item == Py_None || (PyUnicode_CheckExact(item) && PyUnicode_GET_LENGTH(item) == 0)
        || (PyLong_CheckExact(item) && PyObject_Not(item) == 1);
}

/* Returns whether all items of a list differ, by their keys. No Python runs here. */
static int
all_differ(const Node *node, PyObject *list)
{
    PyObject *keys = node->unique;
    Py_ssize_t count = PyList_GET_SIZE(list), width = PyTuple_GET_SIZE(keys), kept = 0, zeros = 0, nulls = 0;
    int whole = width == 0;
    width = whole ? 1 : width;
    if (count < 2) {
        return YES;
    }
    PyObject *small[FEW * 4];
    PyObject **rows = small;
    uint32_t *slots = NULL;
    int answer = UNSURE;
    if (count * width > FEW * 4 || count > FEW) {
        if (count > INT32_MAX / 16) {
            return UNSURE;
        }
        rows = PyMem_Malloc((size_t)(count * width) * sizeof(PyObject *));
        if (rows == NULL) {
            return UNSURE;
        }
    }
    for (Py_ssize_t i = 0; i < count; i++) {
        PyObject *item = PyList_GET_ITEM(list, i);
        zeros += is_zero(item);
        if (item == Py_None && (whole || node->flags & NIL_NULLS)) {
            nulls += !(node->flags & NIL_NULLS);
            continue;
        }
        for (Py_ssize_t k = 0; k < width; k++) {
            PyObject *value = item;
            if (!whole && item == Py_None) {
                value = PyTuple_GET_ITEM(PyTuple_GET_ITEM(keys, k), 1);
            }
            else if (!whole) {
                value = PyDict_CheckExact(item) ? key_of(item, PyTuple_GET_ITEM(keys, k)) : NULL;
            }
            else if (!PyUnicode_CheckExact(item) && !PyLong_CheckExact(item)) {
                value = NULL;
            }
            if (value == NULL) {
                PyErr_Clear();
                goto done;
            }
            rows[kept * width + k] = value;
        }
        kept++;
    }
    if (nulls > 0 && zeros > 1) {
        goto done;
    }
    count = kept;
    if (count <= FEW) {
        for (Py_ssize_t i = 1; i < count; i++) {
            for (Py_ssize_t j = 0; j < i; j++) {
                if (!rows_differ(rows + i * width, rows + j * width, width)) {
                    goto done;
                }
            }
        }
        answer = YES;
        goto done;
    }
    uint32_t mask = 15;
    while ((Py_ssize_t)mask < 2 * count) {
        mask = mask * 2 + 1;
    }
    slots = PyMem_Calloc((size_t)mask + 1, sizeof(uint32_t));
    if (slots == NULL) {
        goto done;
    }
    /* Attackers can choose numbers with equal hashes. A list with too many collisions is left to Python. */
    Py_ssize_t patience = 8 * count + 64;
    for (Py_ssize_t i = 0; i < count; i++) {
        uint64_t hash = 0;
        for (Py_ssize_t k = 0; k < width; k++) {
            hash = hash * 1000003u ^ (uint64_t)PyObject_Hash(rows[i * width + k]);
        }
        hash ^= hash >> 32;
        hash *= 0x9E3779B97F4A7C15u; /* numbers are their own hashes, and follow each other */
        uint32_t slot = (uint32_t)(hash >> 32) & mask;
        for (; slots[slot] != 0; slot = (slot + 1) & mask) {
            if (--patience < 0 || !rows_differ(rows + i * width, rows + (Py_ssize_t)(slots[slot] - 1) * width, width)) {
                goto done;
            }
        }
        slots[slot] = (uint32_t)i + 1;
    }
    answer = YES;
done:
    if (rows != small) {
        PyMem_Free(slots);
        PyMem_Free(rows);
    }
    return answer;
}

/* Whether there are as many items, or names, as there should be. */
static inline int
count_fits(const Node *node, Py_ssize_t count)
{
    return count >= node->min && count <= node->max && !(count == 0 && (node->flags & FILLED));
}

/* An element of a path, as it is written. */
static PyObject *
path_element(PyObject *name, Py_ssize_t index, int member)
{
    return name == NULL ? PyUnicode_FromFormat("[%zd]", index) : PyUnicode_FromFormat(member ? ".%U" : "[%U]", name);
}

/* Continues after the first doubtful part, and prepends an element to its path. */
static RARE int
passed(const Walk *walk, int *located, PyObject *name, Py_ssize_t index, int member)
{
    PyObject *element = *located ? NULL : path_element(name, index, member);
    int answer = *located ? UNSURE : element == NULL || PyList_Append(walk->doubt->path, element) < 0 ? FAILED : YES;
    *located = 1;
    Py_XDECREF(element);
    return answer;
}

static NOT_INLINED int
list_accepted(const Walk *walk, const Node *node, PyObject *list, int depth)
{
    Py_ssize_t count = PyList_GET_SIZE(list);
    if (count == 0 && (node->flags & LEAVES_UNSET)) {
        return YES;
    }
    if (!count_fits(node, count)) {
        return UNSURE;
    }
    int answer = YES, located = 0;
    for (Py_ssize_t i = 0; i < PyList_GET_SIZE(list) && answer == YES; i++) {
        PyObject *item = PyList_GET_ITEM(list, i);
        answer = item == Py_None && node->flags & NULLS ? null_accepted(walk, node, depth)
                                                        : accepted(walk, node->item, item, depth);
        if (answer == LOCATED) {
            answer = node->flags & ARRAY ? UNSURE : passed(walk, &located, NULL, i, 0);
        }
    }
    if (answer == YES && node->unique != NULL) {
        answer = all_differ(node, list);
    }
    if (answer == YES && has_choices(node)) {
        answer = choices_accepted(walk, node, list, 0, depth);
    }
    if (answer == YES) {
        answer = calls_pass(node->calls, list);
    }
    return answer == YES && located ? LOCATED : answer;
}

#endif
