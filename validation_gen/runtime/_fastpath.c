/* The fast path for valid objects: walks decoded JSON beside a table, and answers "certainly valid" or "unsure".
 *
 * It never reports an error: generated Python code decides every unsure request and makes every error. It may name the one
 * struct that has all of the errors, so that only the function of that struct is called. So each doubt costs time
 * and nothing else, and a wrong "yes" is the only mistake that it can make. An answer depends on the request and the table alone,
 * never on earlier requests. Hence the rules:
 *
 * - Only the very classes that a JSON decoder gives are looked at. Subclasses, bools that stand for numbers, numbers that
 *   do not fit, names that are no text, halves of surrogate pairs and what is nested too deeply are doubts.
 * - The checks of a value are in the table, which `validation_gen.runtime.fastpath` makes. Nothing here knows a tag.
 * - Everything that the table holds is kept alive by one tuple, `spec`; all other pointers to Python objects are borrowed
 *   from it. Objects under validation are held while Python may run in between, as it may change them.
 * - An `Exception` of a called function is a doubt. Others, such as an interrupt, are raised.
 *
 * The parts are in `fastpath/c`, in the order in which they build on each other. They are compiled as one, so that the
 * compiler sees all of the walk.
 */

#include "fastpath/c/types.h"
#include "fastpath/c/texts.h"
#include "fastpath/c/numbers.h"
#include "fastpath/c/lists.h"
#include "fastpath/c/objects.h"
#include "fastpath/c/values.h"
#include "fastpath/c/updates.h"
#include "fastpath/c/ratchets.h"
#include "fastpath/c/choices.h"
#include "fastpath/c/defaults.h"
#include "fastpath/c/tables.h"
#include "fastpath/c/lines.h"
#include "quickyaml/blocks.h"
#include "quickschema/sizes.h"
#include "quickschema/plain.h"

/* State of the module, one for each interpreter. */
typedef struct {
    PyObject *keywords; /* of schemas: their numbers by name */
} State;

/* What Python expects of this extension, as a number that `runtime/native.py` has, too. */
#define EDITION 10

/* Walks an object, or an object and an old one. */
static int
walked(const Acceptor *self, PyObject *const *arguments, Py_ssize_t count, Doubt *doubt)
{
    if (count < 1 || count > 2) {
        PyErr_SetString(PyExc_TypeError, "takes an object, and an old one");
        return FAILED;
    }
    const Walk walk = {.nodes = self->nodes, .doubt = doubt};
    PyObject *object = arguments[0], *old = count == 2 ? arguments[1] : NULL;
    if (!PyDict_CheckExact(object)) {
        return UNSURE;
    }
    return old == NULL   ? accepted(&walk, 0, object, 0)
        : old == Py_None ? fresh_accepted(&walk, 0, object, 0) /* an update of nothing: all of it is new */
                         : update_accepted(&walk, object, old);
}

static PyObject *
acceptor_vectorcall(PyObject *callable, PyObject *const *arguments, size_t flags, PyObject *names)
{
    Py_ssize_t count = names != NULL && PyTuple_GET_SIZE(names) != 0 ? -1 : PyVectorcall_NARGS(flags);
    int answer = walked((Acceptor *)callable, arguments, count, NULL);
    return answer == FAILED ? NULL : PyBool_FromLong(answer == YES);
}

/* True for a request that is certainly valid. Else what Python needs for the one part that may not be: its functions, the part,
 * the old one and the path; None where it may be anything. */
static PyObject *
acceptor_locate(Acceptor *self, PyObject *const *arguments, Py_ssize_t count)
{
    Doubt doubt = {0};
    int answer = walked(self, arguments, count, &doubt);
    PyObject *found = answer == FAILED ? NULL
        : answer == YES                ? Py_NewRef(Py_True)
        : answer == LOCATED ? PyTuple_Pack(4, doubt.part, doubt.value, doubt.old == NULL ? Py_None : doubt.old, doubt.path)
                            : Py_NewRef(Py_None);
    Py_XDECREF(doubt.value);
    Py_XDECREF(doubt.old);
    Py_XDECREF(doubt.path);
    return found;
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
    const Walk walk = {.nodes = self->nodes};
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

/* Whether an object certainly has no name that its structs do not know. */
static PyObject *
acceptor_knows(Acceptor *self, PyObject *const *arguments, Py_ssize_t count)
{
    if (count != 2 || !PyFrozenSet_CheckExact(arguments[1])) {
        PyErr_SetString(PyExc_TypeError, "takes an object, and the names that every object may have");
        return NULL;
    }
    const Walk walk = {.nodes = self->nodes};
    return PyBool_FromLong(PyDict_CheckExact(arguments[0]) && is_known_below(&walk, 0, arguments[0], arguments[1], 0));
}

static PyMethodDef acceptor_methods[] = {
    {"knows", (PyCFunction)(void (*)(void))acceptor_knows, METH_FASTCALL,
     "knows(object, names): whether an object certainly has no name that its structs do not know, but for those names."},
    {"locate", (PyCFunction)(void (*)(void))acceptor_locate, METH_FASTCALL,
     "locate(object[, old]): true for a request that is certainly valid; else the struct that may not be, its value, its old value"
     " and the path to it, or None."},
    {"ready", (PyCFunction)acceptor_ready, METH_O,
     "The object with its defaults, of the same parts but for what has any; None if it is not certainly valid then."},
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
    {Py_tp_doc, (void *)"Acceptor(nodes): acceptor(obj) is True for a create that is certainly valid, acceptor(obj, old) for an "
                        "update, whose old object may be None."},
    {0, NULL},
};

static PyType_Spec acceptor_spec = {
    .name = "validation_gen.runtime._fastpath.Acceptor",
    .basicsize = sizeof(Acceptor),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_HAVE_VECTORCALL | Py_TPFLAGS_IMMUTABLETYPE,
    .slots = acceptor_slots,
};

static PyObject *
module_plain(PyObject *Py_UNUSED(module), PyObject *const *arguments, Py_ssize_t count)
{
    if (count != 2 || !PyBytes_CheckExact(arguments[0])) {
        PyErr_SetString(PyExc_TypeError, "takes a line of bytes, and what was decoded");
        return NULL;
    }
    const char *line = PyBytes_AS_STRING(arguments[0]);
    Py_ssize_t names = names_in(line, line + PyBytes_GET_SIZE(arguments[0]));
    return PyBool_FromLong(names >= 0 && names == members_in(arguments[1], 0));
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

static PyObject *
yaml_of(PyObject *const *arguments, Py_ssize_t count, int places)
{
    Py_ssize_t most = count == 3 ? PyLong_AsSsize_t(arguments[2]) : -1;
    if (most < 0 || !PyUnicode_CheckExact(arguments[0])) {
        PyErr_SetString(PyExc_TypeError, "takes a text, the function that resolves scalars, and a number of values");
        return NULL;
    }
    return yaml_read(arguments[0], arguments[1], most, places);
}

static PyObject *
module_read_yaml(PyObject *Py_UNUSED(module), PyObject *const *arguments, Py_ssize_t count)
{
    return yaml_of(arguments, count, 0);
}

static PyObject *
module_yaml_places(PyObject *Py_UNUSED(module), PyObject *const *arguments, Py_ssize_t count)
{
    return yaml_of(arguments, count, 1);
}

static PyObject *
module_json_size(PyObject *Py_UNUSED(module), PyObject *value)
{
    return PyLong_FromSsize_t(size_of_json(value, 0));
}

static PyObject *
module_plain_schemas(PyObject *module, PyObject *const *arguments, Py_ssize_t count)
{
    if (count != 3) {
        PyErr_SetString(PyExc_TypeError, "takes a schema, what knows formats of types, and what knows patterns");
        return NULL;
    }
    State *state = PyModule_GetState(module);
    return plain_schemas(state->keywords, arguments[0], arguments[1], arguments[2]);
}

static int
state_cleared(PyObject *module)
{
    State *state = PyModule_GetState(module);
    Py_CLEAR(state->keywords);
    return 0;
}

static void
state_freed(void *module)
{
    state_cleared(module);
}

static int
module_exec(PyObject *module)
{
    State *state = PyModule_GetState(module);
    state->keywords = keywords_made();
    if (state->keywords == NULL) {
        return -1;
    }
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
        {"EDITION", EDITION},
        {"NEVER", NEVER}, {"ANY", ANY}, {"TEXT", TEXT}, {"INTEGER", INTEGER}, {"BOOLEAN", BOOLEAN}, {"NUMBER", NUMBER},
        {"INT_OR_TEXT", INT_OR_TEXT}, {"WIRE", WIRE}, {"LIST", LIST}, {"MAP", MAP}, {"STRUCT", STRUCT}, {"DATA", DATA},
        {"CLOSED", CLOSED}, {"OPEN", OPEN}, {"FILLS", FILLS}, {"DEMANDED", DEMANDED}, {"NULLS", NULLS},
        {"NULLS_PASS", NULLS_PASS}, {"NIL_NULLS", NIL_NULLS}, {"WHOLE", WHOLE}, {"UNSIGNED", UNSIGNED}, {"ARRAY", ARRAY},
        {"DEFAULT", DEFAULT}, {"PARTS", PARTS}, {"LEAVES_UNSET", LEAVES_UNSET}, {"FILLED", FILLED},
        {"CHANGES", CHANGES}, {"COMPARED", COMPARED}, {"WANTED", WANTED}, {"EMPTY", EMPTY}, {"NOT_NULL", NOT_NULL},
        {"POINTER", POINTER}, {"COUNTED", COUNTED}, {"PIECE", PIECE}, {"EXACTLY_ONE", EXACTLY_ONE},
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
    /* Objects under validation may not change meanwhile, which nothing prevents without the lock. */
    {Py_mod_gil, Py_MOD_GIL_USED},
#endif
    {0, NULL},
};

static PyMethodDef module_methods[] = {
    {"copied", module_copied, METH_O, "A copy of JSON with a copy of each list and dict in it."},
    {"plain", (PyCFunction)(void (*)(void))module_plain, METH_FASTCALL,
     "plain(line, value): returns whether a value that was decoded without hooks has all information of its line."},
    {"read_yaml", (PyCFunction)(void (*)(void))module_read_yaml, METH_FASTCALL,
     "read_yaml(text, meaning, most): the value of plain YAML, the line where it begins, and those of its `items`; or None."
     " A text with more than `most` values is an OverflowError."},
    {"yaml_places", (PyCFunction)(void (*)(void))module_yaml_places, METH_FASTCALL,
     "yaml_places(text, meaning, most): where the parts of such a value stand in the text; or None."},
    {"json_size", module_json_size, METH_O, "How many bytes decoded JSON has as Go writes it; -1 where that is not certain."},
    {"plain_schemas", (PyCFunction)(void (*)(void))module_plain_schemas, METH_FASTCALL,
     "plain_schemas(schema, is_known, is_pattern): the addresses of schemas in one that are simple or settled, and of the latter."},
    {"same", (PyCFunction)(void (*)(void))module_same, METH_FASTCALL,
     "Whether two values are the same in type and content, all of it JSON; false for what is nested too deeply."},
    {NULL},
};

static struct PyModuleDef module_definition = {
    PyModuleDef_HEAD_INIT,
    .m_size = sizeof(State),
    .m_clear = state_cleared,
    .m_free = state_freed,
    .m_methods = module_methods,
    .m_name = "validation_gen.runtime._fastpath",
    .m_doc = "The fast path for valid objects.",
    .m_slots = module_slots,
};

PyMODINIT_FUNC
PyInit__fastpath(void)
{
    return PyModuleDef_Init(&module_definition);
}
