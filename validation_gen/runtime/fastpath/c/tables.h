/* Reads a table from Python's form, and refuses a malformed one. */

#ifndef VALIDATION_GEN_TABLES_H
#define VALIDATION_GEN_TABLES_H

static void
node_freed(Node *node)
{
    PyMem_Free(node->patterns);
    PyMem_Free(node->members);
    PyMem_Free(node->places);
    PyMem_Free(node->unions);
}

static void *
zeros(Py_ssize_t count, size_t size)
{
    void *found = PyMem_Calloc(count > 0 ? (size_t)count : 1, size);
    if (found == NULL) {
        PyErr_NoMemory();
    }
    return found;
}

/* Reads a function with its operands, and optionally another function for updates on which the first fails. */
static int
is_call(PyObject *call)
{
    PyObject *function, *operands, *again;
    if (PyTuple_Check(call) && PyArg_ParseTuple(call, "OO!|O", &function, &PyTuple_Type, &operands, &again)) {
        return 1;
    }
    PyErr_SetString(PyExc_TypeError, "a call is a function and its operands");
    return 0;
}

/* Patterns: the table or None, the longest text that it is for, known texts or None, a function or None, operands. */
static int
read_patterns(Node *node, PyObject *patterns)
{
    node->n_patterns = PyTuple_GET_SIZE(patterns);
    node->patterns = zeros(node->n_patterns, sizeof(Pattern));
    if (node->patterns == NULL) {
        return -1;
    }
    for (Py_ssize_t i = 0; i < node->n_patterns; i++) {
        Pattern *pattern = &node->patterns[i];
        PyObject *table, *known;
        if (!PyArg_ParseTuple(PyTuple_GET_ITEM(patterns, i), "OnOOO!", &table, &pattern->longest, &known, &pattern->function,
                              &PyTuple_Type, &pattern->operands)) {
            return -1;
        }
        pattern->known = PyAnySet_Check(known) ? known : NULL;
        if (PyBytes_Check(table)) {
            pattern->table = (const uint8_t *)PyBytes_AS_STRING(table);
            pattern->states = PyBytes_GET_SIZE(table) / 129;
        }
    }
    return 0;
}

/* Members: the name, the position of the node, flags, the zero value. */
static int
read_members(Node *node, PyObject *members, Py_ssize_t n_nodes)
{
    node->n_members = PyTuple_GET_SIZE(members);
    uint32_t size = 8;
    while ((Py_ssize_t)size < 2 * node->n_members) {
        size *= 2;
    }
    node->slots = size - 1;
    node->members = zeros(node->n_members, sizeof(Member));
    node->places = zeros(size, sizeof(uint16_t));
    if (node->members == NULL || node->places == NULL) {
        return -1;
    }
    if (node->n_members > WORDS * 64) {
        node->op = NEVER;
        node->n_members = 0;
        return 0;
    }
    for (Py_ssize_t i = 0; i < node->n_members; i++) {
        Member *member = &node->members[i];
        if (!PyArg_ParseTuple(PyTuple_GET_ITEM(members, i), "UIiO", &member->name, &member->node, &member->flags,
                              &member->zero)) {
            return -1;
        }
        member->hash = PyObject_Hash(member->name);
        if ((Py_ssize_t)member->node >= n_nodes) {
            PyErr_SetString(PyExc_ValueError, "no such node");
            return -1;
        }
        if (member->flags & (WANTED | EMPTY)) {
            node->required[i / 64] |= (uint64_t)1 << (i % 64);
        }
        uint32_t slot = (uint32_t)member->hash & node->slots;
        while (node->places[slot] != 0) {
            slot = (slot + 1) & node->slots;
        }
        node->places[slot] = (uint16_t)(i + 1);
    }
    return 0;
}

/* Unions: the kind, pairs of positions and selecting values, the name of the discriminator. */
static int
read_unions(Node *node, PyObject *unions)
{
    node->n_unions = PyTuple_GET_SIZE(unions);
    node->unions = zeros(node->n_unions, sizeof(Union));
    if (node->unions == NULL) {
        return -1;
    }
    for (Py_ssize_t i = 0; i < node->n_unions; i++) {
        Union *rule = &node->unions[i];
        if (!PyArg_ParseTuple(PyTuple_GET_ITEM(unions, i), "iO!U", &rule->kind, &PyTuple_Type, &rule->members,
                              &rule->discriminator)) {
            return -1;
        }
        rule->count = PyTuple_GET_SIZE(rule->members);
        for (Py_ssize_t k = 0; k < rule->count; k++) {
            Py_ssize_t position;
            PyObject *value;
            if (!PyArg_ParseTuple(PyTuple_GET_ITEM(rule->members, k), "nU", &position, &value)) {
                return -1;
            }
            if (position < 0 || position >= node->n_members) {
                PyErr_SetString(PyExc_ValueError, "no such member");
                return -1;
            }
        }
    }
    return 0;
}

/* Names of members with their zero values, or None. */
static int
are_keys(PyObject *keys)
{
    PyObject *name, *zero;
    for (Py_ssize_t i = 0; PyTuple_Check(keys) && i < PyTuple_GET_SIZE(keys); i++) {
        if (!PyTuple_Check(PyTuple_GET_ITEM(keys, i)) || !PyArg_ParseTuple(PyTuple_GET_ITEM(keys, i), "UO", &name, &zero)) {
            return 0;
        }
    }
    return PyTuple_Check(keys) || keys == Py_None;
}

static int
is_place(Py_ssize_t position, Py_ssize_t count)
{
    if (position < 0 || position >= count) {
        PyErr_SetString(PyExc_ValueError, "no such node or member");
        return 0;
    }
    return 1;
}

/* Reads a node, and whether a member may be absent. */
static int
is_mode(PyObject *rule, Py_ssize_t n_nodes)
{
    Py_ssize_t index;
    PyObject *without;
    return PyTuple_Check(rule) && PyArg_ParseTuple(rule, "nO!", &index, &PyBool_Type, &without) && is_place(index, n_nodes);
}

static int
check_choices(const Node *node, Py_ssize_t n_nodes)
{
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(node->choices); i++) {
        PyObject *rule = PyTuple_GET_ITEM(node->choices, i), *first, *zero, *wanted, *modes, *mode, *name;
        Py_ssize_t index, at = 0;
        if (node->op == STRUCT) {
            if (!PyArg_ParseTuple(rule, "n(UO)O!O", &index, &name, &zero, &PyDict_Type, &modes, &first)
                || !is_place(index, node->n_members) || !is_mode(first, n_nodes)) {
                return -1;
            }
            while (PyDict_Next(modes, &at, &name, &mode)) {
                if (!is_mode(mode, n_nodes)) {
                    return -1;
                }
            }
            continue;
        }
        if (!PyArg_ParseTuple(rule, "O!O!n", &PyTuple_Type, &first, &PyBool_Type, &zero, &index) || !is_place(index, n_nodes)) {
            return -1;
        }
        for (Py_ssize_t k = 0; k < PyTuple_GET_SIZE(first); k++) {
            if (!PyArg_ParseTuple(PyTuple_GET_ITEM(first, k), "UOO", &name, &zero, &wanted)) {
                return -1;
            }
        }
    }
    return 0;
}

static int
read_node(Node *node, PyObject *spec, Py_ssize_t n_nodes)
{
    PyObject *values, *patterns, *calls, *unique, *members, *unions;
    if (!PyTuple_Check(spec)) {
        PyErr_SetString(PyExc_TypeError, "a node is a tuple");
        return -1;
    }
    if (!PyArg_ParseTuple(spec, "iinnnLLLLOO!O!IIOO!O!O!OO!O!OI", &node->op, &node->flags, &node->min, &node->max, &node->bytes,
                          &node->low, &node->high, &node->least, &node->most, &values, &PyTuple_Type, &patterns, &PyTuple_Type,
                          &calls, &node->item, &node->key, &unique, &PyTuple_Type, &members, &PyTuple_Type, &unions,
                          &PyTuple_Type, &node->changes, &node->finder, &PyTuple_Type, &node->guards, &PyTuple_Type,
                          &node->choices, &node->part, &node->beside)) {
        return -1;
    }
    node->values = PyAnySet_Check(values) ? values : NULL;
    node->unique = PyTuple_Check(unique) ? unique : NULL;
    node->calls = calls;
    if ((Py_ssize_t)node->item >= n_nodes || (Py_ssize_t)node->key >= n_nodes || (Py_ssize_t)node->beside >= n_nodes) {
        PyErr_SetString(PyExc_ValueError, "no such node");
        return -1;
    }
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(calls) + PyTuple_GET_SIZE(node->changes); i++) {
        Py_ssize_t more = i - PyTuple_GET_SIZE(calls);
        PyObject *call = more < 0 ? PyTuple_GET_ITEM(calls, i) : PyTuple_GET_ITEM(node->changes, more);
        if (!(more >= 0 && (call == Py_None || call == Py_True)) && !is_call(call)) {
            return -1;
        }
    }
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(node->guards); i++) {
        PyObject *function;
        Py_ssize_t position;
        if (!PyArg_ParseTuple(PyTuple_GET_ITEM(node->guards, i), "On", &function, &position) || !is_place(position, n_nodes)) {
            return -1;
        }
    }
    if (PyTuple_Check(node->finder) && !(PyTuple_GET_SIZE(node->finder) == 2 && are_keys(PyTuple_GET_ITEM(node->finder, 0)))) {
        PyErr_SetString(PyExc_TypeError, "what finds items is keys and a function");
        return -1;
    }
    if (node->unique != NULL && !are_keys(unique)) {
        return -1;
    }
    if (read_patterns(node, patterns) < 0 || read_members(node, members, n_nodes) < 0 || check_choices(node, n_nodes) < 0) {
        return -1;
    }
    node->free = (node->flags & (LEAVES_UNSET | FILLED)) == 0 && node->min <= 0 && node->max == PY_SSIZE_T_MAX
        && node->bytes == PY_SSIZE_T_MAX && node->values == NULL && node->n_patterns == 0 && PyTuple_GET_SIZE(calls) == 0;
    node->guarded = PyTuple_GET_SIZE(node->guards) > 0;
    node->single = node->op != LIST && node->op != MAP && node->op != STRUCT && !node->guarded;
    node->loose = node->n_members <= 64 && PyTuple_GET_SIZE(unions) == 0 && PyTuple_GET_SIZE(calls) == 0 && !has_choices(node);
    return read_unions(node, unions);
}

#endif
