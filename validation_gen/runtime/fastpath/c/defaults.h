/* Fills defaults of schemas into copies of objects without them. */

#ifndef VALIDATION_GEN_DEFAULTS_H
#define VALIDATION_GEN_DEFAULTS_H

/* Copies a value of an accepted object, or a default of the table, which must not change. Values that no accepted
 * object has (nested too deeply, names that are not strings) are not copied. */
static PyObject *
copied(PyObject *value, int depth)
{
    if (depth >= DEEPEST || !(PyDict_CheckExact(value) || PyList_CheckExact(value))) {
        return Py_NewRef(value);
    }
    if (PyList_CheckExact(value)) {
        PyObject *found = PyList_GetSlice(value, 0, PyList_GET_SIZE(value));
        for (Py_ssize_t i = 0; found != NULL && i < PyList_GET_SIZE(found); i++) {
            PyObject *copy = copied(PyList_GET_ITEM(found, i), depth + 1);
            if (copy == NULL || PyList_SetItem(found, i, copy) < 0) {
                Py_CLEAR(found);
            }
        }
        return found;
    }
    Py_ssize_t at = 0;
    PyObject *key, *item, *found = PyDict_New();
    while (found != NULL && PyDict_Next(value, &at, &key, &item)) {
        if (!PyUnicode_CheckExact(key)) {
            Py_DECREF(found);
            return Py_NewRef(value);
        }
        Py_INCREF(key); /* creating a container may run the garbage collector, whose finalizers may change anything */
        Py_INCREF(item);
        PyObject *copy = copied(item, depth + 1);
        if (copy == NULL || PyDict_SetItem(found, key, copy) < 0) {
            Py_CLEAR(found);
        }
        Py_XDECREF(copy);
        Py_DECREF(item);
        Py_DECREF(key);
    }
    return found;
}

static PyObject *filled(const Acceptor *self, uint32_t index, PyObject *value, int depth);

/* Returns a member with its defaults, held; NULL without an exception if it is absent and has none. */
static PyObject *
member_filled(const Acceptor *self, const Member *member, PyObject *value, int depth)
{
    if (value != NULL) {
        return filled(self, member->node, value, depth);
    }
    if (!(member->flags & DEFAULT) || PyErr_Occurred()) {
        return NULL;
    }
    PyObject *made = copied(member->zero, depth);
    if (made == NULL || !(member->flags & PARTS)) {
        return made;
    }
    PyObject *found = filled(self, member->node, made, depth);
    Py_DECREF(made);
    return found;
}

static PyObject *
struct_filled(const Acceptor *self, const Node *node, PyObject *object, int depth)
{
    PyObject *found = Py_NewRef(object);
    for (Py_ssize_t i = 0; found != NULL && i < node->n_members; i++) {
        const Member *member = &node->members[i];
        if (!(member->flags & (DEFAULT | PARTS))) {
            continue;
        }
        PyObject *value = PyDict_GetItemWithError(object, member->name);
        Py_XINCREF(value);
        PyObject *made = member_filled(self, member, value, depth);
        if (made == NULL && PyErr_Occurred()) {
            Py_CLEAR(found);
        }
        else if (made != value) {
            if (found == object) {
                Py_SETREF(found, PyDict_Copy(object));
            }
            if (found != NULL && PyDict_SetItem(found, member->name, made) < 0) {
                Py_CLEAR(found);
            }
        }
        Py_XDECREF(made);
        Py_XDECREF(value);
    }
    return found;
}

static PyObject *
list_filled(const Acceptor *self, const Node *node, PyObject *list, int depth)
{
    PyObject *found = Py_NewRef(list);
    for (Py_ssize_t i = 0; found != NULL && i < PyList_GET_SIZE(list) && i < PyList_GET_SIZE(found); i++) {
        PyObject *item = Py_NewRef(PyList_GET_ITEM(list, i));
        PyObject *made = filled(self, node->item, item, depth);
        if (made == NULL) {
            Py_CLEAR(found);
        }
        else if (made != item) {
            if (found == list) {
                Py_SETREF(found, PyList_GetSlice(list, 0, PyList_GET_SIZE(list)));
            }
            if (found != NULL && PyList_SetItem(found, i, Py_NewRef(made)) < 0) {
                Py_CLEAR(found);
            }
        }
        Py_XDECREF(made);
        Py_DECREF(item);
    }
    return found;
}

static PyObject *
map_filled(const Acceptor *self, const Node *node, PyObject *map, int depth)
{
    PyObject *found = Py_NewRef(map), *key, *value;
    Py_ssize_t at = 0;
    while (found != NULL && PyDict_Next(map, &at, &key, &value)) {
        Py_INCREF(key);
        Py_INCREF(value);
        PyObject *made = PyUnicode_CheckExact(key) ? filled(self, node->item, value, depth) : Py_NewRef(value);
        if (made == NULL) {
            Py_CLEAR(found);
        }
        else if (made != value) {
            if (found == map) {
                Py_SETREF(found, PyDict_Copy(map));
            }
            if (found != NULL && PyDict_SetItem(found, key, made) < 0) {
                Py_CLEAR(found);
            }
        }
        Py_XDECREF(made);
        Py_DECREF(value);
        Py_DECREF(key);
    }
    return found;
}

/* Returns a value with its defaults, held: the value itself if nothing is filled in, else a copy of the changed
 * containers. */
static PyObject *
filled(const Acceptor *self, uint32_t index, PyObject *value, int depth)
{
    const Node *node = &self->nodes[index];
    if (!(node->flags & FILLS) || depth >= DEEPEST) {
        return Py_NewRef(value);
    }
    switch (node->op) {
    case STRUCT:
        return PyDict_CheckExact(value) ? struct_filled(self, node, value, depth + 1) : Py_NewRef(value);
    case LIST:
        return PyList_CheckExact(value) ? list_filled(self, node, value, depth + 1) : Py_NewRef(value);
    case MAP:
        return PyDict_CheckExact(value) ? map_filled(self, node, value, depth + 1) : Py_NewRef(value);
    default:
        return Py_NewRef(value);
    }
}

#endif
