/* Positions of values, instead of the values themselves. A scalar is the number of its first character and of the one
 * after its last, and a third element if it is an empty text; None, if it is missing. An object is the number of its
 * first character, and for each name three elements: the ends of the name, and the position of the value. A list is
 * that number, and the positions of its items. */

#ifndef VALIDATION_GEN_QUICKYAML_PLACES_H
#define VALIDATION_GEN_QUICKYAML_PLACES_H

#include "text.h"

/* Returns the number of characters before a position. Calls are mostly in ascending order of positions. */
static Py_ssize_t
yaml_character(Yaml *yaml, const char *at)
{
    for (; yaml->placed < at; yaml->placed++) {
        yaml->characters += (*yaml->placed & 0xc0) != 0x80; /* not one of the further bytes of a character */
    }
    while (yaml->placed > at) {
        yaml->placed--;
        yaml->characters -= (*yaml->placed & 0xc0) != 0x80;
    }
    return yaml->characters;
}

/* Returns a scalar from `begin` to the current position, or that range. Takes over the reference to the scalar. */
static PyObject *
yaml_scalar(Yaml *yaml, PyObject *made, const char *begin)
{
    if (!yaml->places || made == NULL) {
        return made;
    }
    int is_empty = PyUnicode_CheckExact(made) && PyUnicode_GET_LENGTH(made) == 0;
    Py_DECREF(made);
    Py_ssize_t first = yaml_character(yaml, begin), end = yaml_character(yaml, yaml->at);
    return is_empty ? Py_BuildValue("nnO", first, end, Py_None) : Py_BuildValue("nn", first, end);
}

/* Returns the position of a value with the ends of its name. Takes over the reference to it. */
static PyObject *
yaml_named(Yaml *yaml, Py_ssize_t begin, Py_ssize_t end, PyObject *value)
{
    return yaml->places && value != NULL ? Py_BuildValue("nnN", begin, end, value) : value;
}

/* Returns an object or list with its first character. Takes over the reference to it. */
static PyObject *
yaml_whole(Yaml *yaml, PyObject *made, Py_ssize_t first)
{
    return yaml->places ? Py_BuildValue("nN", first, made) : made;
}

/* Returns the number of a character, if positions were requested. */
static inline Py_ssize_t
yaml_place(Yaml *yaml, const char *at)
{
    return yaml->places ? yaml_character(yaml, at) : 0;
}

#endif
