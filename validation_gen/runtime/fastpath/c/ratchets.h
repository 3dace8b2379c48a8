/* Updates: walks a new object beside the old one, and skips unchanged parts, even invalid ones. */

#ifndef VALIDATION_GEN_RATCHETS_H
#define VALIDATION_GEN_RATCHETS_H

/* Functions skip a member, a map value or a matched list item if it equals the old one. This code skips it if it is
 * certainly equal: the same JSON, of the right type. It checks all other parts like new ones. So it never skips more
 * than functions do. */

enum { SAME = 3 }; /* certainly unchanged */

/* Returns whether an old value certainly has its type, so that functions get it unchanged. */
static int
is_typed(const Walk *walk, uint32_t index, PyObject *old, int depth)
{
    return unchanged(walk, index, old, old, depth);
}

/* Returns whether a new value and an old one, both of their type, pass the rules about changes. NULL means no old
 * value; functions get null for it. */
static int
change_calls_pass(const Node *node, PyObject *value, PyObject *old)
{
    int answer = YES;
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(node->changes) && answer == YES; i++) {
        PyObject *call = PyTuple_GET_ITEM(node->changes, i);
        if (PyTuple_Check(call)) {
            answer = call_passes(PyTuple_GET_ITEM(call, 0), PyTuple_GET_ITEM(call, 1), value, old == NULL ? Py_None : old);
        }
        else {
            answer = call == Py_True && old == NULL;
        }
    }
    return answer;
}

static int changes_accepted(const Walk *walk, uint32_t index, PyObject *value, PyObject *old, int depth);
static int fresh_changes_pass(const Walk *walk, uint32_t index, PyObject *value, int depth);

/* Records a struct as the doubtful part, if the rules about its changes pass here. */
static RARE int
doubted_update(const Walk *walk, uint32_t index, PyObject *value, PyObject *old, int depth)
{
    const Node *node = &walk->nodes[index];
    if (walk->doubt == NULL || node->part == Py_None || (old == NULL && PyTuple_GET_SIZE(node->changes) > 0)) {
        return UNSURE;
    }
    int answer = old != NULL         ? changes_accepted(walk, index, value, old, depth)
        : node->beside != 0 ? fresh_changes_pass(walk, node->beside, value, depth)
                            : YES;
    return answer == YES ? doubted(walk, node, value, old, depth) : answer;
}

static int part_changes_pass(const Walk *walk, uint32_t index, PyObject *value, int depth);

/* Runs the rules about changes on a new value without an old one, and on its parts. */
static int
fresh_changes_pass(const Walk *walk, uint32_t index, PyObject *value, int depth)
{
    const Node *node = &walk->nodes[index];
    if (!(node->flags & CHANGES)) {
        return YES;
    }
    int answer = change_calls_pass(node, value, NULL);
    return answer == YES ? part_changes_pass(walk, index, value, depth) : answer;
}

/* Does the same for the parts of such a value. */
static int
part_changes_pass(const Walk *walk, uint32_t index, PyObject *value, int depth)
{
    const Node *node = &walk->nodes[index];
    if (depth >= DEEPEST) {
        return UNSURE;
    }
    int answer = YES;
    PyObject *key, *part;
    Py_ssize_t at = 0;
    if (node->op == STRUCT && PyDict_CheckExact(value)) {
        for (Py_ssize_t i = 0; i < node->n_members && answer == YES; i++) {
            const Member *member = &node->members[i];
            const Node *inner = &walk->nodes[member->node];
            if (!(inner->flags & CHANGES)) {
                continue;
            }
            part = PyDict_GetItemWithError(value, member->name);
            PyErr_Clear();
            if (part != NULL && part != Py_None) {
                Py_INCREF(part);
                answer = fresh_changes_pass(walk, member->node, part, depth + 1);
                Py_DECREF(part);
            }
            else if (inner->op == STRUCT && !(member->flags & POINTER)) {
                part = PyDict_New();
                answer = part == NULL ? FAILED : fresh_changes_pass(walk, member->node, part, depth + 1);
                Py_XDECREF(part);
            }
            else {
                answer = change_calls_pass(inner, member->zero, NULL);
            }
        }
    }
    else if (node->op == LIST && PyList_CheckExact(value)) {
        for (Py_ssize_t i = 0; i < PyList_GET_SIZE(value) && answer == YES; i++) {
            part = Py_NewRef(PyList_GET_ITEM(value, i));
            answer = part != Py_None ? fresh_changes_pass(walk, node->item, part, depth + 1) : (node->flags & NIL_NULLS) != 0;
            Py_DECREF(part);
        }
    }
    else if (node->op == MAP && PyDict_CheckExact(value)) {
        while (answer == YES && PyDict_Next(value, &at, &key, &part)) {
            Py_INCREF(part);
            answer = part != Py_None ? fresh_changes_pass(walk, node->item, part, depth + 1) : (node->flags & NIL_NULLS) != 0;
            Py_DECREF(part);
        }
    }
    return answer == YES && has_choices(node) ? choices_accepted(walk, node, value, 1, depth) : answer;
}

/* Checks a new value: all checks run. A part may only be recorded as doubtful if no rule about changes reads it. */
static int
fresh_accepted(const Walk *walk, uint32_t index, PyObject *value, int depth)
{
    const Node *node = &walk->nodes[index];
    if (!(node->flags & CHANGES)) {
        return accepted(walk, index, value, depth);
    }
    const Walk plain = without_doubt(walk);
    int answer = accepted(&plain, index, value, depth);
    answer = answer == YES ? fresh_changes_pass(walk, index, value, depth) : answer;
    return answer == UNSURE ? doubted_update(walk, index, value, NULL, depth) : answer;
}

/* Runs the rules about changes if the old value has its type. */
static int
changes_accepted(const Walk *walk, uint32_t index, PyObject *value, PyObject *old, int depth)
{
    const Node *node = &walk->nodes[index];
    if (PyTuple_GET_SIZE(node->changes) == 0) {
        return YES;
    }
    return is_typed(walk, index, old, depth) ? change_calls_pass(node, value, old) : UNSURE;
}

/* Runs the calls about a container. If one fails, its function for updates may accept an unchanged fault. */
static int
calls_pass_update(const Walk *walk, uint32_t index, PyObject *value, PyObject *old, int depth)
{
    const Node *node = &walk->nodes[index];
    int answer = YES, typed = -1;
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(node->calls) && answer == YES; i++) {
        PyObject *call = PyTuple_GET_ITEM(node->calls, i);
        answer = call_passes(PyTuple_GET_ITEM(call, 0), PyTuple_GET_ITEM(call, 1), value, NULL);
        if (answer == UNSURE && PyTuple_GET_SIZE(call) > 2) {
            typed = typed < 0 ? is_typed(walk, index, old, depth) : typed;
            answer = typed ? call_passes(PyTuple_GET_ITEM(call, 2), PyTuple_GET_ITEM(call, 1), value, old) : UNSURE;
        }
    }
    return answer;
}

/* Returns whether an old object had the same union members set, and the same one selected. */
static int
same_union(const Walk *walk, uint32_t index, const Union *rule, const uint64_t *set, PyObject *object, PyObject *old, int depth)
{
    const Node *node = &walk->nodes[index];
    if (!is_typed(walk, index, old, depth)) {
        return 0;
    }
    for (Py_ssize_t i = 0; i < rule->count; i++) {
        Py_ssize_t position = PyLong_AsSsize_t(PyTuple_GET_ITEM(PyTuple_GET_ITEM(rule->members, i), 0));
        const Member *member = &node->members[position];
        PyObject *was = PyDict_GetItemWithError(old, member->name);
        PyErr_Clear();
        int there = was != NULL && was != Py_None && (member->flags & POINTER || is_set(was) > 0);
        if (there != (int)((set[position / 64] >> (position % 64)) & 1)) {
            return 0;
        }
    }
    if (rule->kind == SELECTED) {
        PyObject *now = PyDict_GetItemWithError(object, rule->discriminator);
        PyObject *was = PyDict_GetItemWithError(old, rule->discriminator);
        if (now == NULL || was == NULL || !PyUnicode_CheckExact(now) || !PyUnicode_CheckExact(was)) {
            PyErr_Clear();
            return (now == NULL || now == Py_None) && (was == NULL || was == Py_None);
        }
        return same_text(now, was);
    }
    return 1;
}

/* Updates a struct that is no pointer and is absent in one object, where it counts as empty. */
static int
empty_updated(const Walk *walk, uint32_t index, PyObject *value, PyObject *old, int depth)
{
    PyObject *nothing = PyDict_New();
    if (nothing == NULL) {
        return FAILED;
    }
    const Walk plain = without_doubt(walk); /* functions must not get an absent value */
    int answer = updated(value == NULL ? &plain : walk, index, value == NULL ? nothing : value, old == NULL ? nothing : old, depth);
    Py_DECREF(nothing);
    return answer;
}

/* Checks a member that was added. */
static int
member_came(const Walk *walk, const Member *member, PyObject *value, int depth)
{
    const Node *node = &walk->nodes[member->node];
    if (node->op == STRUCT && !(member->flags & POINTER)) {
        return empty_updated(walk, member->node, value, NULL, depth);
    }
    if (is_nothing(walk, member, value, depth)) {
        return SAME;
    }
    if (!(node->flags & CHANGES)) {
        return accepted(walk, member->node, value, depth);
    }
    const Walk plain = without_doubt(walk);
    int answer = accepted(&plain, member->node, value, depth);
    answer = answer == YES ? change_calls_pass(node, value, member->zero) : answer;
    answer = answer == YES ? part_changes_pass(walk, member->node, value, depth) : answer;
    return answer == UNSURE ? doubted_update(walk, member->node, value, NULL, depth) : answer;
}

/* Checks a member that was removed. */
static int
member_went(const Walk *walk, const Member *member, PyObject *old, int depth)
{
    const Node *node = &walk->nodes[member->node];
    if (node->op == STRUCT && !(member->flags & POINTER)) {
        return empty_updated(walk, member->node, NULL, old, depth);
    }
    if (is_nothing(walk, member, old, depth)) {
        return SAME;
    }
    if (member->flags & (WANTED | EMPTY)) { /* it counts as an empty value now */
        if (member->flags & POINTER || node->op == NEVER) {
            return UNSURE;
        }
        PyObject *nothing = node->op == LIST ? PyList_New(0) : node->op == MAP ? PyDict_New() : Py_NewRef(member->zero);
        int answer = nothing == NULL ? FAILED : updated(walk, member->node, nothing, old, depth);
        Py_XDECREF(nothing);
        return answer;
    }
    if (!(node->flags & CHANGES)) {
        return YES;
    }
    return is_typed(walk, member->node, old, depth) ? change_calls_pass(node, member->zero, old) : UNSURE;
}

/* Checks the absent members. */
static int
absent_updated(const Walk *walk, const Node *node, const uint64_t *seen, PyObject *old, int depth)
{
    int answer = YES;
    for (Py_ssize_t i = 0; i < node->n_members && answer == YES; i++) {
        const Member *member = &node->members[i];
        int counts = member->flags & (WANTED | EMPTY) || walk->nodes[member->node].flags & CHANGES;
        if (!counts || (seen[i / 64] >> (i % 64)) & 1) {
            continue;
        }
        PyObject *was = PyDict_GetItemWithError(old, member->name);
        PyErr_Clear();
        if (was != NULL && was != Py_None) {
            Py_INCREF(was);
            answer = member_went(walk, member, was, depth);
            answer = answer == SAME ? YES : answer;
            Py_DECREF(was);
        }
    }
    return answer;
}

/* Returns whether an unknown name and its value are valid. */
static inline int
unknown_accepted(const Node *node, PyObject *key, PyObject *value, int depth)
{
    return !(node->flags & CLOSED) && (!(node->flags & OPEN) || (!is_broken(key) && is_data(value, depth)));
}

/* Checks a struct with an old one. For a whole kind, all checks run even if nothing has changed. */
static NOT_INLINED int
struct_updated(const Walk *walk, uint32_t index, PyObject *object, PyObject *old, int whole, int depth)
{
    const Node *node = &walk->nodes[index];
    uint64_t seen[WORDS], set[WORDS];
    for (Py_ssize_t word = 0; word * 64 < node->n_members; word++) {
        seen[word] = set[word] = 0;
    }
    Py_ssize_t here = 0, there = 0, met = 0, position = -1;
    PyObject *key, *value;
    int answer = YES, equal = !whole, located = 0;
    while (answer == YES && PyDict_Next(object, &here, &key, &value)) {
        if (!PyUnicode_CheckExact(key)) {
            return UNSURE;
        }
        Py_INCREF(key);
        Py_INCREF(value);
        PyObject *was = counterpart(old, &there, key);
        position = position_of(node, key, position);
        const Member *member = position < 0 ? NULL : &node->members[position];
        met += was != NULL;
        if (was == Py_None) {
            Py_CLEAR(was);
        }
        if (member == NULL) {
            answer = unknown_accepted(node, key, value, depth);
        }
        else if (value == Py_None) {
            answer = !(member->flags & NOT_NULL);
            equal &= was == NULL || is_nothing(walk, member, was, depth);
        }
        else {
            seen[position / 64] |= (uint64_t)1 << (position % 64);
            if (member->flags & COUNTED) {
                int there = member->flags & POINTER ? 1 : is_set(value);
                answer = there < 0 ? UNSURE : YES;
                set[position / 64] |= (uint64_t)(there > 0) << (position % 64);
            }
            if (answer == YES) {
                answer = was == NULL ? member_came(walk, member, value, depth) : updated(walk, member->node, value, was, depth);
            }
            equal &= answer == SAME;
            answer = answer == SAME ? YES : answer == LOCATED ? passed(walk, &located, member->name, 0, 1) : answer;
        }
        Py_XDECREF(was);
        Py_DECREF(value);
        Py_DECREF(key);
    }
    if (answer != YES) {
        return answer;
    }
    if (equal && (met == PyDict_GET_SIZE(old) || lost_nothing(walk, node, object, old, depth))) {
        return SAME;
    }
    answer = absent_updated(walk, node, seen, old, depth);
    for (Py_ssize_t i = 0; i < node->n_unions && answer == YES; i++) {
        const Union *rule = &node->unions[i];
        answer = union_accepted(rule, set, object) || same_union(walk, index, rule, set, object, old, depth);
    }
    if (answer == YES && has_choices(node)) {
        answer = choices_updated(walk, index, object, old, depth);
    }
    if (answer == YES && PyTuple_GET_SIZE(node->calls) > 0) {
        answer = calls_pass_update(walk, index, object, old, depth);
    }
    answer = answer == YES ? changes_accepted(walk, index, object, old, depth) : answer;
    return answer == YES && located ? LOCATED : answer;
}

/* Number of old items that are searched for the keys of a new one; for longer lists, Python makes an index. */
#define SEARCHED 32

/* Returns the first old item with the keys of a new one, borrowed, or None. NULL if keys are not scalars of equal
 * types. */
static PyObject *
found_by_keys(PyObject *keys, PyObject *item, PyObject *old)
{
    if (PyList_GET_SIZE(old) > SEARCHED) {
        return NULL;
    }
    for (Py_ssize_t i = 0; i < PyList_GET_SIZE(old); i++) {
        PyObject *was = PyList_GET_ITEM(old, i);
        int same_keys = 1;
        for (Py_ssize_t k = 0; k < PyTuple_GET_SIZE(keys); k++) {
            PyObject *key = PyTuple_GET_ITEM(keys, k), *b = PyDict_CheckExact(was) ? key_of(was, key) : NULL;
            PyObject *a = b == NULL ? NULL : key_of(item, key);
            if (a == NULL || (Py_TYPE(a) != Py_TYPE(b) && a != Py_None && b != Py_None)) {
                PyErr_Clear();
                return NULL;
            }
            same_keys = same_keys && !differ(a, b);
        }
        if (same_keys) {
            return was;
        }
    }
    return Py_None;
}

/* Returns the old item of a new one, held, or None; True if both are equal. NULL if unknown, or with an exception. */
static PyObject *
old_item(const Walk *walk, uint32_t index, PyObject **find, PyObject *item, PyObject *old, int depth)
{
    const Node *node = &walk->nodes[index];
    PyObject *keys = PyTuple_GET_ITEM(node->finder, 0), *was = NULL;
    if (keys != Py_None && PyDict_CheckExact(item)) {
        was = Py_XNewRef(found_by_keys(keys, item, old));
    }
    if (was == NULL && *find == NULL && is_typed(walk, index, old, depth)) { /* lists of other types have no index */
        *find = PyObject_CallOneArg(PyTuple_GET_ITEM(node->finder, 1), old);
    }
    return was == NULL && *find != NULL ? PyObject_CallOneArg(*find, item) : was;
}

/* Checks an item of a changed list. A valid item needs its old one only for rules about changes. */
static int
item_updated(const Walk *walk, uint32_t index, PyObject **find, PyObject *item, PyObject *old, int depth)
{
    const Node *node = &walk->nodes[index];
    int changes = walk->nodes[node->item].flags & CHANGES, null = item == Py_None && node->flags & NULLS;
    if (null && node->flags & NIL_NULLS) {
        return null_accepted(walk, node, depth);
    }
    if (node->finder == Py_None && !null) {
        return fresh_accepted(walk, node->item, item, depth);
    }
    const Walk plain = without_doubt(walk);
    int answer = changes ? UNSURE : null ? null_accepted(walk, node, depth) : accepted(&plain, node->item, item, depth);
    if (answer != UNSURE || !PyTuple_Check(node->finder)) {
        return answer;
    }
    PyObject *was = old_item(walk, index, find, item, old, depth);
    if (was == NULL) {
        return PyErr_Occurred() ? doubt() : UNSURE;
    }
    if (was == Py_True) { /* items without keys are found only if they are equal */
        answer = item_unchanged(walk, node, item, item, depth);
    }
    else if (null) {
        answer = walk->nodes[node->item].op == STRUCT && was != Py_None
            ? empty_updated(walk, node->item, NULL, was, depth) : UNSURE;
    }
    else if (was != Py_None) {
        answer = updated(walk, node->item, item, was, depth);
    }
    else if (changes || walk->doubt != NULL) {
        answer = fresh_accepted(walk, node->item, item, depth);
    }
    Py_DECREF(was);
    return answer == SAME ? YES : answer;
}

static NOT_INLINED int
list_updated(const Walk *walk, uint32_t index, PyObject *list, PyObject *old, int depth)
{
    const Node *node = &walk->nodes[index];
    Py_ssize_t count = PyList_GET_SIZE(list);
    int answer = YES, located = 0;
    if (!(count == 0 && (node->flags & LEAVES_UNSET))) {
        if (!count_fits(node, count)) {
            return UNSURE;
        }
        PyObject *find = NULL;
        for (Py_ssize_t i = 0; i < PyList_GET_SIZE(list) && answer == YES; i++) {
            PyObject *item = Py_NewRef(PyList_GET_ITEM(list, i));
            answer = item_updated(walk, index, &find, item, old, depth);
            if (answer == LOCATED) {
                answer = node->flags & ARRAY ? UNSURE : passed(walk, &located, NULL, i, 0);
            }
            Py_DECREF(item);
        }
        Py_XDECREF(find);
        if (answer == YES && node->unique != NULL) {
            answer = all_differ(node, list);
        }
        if (answer == YES && has_choices(node)) {
            answer = choices_updated(walk, index, list, old, depth);
        }
        if (answer == YES && PyTuple_GET_SIZE(node->calls) > 0) {
            answer = calls_pass_update(walk, index, list, old, depth);
        }
    }
    answer = answer == YES ? changes_accepted(walk, index, list, old, depth) : answer;
    return answer == YES && located ? LOCATED : answer;
}

static NOT_INLINED int
map_updated(const Walk *walk, uint32_t index, PyObject *map, PyObject *old, int depth)
{
    const Node *node = &walk->nodes[index], *names = &walk->nodes[node->key];
    Py_ssize_t count = PyDict_GET_SIZE(map), here = 0, there = 0;
    int located = 0;
    if (!(count == 0 && (node->flags & LEAVES_UNSET))) {
        if (!count_fits(node, count)) {
            return UNSURE;
        }
        int answer = YES;
        PyObject *key, *value;
        while (answer == YES && PyDict_Next(map, &here, &key, &value)) {
            Py_INCREF(key);
            Py_INCREF(value);
            PyObject *was = PyUnicode_CheckExact(key) ? counterpart(old, &there, key) : NULL;
            /* Names that were there before are not checked, unless they stand for something else. */
            if (was == NULL || !is_typed_name(names, key) || is_broken(key)) {
                answer = accepted(walk, node->key, key, depth);
            }
            if (answer == YES) {
                if (value == Py_None && node->flags & NULLS) {
                    int unclear = was != Py_None && !(node->flags & NIL_NULLS) && walk->nodes[node->item].flags & CHANGES;
                    answer = unclear ? UNSURE : was == Py_None ? YES : null_accepted(walk, node, depth);
                }
                else if (was == NULL || was == Py_None) {
                    const Walk plain = without_doubt(walk);
                    int unclear = was != NULL && !(node->flags & NIL_NULLS) && walk->nodes[node->item].flags & CHANGES;
                    answer = unclear ? UNSURE : fresh_accepted(was == NULL ? walk : &plain, node->item, value, depth);
                }
                else {
                    answer = updated(walk, node->item, value, was, depth);
                }
            }
            if (answer == LOCATED) {
                answer = names->flags & DEMANDED ? UNSURE : passed(walk, &located, key, 0, 0);
            }
            answer = answer == SAME ? YES : answer;
            Py_XDECREF(was);
            Py_DECREF(value);
            Py_DECREF(key);
        }
        if (answer == YES && PyTuple_GET_SIZE(node->calls) > 0) {
            answer = calls_pass_update(walk, index, map, old, depth);
        }
        if (answer != YES) {
            return answer;
        }
    }
    int answer = changes_accepted(walk, index, map, old, depth);
    return answer == YES && located ? LOCATED : answer;
}

/* Returns whether an old object has all members of inlined structs that a new one has, so that no inlined struct is
 * added. */
static int
has_pieces(const Node *node, PyObject *old, PyObject *object)
{
    Py_ssize_t at = 0, there = 0, position = -1;
    PyObject *key, *value;
    int found = PyDict_CheckExact(old) && PyDict_CheckExact(object);
    while (found && PyDict_Next(object, &at, &key, &value)) {
        Py_INCREF(key);
        position = PyUnicode_CheckExact(key) ? position_of(node, key, position) : -1;
        PyObject *was = position < 0 ? NULL : counterpart(old, &there, key);
        if (position < 0 || node->members[position].flags & PIECE) {
            found = position < 0 ? PyUnicode_CheckExact(key) : was != NULL && was != Py_None;
        }
        Py_XDECREF(was);
        Py_DECREF(key);
    }
    return found;
}

/* Checks the parts of a changed value, without its guards. */
static int
parts_updated(const Walk *walk, uint32_t index, PyObject *value, PyObject *old, int whole, int depth)
{
    const Node *node = &walk->nodes[index];
    if (node->op == STRUCT && PyDict_CheckExact(value)) {
        return struct_updated(walk, index, value, old, whole, depth + 1);
    }
    if (node->op == LIST && PyList_CheckExact(value)) {
        return list_updated(walk, index, value, old, depth + 1);
    }
    if (node->op == MAP && PyDict_CheckExact(value)) {
        return map_updated(walk, index, value, old, depth + 1);
    }
    const Walk plain = without_doubt(walk);
    int answer = accepted(&plain, index, value, depth);
    return answer == YES ? changes_accepted(walk, index, value, old, depth) : answer;
}

/* Returns whether a changed value, with an old one of the same form, is certainly valid. */
static int
changed(const Walk *walk, uint32_t index, PyObject *value, PyObject *old, int whole, int depth)
{
    const Node *node = &walk->nodes[index];
    int answer = YES;
    const Walk *outer = walk;
    Walk inner;
    Py_INCREF(value);
    Py_INCREF(old);
    if (node->guarded) { /* as for a value that is new */
        inner = without_doubt(walk);
        inner.guarded++;
        answer = parts_updated(&inner, index, value, old, whole, depth);
        if (answer == UNSURE && outer->guarded < GUARDS_NESTED) {
            answer = guarded(&inner, index, value, old, depth);
            inner.doubt = answer == UNSURE ? outer->doubt : NULL;
            answer = inner.doubt != NULL ? passable(node, value, old) : answer;
        }
        walk = &inner;
    }
    if (answer == YES && (walk == outer || inner.doubt != NULL)) {
        answer = parts_updated(walk, index, value, old, whole, depth);
        answer = answer == UNSURE ? doubted_update(walk, index, value, old, depth) : answer;
    }
    Py_DECREF(old);
    Py_DECREF(value);
    return answer;
}

/* Returns whether a value is certainly valid after an update. The old value is not null, and may be equal. */
static int
updated(const Walk *walk, uint32_t index, PyObject *value, PyObject *old, int depth)
{
    const Node *node = &walk->nodes[index];
    int whole = node->op == STRUCT && node->flags & WHOLE;
    if ((whole || node->op != STRUCT) && depth < DEEPEST && unchanged(walk, index, value, old, depth)) {
        return SAME;
    }
    int alike = Py_TYPE(value) == Py_TYPE(old) || node->op == NUMBER;
    if (walk->doubt != NULL && depth >= DEEPEST) {
        walk->doubt->too_deep = 1;
    }
    if (alike && depth < DEEPEST && !(whole && !has_pieces(node, old, value))) {
        return changed(walk, index, value, old, whole, depth);
    }
    const Walk plain = without_doubt(walk);
    int answer = node->flags & CHANGES ? UNSURE : accepted(&plain, index, value, depth);
    return answer == UNSURE && alike ? doubted_update(walk, index, value, old, depth) : answer;
}

/* Returns whether a value contains null, a float or a name that is not a string: it may then equal a value in another
 * notation. Functions skip a list or an item that equals the old one, even if it is invalid. */
static int
has_other_words(PyObject *value, int depth)
{
    if (value == Py_None || PyFloat_Check(value) || depth > DEEPEST) {
        return 1;
    }
    int found = 0;
    if (PyDict_CheckExact(value)) {
        Py_ssize_t at = 0;
        PyObject *key, *part;
        while (!found && PyDict_Next(value, &at, &key, &part)) {
            found = !PyUnicode_CheckExact(key) || has_other_words(part, depth + 1);
        }
    }
    else if (PyList_CheckExact(value)) {
        for (Py_ssize_t i = 0; !found && i < PyList_GET_SIZE(value); i++) {
            found = has_other_words(PyList_GET_ITEM(value, i), depth + 1);
        }
    }
    return found;
}

/* Returns whether an update is certainly valid. A part may only be recorded as doubtful if the whole old object has the
 * right types: functions would compare with another value otherwise. */
static int
update_accepted(const Walk *walk, PyObject *object, PyObject *old)
{
    const Node *kind = &walk->nodes[0];
    if (!PyDict_CheckExact(old) || kind->op != STRUCT) {
        return UNSURE;
    }
    if ((kind->flags & COMPARED) && PyTuple_GET_SIZE(kind->changes) == 0 && unchanged(walk, 0, object, old, 0)) {
        return YES;
    }
    if (kind->flags & WHOLE && !has_pieces(kind, old, object)) {
        const Walk plain = without_doubt(walk);
        return kind->flags & CHANGES ? UNSURE : accepted(&plain, 0, object, 0);
    }
    Walk strict = *walk;
    strict.strict = 1;
    int answer = changed(&strict, 0, object, old, 1, 0);
    if (answer == LOCATED
        && (PyList_GET_SIZE(walk->doubt->path) == 0 || walk->doubt->too_deep || !is_typed(&strict, 0, old, 0)
            || has_other_words(object, 0) || has_other_words(old, 0))) {
        answer = UNSURE;
    }
    return answer;
}

#endif
