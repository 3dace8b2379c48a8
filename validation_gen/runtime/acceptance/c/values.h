/* The walk of any value: the functions for each kind of value come together here. */

#ifndef VALIDATION_GEN_VALUES_H
#define VALIDATION_GEN_VALUES_H

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
        return node->free && PyUnicode_IS_ASCII(value) ? YES : text_accepted(node, value);
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
            return text_accepted(node, value);
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

#endif
