/* Rules of a part that other values select: the first item with some values, or a member in the mode of its struct. */

#ifndef VALIDATION_GEN_CHOICES_H
#define VALIDATION_GEN_CHOICES_H

/* The part of a value that a rule checks. */
typedef struct {
    PyObject *part;  /* borrowed; NULL where there is none */
    PyObject *mode;  /* borrowed; of a member */
    uint32_t index;  /* the node with its checks */
    int without;     /* whether it may be absent */
} Choice;

/* Finds the first item with the values of a rule. Returns 0 if unsure. */
static int
choose_item(PyObject *rule, PyObject *list, Choice *choice)
{
    PyObject *terms = PyTuple_GET_ITEM(rule, 0);
    int pointers = PyTuple_GET_ITEM(rule, 1) == Py_True;
    *choice = (Choice){.index = (uint32_t)PyLong_AsLong(PyTuple_GET_ITEM(rule, 2)), .without = 1};
    for (Py_ssize_t i = 0; i < PyList_GET_SIZE(list); i++) {
        PyObject *item = PyList_GET_ITEM(list, i);
        if (item == Py_None && pointers) {
            continue;
        }
        if (!PyDict_CheckExact(item)) {
            return 0;
        }
        int all = 1;
        for (Py_ssize_t k = 0; k < PyTuple_GET_SIZE(terms) && all; k++) {
            PyObject *term = PyTuple_GET_ITEM(terms, k), *value = key_of(item, term);
            if (value == NULL) {
                PyErr_Clear();
                return 0;
            }
            all = !differ(value, PyTuple_GET_ITEM(term, 2));
        }
        if (all) {
            choice->part = item;
            return 1;
        }
    }
    return 1;
}

/* Finds the checks of a member in the mode of its struct. Returns 0 if unsure. */
static int
choose_member(const Node *node, PyObject *rule, PyObject *object, Choice *choice)
{
    const Member *member = &node->members[PyLong_AsSsize_t(PyTuple_GET_ITEM(rule, 0))];
    PyObject *mode = key_of(object, PyTuple_GET_ITEM(rule, 1));
    PyObject *found = mode == NULL ? NULL : PyDict_GetItemWithError(PyTuple_GET_ITEM(rule, 2), mode);
    PyObject *part = PyErr_Occurred() ? NULL : PyDict_GetItemWithError(object, member->name);
    if (mode == NULL || PyErr_Occurred()) {
        PyErr_Clear();
        return 0;
    }
    found = found == NULL ? PyTuple_GET_ITEM(rule, 3) : found;
    *choice = (Choice){
        .part = part == Py_None ? NULL : part,
        .mode = mode,
        .index = (uint32_t)PyLong_AsLong(PyTuple_GET_ITEM(found, 0)),
        .without = PyTuple_GET_ITEM(found, 1) == Py_True,
    };
    return 1;
}

static int
choose(const Node *node, PyObject *rule, PyObject *value, Choice *choice)
{
    return node->op == STRUCT ? choose_member(node, rule, value, choice) : choose_item(rule, value, choice);
}

/* Whether a new value passes all rules; with `changes`, rules of changes. */
static RARE int
choices_accepted(const Walk *walk, const Node *node, PyObject *value, int changes, int depth)
{
    const Walk plain = without_doubt(walk);
    int answer = YES;
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(node->choices) && answer == YES; i++) {
        PyObject *rule = PyTuple_GET_ITEM(node->choices, i);
        Choice choice;
        if (!choose(node, rule, value, &choice)) {
            return UNSURE;
        }
        Py_XINCREF(choice.part);
        if (choice.part == NULL) {
            const Node *inner = &walk->nodes[choice.index];
            answer = choice.without && !(changes && node->op == STRUCT && PyTuple_GET_SIZE(inner->changes) > 0);
        }
        else {
            answer = changes ? fresh_changes_pass(&plain, choice.index, choice.part, depth)
                             : accepted(&plain, choice.index, choice.part, depth);
        }
        Py_XDECREF(choice.part);
    }
    return answer;
}

/* Returns whether a part is unchanged, in the same mode. */
static int
choice_unchanged(const Walk *walk, const Node *node, PyObject *rule, const Choice *now, const Choice *was, int depth)
{
    if (node->op != STRUCT) {
        return now->part == NULL || (was->part != NULL && unchanged(walk, node->item, now->part, was->part, depth));
    }
    const Member *member = &node->members[PyLong_AsSsize_t(PyTuple_GET_ITEM(rule, 0))];
    if (differ(now->mode, was->mode)) {
        return 0;
    }
    if (now->part == NULL || was->part == NULL) {
        PyObject *one = now->part == NULL ? was->part : now->part;
        return one == NULL || is_nothing(walk, member, one, depth);
    }
    return unchanged(walk, member->node, now->part, was->part, depth);
}

/* Whether a part that has changed passes a rule. Callers hold all of its values. */
static int
choice_updated(const Walk *walk, const Node *node, PyObject *rule, const Choice *now, const Choice *was, int depth)
{
    const Node *inner = &walk->nodes[now->index];
    if (node->op != STRUCT) {
        return was->part == NULL ? fresh_accepted(walk, now->index, now->part, depth)
                                 : updated(walk, now->index, now->part, was->part, depth);
    }
    const Member *member = &node->members[PyLong_AsSsize_t(PyTuple_GET_ITEM(rule, 0))];
    if (now->part != NULL && was->part != NULL && !differ(now->mode, was->mode)) {
        return updated(walk, now->index, now->part, was->part, depth);
    }
    PyObject *zero = member->zero, *before = was->part == NULL ? zero : was->part;
    int answer = now->part == NULL ? now->without : accepted(walk, now->index, now->part, depth);
    if (answer != YES || !(inner->flags & CHANGES)) {
        return answer;
    }
    if (member->flags & POINTER || PyTuple_GET_SIZE(inner->changes) == 0 || zero == Py_None) {
        return UNSURE;
    }
    return change_calls_pass(inner, now->part == NULL ? zero : now->part, before);
}

/* Returns whether a changed value passes all rules. */
static RARE int
choices_updated(const Walk *walk, uint32_t index, PyObject *value, PyObject *old, int depth)
{
    const Node *node = &walk->nodes[index];
    const Walk plain = without_doubt(walk);
    int answer = YES, typed = -1;
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(node->choices) && answer == YES; i++) {
        PyObject *rule = PyTuple_GET_ITEM(node->choices, i);
        Choice now, was;
        if (!choose(node, rule, value, &now)) {
            return UNSURE;
        }
        Py_XINCREF(now.part);
        Py_XINCREF(now.mode);
        if (now.part == NULL || walk->nodes[now.index].flags & CHANGES) {
            answer = now.part == NULL && now.without && !(walk->nodes[now.index].flags & CHANGES);
        }
        else {
            answer = accepted(&plain, now.index, now.part, depth);
        }
        typed = answer == UNSURE && typed < 0 ? is_typed(walk, index, old, depth) : typed;
        if (answer == UNSURE && typed && choose(node, rule, old, &was)) {
            Py_XINCREF(was.part);
            Py_XINCREF(was.mode);
            answer = choice_unchanged(walk, node, rule, &now, &was, depth)
                ? YES : choice_updated(&plain, node, rule, &now, &was, depth);
            answer = answer == SAME ? YES : answer;
            Py_XDECREF(was.mode);
            Py_XDECREF(was.part);
        }
        Py_XDECREF(now.mode);
        Py_XDECREF(now.part);
    }
    return answer;
}

#endif
