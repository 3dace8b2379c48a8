/* Places: what is noted of values that are not certainly right, so that only their checks are asked. */

#ifndef VALIDATION_GEN_PLACES_H
#define VALIDATION_GEN_PLACES_H

/* Where a walk is told to, it goes on after a doubt about a single value, and notes its place; whatever it cannot note stays
 * a doubt about all. So functions for containers give PLACED where all that is wrong with a value is among the places, and
 * UNSURE where nobody knows. What has no place costs nothing here: nothing is done before there is a doubt. */

/* The first of the places in a container that is being walked, and of those behind it in turn. Places elsewhere come before
 * them, and their ways lead from further up. */
static int
first_inside(const Place *places, int count, int depth)
{
    while (count > 0 && places[count - 1].depth >= depth) {
        count--;
    }
    return count;
}

static void
places_freed(Places *places)
{
    for (int i = 0; i < places->n_wrong; i++) {
        Py_DECREF(places->wrong[i].value);
        Py_DECREF(places->wrong[i].way);
    }
    for (int i = 0; i < places->n_others; i++) {
        Py_DECREF(places->others[i].value);
        Py_DECREF(places->others[i].way);
    }
}

/* Whether a value is one of those that JSON decoders give, null aside. */
static int
is_json(PyObject *value)
{
    return PyUnicode_CheckExact(value) || PyLong_CheckExact(value) || PyBool_Check(value) || PyFloat_CheckExact(value)
        || PyList_CheckExact(value) || PyDict_CheckExact(value);
}

/* Whether a value that has been doubted is of the wrong type. Of what has a form of its own it is to be supposed. */
static int
is_mistyped(const Node *node, PyObject *value)
{
    switch (node->op) {
    case TEXT:
        return !PyUnicode_CheckExact(value);
    case BOOLEAN:
        return !PyBool_Check(value);
    case NUMBER:
        return !PyFloat_CheckExact(value) && !PyLong_CheckExact(value);
    case INT_OR_TEXT:
    case INTEGER:
        if (PyLong_CheckExact(value)) {
            int overflow;
            long long number = PyLong_AsLongLongAndOverflow(value, &overflow);
            return overflow ? !fits_unsigned(node, value, overflow) : number < node->least || number > node->most;
        }
        return node->op == INTEGER || !PyUnicode_CheckExact(value);
    case WIRE:
        return 1;
    case LIST:
        return !PyList_CheckExact(value);
    default:
        return !PyDict_CheckExact(value);
    }
}

/* Notes a place. Returns what became of the doubt. */
static int
noted(Places *places, PyObject *leaf, PyObject *value, int mistyped)
{
    int *count = mistyped ? &places->n_wrong : &places->n_others;
    if (leaf == Py_None || *count >= MOST_PLACES) {
        return UNSURE;
    }
    PyObject *way = PyList_New(0);
    if (way == NULL) {
        return FAILED;
    }
    Place *place = mistyped ? &places->wrong[*count] : &places->others[*count];
    *place = (Place){.leaf = leaf, .value = Py_NewRef(value), .way = way, .depth = INT_MAX};
    (*count)++;
    return PLACED;
}

/* Notes a single value, or one that should be a container and is none. */
static int
value_noted(Places *places, const Node *node, PyObject *value, int flags)
{
    if (node->op == NEVER || node->op == ANY || !is_json(value)) {
        return UNSURE;
    }
    int mistyped = is_mistyped(node, value);
    if (mistyped ? flags & (COUNTED | KEY) : node->op >= LIST) {
        return UNSURE; /* others look at its type; or it is a container, which has noted what it could */
    }
    return noted(places, node->leaf, value, mistyped);
}

/* Puts a step before the ways that lead from a part of a container. */
static int
led(Place *places, int count, int depth, PyObject *step, int rank)
{
    for (int i = first_inside(places, count, depth + 1); i < count; i++) {
        places[i].depth = depth;
        places[i].rank = rank;
        if (PyList_Append(places[i].way, step) < 0) {
            return FAILED;
        }
    }
    return PLACED;
}

/* What a doubt about a part of a container comes to, which is a step away from it. */
static RARE int
part_placed(
    const Walk *walk, const Node *node, PyObject *value, int answer, int flags, PyObject *step, int rank, int depth)
{
    Places *places = walk->places;
    if (answer == UNSURE) {
        answer = value_noted(places, node, value, flags);
    }
    if (answer == PLACED) {
        answer = led(places->wrong, places->n_wrong, depth, step, 0);
    }
    return answer == PLACED ? led(places->others, places->n_others, depth, step, rank) : answer;
}

/* Whether something in a container is of the wrong type. */
static int
holds_wrong(const Places *places, int depth)
{
    return first_inside(places->wrong, places->n_wrong, depth) < places->n_wrong;
}

/* Whether the places in a container are all that is to be said of it. They are sorted by their ranks; there are few. */
static RARE int
container_placed(const Walk *walk, const Node *node, int depth)
{
    Places *places = walk->places;
    int first = first_inside(places->others, places->n_others, depth);
    if (places->n_others - first > node->inside) {
        return UNSURE;
    }
    if ((node->inside == 0 || PyTuple_GET_SIZE(node->asks) > 0) && holds_wrong(places, depth)) {
        return UNSURE;
    }
    for (int i = first + 1; i < places->n_others; i++) {
        Place place = places->others[i];
        int j = i;
        for (; j > first && places->others[j - 1].rank > place.rank; j--) {
            places->others[j] = places->others[j - 1];
        }
        places->others[j] = place;
    }
    return PLACED;
}

/* The same, with what is wrong with a list or a map itself, if anything is: it is said before what is wrong inside. */
static RARE int
collection_placed(const Walk *walk, const Node *node, PyObject *value, int doubted, int depth)
{
    Places *places = walk->places;
    if (doubted) {
        int inside = first_inside(places->others, places->n_others, depth) < places->n_others;
        int answer = noted(places, node->leaf, value, 0);
        if (answer != PLACED) {
            return answer;
        }
        Place *own = &places->others[places->n_others - 1];
        own->rank = -1;
        own->depth = depth;
        own->above = inside;
    }
    return container_placed(walk, node, depth);
}

#endif
