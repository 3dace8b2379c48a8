/* The quick way through valid objects: walks decoded JSON beside a table, and says "certainly valid" or "not sure".
 *
 * It never says what is wrong, and never has to: whatever it is not sure of, the generated Python code decides. So each
 * doubt costs time and nothing else, and a wrong "yes" is the only mistake that it can make. Hence the rules of this file:
 *
 * - Only the very classes that a JSON decoder gives are looked at. Subclasses, bools that stand for numbers, numbers that
 *   do not fit, names that are no text, halves of surrogate pairs and what is nested too deeply are doubts.
 * - What to ask of a value is in the table, which `validation_gen.runtime.acceptance` makes. Nothing here knows a tag.
 * - Everything that the table holds is kept alive by one tuple, `spec`; all other pointers to Python objects are borrowed
 *   from it. Objects under validation are held while Python may run in between, as it may change them.
 * - An `Exception` of a function that is asked is a doubt. Others, such as an interrupt, are raised.
 */

#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <structmember.h> /* for T_PYSSIZET before Python 3.12 */

/* How deeply values may be nested. Deeper ones are left to Python, which can say that something is too deep. */
#define DEEPEST 64
/* Up to so many items are compared with each other; more are put into a table of hashes. */
#define FEW 8
/* The members of a struct, 64 in a word. Larger structs are never sure. */
#define WORDS 16

/* Walks of containers need more room on the stack than those of single values, which are most. */
#if defined(__GNUC__) || defined(__clang__)
#define NOT_INLINED __attribute__((noinline))
#else
#define NOT_INLINED
#endif

enum { YES = 1, UNSURE = 0, FAILED = -1 };

/* What a value is. The numbers are known to `acceptance`, which reads them from the module. */
enum { NEVER, ANY, TEXT, INTEGER, BOOLEAN, NUMBER, INT_OR_TEXT, WIRE, LIST, MAP, STRUCT };

/* Flags of a node. */
enum {
    LEAVES_UNSET = 1, /* a zero or empty value is right whatever else is asked */
    FILLED = 2,       /* a zero or empty value is wrong */
    CHANGES = 4,      /* there are questions about changes, here or below */
    COMPARED = 8,     /* of a kind: one that has not changed has nothing wrong */
};

/* Flags of a member. */
enum {
    WANTED = 1,    /* one that is not there is a doubt */
    EMPTY = 2,     /* one that is not there counts as an empty struct, which is looked at */
    NOT_NULL = 4,  /* null is a doubt; elsewhere it is as if the member were not there */
    POINTER = 8,   /* set as soon as it is not null, whatever the value */
    COUNTED = 16,  /* a union asks whether it is set */
};

/* How many members of a union may be set. */
enum { EXACTLY_ONE, AT_MOST_ONE, SELECTED, BOTH_OR_NO_FIRST, NOT_BOTH };

typedef struct {
    PyObject *name;
    PyObject *zero; /* what stands for one that is not there, where changes are asked about */
    Py_hash_t hash;
    uint32_t node;
    int flags;
} Member;

typedef struct {
    const uint8_t *table; /* the next state by state and character, then whether a state is an end; NULL: ask */
    Py_ssize_t states;
    Py_ssize_t longest;
    PyObject *known; /* texts that have been found right */
    PyObject *ask;
    PyObject *operands;
} Pattern;

typedef struct {
    int kind;
    Py_ssize_t count;
    PyObject *members;       /* pairs of the position of a member and the value that selects it */
    PyObject *discriminator; /* the name of the member that selects */
} Union;

typedef struct {
    int op, flags;
    int free; /* any text will do that is one */
    Py_ssize_t min, max; /* of characters, items or names; max is -1 where there is none */
    Py_ssize_t bytes;    /* the most in UTF-8, or -1 */
    long long low, high;
    long long least, most; /* what the type holds, whatever rules say */
    PyObject *values; /* the texts that are right, or NULL */
    Py_ssize_t n_patterns;
    Pattern *patterns;
    PyObject *asks; /* pairs of a function and further operands: it gives None for what is right */
    uint32_t item, key;
    PyObject *unique; /* NULL, an empty tuple for items that differ as a whole, or pairs of a key and its zero value */
    Py_ssize_t n_members;
    Member *members;
    uint32_t slots;    /* of the table below, less one */
    uint16_t *places;  /* positions of members plus one, by hash */
    uint64_t required[WORDS];
    Py_ssize_t n_unions;
    Union *unions;
    PyObject *changes; /* as asks, with the old value behind the new one; None stands for any change */
    PyObject *finder;  /* gives, for old items, a function from a new item to the old one that it was; or None */
} Node;

typedef struct {
    PyObject_HEAD
    PyObject *spec;
    Py_ssize_t n_nodes;
    Node *nodes;
    vectorcallfunc vectorcall;
} Acceptor;

static int accepted(const Acceptor *self, uint32_t index, PyObject *value, int depth);

/* --- texts -------------------------------------------------------------------------------------------------------- */

static inline uint64_t
eight_bytes(const char *at)
{
    uint64_t found;
    memcpy(&found, at, 8);
    return found;
}

/* Whether so many bytes are equal. Most are names, of a length for which it is not worth while to call a function. */
static inline int
same_bytes(const char *a, const char *b, size_t length)
{
    if (length >= 8 && length <= 16) {
        return eight_bytes(a) == eight_bytes(b) && eight_bytes(a + length - 8) == eight_bytes(b + length - 8);
    }
    if (length < 8) {
        for (size_t i = 0; i < length; i++) {
            if (a[i] != b[i]) {
                return 0;
            }
        }
        return 1;
    }
    return memcmp(a, b, length) == 0;
}

/* Whether two exact texts are equal. */
static inline int
same_text(PyObject *a, PyObject *b)
{
    if (a == b) {
        return 1;
    }
    Py_ssize_t length = PyUnicode_GET_LENGTH(a);
    int kind = PyUnicode_KIND(a);
    return length == PyUnicode_GET_LENGTH(b) && kind == (int)PyUnicode_KIND(b)
        && same_bytes(PyUnicode_DATA(a), PyUnicode_DATA(b), (size_t)length * (size_t)kind);
}

/* Whether a text has half of a surrogate pair, which UTF-8 cannot hold. */
static int
is_broken(PyObject *text)
{
    if (PyUnicode_KIND(text) == PyUnicode_1BYTE_KIND) {
        return 0;
    }
    Py_ssize_t length = PyUnicode_GET_LENGTH(text);
    for (Py_ssize_t i = 0; i < length; i++) {
        Py_UCS4 c = PyUnicode_READ_CHAR(text, i);
        if (c >= 0xD800 && c <= 0xDFFF) {
            return 1;
        }
    }
    return 0;
}

static Py_ssize_t
bytes_of(PyObject *text)
{
    Py_ssize_t length = PyUnicode_GET_LENGTH(text), found = length;
    if (PyUnicode_IS_ASCII(text)) {
        return length;
    }
    for (Py_ssize_t i = 0; i < length; i++) {
        Py_UCS4 c = PyUnicode_READ_CHAR(text, i);
        found += (c > 0x7F) + (c > 0x7FF) + (c > 0xFFFF);
    }
    return found;
}

/* What an exception comes to: a doubt, unless it is none of a function's own. */
static int
doubt(void)
{
    if (!PyErr_ExceptionMatches(PyExc_Exception)) {
        return FAILED;
    }
    PyErr_Clear();
    return UNSURE;
}

/* Asks a function about a value, and an old one or NULL, which somebody holds: it gives None, or no errors, where all is
 * right. */
static int
asked(PyObject *function, PyObject *operands, PyObject *value, PyObject *old)
{
    PyObject *arguments[9];
    Py_ssize_t count = PyTuple_GET_SIZE(operands), values = old == NULL ? 1 : 2;
    if (count > 6) {
        return UNSURE;
    }
    arguments[1] = value;
    arguments[2] = old;
    for (Py_ssize_t i = 0; i < count; i++) {
        arguments[i + 1 + values] = PyTuple_GET_ITEM(operands, i);
    }
    PyObject *found = PyObject_Vectorcall(
        function, arguments + 1, (size_t)(count + values) | PY_VECTORCALL_ARGUMENTS_OFFSET, NULL);
    if (found == NULL) {
        return doubt();
    }
    int right = found == Py_None || (PyList_CheckExact(found) && PyList_GET_SIZE(found) == 0);
    Py_DECREF(found);
    return right ? YES : UNSURE;
}

static int
asked_each(PyObject *asks, PyObject *value)
{
    Py_ssize_t count = PyTuple_GET_SIZE(asks);
    int answer = YES;
    Py_INCREF(value);
    for (Py_ssize_t i = 0; i < count && answer == YES; i++) {
        PyObject *ask = PyTuple_GET_ITEM(asks, i);
        answer = asked(PyTuple_GET_ITEM(ask, 0), PyTuple_GET_ITEM(ask, 1), value, NULL);
    }
    Py_DECREF(value);
    return answer;
}

/* All questions about a value, of which there are mostly none. */
static inline int
asked_all(PyObject *asks, PyObject *value)
{
    return PyTuple_GET_SIZE(asks) == 0 ? YES : asked_each(asks, value);
}

/* Whether a text is known to follow a pattern: by its table, by memory, or because a function says so. */
static int
follows(const Pattern *pattern, PyObject *text)
{
    if (pattern->table != NULL && PyUnicode_IS_ASCII(text)) {
        Py_ssize_t length = PyUnicode_GET_LENGTH(text);
        if (length <= pattern->longest) {
            const Py_UCS1 *at = PyUnicode_1BYTE_DATA(text), *end = at + length;
            const uint8_t *table = pattern->table;
            unsigned state = 1;
            while (at < end && state != 0) {
                state = table[state * 128 + *at++];
            }
            if (table[pattern->states * 128 + (Py_ssize_t)state]) {
                return YES;
            }
        }
    }
    if (pattern->known != NULL) {
        int known = PySet_Contains(pattern->known, text);
        if (known != 0) {
            return known;
        }
    }
    return pattern->ask == Py_None ? UNSURE : asked(pattern->ask, pattern->operands, text, NULL);
}

static int
text_accepted(const Node *node, PyObject *text)
{
    if (!PyUnicode_IS_ASCII(text) && is_broken(text)) {
        return UNSURE;
    }
    Py_ssize_t length = PyUnicode_GET_LENGTH(text);
    if (length == 0 && (node->flags & (LEAVES_UNSET | FILLED))) {
        return node->flags & LEAVES_UNSET ? YES : UNSURE;
    }
    if (length < node->min || (node->max >= 0 && length > node->max)) {
        return UNSURE;
    }
    if (node->bytes >= 0 && bytes_of(text) > node->bytes) {
        return UNSURE;
    }
    if (node->values != NULL) {
        int there = PySet_Contains(node->values, text);
        if (there != 1) {
            return there;
        }
    }
    int answer = YES;
    if (node->n_patterns == 0) {
        return asked_all(node->asks, text);
    }
    Py_INCREF(text);
    for (Py_ssize_t i = 0; i < node->n_patterns && answer == YES; i++) {
        answer = follows(&node->patterns[i], text);
    }
    if (answer == YES) {
        answer = asked_all(node->asks, text);
    }
    Py_DECREF(text);
    return answer;
}

/* --- numbers ------------------------------------------------------------------------------------------------------ */

static int
integer_accepted(const Node *node, PyObject *value)
{
    int overflow;
    long long number = PyLong_AsLongLongAndOverflow(value, &overflow);
    if (overflow) {
        return UNSURE;
    }
    if (number == 0 && (node->flags & LEAVES_UNSET)) {
        return YES;
    }
    if (number < node->low || number > node->high || (number == 0 && (node->flags & FILLED))) {
        return UNSURE;
    }
    return asked_all(node->asks, value);
}

/* A number where there are mostly texts, such as a quantity. */
static int
number_decodes(const Node *node, PyObject *value)
{
    if (node->n_patterns == 0 || node->patterns[0].ask == Py_None) {
        return UNSURE;
    }
    Py_INCREF(value);
    int answer = asked(node->patterns[0].ask, node->patterns[0].operands, value, NULL);
    if (answer == YES) {
        answer = asked_all(node->asks, value);
    }
    Py_DECREF(value);
    return answer;
}

static int
boolean_accepted(const Node *node, PyObject *value)
{
    if (value == Py_False && (node->flags & (LEAVES_UNSET | FILLED))) {
        return node->flags & LEAVES_UNSET ? YES : UNSURE;
    }
    return asked_all(node->asks, value);
}

/* --- lists -------------------------------------------------------------------------------------------------------- */

/* The value of a key of an item, borrowed; the zero value where there is none. NULL for what is no plain single value. */
static PyObject *
key_of(PyObject *item, PyObject *key)
{
    PyObject *value = PyDict_GetItemWithError(item, PyTuple_GET_ITEM(key, 0));
    if (value == NULL || value == Py_None) {
        return PyErr_Occurred() ? NULL : PyTuple_GET_ITEM(key, 1);
    }
    return PyUnicode_CheckExact(value) || PyLong_CheckExact(value) || PyBool_Check(value) ? value : NULL;
}

/* Whether two single values are different for certain, by what the items of a list have been accepted for. */
static int
differ(PyObject *a, PyObject *b)
{
    if (a == b) {
        return 0;
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

/* Whether no two items of a list are the same, by the keys that tell them apart. No Python runs here. */
static int
all_differ(PyObject *keys, PyObject *list)
{
    Py_ssize_t count = PyList_GET_SIZE(list), width = PyTuple_GET_SIZE(keys);
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
        for (Py_ssize_t k = 0; k < width; k++) {
            PyObject *value = item;
            if (!whole) {
                value = PyDict_CheckExact(item) ? key_of(item, PyTuple_GET_ITEM(keys, k)) : NULL;
            }
            else if (!PyUnicode_CheckExact(item) && !PyLong_CheckExact(item)) {
                value = NULL;
            }
            if (value == NULL) {
                PyErr_Clear();
                goto done;
            }
            rows[i * width + k] = value;
        }
    }
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
    /* Hashes of numbers are known to everybody. Who makes them meet is left to Python. */
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
    PyMem_Free(slots);
    if (rows != small) {
        PyMem_Free(rows);
    }
    return answer;
}

static NOT_INLINED int
list_accepted(const Acceptor *self, const Node *node, PyObject *list, int depth)
{
    Py_ssize_t count = PyList_GET_SIZE(list);
    if (count == 0 && (node->flags & (LEAVES_UNSET | FILLED))) {
        return node->flags & LEAVES_UNSET ? YES : UNSURE;
    }
    if (count < node->min || (node->max >= 0 && count > node->max)) {
        return UNSURE;
    }
    int answer = YES;
    Py_INCREF(list);
    for (Py_ssize_t i = 0; i < PyList_GET_SIZE(list) && answer == YES; i++) {
        answer = accepted(self, node->item, PyList_GET_ITEM(list, i), depth);
    }
    if (answer == YES && node->unique != NULL) {
        answer = all_differ(node->unique, list);
    }
    if (answer == YES) {
        answer = asked_all(node->asks, list);
    }
    Py_DECREF(list);
    return answer;
}

/* --- objects ------------------------------------------------------------------------------------------------------ */

static NOT_INLINED int
map_accepted(const Acceptor *self, const Node *node, PyObject *map, int depth)
{
    Py_ssize_t count = PyDict_GET_SIZE(map);
    if (count == 0 && (node->flags & (LEAVES_UNSET | FILLED))) {
        return node->flags & LEAVES_UNSET ? YES : UNSURE;
    }
    if (count < node->min || (node->max >= 0 && count > node->max)) {
        return UNSURE;
    }
    int answer = YES;
    Py_ssize_t at = 0;
    PyObject *key, *value;
    Py_INCREF(map);
    while (answer == YES && PyDict_Next(map, &at, &key, &value)) {
        Py_INCREF(value);
        answer = accepted(self, node->key, key, depth);
        if (answer == YES) {
            answer = accepted(self, node->item, value, depth);
        }
        Py_DECREF(value);
    }
    if (answer == YES) {
        answer = asked_all(node->asks, map);
    }
    Py_DECREF(map);
    return answer;
}

/* Whether Python takes a value for true: whether it is set. -1 for what no JSON decoder gives. */
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

/* Whether as many members of a union are set as may be. */
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

/* The position of a name among the members of a struct, -1 for unknown names. */
static inline Py_ssize_t
position_of(const Node *node, PyObject *name)
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

/* What a struct asks of members that are not there, of unions, and of itself as a whole. */
static int
whole_accepted(
    const Acceptor *self, const Node *node, PyObject *object, const uint64_t *seen, const uint64_t *set, int depth)
{
    for (Py_ssize_t word = 0; word * 64 < node->n_members; word++) {
        uint64_t missing = node->required[word] & ~seen[word];
        for (int bit = 0; missing != 0; bit++, missing >>= 1) {
            if (missing & 1) {
                const Member *member = &node->members[word * 64 + bit];
                if (member->flags & WANTED) {
                    return UNSURE;
                }
                int answer = accepted(self, member->node, NULL, depth);
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
    return asked_all(node->asks, object);
}

/* An object with known names. NULL stands for an empty one. */
static NOT_INLINED int
struct_accepted(const Acceptor *self, const Node *node, PyObject *object, int depth)
{
    uint64_t seen[WORDS], set[WORDS];
    for (Py_ssize_t word = 0; word * 64 < node->n_members; word++) {
        seen[word] = set[word] = 0;
    }
    int answer = YES;
    if (object == NULL) {
        PyObject *nothing = PyDict_New();
        if (nothing == NULL) {
            return FAILED;
        }
        answer = whole_accepted(self, node, nothing, seen, set, depth);
        Py_DECREF(nothing);
        return answer;
    }
    Py_ssize_t at = 0;
    PyObject *key, *value;
    Py_INCREF(object);
    while (PyDict_Next(object, &at, &key, &value)) {
        if (!PyUnicode_CheckExact(key)) {
            answer = UNSURE;
            break;
        }
        Py_ssize_t position = position_of(node, key);
        if (position < 0) {
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
        answer = accepted(self, member->node, value, depth);
        if (answer != YES) {
            break;
        }
    }
    if (answer == YES) {
        answer = whole_accepted(self, node, object, seen, set, depth);
    }
    Py_DECREF(object);
    return answer;
}

/* --- all values --------------------------------------------------------------------------------------------------- */

/* Whether a value is certainly right. NULL stands for a struct that is not there. */
static int
accepted(const Acceptor *self, uint32_t index, PyObject *value, int depth)
{
    const Node *node = &self->nodes[index];
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
        return PyFloat_CheckExact(value) || PyLong_CheckExact(value) ? asked_all(node->asks, value) : UNSURE;
    case INT_OR_TEXT:
        if (PyUnicode_CheckExact(value)) {
            return is_broken(value) ? UNSURE : asked_all(node->asks, value);
        }
        return PyLong_CheckExact(value) ? integer_accepted(node, value) : UNSURE;
    case WIRE:
        if (PyUnicode_CheckExact(value)) {
            return text_accepted(node, value);
        }
        return PyLong_CheckExact(value) ? number_decodes(node, value) : UNSURE;
    case LIST:
        return PyList_CheckExact(value) && depth < DEEPEST ? list_accepted(self, node, value, depth + 1) : UNSURE;
    case MAP:
        return PyDict_CheckExact(value) && depth < DEEPEST ? map_accepted(self, node, value, depth + 1) : UNSURE;
    case STRUCT:
        return (value == NULL || PyDict_CheckExact(value)) && depth < DEEPEST
            ? struct_accepted(self, node, value, depth + 1) : UNSURE;
    default:
        return UNSURE;
    }
}

/* --- updates ------------------------------------------------------------------------------------------------------ */

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
            Py_INCREF(value);
            PyObject *other = PyUnicode_CheckExact(key) ? counterpart(b, &there, key) : NULL;
            int equal = other != NULL && same(value, other, depth + 1);
            Py_XDECREF(other);
            Py_DECREF(value);
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

static int unchanged(const Acceptor *self, uint32_t index, PyObject *value, PyObject *old, int depth);

static int
struct_unchanged(const Acceptor *self, const Node *node, PyObject *object, PyObject *old, int depth)
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
                                     : unchanged(self, member->node, value, was, depth);
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
unchanged(const Acceptor *self, uint32_t index, PyObject *value, PyObject *old, int depth)
{
    const Node *node = &self->nodes[index];
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
            int equal = unchanged(self, node->item, item, was, depth + 1);
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
            || PyTuple_GET_SIZE(self->nodes[node->key].asks) > 0) {
            return 0;
        }
        while (PyDict_Next(value, &here, &key, &item)) {
            Py_INCREF(item);
            PyObject *was = PyUnicode_CheckExact(key) ? counterpart(old, &there, key) : NULL;
            int equal = was != NULL && unchanged(self, node->item, item, was, depth + 1);
            Py_XDECREF(was);
            Py_DECREF(item);
            if (!equal) {
                return 0;
            }
        }
        return 1;
    }
    case STRUCT:
        return PyDict_CheckExact(value) && struct_unchanged(self, node, value, old, depth + 1);
    default:
        return 0;
    }
}

static int changed(const Acceptor *self, uint32_t index, PyObject *value, PyObject *old, int depth);

/* Whether a function that finds old items, and what it found for an item, have nothing against the item. */
static int
item_changed(const Acceptor *self, const Node *node, PyObject *find, PyObject *item, int depth)
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
        answer = changed(self, node->item, item, old, depth);
    }
    Py_XDECREF(old);
    Py_DECREF(item);
    return answer;
}

static int
list_changed(const Acceptor *self, const Node *node, PyObject *list, PyObject *old, int depth)
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
        answer = item_changed(self, node, find, PyList_GET_ITEM(list, i), depth);
    }
    Py_DECREF(find);
    return answer;
}

static int
map_changed(const Acceptor *self, const Node *node, PyObject *map, PyObject *old, int depth)
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
            answer = changed(self, node->item, value, was, depth);
        }
        Py_XDECREF(was);
        Py_DECREF(value);
    }
    return answer;
}

/* A member that is there only before or only afterwards. A struct that is no pointer is then an empty one. */
static int
member_came_or_went(const Acceptor *self, const Member *member, PyObject *value, PyObject *old, int depth)
{
    const Node *node = &self->nodes[member->node];
    if (node->op == STRUCT && !(member->flags & POINTER)) {
        PyObject *nothing = PyDict_New();
        if (nothing == NULL) {
            return FAILED;
        }
        int answer = changed(self, member->node, value == NULL ? nothing : value, old == NULL ? nothing : old, depth);
        Py_DECREF(nothing);
        return answer;
    }
    if (value != NULL) { /* rules of changes may speak of what is new, too */
        int parts = node->op == STRUCT || ((node->op == LIST || node->op == MAP) && is_set(value) != 0
                                           && (self->nodes[node->item].flags & CHANGES));
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
struct_changed(const Acceptor *self, const Node *node, PyObject *object, PyObject *old, int depth)
{
    int answer = YES;
    for (Py_ssize_t i = 0; i < node->n_members && answer == YES; i++) {
        const Member *member = &node->members[i];
        if (!(self->nodes[member->node].flags & CHANGES)) {
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
                answer = accepted(self, member->node, was, depth);
            }
            if (answer == YES) {
                answer = member_came_or_went(self, member, value, was, depth);
            }
        }
        else if (!same(value, was, depth)) {
            answer = changed(self, member->node, value, was, depth);
        }
        Py_XDECREF(value);
        Py_XDECREF(was);
    }
    return answer;
}

/* Whether rules of changes have nothing against a value that is not the same as the old one. It has been accepted. */
static int
changed(const Acceptor *self, uint32_t index, PyObject *value, PyObject *old, int depth)
{
    const Node *node = &self->nodes[index];
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
        answer = PyTuple_GET_ITEM(node->changes, 0) == Py_None ? UNSURE : accepted(self, index, old, depth);
    }
    for (Py_ssize_t i = 0; i < count && answer == YES; i++) {
        PyObject *ask = PyTuple_GET_ITEM(node->changes, i);
        answer = ask == Py_None ? UNSURE : asked(PyTuple_GET_ITEM(ask, 0), PyTuple_GET_ITEM(ask, 1), value, old);
    }
    if (answer == YES && node->op == STRUCT) {
        answer = struct_changed(self, node, value, old, depth + 1);
    }
    else if (answer == YES && node->op == LIST && (self->nodes[node->item].flags & CHANGES)) {
        answer = list_changed(self, node, value, old, depth + 1);
    }
    else if (answer == YES && node->op == MAP && (self->nodes[node->item].flags & CHANGES)) {
        answer = map_changed(self, node, value, old, depth + 1);
    }
    Py_DECREF(value);
    Py_DECREF(old);
    return answer;
}

/* Whether an update from one object to another is certainly valid. */
static int
update_accepted(const Acceptor *self, PyObject *object, PyObject *old)
{
    const Node *kind = &self->nodes[0];
    if (!PyDict_CheckExact(old) || PyTuple_GET_SIZE(kind->changes) > 0) {
        return UNSURE; /* rules of the kind as a whole are asked whether it has changed or not */
    }
    if ((kind->flags & COMPARED) && unchanged(self, 0, object, old, 0)) {
        return YES;
    }
    int answer = accepted(self, 0, object, 0);
    return answer == YES ? changed(self, 0, object, old, 0) : answer;
}

/* --- tables ------------------------------------------------------------------------------------------------------- */

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
        if (!PyArg_ParseTuple(PyTuple_GET_ITEM(patterns, i), "OnOOO!", &table, &pattern->longest, &known, &pattern->ask,
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

static int
read_node(Node *node, PyObject *spec, Py_ssize_t n_nodes)
{
    PyObject *values, *patterns, *asks, *unique, *members, *unions;
    if (!PyTuple_Check(spec)) {
        PyErr_SetString(PyExc_TypeError, "a node is a tuple");
        return -1;
    }
    if (!PyArg_ParseTuple(spec, "iinnnLLLLOO!O!IIOO!O!O!O", &node->op, &node->flags, &node->min, &node->max, &node->bytes,
                          &node->low, &node->high, &node->least, &node->most, &values, &PyTuple_Type, &patterns, &PyTuple_Type, &asks, &node->item,
                          &node->key, &unique, &PyTuple_Type, &members, &PyTuple_Type, &unions, &PyTuple_Type,
                          &node->changes, &node->finder)) {
        return -1;
    }
    node->values = PyAnySet_Check(values) ? values : NULL;
    node->unique = PyTuple_Check(unique) ? unique : NULL;
    node->asks = asks;
    if ((Py_ssize_t)node->item >= n_nodes || (Py_ssize_t)node->key >= n_nodes) {
        PyErr_SetString(PyExc_ValueError, "no such node");
        return -1;
    }
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(asks) + PyTuple_GET_SIZE(node->changes); i++) {
        Py_ssize_t more = i - PyTuple_GET_SIZE(asks);
        PyObject *ask = more < 0 ? PyTuple_GET_ITEM(asks, i) : PyTuple_GET_ITEM(node->changes, more);
        PyObject *function, *operands;
        if (more >= 0 && ask == Py_None) {
            continue;
        }
        if (!PyTuple_Check(ask) || !PyArg_ParseTuple(ask, "OO!", &function, &PyTuple_Type, &operands)) {
            PyErr_SetString(PyExc_TypeError, "a question is a function and its operands");
            return -1;
        }
    }
    for (Py_ssize_t i = 0; node->unique != NULL && i < PyTuple_GET_SIZE(unique); i++) {
        PyObject *name, *zero;
        if (!PyArg_ParseTuple(PyTuple_GET_ITEM(unique, i), "UO", &name, &zero)) {
            return -1;
        }
    }
    if (read_patterns(node, patterns) < 0 || read_members(node, members, n_nodes) < 0) {
        return -1;
    }
    node->free = (node->flags & (LEAVES_UNSET | FILLED)) == 0 && node->min <= 0 && node->max < 0 && node->bytes < 0 && node->values == NULL
        && node->n_patterns == 0 && PyTuple_GET_SIZE(asks) == 0;
    return read_unions(node, unions);
}

static PyObject *
acceptor_vectorcall(PyObject *callable, PyObject *const *arguments, size_t flags, PyObject *names)
{
    Acceptor *self = (Acceptor *)callable;
    Py_ssize_t count = PyVectorcall_NARGS(flags);
    if (count < 1 || count > 2 || (names != NULL && PyTuple_GET_SIZE(names) != 0)) {
        PyErr_SetString(PyExc_TypeError, "takes an object, and an old one");
        return NULL;
    }
    PyObject *object = arguments[0], *old = count == 2 ? arguments[1] : Py_None;
    int answer = UNSURE;
    if (PyDict_CheckExact(object)) {
        answer = old == Py_None ? accepted(self, 0, object, 0) : update_accepted(self, object, old);
    }
    if (answer == FAILED) {
        return NULL;
    }
    return PyBool_FromLong(answer == YES);
}

static int
acceptor_traverse(Acceptor *self, visitproc visit, void *arg)
{
    Py_VISIT(Py_TYPE(self));
    Py_VISIT(self->spec);
    return 0;
}

static void
nodes_freed(Acceptor *self)
{
    for (Py_ssize_t i = 0; i < self->n_nodes; i++) {
        node_freed(&self->nodes[i]);
    }
    PyMem_Free(self->nodes);
    self->nodes = NULL;
    self->n_nodes = 0;
}

static void
acceptor_dealloc(Acceptor *self)
{
    PyTypeObject *type = Py_TYPE(self);
    PyObject_GC_UnTrack(self);
    nodes_freed(self);
    Py_XDECREF(self->spec);
    type->tp_free((PyObject *)self);
    Py_DECREF(type);
}

static PyObject *
acceptor_new(PyTypeObject *type, PyObject *arguments, PyObject *names)
{
    PyObject *spec;
    if (!PyArg_ParseTuple(arguments, "O!", &PyTuple_Type, &spec) || (names != NULL && PyDict_GET_SIZE(names) != 0)) {
        return NULL;
    }
    if (PyTuple_GET_SIZE(spec) == 0) {
        PyErr_SetString(PyExc_ValueError, "a table has nodes");
        return NULL;
    }
    Acceptor *self = (Acceptor *)type->tp_alloc(type, 0);
    if (self == NULL) {
        return NULL;
    }
    self->vectorcall = acceptor_vectorcall;
    self->spec = Py_NewRef(spec);
    Py_ssize_t count = PyTuple_GET_SIZE(spec);
    self->nodes = zeros(count, sizeof(Node));
    if (self->nodes == NULL) {
        Py_DECREF(self);
        return NULL;
    }
    self->n_nodes = count;
    for (Py_ssize_t i = 0; i < count; i++) {
        if (read_node(&self->nodes[i], PyTuple_GET_ITEM(spec, i), count) < 0) {
            Py_DECREF(self);
            return NULL;
        }
    }
    return (PyObject *)self;
}

#include "_plain.h"

static PyMemberDef acceptor_members[] = {
    {"__vectorcalloffset__", T_PYSSIZET, offsetof(Acceptor, vectorcall), READONLY, NULL},
    {NULL},
};

static PyType_Slot acceptor_slots[] = {
    {Py_tp_new, acceptor_new},
    {Py_tp_dealloc, acceptor_dealloc},
    {Py_tp_traverse, acceptor_traverse},
    {Py_tp_call, PyVectorcall_Call},
    {Py_tp_members, acceptor_members},
    {Py_tp_doc, (void *)"Acceptor(nodes): acceptor(obj, old=None) is True for what is certainly valid."},
    {0, NULL},
};

static PyType_Spec acceptor_spec = {
    .name = "validation_gen.runtime._accept.Acceptor",
    .basicsize = sizeof(Acceptor),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_HAVE_VECTORCALL | Py_TPFLAGS_IMMUTABLETYPE,
    .slots = acceptor_slots,
};

static int
module_exec(PyObject *module)
{
    PyObject *type = PyType_FromModuleAndSpec(module, &acceptor_spec, NULL);
    if (type == NULL) {
        return -1;
    }
    int failed = PyModule_AddType(module, (PyTypeObject *)type);
    Py_DECREF(type);
    if (failed < 0) {
        return -1;
    }
    static const struct {
        const char *name;
        long value;
    } numbers[] = {
        {"NEVER", NEVER}, {"ANY", ANY}, {"TEXT", TEXT}, {"INTEGER", INTEGER}, {"BOOLEAN", BOOLEAN}, {"NUMBER", NUMBER},
        {"INT_OR_TEXT", INT_OR_TEXT}, {"WIRE", WIRE}, {"LIST", LIST}, {"MAP", MAP}, {"STRUCT", STRUCT},
        {"LEAVES_UNSET", LEAVES_UNSET}, {"FILLED", FILLED}, {"CHANGES", CHANGES}, {"COMPARED", COMPARED}, {"WANTED", WANTED}, {"EMPTY", EMPTY},
        {"NOT_NULL", NOT_NULL}, {"POINTER", POINTER}, {"COUNTED", COUNTED}, {"EXACTLY_ONE", EXACTLY_ONE},
        {"AT_MOST_ONE", AT_MOST_ONE}, {"SELECTED", SELECTED}, {"BOTH_OR_NO_FIRST", BOTH_OR_NO_FIRST},
        {"NOT_BOTH", NOT_BOTH},
    };
    for (size_t i = 0; i < Py_ARRAY_LENGTH(numbers); i++) {
        if (PyModule_AddIntConstant(module, numbers[i].name, numbers[i].value) < 0) {
            return -1;
        }
    }
    return 0;
}

static PyModuleDef_Slot module_slots[] = {
    {Py_mod_exec, module_exec},
#ifdef Py_mod_multiple_interpreters
    {Py_mod_multiple_interpreters, Py_MOD_PER_INTERPRETER_GIL_SUPPORTED},
#endif
#ifdef Py_mod_gil
    /* Objects under validation may not change meanwhile, which without the lock nobody could see to. */
    {Py_mod_gil, Py_MOD_GIL_USED},
#endif
    {0, NULL},
};

static struct PyModuleDef module_definition = {
    PyModuleDef_HEAD_INIT,
    .m_name = "validation_gen.runtime._accept",
    .m_doc = "The quick way through valid objects: \"certainly valid\" or \"not sure\".",
    .m_methods = plain_methods,
    .m_slots = module_slots,
};

PyMODINIT_FUNC
PyInit__accept(void)
{
    return PyModuleDef_Init(&module_definition);
}
