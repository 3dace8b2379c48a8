/* The keywords of a schema: checks each for itself, and records their values for checks of combinations. */

#ifndef VALIDATION_GEN_KEYWORDS_H
#define VALIDATION_GEN_KEYWORDS_H

/* Maximum nesting of schemas. It gives no answer about deeper ones, because Python reports where it stops. */
#define DEEPEST_SCHEMA 64

/* Beside YES and UNSURE: the schema has valid defaults, sets or maps. */
#define SETTLED 3

/* What a keyword is. */
enum {
    OF_TYPE = 1, OF_FORMAT, OF_PATTERN, OF_LIST_TYPE, OF_MAP_TYPE, OF_TEXT, OF_NULLABLE, OF_EXCLUSIVE, OF_FACTOR, OF_LEAST, OF_MOST,
    OF_SHORTEST, OF_LONGEST, OF_FEWEST_ITEMS, OF_MOST_ITEMS, OF_FEWEST_NAMES, OF_MOST_NAMES, OF_REQUIRED, OF_ENUM, OF_PROPERTIES,
    OF_ITEMS, OF_VALUES, OF_ALTERNATIVES, OF_INTEGER_OR_TEXT, OF_PRESERVING, OF_DEFAULT, OF_KEYS,
};

static const struct {
    const char *name;
    int kind;
} keywords_of_schemas[] = {
    {"type", OF_TYPE}, {"format", OF_FORMAT}, {"pattern", OF_PATTERN}, {"properties", OF_PROPERTIES}, {"items", OF_ITEMS},
    {"additionalProperties", OF_VALUES}, {"anyOf", OF_ALTERNATIVES}, {"x-kubernetes-int-or-string", OF_INTEGER_OR_TEXT},
    {"x-kubernetes-preserve-unknown-fields", OF_PRESERVING}, {"x-kubernetes-list-type", OF_LIST_TYPE},
    {"x-kubernetes-map-type", OF_MAP_TYPE}, {"x-kubernetes-list-map-keys", OF_KEYS}, {"default", OF_DEFAULT}, {"title", OF_TEXT},
    {"description", OF_TEXT}, {"nullable", OF_NULLABLE}, {"enum", OF_ENUM}, {"required", OF_REQUIRED}, {"minimum", OF_LEAST},
    {"maximum", OF_MOST}, {"multipleOf", OF_FACTOR}, {"exclusiveMaximum", OF_EXCLUSIVE}, {"exclusiveMinimum", OF_EXCLUSIVE},
    {"minLength", OF_SHORTEST}, {"maxLength", OF_LONGEST}, {"minItems", OF_FEWEST_ITEMS},
    {"maxItems", OF_MOST_ITEMS}, {"minProperties", OF_FEWEST_NAMES}, {"maxProperties", OF_MOST_NAMES},
};

typedef struct {
    PyObject *keywords;   /* numbers by name */
    PyObject *is_known;   /* whether a type has a format */
    PyObject *is_pattern; /* whether a text is a regular expression */
    PyObject *plain;      /* the addresses of those that are simple or settled */
    PyObject *settled;    /* of those among them that are not simple */
    int too_deep;
} Schemas;

/* The limits of a value, and whether each is set. */
typedef struct {
    long long least, most;
    int above, below;
} Bounds;

/* The recorded keywords of one schema. */
typedef struct {
    PyObject *type, *format, *pattern, *list_type, *map_type, *keys, *item, *allowed, *filled;
    int properties, values, alternatives, integer_or_text, preserving, nullable, required;
    int odd; /* whether numbers are bounded in other ways */
    Bounds number, length, items, names; /* an object may have limits of lists, which have no effect */
} Said;

static int schema_plain(Schemas *schemas, PyObject *schema, int depth);

static int
is_text(PyObject *text, const char *wanted)
{
    return text != NULL && PyUnicode_CompareWithASCIIString(text, wanted) == 0;
}

/* The worse of two answers. */
static int
both(int first, int second)
{
    return first == UNSURE || second == UNSURE ? UNSURE : first == SETTLED ? SETTLED : second;
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

/* Returns the answer of a function about one text or two. */
static int
answered(PyObject *function, PyObject *first, PyObject *second)
{
    PyObject *answer = PyObject_CallFunctionObjArgs(function, first, second, NULL);
    int truth = answer == NULL ? -1 : PyObject_IsTrue(answer);
    Py_XDECREF(answer);
    return truth < 0 ? FAILED : truth ? YES : UNSURE;
}

/* Checks each schema of `properties`. It visits all of them, as later ones may be plain. */
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
        all = both(all, answer);
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

/* Records an integer, if it has 64 bits. */
static int
integer_said(PyObject *value, long long *number, int *there)
{
    int overflow = 1;
    if (PyLong_CheckExact(value)) {
        *number = PyLong_AsLongLongAndOverflow(value, &overflow);
    }
    *there = !overflow;
    return overflow ? UNSURE : YES;
}

/* Records a limit of a number. */
static int
bound_said(PyObject *value, long long *number, int *there, int *odd)
{
    if (integer_said(value, number, there) == YES) {
        return YES;
    }
    *odd = 1;
    return PyFloat_CheckExact(value) || PyLong_CheckExact(value) ? YES : UNSURE;
}

static int
within(const Bounds *bounds, long long value)
{
    return (!bounds->above || value >= bounds->least) && (!bounds->below || value <= bounds->most);
}

/* Returns whether it is `anyOf` of an integer and a string, as beside `x-kubernetes-int-or-string`. */
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

/* Keeps a value alive as long as the recorded keywords. */
static int
value_said(PyObject *value, PyObject **said)
{
    Py_INCREF(value);
    Py_XSETREF(*said, value);
    return YES;
}

static int
text_said(PyObject *value, PyObject **said)
{
    return PyUnicode_CheckExact(value) ? value_said(value, said) : UNSURE;
}

/* Records one keyword. */
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
    case OF_NULLABLE:
        return boolean_said(value, &said->nullable);
    case OF_EXCLUSIVE:
        said->odd |= value == Py_True;
        return PyBool_Check(value) ? YES : UNSURE;
    case OF_FACTOR:
        said->odd = 1;
        return PyLong_CheckExact(value) || PyFloat_CheckExact(value) ? YES : UNSURE;
    case OF_LEAST:
        return bound_said(value, &said->number.least, &said->number.above, &said->odd);
    case OF_MOST:
        return bound_said(value, &said->number.most, &said->number.below, &said->odd);
    case OF_SHORTEST:
        return integer_said(value, &said->length.least, &said->length.above);
    case OF_LONGEST:
        return integer_said(value, &said->length.most, &said->length.below);
    case OF_FEWEST_ITEMS:
        return integer_said(value, &said->items.least, &said->items.above);
    case OF_MOST_ITEMS:
        return integer_said(value, &said->items.most, &said->items.below);
    case OF_FEWEST_NAMES:
        return integer_said(value, &said->names.least, &said->names.above);
    case OF_MOST_NAMES:
        return integer_said(value, &said->names.most, &said->names.below);
    case OF_REQUIRED:
        said->required = PyList_CheckExact(value) && PyList_GET_SIZE(value) > 0;
        return texts_plain(value);
    case OF_ENUM:
        return PyList_CheckExact(value) ? value_said(value, &said->allowed) : UNSURE;
    case OF_DEFAULT:
        value_said(value, &said->filled);
        return SETTLED;
    case OF_KEYS:
        value_said(value, &said->keys);
        return texts_plain(value) == YES ? SETTLED : UNSURE;
    case OF_PROPERTIES:
        said->properties = PyDict_CheckExact(value) && PyDict_GET_SIZE(value) > 0;
        return properties_plain(schemas, value, depth);
    case OF_ITEMS:
        value_said(value, &said->item);
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

#endif
