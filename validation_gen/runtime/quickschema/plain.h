/* Finds the schemas of a definition that need no checks. `validation_gen.kubernetes.crd.schema` defines simple and
 * settled schemas, and `crd.decode` what decodes. A schema is plain here if it certainly decodes with all its parts,
 * and if it and all schemas in it are simple, or at least settled. Most are. Null, deep nesting and rare keywords are
 * doubts. */

#ifndef VALIDATION_GEN_PLAIN_H
#define VALIDATION_GEN_PLAIN_H

#include "keywords.h"
#include "together.h"

/* Returns whether each keyword of a schema is plain, and records the keywords. */
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
        all = both(all, answer);
        if (PyDict_GET_SIZE(schema) != count) {
            return UNSURE; /* a function has changed it */
        }
    }
    return all;
}

/* Returns whether the recorded keywords are plain together, and adds the schema to the result. */
static int
plain_noted(Schemas *schemas, PyObject *schema, const Said *said, int before)
{
    int together = said_plain(said), found = both(before, together);
    if (together == FAILED) {
        return FAILED;
    }
    if (found == UNSURE || (said->filled != NULL && !default_settled(said))) {
        return UNSURE;
    }
    if (is_said(said->format)) {
        int answer = said->type == NULL ? UNSURE : answered(schemas->is_known, said->type, said->format);
        if (answer != YES) {
            return answer;
        }
    }
    if (is_said(said->pattern)) {
        int answer = answered(schemas->is_pattern, said->pattern, NULL);
        if (answer != YES) {
            return answer;
        }
    }
    PyObject *address = PyLong_FromVoidPtr(schema);
    int failed = address == NULL || PySet_Add(schemas->plain, address) < 0
        || (found == SETTLED && PySet_Add(schemas->settled, address) < 0);
    Py_XDECREF(address);
    return failed ? FAILED : found;
}

/* Returns whether a schema is plain, and adds all plain schemas in it to the result, even if it is not plain itself. */
static int
schema_plain(Schemas *schemas, PyObject *schema, int depth)
{
    if (!PyDict_CheckExact(schema)) {
        return UNSURE;
    }
    schemas->too_deep |= depth >= DEEPEST_SCHEMA;
    if (schemas->too_deep) { /* there is no answer, and a schema that contains itself twice would not end */
        return UNSURE;
    }
    Said said = {0};
    int answer = keywords_plain(schemas, schema, &said, depth);
    if (answer == YES || answer == SETTLED) {
        answer = plain_noted(schemas, schema, &said, answer);
    }
    PyObject *kept[] = {said.type, said.format, said.pattern, said.list_type, said.map_type, said.keys, said.item, said.allowed,
                        said.filled};
    for (size_t i = 0; i < Py_ARRAY_LENGTH(kept); i++) {
        Py_XDECREF(kept[i]);
    }
    return answer;
}

/* Returns the addresses of all plain schemas in one, and of those among them that are not simple. */
static PyObject *
plain_schemas(PyObject *keywords, PyObject *schema, PyObject *is_known, PyObject *is_pattern)
{
    Schemas schemas = {.keywords = keywords, .is_known = is_known, .is_pattern = is_pattern};
    schemas.plain = PySet_New(NULL);
    schemas.settled = PySet_New(NULL);
    PyObject *both_sets = NULL;
    if (schemas.plain != NULL && schemas.settled != NULL && schema_plain(&schemas, schema, 0) != FAILED) {
        if (schemas.too_deep) {
            PySet_Clear(schemas.plain);
            PySet_Clear(schemas.settled);
        }
        both_sets = PyTuple_Pack(2, schemas.plain, schemas.settled);
    }
    Py_XDECREF(schemas.plain);
    Py_XDECREF(schemas.settled);
    return both_sets;
}

#endif
