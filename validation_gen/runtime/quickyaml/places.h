/* Where values stand, in place of what they are. A scalar is the numbers of its first character and of that behind its last,
 * and a third thing if it is an empty text; None, if nothing is written. An object is the number of its first character, and
 * by name three things: the ends of the name, and the value's place. A list is that number, and the places of its items.
 */

#ifndef VALIDATION_GEN_QUICKYAML_PLACES_H
#define VALIDATION_GEN_QUICKYAML_PLACES_H

#include "text.h"

/* How many characters there are before a place. Places are asked for nearly in their order. */
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

/* A scalar that begins there and ends here, or its place. The reference to it is taken. */
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

/* The place of a value with that of its name, whose ends are given. The reference to it is taken. */
static PyObject *
yaml_named(Yaml *yaml, Py_ssize_t begin, Py_ssize_t end, PyObject *value)
{
    return yaml->places && value != NULL ? Py_BuildValue("nnN", begin, end, value) : value;
}

/* An object or a list that begins with that character. The reference to it is taken. */
static PyObject *
yaml_whole(Yaml *yaml, PyObject *made, Py_ssize_t first)
{
    return yaml->places ? Py_BuildValue("nN", first, made) : made;
}

/* The number of a character, where places are wanted. */
static inline Py_ssize_t
yaml_place(Yaml *yaml, const char *at)
{
    return yaml->places ? yaml_character(yaml, at) : 0;
}

#endif
