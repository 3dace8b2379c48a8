/* The types of all other headers: a table with its nodes, and the state of a walk. */

#ifndef VALIDATION_GEN_TYPES_H
#define VALIDATION_GEN_TYPES_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <limits.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <structmember.h> /* for T_PYSSIZET before Python 3.12 */

/* Maximum nesting of values. Deeper ones are left to Python, which can report that. */
#define DEEPEST 64
/* Maximum number of items that are compared with each other; more items are put into a hash table. */
#define FEW 8
/* The members of a struct, 64 in a word. Larger structs are never sure. */
#define WORDS 16

/* Walks of containers need more stack than those of scalars, which are most values. Rare code is kept out of line. */
#if defined(__GNUC__) || defined(__clang__)
#define NOT_INLINED __attribute__((noinline))
#define RARE __attribute__((noinline, cold))
#else
#define NOT_INLINED
#define RARE
#endif

/* LOCATED: unsure only because of one struct inside; the rest is certainly valid. */
enum { YES = 1, UNSURE = 0, FAILED = -1, LOCATED = 2 };

/* The kind of a node. `fastpath` reads the numbers from the module. */
enum { NEVER, ANY, TEXT, INTEGER, BOOLEAN, NUMBER, INT_OR_TEXT, WIRE, LIST, MAP, STRUCT, DATA };

/* Flags of a node. */
enum {
    LEAVES_UNSET = 1, /* a zero or empty value is valid whatever the other checks */
    FILLED = 2,       /* a zero or empty value is wrong */
    CHANGES = 4,      /* checks of changes exist, here or below */
    COMPARED = 8,     /* of a kind: an unchanged object is valid */
    CLOSED = 16,      /* of a struct: a name that it does not know is a doubt */
    OPEN = 32,        /* of a struct: unknown names may have any data as value */
    FILLS = 64,       /* there are defaults, here or below */
    DEMANDED = 128,   /* of the names of a map: they are not strings in Go */
    NULLS = 256,      /* of a list or map: null is an item, absent or a zero value */
    NULLS_PASS = 512, /* such an item is valid unless it is a struct */
    NIL_NULLS = 1024, /* such an item is absent, and is not checked */
    WHOLE = 2048,     /* of a struct: other members decide whether a part is new */
    UNSIGNED = 4096,  /* of a number: it may be twice as large as a signed one */
    ARRAY = 8192,     /* of a list: missing items are zero values, and further items are ignored */
};

/* Flags of a member. */
enum {
    WANTED = 1,    /* an absent one is a doubt */
    EMPTY = 2,     /* an absent one counts as an empty struct, which is checked */
    NOT_NULL = 4,  /* null is a doubt; elsewhere null means absent */
    POINTER = 8,   /* set as soon as it is not null, whatever the value */
    COUNTED = 16,  /* a union counts it if it is set */
    DEFAULT = 64,  /* the zero value is a default, to be filled in */
    PARTS = 128,   /* there are defaults below */
    PIECE = 256,   /* of a struct that is inlined by a pointer, which is set if any member is */
};

/* How many members of a union may be set. */
enum { EXACTLY_ONE, AT_MOST_ONE, SELECTED, BOTH_OR_NO_FIRST, NOT_BOTH };

typedef struct {
    PyObject *name;
    PyObject *zero; /* the value of an absent one */
    Py_hash_t hash;
    uint32_t node;
    int flags;
} Member;

typedef struct {
    const uint8_t *table; /* the next state by state and character, then whether a state is an end; NULL: call */
    Py_ssize_t states;
    Py_ssize_t longest;
    PyObject *known; /* texts that have been found right */
    PyObject *function;
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
    int free;    /* any valid string is accepted */
    int single;  /* it has neither parts nor guards */
    int guarded; /* it has guards */
    int loose;   /* of a struct: no check is about several members, or the whole */
    Py_ssize_t min, max; /* of characters, items or names */
    Py_ssize_t bytes;    /* the most in UTF-8 */
    long long low, high; /* of a number; of an array, `high` is its length */
    long long least, most; /* the range of the type, whatever the rules */
    PyObject *values; /* the allowed strings or integers, or NULL */
    Py_ssize_t n_patterns;
    Pattern *patterns;
    PyObject *calls; /* pairs of a function and further operands: it returns None for a valid value. An optional third
                      * part is a function of the value and an old one, which is called if the first is not sure of an
                      * update */
    uint32_t item, key;
    PyObject *unique; /* NULL, an empty tuple for items that are compared as a whole, or pairs of a key and its zero
                       * value */
    Py_ssize_t n_members;
    Member *members;
    uint32_t slots;    /* of the table below, less one */
    uint16_t *places;  /* positions of members plus one, by hash */
    uint64_t required[WORDS];
    Py_ssize_t n_unions;
    Union *unions;
    PyObject *changes; /* as calls, with the old value after the new one; None forbids all changes, True all but new
                        * values */
    PyObject *finder;  /* of a list: keys with their zero values or None, and a function that returns, for old items, a
                        * function from a new item to its old one; None if all items are new, False if unknown. Of a
                        * type that decodes itself: a function that compares two values */
    PyObject *guards;  /* pairs of a function of the value (or of the value and an old one) and a node. If it returns
                        * None, the value only has to be valid at that node; if it returns False, the guard stops
                        * nothing */
    PyObject *choices; /* of a list: for rules of one item, the values that select it, whether items are pointers, and a
                        * node. Of a struct: for rules of modes, the position of the member, the name and the zero value
                        * of the mode, for each mode a node and whether the member may be absent, and the same for other
                        * modes */
    PyObject *part; /* of a struct: the data with which Python calls its functions, or None */
    uint32_t beside; /* of such a struct: the node of the checks that only apply here, 0 for none */
} Node;

typedef struct {
    PyObject_HEAD
    PyObject *spec;
    Py_ssize_t n_nodes;
    Node *nodes;
    vectorcallfunc vectorcall;
} Acceptor;

/* The one struct that makes a walk unsure. */
typedef struct {
    PyObject *part, *value, *old; /* the struct, and the old one of an update, or NULL */
    PyObject *path; /* a list of its elements from the innermost outwards */
    int too_deep; /* whether the walk has reached the maximum depth: an object that contains itself would never end */
} Doubt;

/* Maximum nesting of values with guards that are walked again behind a guard: each repeat doubles the work. */
#define GUARDS_NESTED 3

typedef struct {
    const Node *nodes;
    int strict; /* whether unchanged texts must be known to decode */
    int guarded; /* values with guards around this one */
    Doubt *doubt; /* where to record the doubtful struct, or NULL */
} Walk;

/* Returns the same walk without recording. */
static inline Walk
without_doubt(const Walk *walk)
{
    Walk found = *walk;
    found.doubt = NULL;
    return found;
}

static int accepted(const Walk *walk, uint32_t index, PyObject *value, int depth);
static int updated(const Walk *walk, uint32_t index, PyObject *value, PyObject *old, int depth);
static int unchanged(const Walk *walk, uint32_t index, PyObject *value, PyObject *old, int depth);
static int choices_accepted(const Walk *walk, const Node *node, PyObject *value, int changes, int depth);
static int choices_updated(const Walk *walk, uint32_t index, PyObject *value, PyObject *old, int depth);

/* Returns whether a node has rules of selected parts, which is rare. */
static inline int
has_choices(const Node *node)
{
    return PyTuple_GET_SIZE(node->choices) > 0;
}

#endif
