/* What a table is made of, and what a walk of an object takes along. */

#ifndef VALIDATION_GEN_TYPES_H
#define VALIDATION_GEN_TYPES_H

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
/* The items whose elements of paths are kept ready. */
#define INDEXES 64

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
    DEMANDED = 128,   /* of the names of a map: they stand for something else than texts */
    NULLS = 256,      /* of a list or map: null is an item, and stands for nothing or for a zero value */
    NULLS_PASS = 512, /* such an item is right as far as it is no struct */
    NIL_NULLS = 1024, /* it stands for nothing, so that nobody looks at it */
    WHOLE = 2048,     /* of a struct: whether a part is new depends on others */
    UNSIGNED = 4096,  /* of a number: it may be twice as large as a signed one */
    ARRAY = 8192,     /* of a list: missing items are zero values, and nobody looks at items that are too many */
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
    PIECE = 256,   /* of what is inlined by a pointer, which is there as soon as any of its members is */
};

/* What is in a leaf: the checks as questions, what functions are known to say by which checks fail, a function that says what
 * is of the wrong type, the leaf as Python knows it, for each check None or how to find out without asking it, and what is known
 * to be said of updates. */
enum { CHECKS, KNOWN, MEND, LEAF, TESTS, KNOWN_OF_UPDATES };

/* What is known of a check that fails: which one it is, the rule whose error it is, how the value is shown, whether what is
 * inside the value is not looked at then, an error of the check that all others are like, or None, and how they differ. It is
 * kept by which checks fail: a bit for each, None for a value that is not there. */
enum { POSITION, RULE, JSON, STOPS, MODEL, SHOWS };

/* How to find out whether a check fails. */
enum { FAILS_UNSET, FAILS_SET, FAILS_BELOW, FAILS_ABOVE, FAILS_SHORTER, FAILS_LONGER, FAILS_MORE_BYTES, FAILS_UNLISTED };

/* What an error shows that is like another: the same, the value, or its length. */
enum { SHOWS_SAME, SHOWS_VALUE, SHOWS_LENGTH };

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
    Py_ssize_t min, max; /* of characters, items or names */
    Py_ssize_t bytes;    /* the most in UTF-8 */
    long long low, high; /* of a number; of an array, `high` is how many items it has */
    long long least, most; /* what the type holds, whatever rules say */
    PyObject *values; /* the texts, or integers, that are right, or NULL */
    Py_ssize_t n_patterns;
    Pattern *patterns;
    PyObject *asks; /* pairs of a function and further operands: it gives None for what is right. A third part, where there is
                     * one, is a function of the value and an old one, which is asked if the first is not sure of an update */
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
    PyObject *changes; /* as asks, with the old value behind the new one; None stands for any change, True for any
                        * but that of what is new */
    PyObject *finder;  /* gives, for old items, a function from a new item to the old one that it was; or None. Of what decodes
                        * itself, tells whether two values are the same */
    PyObject *leaf;    /* what says what is wrong with a value here, to be told with a place; or None */
    int inside;        /* how many places inside a value may be told: 0 for none, 1 where their order is not known */
} Node;

typedef struct {
    PyObject_HEAD
    PyObject *spec;
    Py_ssize_t n_nodes;
    Node *nodes;
    vectorcallfunc vectorcall;
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
    int known; /* which knowledge of leaves counts */
    const struct State *state;
    Place wrong[MOST_PLACES], others[MOST_PLACES];
} Places;

typedef struct {
    const Node *nodes;
    Places *places; /* NULL: to leave at the first doubt */
    int strict; /* whether texts that have not changed must be known to decode */
} Walk;

static int accepted(const Walk *walk, uint32_t index, PyObject *value, int depth);

#endif
