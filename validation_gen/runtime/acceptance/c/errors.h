/* Asks the checks of places, and puts together what they say. */

#ifndef VALIDATION_GEN_ERRORS_H
#define VALIDATION_GEN_ERRORS_H

/* Places as Python gets them: tuples of a leaf, a value, a way, and whether there are others inside,
 * or None for a member that is not there. */
static PyObject *
told(const Place *places, int count)
{
    PyObject *found = PyList_New(count);
    for (int i = 0; found != NULL && i < count; i++) {
        const Place *place = &places[i];
        PyObject *leaf = PyTuple_GET_ITEM(place->leaf, LEAF);
        PyObject *kind = place->gone ? Py_None : place->above ? Py_True : Py_False;
        PyObject *each = PyTuple_Pack(4, leaf, place->value, place->way, kind);
        if (each == NULL) {
            Py_CLEAR(found);
        }
        else {
            PyList_SET_ITEM(found, i, each);
        }
    }
    return found;
}

/* Puts a way behind the segments of the path of an error. */
static int
moved(const Acceptor *self, PyObject *error, PyObject *way)
{
    PyObject *segments = PyObject_GetAttr(error, self->segments);
    if (segments == NULL) {
        return FAILED;
    }
    int failed = !PyList_CheckExact(segments)
        || PyList_SetSlice(segments, PyList_GET_SIZE(segments), PyList_GET_SIZE(segments), way) < 0;
    Py_DECREF(segments);
    return failed ? FAILED : YES;
}

/* Adds what is said of a value of the wrong type. */
static int
mistyped_said(const Acceptor *self, const Place *place, PyObject *errors)
{
    PyObject *mended = PyObject_CallOneArg(PyTuple_GET_ITEM(place->leaf, MEND), place->value);
    if (mended == NULL) {
        return FAILED;
    }
    int answer = UNSURE;
    if (PyTuple_Check(mended) && PyTuple_GET_SIZE(mended) == 2 && PyList_CheckExact(PyTuple_GET_ITEM(mended, 1))) {
        PyObject *found = PyTuple_GET_ITEM(mended, 1);
        answer = PyList_GET_SIZE(found) > 0 ? YES : UNSURE;
        for (Py_ssize_t i = 0; answer == YES && i < PyList_GET_SIZE(found); i++) {
            PyObject *error = PyList_GET_ITEM(found, i);
            answer = moved(self, error, place->way);
            if (answer == YES && PyList_Append(errors, error) < 0) {
                answer = FAILED;
            }
        }
    }
    Py_DECREF(mended);
    return answer;
}

/* Adds the errors of a check, as a rule reports them. */
static int
reported(const Acceptor *self, const Place *place, PyObject *found, PyObject *known, PyObject *errors)
{
    PyObject *rule = PyTuple_GET_ITEM(known, RULE), *json = PyTuple_GET_ITEM(known, JSON);
    if (!PyList_CheckExact(found)) {
        return UNSURE;
    }
    for (Py_ssize_t i = 0; i < PyList_GET_SIZE(found); i++) {
        PyObject *error = PyList_GET_ITEM(found, i);
        if (moved(self, error, place->way) == FAILED || PyObject_SetAttr(error, self->rule, rule) < 0) {
            return FAILED;
        }
        PyObject *shown = PyObject_GetAttr(error, self->json_string);
        if (shown == NULL) {
            return FAILED;
        }
        Py_DECREF(shown); /* the error has it */
        if ((shown == Py_None && PyObject_SetAttr(error, self->json_string, json) < 0) || PyList_Append(errors, error) < 0) {
            return FAILED;
        }
    }
    return YES;
}

/* Adds what functions say of a member that is not there. Only the checks that have something to say are asked. */
static int
gone_said(const Acceptor *self, const Place *place, PyObject *errors)
{
    PyObject *checks = PyTuple_GET_ITEM(place->leaf, CHECKS);
    PyObject *known = PyDict_GetItemWithError(PyTuple_GET_ITEM(place->leaf, KNOWN), Py_None);
    if (known == NULL) {
        return PyErr_Occurred() ? FAILED : UNSURE;
    }
    int answer = YES;
    Py_INCREF(known);
    for (Py_ssize_t i = 0; answer == YES && i < PyTuple_GET_SIZE(known); i++) {
        PyObject *each = PyTuple_GET_ITEM(known, i);
        PyObject *check = PyTuple_GET_ITEM(checks, PyLong_AsSsize_t(PyTuple_GET_ITEM(each, POSITION)));
        PyObject *found = called(PyTuple_GET_ITEM(check, 0), PyTuple_GET_ITEM(check, 1), place->value, NULL);
        answer = found == NULL ? FAILED : reported(self, place, found, each, errors);
        Py_XDECREF(found);
    }
    Py_DECREF(known);
    return answer;
}

/* Asks the checks of a place, and adds what functions are known to say where the same ones fail. */
static int
place_said(const Acceptor *self, const Place *place, PyObject *errors)
{
    PyObject *checks = PyTuple_GET_ITEM(place->leaf, CHECKS), *found[MOST_CHECKS];
    Py_ssize_t count = PyTuple_GET_SIZE(checks), asked = 0;
    long failing = 0;
    int answer = count > MOST_CHECKS ? UNSURE : YES;
    for (; answer == YES && asked < count; asked++) {
        PyObject *check = PyTuple_GET_ITEM(checks, asked);
        found[asked] = called(PyTuple_GET_ITEM(check, 0), PyTuple_GET_ITEM(check, 1), place->value, NULL);
        if (found[asked] == NULL) {
            answer = FAILED;
            break;
        }
        int fails = PyObject_IsTrue(found[asked]);
        if (fails < 0) {
            answer = FAILED;
        }
        failing |= (long)(fails > 0) << asked;
    }
    if (answer == YES) {
        PyObject *key = PyLong_FromLong(failing), *known = NULL;
        if (key != NULL) {
            known = PyDict_GetItemWithError(PyTuple_GET_ITEM(place->leaf, KNOWN), key);
            Py_XINCREF(known);
            Py_DECREF(key);
        }
        answer = known != NULL ? YES : PyErr_Occurred() ? FAILED : UNSURE;
        for (Py_ssize_t i = 0; answer == YES && i < PyTuple_GET_SIZE(known); i++) {
            PyObject *each = PyTuple_GET_ITEM(known, i);
            if (place->above && PyTuple_GET_ITEM(each, STOPS) == Py_True) {
                answer = UNSURE; /* what is inside is not looked at any more */
            }
            else {
                answer = reported(self, place, found[PyLong_AsSsize_t(PyTuple_GET_ITEM(each, POSITION))], each, errors);
            }
        }
        Py_XDECREF(known);
    }
    while (asked > 0) {
        Py_DECREF(found[--asked]);
    }
    return answer;
}

/* The errors of all places, those of wrong types first. */
static int
places_said(const Acceptor *self, const Places *places, PyObject *errors)
{
    int answer = YES;
    for (int i = 0; answer == YES && i < places->n_wrong; i++) {
        answer = mistyped_said(self, &places->wrong[i], errors);
    }
    for (int i = 0; answer == YES && i < places->n_others; i++) {
        const Place *place = &places->others[i];
        answer = place->gone ? gone_said(self, place, errors) : place_said(self, place, errors);
    }
    return answer == FAILED ? doubt() : answer; /* a function may trip over a value */
}

#endif
