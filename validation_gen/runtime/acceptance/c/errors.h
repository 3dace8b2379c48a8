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

/* An error that has been found, as what all errors are; NULL for anything else, or one whose path is no list. */
static Error *
as_error(const State *state, PyObject *found)
{
    Error *error = (Error *)found;
    return PyObject_TypeCheck(found, state->error) && error->segments != NULL && PyList_CheckExact(error->segments) ? error
                                                                                                                   : NULL;
}

/* Puts a way behind the segments of the path of an error. */
static int
moved(const Error *error, PyObject *way)
{
    Py_ssize_t size = PyList_GET_SIZE(error->segments);
    return PyList_SetSlice(error->segments, size, size, way) < 0 ? FAILED : YES;
}

/* Adds what is said of a value of the wrong type. */
static int
mistyped_said(const State *state, const Place *place, PyObject *errors)
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
            Error *error = as_error(state, PyList_GET_ITEM(found, i));
            answer = error == NULL ? UNSURE : moved(error, place->way);
            if (answer == YES && PyList_Append(errors, (PyObject *)error) < 0) {
                answer = FAILED;
            }
        }
    }
    Py_DECREF(mended);
    return answer;
}

/* Adds the errors of a check, as a rule reports them. */
static int
reported(const State *state, const Place *place, PyObject *found, PyObject *known, PyObject *errors)
{
    if (!PyList_CheckExact(found)) {
        return UNSURE;
    }
    for (Py_ssize_t i = 0; i < PyList_GET_SIZE(found); i++) {
        Error *error = as_error(state, PyList_GET_ITEM(found, i));
        if (error == NULL) {
            return UNSURE;
        }
        if (moved(error, place->way) == FAILED) {
            return FAILED;
        }
        Py_XSETREF(error->rule, Py_NewRef(PyTuple_GET_ITEM(known, RULE)));
        if (error->json_string == Py_None) {
            Py_SETREF(error->json_string, Py_NewRef(PyTuple_GET_ITEM(known, JSON)));
        }
        if (PyList_Append(errors, (PyObject *)error) < 0) {
            return FAILED;
        }
    }
    return YES;
}

/* How many items, names or characters are in a value; -1 for one that has none. */
static Py_ssize_t
length_of(PyObject *value)
{
    return PyUnicode_CheckExact(value) ? PyUnicode_GET_LENGTH(value)
        : PyList_CheckExact(value)     ? PyList_GET_SIZE(value)
        : PyDict_CheckExact(value)     ? PyDict_GET_SIZE(value)
                                       : -1;
}

/* Adds an error that is like another one, about the value of a place, to which its way leads. Functions are known to report one
 * like it, with its rule and so on. */
static int
likened(const State *state, const Place *place, PyObject *known, PyObject *errors)
{
    Error *model = as_error(state, PyTuple_GET_ITEM(known, MODEL));
    long shows = PyLong_AsLong(PyTuple_GET_ITEM(known, SHOWS));
    Py_ssize_t length = shows == SHOWS_LENGTH ? length_of(place->value) : 0;
    if (model == NULL || length < 0) {
        return UNSURE;
    }
    Error *error = (Error *)Py_TYPE(model)->tp_alloc(Py_TYPE(model), 0);
    if (error == NULL) {
        return FAILED;
    }
    error->type = Py_XNewRef(model->type);
    error->detail = Py_XNewRef(model->detail);
    error->origin = Py_XNewRef(model->origin);
    error->rule = Py_XNewRef(model->rule);
    error->marks = Py_XNewRef(model->marks);
    error->json_string = Py_XNewRef(model->json_string);
    error->bad_value = shows == SHOWS_LENGTH ? PyLong_FromSsize_t(length)
                                             : Py_XNewRef(shows == SHOWS_VALUE ? place->value : model->bad_value);
    error->segments = PyList_GetSlice(place->way, 0, PyList_GET_SIZE(place->way));
    int failed = error->bad_value == NULL || error->segments == NULL || PyList_Append(errors, (PyObject *)error) < 0;
    Py_DECREF(error);
    return failed ? FAILED : YES;
}

/* What a check of a place says, which is known to be reported. `found` is what it has said, or NULL: then it is asked, unless all
 * that it says is alike. */
static int
check_said(const State *state, const Place *place, PyObject *found, PyObject *known, PyObject *errors)
{
    if (PyTuple_GET_ITEM(known, MODEL) != Py_None) {
        return likened(state, place, known, errors);
    }
    if (found != NULL) {
        return reported(state, place, found, known, errors);
    }
    PyObject *checks = PyTuple_GET_ITEM(place->leaf, CHECKS);
    PyObject *check = PyTuple_GET_ITEM(checks, PyLong_AsSsize_t(PyTuple_GET_ITEM(known, POSITION)));
    found = called(PyTuple_GET_ITEM(check, 0), PyTuple_GET_ITEM(check, 1), place->value, NULL);
    int answer = found == NULL ? FAILED : reported(state, place, found, known, errors);
    Py_XDECREF(found);
    return answer;
}

/* Adds what functions say of a member that is not there. Only the checks that have something to say are asked. */
static int
gone_said(const Places *places, const Place *place, PyObject *errors)
{
    PyObject *known = PyDict_GetItemWithError(PyTuple_GET_ITEM(place->leaf, places->known), Py_None);
    if (known == NULL) {
        return PyErr_Occurred() ? FAILED : UNSURE;
    }
    int answer = YES;
    Py_INCREF(known);
    for (Py_ssize_t i = 0; answer == YES && i < PyTuple_GET_SIZE(known); i++) {
        answer = check_said(places->state, place, NULL, PyTuple_GET_ITEM(known, i), errors);
    }
    Py_DECREF(known);
    return answer;
}

/* Whether a check fails, without asking it: 0 or 1, or -1 where that cannot be told. */
static int
fails(PyObject *test, PyObject *value)
{
    PyObject *operand = PyTuple_GET_ITEM(test, 1);
    long kind = PyLong_AsLong(PyTuple_GET_ITEM(test, 0));
    int set, there, overflow;
    Py_ssize_t length;
    long long limit, number;
    switch (kind) {
    case FAILS_UNSET:
        set = is_set(value);
        return set < 0 ? -1 : !set;
    case FAILS_SET:
        return is_set(value);
    case FAILS_UNLISTED:
        if (!PyUnicode_CheckExact(value) || !PyDict_CheckExact(operand)) {
            return -1;
        }
        there = PyDict_Contains(operand, value);
        if (there < 0) {
            PyErr_Clear();
        }
        return there < 0 ? -1 : !there;
    default:
        break;
    }
    limit = PyLong_AsLongLongAndOverflow(operand, &overflow);
    if (overflow || (limit == -1 && PyErr_Occurred())) {
        PyErr_Clear();
        return -1;
    }
    switch (kind) {
    case FAILS_BELOW:
    case FAILS_ABOVE:
        if (!PyLong_CheckExact(value)) {
            return -1;
        }
        number = PyLong_AsLongLongAndOverflow(value, &overflow);
        if (overflow) {
            return -1;
        }
        return kind == FAILS_BELOW ? number < limit : number > limit;
    case FAILS_SHORTER:
        length = length_of(value);
        return length < 0 ? -1 : length < limit;
    case FAILS_LONGER:
        length = length_of(value);
        return length < 0 ? -1 : length > limit;
    case FAILS_MORE_BYTES:
        return PyUnicode_CheckExact(value) && !is_broken(value) ? bytes_of(value) > limit : -1;
    default:
        return -1;
    }
}

/* Finds out which checks of a place fail, and adds what functions are known to say where the same ones do. */
static int
place_said(const Places *places, const Place *place, PyObject *errors)
{
    PyObject *checks = PyTuple_GET_ITEM(place->leaf, CHECKS), *tests = PyTuple_GET_ITEM(place->leaf, TESTS);
    PyObject *found[MOST_CHECKS];
    Py_ssize_t count = PyTuple_GET_SIZE(checks), asked = 0;
    long failing = 0;
    int answer = count > MOST_CHECKS ? UNSURE : YES;
    for (; answer == YES && asked < count; asked++) {
        PyObject *test = PyTuple_GET_ITEM(tests, asked);
        int failed = test == Py_None ? -1 : fails(test, place->value);
        found[asked] = NULL;
        if (failed < 0) {
            PyObject *check = PyTuple_GET_ITEM(checks, asked);
            found[asked] = called(PyTuple_GET_ITEM(check, 0), PyTuple_GET_ITEM(check, 1), place->value, NULL);
            failed = found[asked] == NULL ? -1 : PyObject_IsTrue(found[asked]);
            answer = failed < 0 ? FAILED : YES;
        }
        failing |= (long)(failed > 0) << asked;
    }
    if (answer == YES) {
        PyObject *key = PyLong_FromLong(failing), *known = NULL;
        if (key != NULL) {
            known = PyDict_GetItemWithError(PyTuple_GET_ITEM(place->leaf, places->known), key);
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
                PyObject *said = found[PyLong_AsSsize_t(PyTuple_GET_ITEM(each, POSITION))];
                answer = check_said(places->state, place, said, each, errors);
            }
        }
        Py_XDECREF(known);
    }
    while (asked > 0) {
        Py_XDECREF(found[--asked]);
    }
    return answer;
}

/* The errors of all places, those of wrong types first. */
static int
places_said(const Places *places, PyObject *errors)
{
    int answer = YES;
    for (int i = 0; answer == YES && i < places->n_wrong; i++) {
        answer = mistyped_said(places->state, &places->wrong[i], errors);
    }
    for (int i = 0; answer == YES && i < places->n_others; i++) {
        const Place *place = &places->others[i];
        answer = place->gone ? gone_said(places, place, errors) : place_said(places, place, errors);
    }
    return answer == FAILED ? doubt() : answer; /* a function may trip over a value */
}

#endif
