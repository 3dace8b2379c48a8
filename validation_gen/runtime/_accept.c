/* The quick way through objects: walks decoded JSON beside a table, and says "certainly valid", "not sure", or which values are
 * not right, with what their checks say of them.
 *
 * What is wrong it never says by itself: checks say it, and generated Python code has been seen to report it so. Whatever it is
 * not sure of, that code decides. So each doubt costs time and nothing else, and a wrong "yes" and an error that Python does
 * not have are the only mistakes that it can make. Hence the rules of this file:
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
#include <limits.h>
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
/* The places that are told of an object. Of one with more, Python finds them. */
#define MOST_PLACES 64
/* The checks that are asked at a place. */
#define MOST_CHECKS 16

/* Walks of containers need more room on the stack than those of single values, which are most. What happens to doubts stays out
 * of the way of what is valid. */
#if defined(__GNUC__) || defined(__clang__)
#define NOT_INLINED __attribute__((noinline))
#define RARE __attribute__((noinline, cold))
#else
#define NOT_INLINED
#define RARE
#endif

enum { YES = 1, UNSURE = 0, FAILED = -1, PLACED = 2 };

/* What a value is. The numbers are known to `acceptance`, which reads them from the module. */
enum { NEVER, ANY, TEXT, INTEGER, BOOLEAN, NUMBER, INT_OR_TEXT, WIRE, LIST, MAP, STRUCT, DATA };

/* Flags of a node. */
enum {
    LEAVES_UNSET = 1, /* a zero or empty value is right whatever else is asked */
    FILLED = 2,       /* a zero or empty value is wrong */
    CHANGES = 4,      /* there are questions about changes, here or below */
    COMPARED = 8,     /* of a kind: one that has not changed has nothing wrong */
    CLOSED = 16,      /* of a struct: a name that it does not know is a doubt */
    OPEN = 32,        /* of a struct: behind names that it does not know there may be any data */
    FILLS = 64,       /* there are defaults, here or below */
};

/* Flags of a member. */
enum {
    WANTED = 1,    /* one that is not there is a doubt */
    EMPTY = 2,     /* one that is not there counts as an empty struct, which is looked at */
    NOT_NULL = 4,  /* null is a doubt; elsewhere it is as if the member were not there */
    POINTER = 8,   /* set as soon as it is not null, whatever the value */
    COUNTED = 16,  /* a union asks whether it is set */
    KEY = 32,      /* tells items of a list apart */
    DEFAULT = 64,  /* the zero value is a default, to be filled in */
    PARTS = 128,   /* there are defaults below */
};

/* What is in a leaf: the checks as questions, what functions are known to say by which checks fail, a function that says what
 * is of the wrong type, and the leaf as Python knows it. */
enum { CHECKS, KNOWN, MEND, LEAF };

/* What is known of a check that fails: which one it is, the rule whose error it is, how the value is shown, and whether what is
 * inside the value is not looked at then. It is kept by which checks fail: a bit for each, None for a value that is not there. */
enum { POSITION, RULE, JSON, STOPS };

/* How many members of a union may be set. */
enum { EXACTLY_ONE, AT_MOST_ONE, SELECTED, BOTH_OR_NO_FIRST, NOT_BOTH };

typedef struct {
    PyObject *name;
    PyObject *zero; /* what stands for one that is not there */
    Py_hash_t hash;
    uint32_t node;
    int flags;
} Member;

/* What only doubts need of a member, so that members are small. */
typedef struct {
    PyObject *element; /* of a path that leads to it */
    PyObject *leaf;    /* as of a node, for one that is not there */
} Step;

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
    PyObject *values; /* the texts, or integers, that are right, or NULL */
    Py_ssize_t n_patterns;
    Pattern *patterns;
    PyObject *asks; /* pairs of a function and further operands: it gives None for what is right */
    uint32_t item, key;
    PyObject *unique; /* NULL, an empty tuple for items that differ as a whole, or pairs of a key and its zero value */
    Py_ssize_t n_members;
    Member *members;
    Step *steps;
    uint32_t slots;    /* of the table below, less one */
    uint16_t *places;  /* positions of members plus one, by hash */
    uint64_t required[WORDS];
    Py_ssize_t n_unions;
    Union *unions;
    PyObject *changes; /* as asks, with the old value behind the new one; None stands for any change */
    PyObject *finder;  /* gives, for old items, a function from a new item to the old one that it was; or None */
    PyObject *leaf;    /* what says what is wrong with a value here, to be told with a place; or None */
    int inside;        /* how many places inside a value may be told: 0 for none, 1 where their order is not known */
} Node;

typedef struct {
    PyObject_HEAD
    PyObject *spec;
    Py_ssize_t n_nodes;
    Node *nodes;
    vectorcallfunc vectorcall;
    PyObject *segments, *rule, *json_string; /* names of attributes of errors */
} Acceptor;

/* A value that is not certainly right, and the way to it, from the innermost element of its path outwards. */
typedef struct {
    PyObject *leaf; /* borrowed from the table */
    PyObject *value, *way;
    int rank;  /* among the members of the struct that is being left */
    int depth; /* of the container from which the way leads, so far */
    int above; /* whether there are other places inside it */
    int gone;  /* whether it is that of a member that is not there, so that the value is the same each time */
} Place;

/* Values of the wrong type in the order in which they were met, and others in the order in which functions look at them. */
typedef struct {
    int n_wrong, n_others;
    Place wrong[MOST_PLACES], others[MOST_PLACES];
} Places;

typedef struct {
    const Node *nodes;
    Places *places; /* NULL: to leave at the first doubt */
} Walk;

static int accepted(const Walk *walk, uint32_t index, PyObject *value, int depth);

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

/* What a function gives for a value, and an old one or NULL, which somebody holds, with its further operands. */
static PyObject *
called(PyObject *function, PyObject *operands, PyObject *value, PyObject *old)
{
    PyObject *arguments[9];
    Py_ssize_t count = PyTuple_GET_SIZE(operands), values = old == NULL ? 1 : 2;
    if (count > 6) {
        PyErr_SetString(PyExc_ValueError, "too many operands");
        return NULL;
    }
    arguments[1] = value;
    arguments[2] = old;
    for (Py_ssize_t i = 0; i < count; i++) {
        arguments[i + 1 + values] = PyTuple_GET_ITEM(operands, i);
    }
    return PyObject_Vectorcall(
        function, arguments + 1, (size_t)(count + values) | PY_VECTORCALL_ARGUMENTS_OFFSET, NULL);
}

/* Asks a function about a value: it gives None, or no errors, where all is right. */
static int
asked(PyObject *function, PyObject *operands, PyObject *value, PyObject *old)
{
    PyObject *found = called(function, operands, value, old);
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

/* Whether a text is known to follow a pattern: by its table, by memory, or because a function says so. Where places are
 * noted, nobody is asked about a text that hardly can: its checks are asked anyway. */
static int
follows(const Walk *walk, const Pattern *pattern, PyObject *text)
{
    int unlikely = 0;
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
            unlikely = walk->places != NULL;
        }
    }
    if (pattern->known != NULL) {
        int known = PySet_Contains(pattern->known, text);
        if (known != 0) {
            return known;
        }
    }
    return pattern->ask == Py_None || unlikely ? UNSURE : asked(pattern->ask, pattern->operands, text, NULL);
}

static int
text_accepted(const Walk *walk, const Node *node, PyObject *text)
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
        answer = follows(walk, &node->patterns[i], text);
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
    if (node->values != NULL) {
        int there = PySet_Contains(node->values, value);
        if (there != 1) {
            return there;
        }
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

/* --- places ------------------------------------------------------------------------------------------------------- */

/* Where a walk is told to, it goes on after a doubt about a single value, and notes its place; whatever it cannot note stays
 * a doubt about all. So functions for containers give PLACED where all that is wrong with a value is among the places, and
 * UNSURE where nobody knows. What has no place costs nothing here: nothing is done before there is a doubt. */

/* The first of the places in a container that is being walked, and of those behind it in turn. Places elsewhere come before
 * them, and their ways lead from further up. */
static int
first_inside(const Place *places, int count, int depth)
{
    while (count > 0 && places[count - 1].depth >= depth) {
        count--;
    }
    return count;
}

static void
places_freed(Places *places)
{
    for (int i = 0; i < places->n_wrong; i++) {
        Py_DECREF(places->wrong[i].value);
        Py_DECREF(places->wrong[i].way);
    }
    for (int i = 0; i < places->n_others; i++) {
        Py_DECREF(places->others[i].value);
        Py_DECREF(places->others[i].way);
    }
}

/* Whether a value is one of those that JSON decoders give, null aside. */
static int
is_json(PyObject *value)
{
    return PyUnicode_CheckExact(value) || PyLong_CheckExact(value) || PyBool_Check(value) || PyFloat_CheckExact(value)
        || PyList_CheckExact(value) || PyDict_CheckExact(value);
}

/* Whether a value that has been doubted is of the wrong type. Of what has a form of its own it is to be supposed. */
static int
is_mistyped(const Node *node, PyObject *value)
{
    switch (node->op) {
    case TEXT:
        return !PyUnicode_CheckExact(value);
    case BOOLEAN:
        return !PyBool_Check(value);
    case NUMBER:
        return !PyFloat_CheckExact(value) && !PyLong_CheckExact(value);
    case INT_OR_TEXT:
    case INTEGER:
        if (PyLong_CheckExact(value)) {
            int overflow;
            long long number = PyLong_AsLongLongAndOverflow(value, &overflow);
            return overflow || number < node->least || number > node->most;
        }
        return node->op == INTEGER || !PyUnicode_CheckExact(value);
    case WIRE:
        return 1;
    case LIST:
        return !PyList_CheckExact(value);
    default:
        return !PyDict_CheckExact(value);
    }
}

/* Notes a place. Returns what became of the doubt. */
static int
noted(Places *places, PyObject *leaf, PyObject *value, int mistyped)
{
    int *count = mistyped ? &places->n_wrong : &places->n_others;
    if (leaf == Py_None || *count >= MOST_PLACES) {
        return UNSURE;
    }
    PyObject *way = PyList_New(0);
    if (way == NULL) {
        return FAILED;
    }
    Place *place = mistyped ? &places->wrong[*count] : &places->others[*count];
    *place = (Place){.leaf = leaf, .value = Py_NewRef(value), .way = way, .depth = INT_MAX};
    (*count)++;
    return PLACED;
}

/* Notes a single value, or one that should be a container and is none. */
static int
value_noted(Places *places, const Node *node, PyObject *value, int flags)
{
    if (node->op == NEVER || node->op == ANY || !is_json(value)) {
        return UNSURE;
    }
    int mistyped = is_mistyped(node, value);
    if (mistyped ? flags & (COUNTED | KEY) : node->op >= LIST) {
        return UNSURE; /* others look at its type; or it is a container, which has noted what it could */
    }
    return noted(places, node->leaf, value, mistyped);
}

/* Puts a step before the ways that lead from a part of a container. */
static int
led(Place *places, int count, int depth, PyObject *step, int rank)
{
    for (int i = first_inside(places, count, depth + 1); i < count; i++) {
        places[i].depth = depth;
        places[i].rank = rank;
        if (PyList_Append(places[i].way, step) < 0) {
            return FAILED;
        }
    }
    return PLACED;
}

/* What a doubt about a part of a container comes to, which is a step away from it. */
static RARE int
part_placed(
    const Walk *walk, const Node *node, PyObject *value, int answer, int flags, PyObject *step, int rank, int depth)
{
    Places *places = walk->places;
    if (answer == UNSURE) {
        answer = value_noted(places, node, value, flags);
    }
    if (answer == PLACED) {
        answer = led(places->wrong, places->n_wrong, depth, step, 0);
    }
    return answer == PLACED ? led(places->others, places->n_others, depth, step, rank) : answer;
}

/* Whether something in a container is of the wrong type. */
static int
holds_wrong(const Places *places, int depth)
{
    return first_inside(places->wrong, places->n_wrong, depth) < places->n_wrong;
}

/* Whether the places in a container are all that is to be said of it. They are sorted by their ranks; there are few. */
static RARE int
container_placed(const Walk *walk, const Node *node, int depth)
{
    Places *places = walk->places;
    int first = first_inside(places->others, places->n_others, depth);
    if (places->n_others - first > node->inside) {
        return UNSURE;
    }
    if ((node->inside == 0 || PyTuple_GET_SIZE(node->asks) > 0) && holds_wrong(places, depth)) {
        return UNSURE;
    }
    for (int i = first + 1; i < places->n_others; i++) {
        Place place = places->others[i];
        int j = i;
        for (; j > first && places->others[j - 1].rank > place.rank; j--) {
            places->others[j] = places->others[j - 1];
        }
        places->others[j] = place;
    }
    return PLACED;
}

/* The same, with what is wrong with a list or a map itself, if anything is: it is said before what is wrong inside. */
static RARE int
collection_placed(const Walk *walk, const Node *node, PyObject *value, int doubted, int depth)
{
    Places *places = walk->places;
    if (doubted) {
        int inside = first_inside(places->others, places->n_others, depth) < places->n_others;
        int answer = noted(places, node->leaf, value, 0);
        if (answer != PLACED) {
            return answer;
        }
        Place *own = &places->others[places->n_others - 1];
        own->rank = -1;
        own->depth = depth;
        own->above = inside;
    }
    return container_placed(walk, node, depth);
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

/* What a doubt about an item comes to. */
static RARE int
item_placed(const Walk *walk, const Node *node, PyObject *list, Py_ssize_t i, int answer, int depth)
{
    if (walk->places == NULL || answer == FAILED) {
        return answer;
    }
    if (i >= PyList_GET_SIZE(list)) {
        return UNSURE;
    }
    PyObject *step = PyUnicode_FromFormat("[%zd]", i);
    if (step == NULL) {
        return FAILED;
    }
    int flags = node->unique == NULL ? 0 : KEY;
    PyObject *item = Py_NewRef(PyList_GET_ITEM(list, i));
    answer = part_placed(walk, &walk->nodes[node->item], item, answer, flags, step, 0, depth);
    Py_DECREF(item);
    Py_DECREF(step);
    return answer;
}

static NOT_INLINED int
list_accepted(const Walk *walk, const Node *node, PyObject *list, int depth)
{
    Py_ssize_t count = PyList_GET_SIZE(list);
    int doubted = 0, placed = 0;
    if (count == 0 && (node->flags & LEAVES_UNSET)) {
        return YES;
    }
    if (count < node->min || (node->max >= 0 && count > node->max) || (count == 0 && (node->flags & FILLED))) {
        if (walk->places == NULL) {
            return UNSURE;
        }
        doubted = 1;
    }
    int answer = YES;
    Py_INCREF(list);
    for (Py_ssize_t i = 0; i < PyList_GET_SIZE(list); i++) {
        PyObject *item = PyList_GET_ITEM(list, i);
        answer = accepted(walk, node->item, item, depth);
        if (answer != YES) {
            answer = item_placed(walk, node, list, i, answer, depth);
            if (answer != PLACED) {
                break;
            }
            placed = 1;
            answer = YES;
        }
    }
    if (answer == YES && !doubted && node->unique != NULL) {
        answer = all_differ(node->unique, list);
        if (answer == UNSURE && walk->places != NULL && !holds_wrong(walk->places, depth)) {
            doubted = 1;
            answer = YES;
        }
    }
    if (answer == YES && !doubted) {
        answer = asked_all(node->asks, list);
        if (answer == UNSURE && walk->places != NULL) {
            doubted = 1;
            answer = YES;
        }
    }
    if (answer == YES && (placed || doubted)) {
        answer = collection_placed(walk, node, list, doubted, depth);
    }
    Py_DECREF(list);
    return answer;
}

/* --- objects ------------------------------------------------------------------------------------------------------ */

/* Whether a value is data as it would be written: no floats, which have several forms, and integers that fit. */
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

/* What a doubt about a value of a map comes to. Names with brackets make paths that are not clear. */
static RARE int
entry_placed(const Walk *walk, const Node *node, PyObject *key, PyObject *value, int answer, int depth)
{
    if (walk->places == NULL || answer == FAILED) {
        return answer;
    }
    for (Py_ssize_t i = 0; i < PyUnicode_GET_LENGTH(key); i++) {
        Py_UCS4 c = PyUnicode_READ_CHAR(key, i);
        if (c == '[' || c == ']') {
            return UNSURE;
        }
    }
    PyObject *step = PyUnicode_FromFormat("[%U]", key);
    if (step == NULL) {
        return FAILED;
    }
    answer = part_placed(walk, &walk->nodes[node->item], value, answer, 0, step, 0, depth);
    Py_DECREF(step);
    return answer;
}

static NOT_INLINED int
map_accepted(const Walk *walk, const Node *node, PyObject *map, int depth)
{
    Py_ssize_t count = PyDict_GET_SIZE(map);
    int doubted = 0, placed = 0;
    if (count == 0 && (node->flags & LEAVES_UNSET)) {
        return YES;
    }
    if (count < node->min || (node->max >= 0 && count > node->max) || (count == 0 && (node->flags & FILLED))) {
        if (walk->places == NULL) {
            return UNSURE;
        }
        doubted = 1;
    }
    int answer = YES;
    Py_ssize_t at = 0;
    PyObject *key, *value;
    Py_INCREF(map);
    while (answer == YES && PyDict_Next(map, &at, &key, &value)) {
        Py_INCREF(key);
        Py_INCREF(value);
        answer = accepted(walk, node->key, key, depth);
        if (answer == YES) {
            answer = accepted(walk, node->item, value, depth);
            if (answer != YES) {
                answer = entry_placed(walk, node, key, value, answer, depth);
                if (answer == PLACED) {
                    placed = 1;
                    answer = YES;
                }
            }
        }
        Py_DECREF(value);
        Py_DECREF(key);
    }
    if (answer == YES && !doubted) {
        answer = asked_all(node->asks, map);
        if (answer == UNSURE && walk->places != NULL) {
            doubted = 1;
            answer = YES;
        }
    }
    if (answer == YES && (placed || doubted)) {
        answer = collection_placed(walk, node, map, doubted, depth);
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

/* The hash of a name, which an object has had to ask for. */
static inline Py_hash_t
hash_of(PyObject *name)
{
    Py_hash_t known = ((PyASCIIObject *)name)->hash;
    return known != -1 ? known : PyObject_Hash(name);
}

/* The position of a name among the members of a struct, -1 for unknown names. */
static inline Py_ssize_t
position_of(const Node *node, PyObject *name)
{
    Py_hash_t hash = hash_of(name);
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

/* What a doubt about a member comes to, in an object, or NULL where it is wanted and not there. */
static RARE int
member_placed(const Walk *walk, const Node *node, Py_ssize_t position, PyObject *object, int answer, int depth)
{
    if (walk->places == NULL || answer == FAILED) {
        return answer;
    }
    const Member *member = &node->members[position];
    const Step *step = &node->steps[position];
    if (object == NULL) {
        answer = noted(walk->places, step->leaf, member->zero, 0);
        if (answer == PLACED) {
            walk->places->others[walk->places->n_others - 1].gone = 1;
            answer = led(walk->places->others, walk->places->n_others, depth, step->element, (int)position);
        }
    }
    else {
        PyObject *value = PyDict_GetItemWithError(object, member->name); /* Python may have run since it was met */
        if (value == NULL) {
            PyErr_Clear();
            return UNSURE;
        }
        Py_INCREF(value);
        answer = part_placed(
            walk, &walk->nodes[member->node], value, answer, member->flags, step->element, (int)position, depth);
        Py_DECREF(value);
    }
    return answer;
}

/* What a struct asks of members that are not there, of unions, and of itself as a whole. */
static int
whole_accepted(
    const Walk *walk, const Node *node, PyObject *object, const uint64_t *seen, const uint64_t *set, int depth)
{
    int placed = 0;
    for (Py_ssize_t word = 0; word * 64 < node->n_members; word++) {
        uint64_t missing = node->required[word] & ~seen[word];
        for (int bit = 0; missing != 0; bit++, missing >>= 1) {
            if (missing & 1) {
                const Member *member = &node->members[word * 64 + bit];
                int answer;
                if (member->flags & WANTED) {
                    answer = member_placed(walk, node, word * 64 + bit, NULL, UNSURE, depth);
                    placed = 1;
                }
                else {
                    answer = accepted(walk, member->node, NULL, depth);
                }
                if (answer != YES && answer != PLACED) {
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
    int answer = asked_all(node->asks, object);
    return answer == YES && placed ? PLACED : answer;
}

/* An object with known names. NULL stands for an empty one. */
static NOT_INLINED int
struct_accepted(const Walk *walk, const Node *node, PyObject *object, int depth)
{
    uint64_t seen[WORDS], set[WORDS];
    for (Py_ssize_t word = 0; word * 64 < node->n_members; word++) {
        seen[word] = set[word] = 0;
    }
    int answer = YES, placed = 0;
    if (object == NULL) {
        PyObject *nothing = PyDict_New();
        if (nothing == NULL) {
            return FAILED;
        }
        answer = whole_accepted(walk, node, nothing, seen, set, depth);
        Py_DECREF(nothing);
        return answer == PLACED ? UNSURE : answer;
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
        if (answer != YES) {
            answer = member_placed(walk, node, position, object, answer, depth);
            if (answer != PLACED) {
                break;
            }
            placed = 1;
            answer = YES;
        }
    }
    if (answer == YES) {
        answer = whole_accepted(walk, node, object, seen, set, depth);
        if (placed ? answer == YES || answer == PLACED : answer == PLACED) {
            answer = PyDict_GET_SIZE(object) == 0 ? UNSURE : container_placed(walk, node, depth);
        }
    }
    Py_DECREF(object);
    return answer;
}

/* --- all values --------------------------------------------------------------------------------------------------- */

/* Whether a value is certainly right. NULL stands for a struct that is not there. */
static int
accepted(const Walk *walk, uint32_t index, PyObject *value, int depth)
{
    const Node *node = &walk->nodes[index];
    switch (node->op) {
    case ANY:
        return YES;
    case TEXT:
        if (!PyUnicode_CheckExact(value)) {
            return UNSURE;
        }
        return node->free && PyUnicode_IS_ASCII(value) ? YES : text_accepted(walk, node, value);
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
            return text_accepted(walk, node, value);
        }
        return PyLong_CheckExact(value) ? number_decodes(node, value) : UNSURE;
    case LIST:
        return PyList_CheckExact(value) && depth < DEEPEST ? list_accepted(walk, node, value, depth + 1) : UNSURE;
    case MAP:
        return PyDict_CheckExact(value) && depth < DEEPEST ? map_accepted(walk, node, value, depth + 1) : UNSURE;
    case STRUCT:
        return (value == NULL || PyDict_CheckExact(value)) && depth < DEEPEST
            ? struct_accepted(walk, node, value, depth + 1) : UNSURE;
    case DATA:
        return value != Py_None && is_data(value, depth) ? asked_all(node->asks, value) : UNSURE;
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

static int unchanged(const Walk *walk, uint32_t index, PyObject *value, PyObject *old, int depth);

static int
struct_unchanged(const Walk *walk, const Node *node, PyObject *object, PyObject *old, int depth)
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
                                     : unchanged(walk, member->node, value, was, depth);
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
unchanged(const Walk *walk, uint32_t index, PyObject *value, PyObject *old, int depth)
{
    const Node *node = &walk->nodes[index];
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
            int equal = unchanged(walk, node->item, item, was, depth + 1);
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
            || PyTuple_GET_SIZE(walk->nodes[node->key].asks) > 0) {
            return 0;
        }
        while (PyDict_Next(value, &here, &key, &item)) {
            Py_INCREF(item);
            PyObject *was = PyUnicode_CheckExact(key) ? counterpart(old, &there, key) : NULL;
            int equal = was != NULL && unchanged(walk, node->item, item, was, depth + 1);
            Py_XDECREF(was);
            Py_DECREF(item);
            if (!equal) {
                return 0;
            }
        }
        return 1;
    }
    case STRUCT:
        return PyDict_CheckExact(value) && struct_unchanged(walk, node, value, old, depth + 1);
    default:
        return 0;
    }
}

static int changed(const Walk *walk, uint32_t index, PyObject *value, PyObject *old, int depth);

/* Whether a function that finds old items, and what it found for an item, have nothing against the item. */
static int
item_changed(const Walk *walk, const Node *node, PyObject *find, PyObject *item, int depth)
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
        answer = changed(walk, node->item, item, old, depth);
    }
    Py_XDECREF(old);
    Py_DECREF(item);
    return answer;
}

static int
list_changed(const Walk *walk, const Node *node, PyObject *list, PyObject *old, int depth)
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
        answer = item_changed(walk, node, find, PyList_GET_ITEM(list, i), depth);
    }
    Py_DECREF(find);
    return answer;
}

static int
map_changed(const Walk *walk, const Node *node, PyObject *map, PyObject *old, int depth)
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
            answer = changed(walk, node->item, value, was, depth);
        }
        Py_XDECREF(was);
        Py_DECREF(value);
    }
    return answer;
}

/* A member that is there only before or only afterwards. A struct that is no pointer is then an empty one. */
static int
member_came_or_went(const Walk *walk, const Member *member, PyObject *value, PyObject *old, int depth)
{
    const Node *node = &walk->nodes[member->node];
    if (node->op == STRUCT && !(member->flags & POINTER)) {
        PyObject *nothing = PyDict_New();
        if (nothing == NULL) {
            return FAILED;
        }
        int answer = changed(walk, member->node, value == NULL ? nothing : value, old == NULL ? nothing : old, depth);
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
struct_changed(const Walk *walk, const Node *node, PyObject *object, PyObject *old, int depth)
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
                answer = member_came_or_went(walk, member, value, was, depth);
            }
        }
        else if (!same(value, was, depth)) {
            answer = changed(walk, member->node, value, was, depth);
        }
        Py_XDECREF(value);
        Py_XDECREF(was);
    }
    return answer;
}

/* Whether rules of changes have nothing against a value that is not the same as the old one. It has been accepted. */
static int
changed(const Walk *walk, uint32_t index, PyObject *value, PyObject *old, int depth)
{
    const Node *node = &walk->nodes[index];
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
        answer = PyTuple_GET_ITEM(node->changes, 0) == Py_None ? UNSURE : accepted(walk, index, old, depth);
    }
    for (Py_ssize_t i = 0; i < count && answer == YES; i++) {
        PyObject *ask = PyTuple_GET_ITEM(node->changes, i);
        answer = ask == Py_None ? UNSURE : asked(PyTuple_GET_ITEM(ask, 0), PyTuple_GET_ITEM(ask, 1), value, old);
    }
    if (answer == YES && node->op == STRUCT) {
        answer = struct_changed(walk, node, value, old, depth + 1);
    }
    else if (answer == YES && node->op == LIST && (walk->nodes[node->item].flags & CHANGES)) {
        answer = list_changed(walk, node, value, old, depth + 1);
    }
    else if (answer == YES && node->op == MAP && (walk->nodes[node->item].flags & CHANGES)) {
        answer = map_changed(walk, node, value, old, depth + 1);
    }
    Py_DECREF(value);
    Py_DECREF(old);
    return answer;
}

/* Whether an update from one object to another is certainly valid. */
static int
update_accepted(const Walk *walk, PyObject *object, PyObject *old)
{
    const Node *kind = &walk->nodes[0];
    if (!PyDict_CheckExact(old) || PyTuple_GET_SIZE(kind->changes) > 0) {
        return UNSURE; /* rules of the kind as a whole are asked whether it has changed or not */
    }
    if ((kind->flags & COMPARED) && unchanged(walk, 0, object, old, 0)) {
        return YES;
    }
    int answer = accepted(walk, 0, object, 0);
    return answer == YES ? changed(walk, 0, object, old, 0) : answer;
}

/* --- defaults ----------------------------------------------------------------------------------------------------- */

/* A copy of what an accepted object has, or of a default, of which nobody may change the one in the table. What no object
 * that is accepted has, as it is nested too deeply or has names that are no texts, is no copy. */
static PyObject *
copied(PyObject *value, int depth)
{
    if (depth >= DEEPEST || !(PyDict_CheckExact(value) || PyList_CheckExact(value))) {
        return Py_NewRef(value);
    }
    if (PyList_CheckExact(value)) {
        Py_ssize_t count = PyList_GET_SIZE(value);
        PyObject *found = PyList_New(count);
        for (Py_ssize_t i = 0; found != NULL && i < count; i++) {
            PyObject *item = copied(PyList_GET_ITEM(value, i), depth + 1);
            if (item == NULL) {
                Py_CLEAR(found);
            }
            else {
                PyList_SET_ITEM(found, i, item);
            }
        }
        return found;
    }
    Py_ssize_t at = 0;
    PyObject *key, *item, *found = PyDict_New();
    while (found != NULL && PyDict_Next(value, &at, &key, &item)) {
        if (!PyUnicode_CheckExact(key)) { /* no Python runs here */
            Py_DECREF(found);
            return Py_NewRef(value);
        }
        PyObject *copy = copied(item, depth + 1);
        if (copy == NULL || PyDict_SetItem(found, key, copy) < 0) {
            Py_CLEAR(found);
        }
        Py_XDECREF(copy);
    }
    return found;
}

static PyObject *filled(const Acceptor *self, uint32_t index, PyObject *value, int depth);

/* A member as it is with its defaults, held; NULL without an exception if it is not there and has none. */
static PyObject *
member_filled(const Acceptor *self, const Member *member, PyObject *value, int depth)
{
    if (value != NULL) {
        return filled(self, member->node, value, depth);
    }
    if (!(member->flags & DEFAULT) || PyErr_Occurred()) {
        return NULL;
    }
    PyObject *made = copied(member->zero, depth);
    if (made == NULL || !(member->flags & PARTS)) {
        return made;
    }
    PyObject *found = filled(self, member->node, made, depth);
    Py_DECREF(made);
    return found;
}

static PyObject *
struct_filled(const Acceptor *self, const Node *node, PyObject *object, int depth)
{
    PyObject *found = Py_NewRef(object);
    for (Py_ssize_t i = 0; found != NULL && i < node->n_members; i++) {
        const Member *member = &node->members[i];
        if (!(member->flags & (DEFAULT | PARTS))) {
            continue;
        }
        PyObject *value = PyDict_GetItemWithError(object, member->name);
        Py_XINCREF(value);
        PyObject *made = member_filled(self, member, value, depth);
        if (made == NULL && PyErr_Occurred()) {
            Py_CLEAR(found);
        }
        else if (made != value) {
            if (found == object) {
                Py_SETREF(found, PyDict_Copy(object));
            }
            if (found != NULL && PyDict_SetItem(found, member->name, made) < 0) {
                Py_CLEAR(found);
            }
        }
        Py_XDECREF(made);
        Py_XDECREF(value);
    }
    return found;
}

static PyObject *
list_filled(const Acceptor *self, const Node *node, PyObject *list, int depth)
{
    PyObject *found = Py_NewRef(list);
    for (Py_ssize_t i = 0; found != NULL && i < PyList_GET_SIZE(list) && i < PyList_GET_SIZE(found); i++) {
        PyObject *item = Py_NewRef(PyList_GET_ITEM(list, i));
        PyObject *made = filled(self, node->item, item, depth);
        if (made == NULL) {
            Py_CLEAR(found);
        }
        else if (made != item) {
            if (found == list) {
                Py_SETREF(found, PyList_GetSlice(list, 0, PyList_GET_SIZE(list)));
            }
            if (found != NULL && PyList_SetItem(found, i, Py_NewRef(made)) < 0) {
                Py_CLEAR(found);
            }
        }
        Py_XDECREF(made);
        Py_DECREF(item);
    }
    return found;
}

static PyObject *
map_filled(const Acceptor *self, const Node *node, PyObject *map, int depth)
{
    PyObject *found = Py_NewRef(map), *key, *value;
    Py_ssize_t at = 0;
    while (found != NULL && PyDict_Next(map, &at, &key, &value)) {
        Py_INCREF(key);
        Py_INCREF(value);
        PyObject *made = PyUnicode_CheckExact(key) ? filled(self, node->item, value, depth) : Py_NewRef(value);
        if (made == NULL) {
            Py_CLEAR(found);
        }
        else if (made != value) {
            if (found == map) {
                Py_SETREF(found, PyDict_Copy(map));
            }
            if (found != NULL && PyDict_SetItem(found, key, made) < 0) {
                Py_CLEAR(found);
            }
        }
        Py_XDECREF(made);
        Py_DECREF(value);
        Py_DECREF(key);
    }
    return found;
}

/* A value with its defaults, held: itself where there is nothing to fill in, else a copy of what holds something new. */
static PyObject *
filled(const Acceptor *self, uint32_t index, PyObject *value, int depth)
{
    const Node *node = &self->nodes[index];
    if (!(node->flags & FILLS) || depth >= DEEPEST) {
        return Py_NewRef(value);
    }
    switch (node->op) {
    case STRUCT:
        return PyDict_CheckExact(value) ? struct_filled(self, node, value, depth + 1) : Py_NewRef(value);
    case LIST:
        return PyList_CheckExact(value) ? list_filled(self, node, value, depth + 1) : Py_NewRef(value);
    case MAP:
        return PyDict_CheckExact(value) ? map_filled(self, node, value, depth + 1) : Py_NewRef(value);
    default:
        return Py_NewRef(value);
    }
}

/* An object with its defaults, if it is then certainly valid, else None. */
static PyObject *
acceptor_ready(Acceptor *self, PyObject *object)
{
    if (!PyDict_CheckExact(object)) {
        Py_RETURN_NONE;
    }
    PyObject *found = filled(self, 0, object, 0);
    if (found == NULL) {
        if (doubt() == FAILED) {
            return NULL;
        }
        Py_RETURN_NONE;
    }
    const Walk walk = {.nodes = self->nodes, .places = NULL};
    int answer = accepted(&walk, 0, found, 0);
    if (answer == YES) {
        return found;
    }
    Py_DECREF(found);
    if (answer == FAILED) {
        return NULL;
    }
    Py_RETURN_NONE;
}

/* Whether two values certainly are the same. */
static PyObject *
module_same(PyObject *Py_UNUSED(module), PyObject *const *arguments, Py_ssize_t count)
{
    if (count != 2) {
        PyErr_SetString(PyExc_TypeError, "takes two values");
        return NULL;
    }
    return PyBool_FromLong(same(arguments[0], arguments[1], 0));
}

static PyObject *
module_copied(PyObject *Py_UNUSED(module), PyObject *value)
{
    return copied(value, 0);
}

/* --- tables ------------------------------------------------------------------------------------------------------- */

static void
node_freed(Node *node)
{
    PyMem_Free(node->patterns);
    PyMem_Free(node->members);
    PyMem_Free(node->steps);
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

/* A function and its operands. */
static int
is_question(PyObject *ask)
{
    PyObject *function, *operands;
    if (PyTuple_Check(ask) && PyArg_ParseTuple(ask, "OO!", &function, &PyTuple_Type, &operands)) {
        return 1;
    }
    PyErr_SetString(PyExc_TypeError, "a question is a function and its operands");
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

/* A leaf, or None. */
static int
is_leaf(PyObject *leaf)
{
    PyObject *checks, *known, *mend, *self;
    if (leaf == Py_None) {
        return 1;
    }
    if (!PyTuple_Check(leaf)
        || !PyArg_ParseTuple(leaf, "O!O!OO", &PyTuple_Type, &checks, &PyDict_Type, &known, &mend, &self)) {
        PyErr_SetString(PyExc_TypeError, "a leaf has checks");
        return 0;
    }
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(checks); i++) {
        if (!is_question(PyTuple_GET_ITEM(checks, i))) {
            return 0;
        }
    }
    return 1;
}

/* Members: the name, the position of the node, flags, the zero value, the element of a path, the leaf where it is not there. */
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
    node->steps = zeros(node->n_members, sizeof(Step));
    node->places = zeros(size, sizeof(uint16_t));
    if (node->members == NULL || node->steps == NULL || node->places == NULL) {
        return -1;
    }
    if (node->n_members > WORDS * 64) {
        node->op = NEVER;
        node->n_members = 0;
        return 0;
    }
    for (Py_ssize_t i = 0; i < node->n_members; i++) {
        Member *member = &node->members[i];
        Step *step = &node->steps[i];
        if (!PyArg_ParseTuple(PyTuple_GET_ITEM(members, i), "UIiOUO", &member->name, &member->node, &member->flags,
                              &member->zero, &step->element, &step->leaf)) {
            return -1;
        }
        if (!is_leaf(step->leaf)) {
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
    if (!PyArg_ParseTuple(spec, "iinnnLLLLOO!O!IIOO!O!O!OOi", &node->op, &node->flags, &node->min, &node->max, &node->bytes,
                          &node->low, &node->high, &node->least, &node->most, &values, &PyTuple_Type, &patterns, &PyTuple_Type, &asks, &node->item,
                          &node->key, &unique, &PyTuple_Type, &members, &PyTuple_Type, &unions, &PyTuple_Type,
                          &node->changes, &node->finder, &node->leaf, &node->inside)) {
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
        if (!(more >= 0 && ask == Py_None) && !is_question(ask)) {
            return -1;
        }
    }
    for (Py_ssize_t i = 0; node->unique != NULL && i < PyTuple_GET_SIZE(unique); i++) {
        PyObject *name, *zero;
        if (!PyArg_ParseTuple(PyTuple_GET_ITEM(unique, i), "UO", &name, &zero)) {
            return -1;
        }
    }
    if (!is_leaf(node->leaf) || read_patterns(node, patterns) < 0 || read_members(node, members, n_nodes) < 0) {
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
        const Walk walk = {.nodes = self->nodes, .places = NULL};
        answer = old == Py_None ? accepted(&walk, 0, object, 0) : update_accepted(&walk, object, old);
    }
    if (answer == FAILED) {
        return NULL;
    }
    return PyBool_FromLong(answer == YES);
}

/* Places as Python gets them: tuples of a leaf, a value, a way, and whether there are others inside,
 * or None for a member that is not there. */
static PyObject *
told(const Place *places, int count)
{
    PyObject *found = PyList_New(count);
    for (int i = 0; found != NULL && i < count; i++) {
        const Place *place = &places[i];
        PyObject *leaf = PyTuple_GET_ITEM(place->leaf, LEAF);
        PyObject *kind = place->gone ? Py_None : place->above ? Py_True : Py_False;
        PyObject *each = PyTuple_Pack(4, leaf, place->value, place->way, kind);
        if (each == NULL) {
            Py_CLEAR(found);
        }
        else {
            PyList_SET_ITEM(found, i, each);
        }
    }
    return found;
}

/* Puts a way behind the segments of the path of an error. */
static int
moved(const Acceptor *self, PyObject *error, PyObject *way)
{
    PyObject *segments = PyObject_GetAttr(error, self->segments);
    if (segments == NULL) {
        return FAILED;
    }
    int failed = !PyList_CheckExact(segments)
        || PyList_SetSlice(segments, PyList_GET_SIZE(segments), PyList_GET_SIZE(segments), way) < 0;
    Py_DECREF(segments);
    return failed ? FAILED : YES;
}

/* Adds what is said of a value of the wrong type. */
static int
mistyped_said(const Acceptor *self, const Place *place, PyObject *errors)
{
    PyObject *mended = PyObject_CallOneArg(PyTuple_GET_ITEM(place->leaf, MEND), place->value);
    if (mended == NULL) {
        return FAILED;
    }
    int answer = UNSURE;
    if (PyTuple_Check(mended) && PyTuple_GET_SIZE(mended) == 2 && PyList_CheckExact(PyTuple_GET_ITEM(mended, 1))) {
        PyObject *found = PyTuple_GET_ITEM(mended, 1);
        answer = PyList_GET_SIZE(found) > 0 ? YES : UNSURE;
        for (Py_ssize_t i = 0; answer == YES && i < PyList_GET_SIZE(found); i++) {
            PyObject *error = PyList_GET_ITEM(found, i);
            answer = moved(self, error, place->way);
            if (answer == YES && PyList_Append(errors, error) < 0) {
                answer = FAILED;
            }
        }
    }
    Py_DECREF(mended);
    return answer;
}

/* Adds the errors of a check, as a rule reports them. */
static int
reported(const Acceptor *self, const Place *place, PyObject *found, PyObject *known, PyObject *errors)
{
    PyObject *rule = PyTuple_GET_ITEM(known, RULE), *json = PyTuple_GET_ITEM(known, JSON);
    if (!PyList_CheckExact(found)) {
        return UNSURE;
    }
    for (Py_ssize_t i = 0; i < PyList_GET_SIZE(found); i++) {
        PyObject *error = PyList_GET_ITEM(found, i);
        if (moved(self, error, place->way) == FAILED || PyObject_SetAttr(error, self->rule, rule) < 0) {
            return FAILED;
        }
        PyObject *shown = PyObject_GetAttr(error, self->json_string);
        if (shown == NULL) {
            return FAILED;
        }
        Py_DECREF(shown); /* the error has it */
        if ((shown == Py_None && PyObject_SetAttr(error, self->json_string, json) < 0) || PyList_Append(errors, error) < 0) {
            return FAILED;
        }
    }
    return YES;
}

/* Adds what functions say of a member that is not there. Only the checks that have something to say are asked. */
static int
gone_said(const Acceptor *self, const Place *place, PyObject *errors)
{
    PyObject *checks = PyTuple_GET_ITEM(place->leaf, CHECKS);
    PyObject *known = PyDict_GetItemWithError(PyTuple_GET_ITEM(place->leaf, KNOWN), Py_None);
    if (known == NULL) {
        return PyErr_Occurred() ? FAILED : UNSURE;
    }
    int answer = YES;
    Py_INCREF(known);
    for (Py_ssize_t i = 0; answer == YES && i < PyTuple_GET_SIZE(known); i++) {
        PyObject *each = PyTuple_GET_ITEM(known, i);
        PyObject *check = PyTuple_GET_ITEM(checks, PyLong_AsSsize_t(PyTuple_GET_ITEM(each, POSITION)));
        PyObject *found = called(PyTuple_GET_ITEM(check, 0), PyTuple_GET_ITEM(check, 1), place->value, NULL);
        answer = found == NULL ? FAILED : reported(self, place, found, each, errors);
        Py_XDECREF(found);
    }
    Py_DECREF(known);
    return answer;
}

/* Asks the checks of a place, and adds what functions are known to say where the same ones fail. */
static int
place_said(const Acceptor *self, const Place *place, PyObject *errors)
{
    PyObject *checks = PyTuple_GET_ITEM(place->leaf, CHECKS), *found[MOST_CHECKS];
    Py_ssize_t count = PyTuple_GET_SIZE(checks), asked = 0;
    long failing = 0;
    int answer = count > MOST_CHECKS ? UNSURE : YES;
    for (; answer == YES && asked < count; asked++) {
        PyObject *check = PyTuple_GET_ITEM(checks, asked);
        found[asked] = called(PyTuple_GET_ITEM(check, 0), PyTuple_GET_ITEM(check, 1), place->value, NULL);
        if (found[asked] == NULL) {
            answer = FAILED;
            break;
        }
        int fails = PyObject_IsTrue(found[asked]);
        failing |= (long)(fails != 0) << asked;
    }
    if (answer == YES) {
        PyObject *key = PyLong_FromLong(failing), *known = NULL;
        if (key != NULL) {
            known = PyDict_GetItemWithError(PyTuple_GET_ITEM(place->leaf, KNOWN), key);
            Py_XINCREF(known);
            Py_DECREF(key);
        }
        answer = known != NULL ? YES : PyErr_Occurred() ? FAILED : UNSURE;
        for (Py_ssize_t i = 0; answer == YES && i < PyTuple_GET_SIZE(known); i++) {
            PyObject *each = PyTuple_GET_ITEM(known, i);
            if (place->above && PyTuple_GET_ITEM(each, STOPS) == Py_True) {
                answer = UNSURE; /* what is inside is not looked at any more */
            }
            else {
                answer = reported(self, place, found[PyLong_AsSsize_t(PyTuple_GET_ITEM(each, POSITION))], each, errors);
            }
        }
        Py_XDECREF(known);
    }
    while (asked > 0) {
        Py_DECREF(found[--asked]);
    }
    return answer;
}

/* The errors of all places, those of wrong types first. */
static int
places_said(const Acceptor *self, const Places *places, PyObject *errors)
{
    int answer = YES;
    for (int i = 0; answer == YES && i < places->n_wrong; i++) {
        answer = mistyped_said(self, &places->wrong[i], errors);
    }
    for (int i = 0; answer == YES && i < places->n_others; i++) {
        const Place *place = &places->others[i];
        answer = place->gone ? gone_said(self, place, errors) : place_said(self, place, errors);
    }
    return answer == FAILED ? doubt() : answer; /* a function may trip over a value */
}

/* A list of errors, which is empty for an object that is certainly valid; where functions are to be watched, a tuple of two
 * lists of places; None for a doubt. */
static PyObject *
acceptor_look(Acceptor *self, PyObject *object)
{
    Places places; /* only what is counted is there */
    places.n_wrong = places.n_others = 0;
    const Walk walk = {.nodes = self->nodes, .places = &places};
    int answer = PyDict_CheckExact(object) ? accepted(&walk, 0, object, 0) : UNSURE;
    PyObject *found = NULL;
    if (answer == YES || answer == PLACED) {
        found = PyList_New(0);
        if (found != NULL && answer == PLACED) {
            answer = places_said(self, &places, found);
            if (answer != YES) {
                Py_CLEAR(found);
            }
            if (answer == UNSURE) {
                PyObject *wrong = told(places.wrong, places.n_wrong), *others = told(places.others, places.n_others);
                found = wrong == NULL || others == NULL ? NULL : PyTuple_Pack(2, wrong, others);
                Py_XDECREF(wrong);
                Py_XDECREF(others);
            }
        }
    }
    else if (answer == UNSURE) {
        found = Py_NewRef(Py_None);
    }
    places_freed(&places);
    return found;
}

static PyMethodDef acceptor_methods[] = {
    {"ready", (PyCFunction)acceptor_ready, METH_O,
     "The object with its defaults, of the same parts but for what has any; None if it is not certainly valid then."},
    {"look", (PyCFunction)acceptor_look, METH_O, "look(obj): the errors of obj, or places, or None."},
    {NULL},
};

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
    Py_XDECREF(self->segments);
    Py_XDECREF(self->rule);
    Py_XDECREF(self->json_string);
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
    self->segments = PyUnicode_InternFromString("segments");
    self->rule = PyUnicode_InternFromString("rule");
    self->json_string = PyUnicode_InternFromString("json_string");
    if (self->nodes == NULL || self->segments == NULL || self->rule == NULL || self->json_string == NULL) {
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
    {Py_tp_methods, acceptor_methods},
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
        {"INT_OR_TEXT", INT_OR_TEXT}, {"WIRE", WIRE}, {"LIST", LIST}, {"MAP", MAP}, {"STRUCT", STRUCT}, {"DATA", DATA},
        {"CLOSED", CLOSED}, {"OPEN", OPEN}, {"FILLS", FILLS}, {"DEFAULT", DEFAULT}, {"PARTS", PARTS},
        {"LEAVES_UNSET", LEAVES_UNSET}, {"FILLED", FILLED}, {"CHANGES", CHANGES}, {"COMPARED", COMPARED}, {"WANTED", WANTED}, {"EMPTY", EMPTY},
        {"NOT_NULL", NOT_NULL}, {"POINTER", POINTER}, {"COUNTED", COUNTED}, {"KEY", KEY}, {"EXACTLY_ONE", EXACTLY_ONE},
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

static PyMethodDef module_methods[] = {
    {"copied", module_copied, METH_O, "A copy of JSON with a copy of each list and dict in it."},
    {"same", (PyCFunction)(void (*)(void))module_same, METH_FASTCALL,
     "Whether two values are the same in type and content, all of it JSON; false for what is nested too deeply."},
    {NULL},
};

static struct PyModuleDef module_definition = {
    PyModuleDef_HEAD_INIT,
    .m_methods = module_methods,
    .m_name = "validation_gen.runtime._accept",
    .m_doc = "The quick way through objects: what is certainly valid, and where others are wrong.",
    .m_slots = module_slots,
};

PyMODINIT_FUNC
PyInit__accept(void)
{
    return PyModuleDef_Init(&module_definition);
}
