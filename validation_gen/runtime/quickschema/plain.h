/* Which schemas of a definition have nothing in them that checks would have to look at.
 *
 * `validation_gen.kubernetes.crd.schema` says what a simple schema is, and `crd.decode` what decodes. Here it is said of a
 * schema that both are certain: that it decodes with all that is in it, and that it and all schemas within it are simple.
 * Most are. Null, what is nested deeply and rare keywords are doubts, which cost time and nothing else.
 */

#ifndef VALIDATION_GEN_PLAIN_H
#define VALIDATION_GEN_PLAIN_H

/* How deep schemas may be within each other. Of a deeper one nothing is said at all, as Python tells where it gives up. */
#define DEEPEST_SCHEMA 64

/* What a keyword is. */
enum {
    OF_TYPE = 1, OF_FORMAT, OF_PATTERN, OF_LIST_TYPE, OF_MAP_TYPE, OF_TEXT, OF_BOOLEAN, OF_INTEGER, OF_NUMBER, OF_TEXTS, OF_LIST,
    OF_PROPERTIES, OF_ITEMS, OF_VALUES, OF_ALTERNATIVES, OF_INTEGER_OR_TEXT, OF_PRESERVING,
};

static const struct {
    const char *name;
    int kind;
} keywords_of_schemas[] = {
    {"type", OF_TYPE}, {"format", OF_FORMAT}, {"pattern", OF_PATTERN}, {"properties", OF_PROPERTIES}, {"items", OF_ITEMS},
    {"additionalProperties", OF_VALUES}, {"anyOf", OF_ALTERNATIVES}, {"x-kubernetes-int-or-string", OF_INTEGER_OR_TEXT},
    {"x-kubernetes-preserve-unknown-fields", OF_PRESERVING}, {"x-kubernetes-list-type", OF_LIST_TYPE},
    {"x-kubernetes-map-type", OF_MAP_TYPE}, {"title", OF_TEXT}, {"description", OF_TEXT}, {"nullable", OF_BOOLEAN},
    {"enum", OF_LIST}, {"required", OF_TEXTS}, {"maximum", OF_NUMBER}, {"minimum", OF_NUMBER}, {"multipleOf", OF_NUMBER},
    {"exclusiveMaximum", OF_BOOLEAN}, {"exclusiveMinimum", OF_BOOLEAN}, {"maxLength", OF_INTEGER}, {"minLength", OF_INTEGER},
    {"maxItems", OF_INTEGER}, {"minItems", OF_INTEGER}, {"maxProperties", OF_INTEGER}, {"minProperties", OF_INTEGER},
};

typedef struct {
    PyObject *keywords;   /* numbers by name */
    PyObject *is_known;   /* whether a type has a format */
    PyObject *is_pattern; /* whether a text is a regular expression */
    PyObject *found;      /* the addresses of plain schemas */
    int too_deep;
} Schemas;

/* What the keywords of one schema say together. */
typedef struct {
    PyObject *type, *format, *pattern, *list_type, *map_type;
    int properties, items, values, alternatives, integer_or_text, preserving;
} Said;

static int schema_plain(Schemas *schemas, PyObject *schema, int depth);

static int
is_text(PyObject *text, const char *wanted)
{
    return text != NULL && PyUnicode_CompareWithASCIIString(text, wanted) == 0;
}

/* The keywords and their numbers; NULL and an exception. */
static PyObject *
keywords_made(void)
{
    PyObject *made = PyDict_New();
    for (size_t i = 0; made != NULL && i < Py_ARRAY_LENGTH(keywords_of_schemas); i++) {
        PyObject *kind = PyLong_FromLong(keywords_of_schemas[i].kind);
        if (kind == NULL || PyDict_SetItemString(made, keywords_of_schemas[i].name, kind) < 0) {
            Py_CLEAR(made);
        }
        Py_XDECREF(kind);
    }
    return made;
}

/* What a function says of one text or two. */
static int
answered(PyObject *function, PyObject *first, PyObject *second)
{
    PyObject *answer = PyObject_CallFunctionObjArgs(function, first, second, NULL);
    int truth = answer == NULL ? -1 : PyObject_IsTrue(answer);
    Py_XDECREF(answer);
    return truth < 0 ? FAILED : truth ? YES : UNSURE;
}

/* Each schema of `properties`. All are looked at, as some may be plain where others are not. */
static int
properties_plain(Schemas *schemas, PyObject *properties, int depth)
{
    if (!PyDict_CheckExact(properties)) {
        return UNSURE;
    }
    int all = YES;
    Py_ssize_t position = 0, count = PyDict_GET_SIZE(properties);
    PyObject *name, *schema;
    while (PyDict_Next(properties, &position, &name, &schema)) {
        Py_INCREF(schema);
        int answer = PyUnicode_CheckExact(name) ? schema_plain(schemas, schema, depth + 1) : UNSURE;
        Py_DECREF(schema);
        if (answer == FAILED) {
            return FAILED;
        }
        all = answer == YES ? all : UNSURE;
        if (PyDict_GET_SIZE(properties) != count) {
            return UNSURE; /* a function has changed it */
        }
    }
    return all;
}

static int
texts_plain(PyObject *list)
{
    if (!PyList_CheckExact(list)) {
        return UNSURE;
    }
    for (Py_ssize_t i = 0; i < PyList_GET_SIZE(list); i++) {
        if (!PyUnicode_CheckExact(PyList_GET_ITEM(list, i))) {
            return UNSURE;
        }
    }
    return YES;
}

static int
integer_plain(PyObject *value)
{
    int overflow = 1;
    if (PyLong_CheckExact(value)) {
        PyLong_AsLongLongAndOverflow(value, &overflow);
    }
    return overflow ? UNSURE : YES;
}

/* Whether it is `anyOf` of an integer and a text, as it stands beside `x-kubernetes-int-or-string`. */
static int
alternatives_plain(PyObject *list)
{
    static const char *types[] = {"integer", "string"};
    if (!PyList_CheckExact(list) || PyList_GET_SIZE(list) != 2) {
        return UNSURE;
    }
    for (Py_ssize_t i = 0; i < 2; i++) {
        PyObject *part = PyList_GET_ITEM(list, i);
        if (!PyDict_CheckExact(part) || PyDict_GET_SIZE(part) != 1) {
            return UNSURE;
        }
        Py_ssize_t position = 0;
        PyObject *name, *type;
        PyDict_Next(part, &position, &name, &type);
        if (!PyUnicode_CheckExact(name) || !is_text(name, "type") || !PyUnicode_CheckExact(type) || !is_text(type, types[i])) {
            return UNSURE;
        }
    }
    return YES;
}

static int
boolean_said(PyObject *value, int *said)
{
    *said = value == Py_True;
    return PyBool_Check(value) ? YES : UNSURE;
}

static int
text_said(PyObject *value, PyObject **said)
{
    if (!PyUnicode_CheckExact(value)) {
        return UNSURE;
    }
    Py_INCREF(value);
    Py_XSETREF(*said, value);
    return YES;
}

/* Takes down what one keyword says. */
static int
keyword_plain(Schemas *schemas, long kind, PyObject *value, Said *said, int depth)
{
    switch (kind) {
    case OF_TYPE:
        return text_said(value, &said->type);
    case OF_FORMAT:
        return text_said(value, &said->format);
    case OF_PATTERN:
        return text_said(value, &said->pattern);
    case OF_LIST_TYPE:
        return text_said(value, &said->list_type);
    case OF_MAP_TYPE:
        return text_said(value, &said->map_type);
    case OF_TEXT:
        return PyUnicode_CheckExact(value) ? YES : UNSURE;
    case OF_BOOLEAN:
        return PyBool_Check(value) ? YES : UNSURE;
    case OF_INTEGER:
        return integer_plain(value);
    case OF_NUMBER:
        return PyLong_CheckExact(value) || PyFloat_CheckExact(value) ? YES : UNSURE;
    case OF_TEXTS:
        return texts_plain(value);
    case OF_LIST:
        return PyList_CheckExact(value) ? YES : UNSURE;
    case OF_PROPERTIES:
        said->properties = PyDict_CheckExact(value) && PyDict_GET_SIZE(value) > 0;
        return properties_plain(schemas, value, depth);
    case OF_ITEMS:
        said->items = 1;
        return schema_plain(schemas, value, depth + 1);
    case OF_VALUES:
        said->values = 1;
        return schema_plain(schemas, value, depth + 1);
    case OF_ALTERNATIVES:
        said->alternatives = 1;
        return alternatives_plain(value);
    case OF_INTEGER_OR_TEXT:
        return boolean_said(value, &said->integer_or_text);
    case OF_PRESERVING: /* `false` is a mistake */
        return boolean_said(value, &said->preserving) == YES && said->preserving ? YES : UNSURE;
    default:
        return UNSURE;
    }
}

/* Whether keywords go together, each of which is plain. */
static int
said_plain(const Said *said)
{
    int object = is_text(said->type, "object"), list = is_text(said->type, "array");
    if (!object && (said->properties || said->values || said->map_type != NULL || said->preserving)) {
        return 0;
    }
    if (!list && (said->items || said->list_type != NULL)) {
        return 0;
    }
    if (said->alternatives || said->integer_or_text) {
        return said->integer_or_text && said->type == NULL;
    }
    if (list) {
        return said->items && (said->list_type == NULL || is_text(said->list_type, "atomic"));
    }
    if (object) {
        return !(said->properties && said->values)
            && (said->map_type == NULL || is_text(said->map_type, "atomic") || is_text(said->map_type, "granular"));
    }
    return is_text(said->type, "string") || is_text(said->type, "integer") || is_text(said->type, "boolean")
        || is_text(said->type, "number");
}

/* Whether each keyword of a schema is plain. What they say is taken down. */
static int
keywords_plain(Schemas *schemas, PyObject *schema, Said *said, int depth)
{
    int all = YES;
    Py_ssize_t position = 0, count = PyDict_GET_SIZE(schema);
    PyObject *name, *value;
    while (PyDict_Next(schema, &position, &name, &value)) {
        PyObject *number = PyUnicode_CheckExact(name) ? PyDict_GetItemWithError(schemas->keywords, name) : NULL;
        if (number == NULL) {
            if (PyErr_Occurred()) {
                return FAILED;
            }
            all = UNSURE;
            continue;
        }
        Py_INCREF(value);
        int answer = keyword_plain(schemas, PyLong_AsLong(number), value, said, depth);
        Py_DECREF(value);
        if (answer == FAILED) {
            return FAILED;
        }
        all = answer == YES ? all : UNSURE;
        if (PyDict_GET_SIZE(schema) != count) {
            return UNSURE; /* a function has changed it */
        }
    }
    return all;
}

/* Whether what was taken down is plain, and notes it. */
static int
plain_noted(Schemas *schemas, PyObject *schema, const Said *said)
{
    if (!said_plain(said)) {
        return UNSURE;
    }
    if (said->format != NULL && PyUnicode_GET_LENGTH(said->format) > 0) {
        int answer = said->type == NULL ? UNSURE : answered(schemas->is_known, said->type, said->format);
        if (answer != YES) {
            return answer;
        }
    }
    if (said->pattern != NULL && PyUnicode_GET_LENGTH(said->pattern) > 0) {
        int answer = answered(schemas->is_pattern, said->pattern, NULL);
        if (answer != YES) {
            return answer;
        }
    }
    PyObject *address = PyLong_FromVoidPtr(schema);
    int failed = address == NULL || PySet_Add(schemas->found, address) < 0;
    Py_XDECREF(address);
    return failed ? FAILED : YES;
}

/* Whether a schema is plain. Those that are become known, also within one that is not. */
static int
schema_plain(Schemas *schemas, PyObject *schema, int depth)
{
    if (!PyDict_CheckExact(schema)) {
        return UNSURE;
    }
    if (depth >= DEEPEST_SCHEMA) {
        schemas->too_deep = 1;
        return UNSURE;
    }
    Said said = {0};
    int answer = keywords_plain(schemas, schema, &said, depth);
    if (answer == YES) {
        answer = plain_noted(schemas, schema, &said);
    }
    Py_XDECREF(said.type);
    Py_XDECREF(said.format);
    Py_XDECREF(said.pattern);
    Py_XDECREF(said.list_type);
    Py_XDECREF(said.map_type);
    return answer;
}

/* The addresses of all plain schemas in one. */
static PyObject *
plain_schemas(PyObject *keywords, PyObject *schema, PyObject *is_known, PyObject *is_pattern)
{
    Schemas schemas = {.keywords = keywords, .is_known = is_known, .is_pattern = is_pattern, .found = PySet_New(NULL)};
    if (schemas.found == NULL) {
        return NULL;
    }
    if (schema_plain(&schemas, schema, 0) == FAILED) {
        Py_DECREF(schemas.found);
        return NULL;
    }
    if (schemas.too_deep) {
        PySet_Clear(schemas.found);
    }
    return schemas.found;
}

#endif
