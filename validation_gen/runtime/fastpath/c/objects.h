/* Objects: walks the members of structs and the values of maps, and counts the members of unions. */

#ifndef VALIDATION_GEN_OBJECTS_H
#define VALIDATION_GEN_OBJECTS_H

/* Returns whether a value is data in the form in which it is stored: no floats, which have several forms, and integers
 * that fit. */
static int
is_data(PyObject *value, int depth)
{
    if (PyUnicode_CheckExact(value)) {
        return !is_broken(value);
    }
    if (value == Py_None || PyBool_Check(value)) {
        return 1;
    }
    if (PyLong_CheckExact(value)) {
        int overflow;
        PyLong_AsLongLongAndOverflow(value, &overflow);
        return !overflow;
    }
    if (depth >= DEEPEST) {
        return 0;
    }
    if (PyList_CheckExact(value)) {
        for (Py_ssize_t i = 0; i < PyList_GET_SIZE(value); i++) {
            if (!is_data(PyList_GET_ITEM(value, i), depth + 1)) {
                return 0;
            }
        }
        return 1;
    }
    if (PyDict_CheckExact(value)) {
        Py_ssize_t at = 0;
        PyObject *key, *item;
        while (PyDict_Next(value, &at, &key, &item)) {
            if (!PyUnicode_CheckExact(key) || is_broken(key) || !is_data(item, depth + 1)) {
                return 0;
            }
        }
        return 1;
    }
    return 0;
}

static NOT_INLINED int
map_accepted(const Walk *walk, const Node *node, PyObject *map, int depth)
{
    Py_ssize_t count = PyDict_GET_SIZE(map);
    if (count == 0 && (node->flags & LEAVES_UNSET)) {
        return YES;
    }
    if (!count_fits(node, count)) {
        return UNSURE;
    }
    int answer = YES, located = 0;
    Py_ssize_t at = 0;
    PyObject *key, *value;
    while (answer == YES && PyDict_Next(map, &at, &key, &value)) {
        Py_INCREF(key);
        Py_INCREF(value);
        answer = accepted(walk, node->key, key, depth);
        if (answer == YES) {
            answer = value == Py_None && node->flags & NULLS ? null_accepted(walk, node, depth)
                                                             : accepted(walk, node->item, value, depth);
            if (answer == LOCATED) {
                answer = walk->nodes[node->key].flags & DEMANDED ? UNSURE : passed(walk, &located, key, 0, 0);
            }
        }
        Py_DECREF(value);
        Py_DECREF(key);
    }
    if (answer == YES) {
        answer = calls_pass(node->calls, map);
    }
    return answer == YES && located ? LOCATED : answer;
}

/* Returns whether a value is set: true in Python. -1 for values that no JSON decoder makes. */
static int
is_set(PyObject *value)
{
    if (PyUnicode_CheckExact(value)) {
        return PyUnicode_GET_LENGTH(value) != 0;
    }
    if (PyDict_CheckExact(value)) {
        return PyDict_GET_SIZE(value) != 0;
    }
    if (PyList_CheckExact(value)) {
        return PyList_GET_SIZE(value) != 0;
    }
    if (PyBool_Check(value)) {
        return value == Py_True;
    }
    return PyLong_CheckExact(value) || PyFloat_CheckExact(value) ? PyObject_IsTrue(value) : -1;
}

/* Returns whether an allowed number of union members is set. */
static int
union_accepted(const Union *rule, const uint64_t *set, PyObject *object)
{
    Py_ssize_t count = 0, last = -1;
    PyObject *selected = NULL;
    if (rule->kind == SELECTED) {
        selected = PyDict_GetItemWithError(object, rule->discriminator);
        if (selected == NULL && PyErr_Occurred()) {
            PyErr_Clear();
            return UNSURE;
        }
        if (selected == Py_None) {
            selected = NULL;
        }
        if (selected != NULL && !PyUnicode_CheckExact(selected)) {
            return UNSURE;
        }
    }
    for (Py_ssize_t i = 0; i < rule->count; i++) {
        PyObject *member = PyTuple_GET_ITEM(rule->members, i);
        Py_ssize_t position = PyLong_AsSsize_t(PyTuple_GET_ITEM(member, 0));
        int there = (set[position / 64] >> (position % 64)) & 1;
        if (rule->kind == SELECTED) {
            PyObject *value = PyTuple_GET_ITEM(member, 1);
            int wanted = selected == NULL ? PyUnicode_GET_LENGTH(value) == 0 : same_text(selected, value);
            if (wanted != there) {
                return UNSURE;
            }
        }
        count += there;
        last = there ? i : last;
    }
    switch (rule->kind) {
    case EXACTLY_ONE:
        return count == 1;
    case AT_MOST_ONE:
        return count <= 1;
    case BOTH_OR_NO_FIRST: /* the second may be there alone */
        return count != 1 || last == 1;
    case NOT_BOTH:
        return count < 2;
    default:
        return YES;
    }
}

/* The position of a name among the members of a struct, by its hash; -1 for unknown names. */
static Py_ssize_t
find_member(const Node *node, PyObject *name)
{
    Py_hash_t hash = PyObject_Hash(name);
    uint32_t slot = (uint32_t)hash & node->slots;
    uint16_t place;
    while ((place = node->places[slot]) != 0) {
        const Member *member = &node->members[place - 1];
        if (member->hash == hash && same_text(member->name, name)) {
            return place - 1;
        }
        slot = (slot + 1) & node->slots;
    }
    return -1;
}

/* Does the same, but tries the member after `before` first: most objects have their names in the order of the
 * declaration. */
static inline Py_ssize_t
position_of(const Node *node, PyObject *name, Py_ssize_t before)
{
    return before + 1 < node->n_members && same_text(node->members[before + 1].name, name) ? before + 1 : find_member(node, name);
}

/* Whether absent members, unions and the struct as a whole pass their checks. */
static int
whole_accepted(
    const Walk *walk, const Node *node, PyObject *object, const uint64_t *seen, const uint64_t *set, int depth)
{
    for (Py_ssize_t word = 0; word * 64 < node->n_members; word++) {
        uint64_t missing = node->required[word] & ~seen[word];
        for (int bit = 0; missing != 0; bit++, missing >>= 1) {
            if (missing & 1) {
                const Member *member = &node->members[word * 64 + bit];
                if (member->flags & WANTED) {
                    return UNSURE;
                }
                int empty = walk->nodes[member->node].op == STRUCT; /* of others, the zero value is checked */
                int answer = accepted(walk, member->node, empty ? NULL : member->zero, depth);
                if (answer != YES) {
                    return answer;
                }
            }
        }
    }
    for (Py_ssize_t i = 0; i < node->n_unions; i++) {
        if (!union_accepted(&node->unions[i], set, object)) {
            return UNSURE;
        }
    }
    int answer = has_choices(node) ? choices_accepted(walk, node, object, 0, depth) : YES;
    return answer == YES ? calls_pass(node->calls, object) : answer;
}

/* Checks an object with known names. NULL means an empty object. */
static NOT_INLINED int
struct_accepted(const Walk *walk, const Node *node, PyObject *object, int depth)
{
    uint64_t seen[WORDS], set[WORDS];
    seen[0] = set[0] = 0;
    for (Py_ssize_t word = 1; word * 64 < node->n_members; word++) {
        seen[word] = set[word] = 0;
    }
    int answer = YES, located = 0;
    if (object == NULL) {
        PyObject *nothing = PyDict_New();
        if (nothing == NULL) {
            return FAILED;
        }
        answer = whole_accepted(walk, node, nothing, seen, set, depth);
        Py_DECREF(nothing);
        return answer;
    }
    Py_ssize_t at = 0, position = -1;
    PyObject *key, *value;
    while (answer == YES && PyDict_Next(object, &at, &key, &value)) {
        if (!PyUnicode_CheckExact(key)) {
            answer = UNSURE;
            break;
        }
        position = position_of(node, key, position);
        if (position < 0) {
            if ((node->flags & CLOSED)
                || ((node->flags & OPEN) && (is_broken(key) || !is_data(value, depth)))) {
                answer = UNSURE;
                break;
            }
            continue;
        }
        const Member *member = &node->members[position];
        if (value == Py_None) {
            if (member->flags & NOT_NULL) {
                answer = UNSURE;
                break;
            }
            continue;
        }
        seen[position / 64] |= (uint64_t)1 << (position % 64);
        if (member->flags & COUNTED) {
            int there = member->flags & POINTER ? 1 : is_set(value);
            if (there < 0) {
                answer = UNSURE;
                break;
            }
            set[position / 64] |= (uint64_t)there << (position % 64);
        }
        answer = accepted(walk, member->node, value, depth);
        if (answer == LOCATED) {
            answer = passed(walk, &located, member->name, 0, 1);
        }
    }
    if (answer == YES && !(node->loose && (node->required[0] & ~seen[0]) == 0)) {
        answer = whole_accepted(walk, node, object, seen, set, depth);
    }
    return answer == YES && located ? LOCATED : answer;
}

/* Returns whether structs certainly know all names in a value, except those that every object may have. No Python runs
 * here. */
static int
is_known_below(const Walk *walk, uint32_t index, PyObject *value, PyObject *of_all, int depth)
{
    const Node *node = &walk->nodes[index];
    int is_list = PyList_CheckExact(value), known = 1;
    if (!is_list && !PyDict_CheckExact(value)) {
        return !(PyList_Check(value) || PyDict_Check(value));
    }
    if (node->op == NEVER || depth >= DEEPEST) {
        return 0;
    }
    for (Py_ssize_t i = 0; is_list && node->op == LIST && known && i < PyList_GET_SIZE(value); i++) {
        known = is_known_below(walk, node->item, PyList_GET_ITEM(value, i), NULL, depth + 1);
    }
    Py_ssize_t at = 0, position = -1;
    PyObject *key, *part;
    while (!is_list && (node->op == STRUCT || node->op == MAP) && known && PyDict_Next(value, &at, &key, &part)) {
        known = PyUnicode_CheckExact(key);
        if (!known || (of_all != NULL && PySet_Contains(of_all, key) == 1)) {
            continue;
        }
        position = node->op == STRUCT ? position_of(node, key, position) : 0;
        known = position >= 0
            && is_known_below(walk, node->op == STRUCT ? node->members[position].node : node->item, part, NULL, depth + 1);
    }
    return known;
}

#endif
