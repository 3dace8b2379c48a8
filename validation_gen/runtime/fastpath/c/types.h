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

/* How deeply values may be nested. Deeper ones are left to Python, which can say that something is too deep. */
#define DEEPEST 64
/* Up to so many items are compared with each other; more are put into a table of hashes. */
#define FEW 8
/* The members of a struct, 64 in a word. Larger structs are never sure. */
#define WORDS 16

/* Walks of containers need more room on the stack than those of single values, which are most. What is rare stays out of the
 * way of what is usual. */
#if defined(__GNUC__) || defined(__clang__)
#define NOT_INLINED __attribute__((noinline))
#define RARE __attribute__((noinline, cold))
#else
#define NOT_INLINED
#define RARE
#endif

/* LOCATED: unsure, because of one struct in there; all else is certainly right. */
enum { YES = 1, UNSURE = 0, FAILED = -1, LOCATED = 2 };

/* What a value is. The numbers are known to `fastpath`, which reads them from the module. */
enum { NEVER, ANY, TEXT, INTEGER, BOOLEAN, NUMBER, INT_OR_TEXT, WIRE, LIST, MAP, STRUCT, DATA };

/* Flags of a node. */
enum {
    LEAVES_UNSET = 1, /* a zero or empty value is right whatever the other checks */
    FILLED = 2,       /* a zero or empty value is wrong */
    CHANGES = 4,      /* there are checks of changes, here or below */
    COMPARED = 8,     /* of a kind: one that has not changed has nothing wrong */
    CLOSED = 16,      /* of a struct: a name that it does not know is a doubt */
    OPEN = 32,        /* of a struct: behind names that it does not know there may be any data */
    FILLS = 64,       /* there are defaults, here or below */
    DEMANDED = 128,   /* of the names of a map: they stand for something else than texts */
    NULLS = 256,      /* of a list or map: null is an item, and stands for nothing or for a zero value */
    NULLS_PASS = 512, /* such an item is right as far as it is no struct */
    NIL_NULLS = 1024, /* it stands for nothing, and is not checked */
    WHOLE = 2048,     /* of a struct: whether a part is new depends on others */
    UNSIGNED = 4096,  /* of a number: it may be twice as large as a signed one */
    ARRAY = 8192,     /* of a list: missing items are zero values, and further items are ignored */
};

/* Flags of a member. */
enum {
    WANTED = 1,    /* one that is not there is a doubt */
    EMPTY = 2,     /* one that is not there counts as an empty struct, which is looked at */
    NOT_NULL = 4,  /* null is a doubt; elsewhere it is as if the member were not there */
    POINTER = 8,   /* set as soon as it is not null, whatever the value */
    COUNTED = 16,  /* a union counts it if it is set */
    DEFAULT = 64,  /* the zero value is a default, to be filled in */
    PARTS = 128,   /* there are defaults below */
    PIECE = 256,   /* of what is inlined by a pointer, which is there as soon as any of its members is */
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
    int free;    /* any text will do that is one */
    int single;  /* it has neither parts nor guards */
    int guarded; /* it has guards */
    int loose;   /* of a struct: no check is about several members, or about all */
    Py_ssize_t min, max; /* of characters, items or names */
    Py_ssize_t bytes;    /* the most in UTF-8 */
    long long low, high; /* of a number; of an array, `high` is how many items it has */
    long long least, most; /* what the type holds, whatever rules say */
    PyObject *values; /* the texts, or integers, that are right, or NULL */
    Py_ssize_t n_patterns;
    Pattern *patterns;
    PyObject *calls; /* pairs of a function and further operands: it gives None for what is right. A third part, where there is
                     * one, is a function of the value and an old one, which is called if the first is not sure of an update */
    uint32_t item, key;
    PyObject *unique; /* NULL, an empty tuple for items that differ as a whole, or pairs of a key and its zero value */
    Py_ssize_t n_members;
    Member *members;
    uint32_t slots;    /* of the table below, less one */
    uint16_t *places;  /* positions of members plus one, by hash */
    uint64_t required[WORDS];
    Py_ssize_t n_unions;
    Union *unions;
    PyObject *changes; /* as calls, with the old value behind the new one; None forbids any change, True any
                        * but that of what is new */
    PyObject *finder;  /* of a list: keys with their zero values or None, and a function that gives, for old items, a function
                        * from a new item to the old one that it was; None where all items are new, False where nothing
                        * tells. Of what decodes itself: a function that tells whether two values are the same */
    PyObject *guards;  /* pairs of a function of the value, or of the value and an old one, and a node: where it gives None, it is
                        * enough that the value is right at that node; where it gives False, it stops nothing */
    PyObject *choices; /* of a list: for rules of one item, the values that choose it, whether items are pointers, and a node. Of
                        * a struct: for rules of modes, the position of the member, the name and the zero value of the mode,
                        * for each mode a node and whether the member need not be there, and the same for other modes */
    PyObject *part; /* of a struct: what Python needs to call its functions, or None */
    uint32_t beside; /* of such a struct: the node of its checks here beside its own table, 0 for nothing */
} Node;

typedef struct {
    PyObject_HEAD
    PyObject *spec;
    Py_ssize_t n_nodes;
    Node *nodes;
    vectorcallfunc vectorcall;
} Acceptor;

/* The one struct of which a walk is unsure. */
typedef struct {
    PyObject *part, *value, *old; /* the struct, and the old one of an update, or NULL */
    PyObject *path; /* a list of its elements from the innermost outwards */
    int too_deep; /* whether the walk has met its greatest depth: an object that holds itself would be walked for ever */
} Doubt;

/* So many values with guards, one in another, are tried again behind a guard: each try doubles what is walked. */
#define GUARDS_NESTED 3

typedef struct {
    const Node *nodes;
    int strict; /* whether texts that have not changed must be known to decode */
    int guarded; /* values with guards around this one */
    Doubt *doubt; /* where to write down the struct of which the walk is unsure, or NULL if that does not matter */
} Walk;

/* The same walk, of which nothing is written down. */
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

/* Whether what some values choose has rules, as it mostly has not. */
static inline int
has_choices(const Node *node)
{
    return PyTuple_GET_SIZE(node->choices) > 0;
}

#endif
