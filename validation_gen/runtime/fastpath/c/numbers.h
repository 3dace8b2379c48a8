/* Scalars other than strings: checks whether numbers and booleans are within the limits of a node. */

#ifndef VALIDATION_GEN_NUMBERS_H
#define VALIDATION_GEN_NUMBERS_H

/* Returns whether an integer beyond the signed range is a valid unsigned one. */
static int
fits_unsigned(const Node *node, PyObject *value, int overflow)
{
    if (overflow <= 0 || !(node->flags & UNSIGNED)) {
        return 0;
    }
    unsigned long long number = PyLong_AsUnsignedLongLong(value);
    if (number == (unsigned long long)-1 && PyErr_Occurred()) {
        PyErr_Clear();
        return 0;
    }
    return 1;
}

static int
integer_accepted(const Node *node, PyObject *value)
{
    int overflow;
    long long number = PyLong_AsLongLongAndOverflow(value, &overflow);
    if (overflow && !(node->high == LLONG_MAX && fits_unsigned(node, value, overflow))) {
        return UNSURE;
    }
    number = overflow ? node->high : number;
    if (number == 0 && (node->flags & LEAVES_UNSET)) {
        return YES;
    }
    if (number < node->low || number > node->high || (number == 0 && (node->flags & FILLED))) {
        return UNSURE;
    }
    if (node->values != NULL) {
        int there = PySet_Contains(node->values, value);
        if (there != 1) {
            return there;
        }
    }
    return calls_pass(node->calls, value);
}

/* Checks a number where strings are usual, such as a quantity. */
static int
number_decodes(const Node *node, PyObject *value)
{
    if (node->n_patterns == 0 || node->patterns[0].function == Py_None) {
        return UNSURE;
    }
    Py_INCREF(value);
    int answer = call_passes(node->patterns[0].function, node->patterns[0].operands, value, NULL);
    if (answer == YES) {
        answer = calls_pass(node->calls, value);
    }
    Py_DECREF(value);
    return answer;
}

static int
boolean_accepted(const Node *node, PyObject *value)
{
    if (value == Py_False && (node->flags & (LEAVES_UNSET | FILLED))) {
        return node->flags & LEAVES_UNSET ? YES : UNSURE;
    }
    return calls_pass(node->calls, value);
}

#endif
