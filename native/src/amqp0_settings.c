/* Settings of reading and writing tables: made once for a dialect and its limits, then handed in with each call. */
#include "amqp0.h"

static const char reading_name[] = "reading of amqp_native";
static const char writing_name[] = "writing of amqp_native";

static void free_settings(PyObject *capsule) { PyMem_Free(PyCapsule_GetPointer(capsule, PyCapsule_GetName(capsule))); }

/* A capsule with a copy. */
static PyObject *settings_capsule(const void *settings, size_t size, const char *name) {
    void *copy = PyMem_Malloc(size);
    PyObject *capsule =
        copy == NULL ? PyErr_NoMemory() : PyCapsule_New(memcpy(copy, settings, size), name, free_settings);
    if (capsule == NULL) { PyMem_Free(copy); }
    return capsule;
}

const Reading *reading_of(PyObject *capsule) { return PyCapsule_GetPointer(capsule, reading_name); }

const Writing *writing_of(PyObject *capsule) { return PyCapsule_GetPointer(capsule, writing_name); }

/* reading(kinds by letter, max_depth, max_elements) */
PyObject *make_reading(PyObject *Py_UNUSED(module), PyObject *arguments) {
    PyObject *kinds_by_letter;
    Reading settings = {{0}, 0, 0};
    bool is_read =
        PyArg_ParseTuple(arguments, "O!II", &PyDict_Type, &kinds_by_letter, &settings.max_depth, &settings.max_elements)
        && fill_kinds(&settings, kinds_by_letter);
    return is_read ? settings_capsule(&settings, sizeof settings, reading_name) : NULL;
}

static bool read_pair(PyObject *pair, Letter *letter) {
    PyObject *text, *kind_name;
    return PyArg_Parse(pair, "(OO)", &text, &kind_name) && read_letter(text, kind_name, letter);
}

/* The letters that the core writes; with one that announces another kind, the value is for Python. */
static bool fill_letters(Writing *writing, PyObject *letters) {
    static const struct {
        const char *name;
        Kind kind, other;
    } plain[PLAIN_INTEGER] = {
        [PLAIN_BOOLEAN] = {"boolean", BOOLEAN, BOOLEAN},
        [PLAIN_FLOAT] = {"float", DOUBLE, DOUBLE},
        [PLAIN_TEXT] = {"text", LONG_STRING, BYTES},
        [PLAIN_BYTES] = {"bytes", BYTES, LONG_STRING},
        [PLAIN_DECIMAL] = {"decimal", DECIMAL, DECIMAL_UNSIGNED},
        [PLAIN_TIMESTAMP] = {"timestamp", TIME, TIME},
        [PLAIN_ARRAY] = {"array", ARRAY, ARRAY},
        [PLAIN_TABLE] = {"table", MAPPING, MAPPING},
        [PLAIN_VOID] = {"void", VOID, VOID},
    };
    for (int index = PLAIN_BOOLEAN; index < PLAIN_INTEGER; index++) {
        Letter letter;
        PyObject *pair = PyDict_GetItemString(letters, plain[index].name);
        if (pair == NULL) { continue; }
        if (!read_pair(pair, &letter)) { return false; }
        if (letter.kind == plain[index].kind || letter.kind == plain[index].other) { writing->letters[index] = letter; }
    }
    return true;
}

static bool fill_integers(Writing *writing, PyObject *pairs) {
    Py_ssize_t count = PyTuple_Size(pairs);
    if (count > INTEGER_LETTERS) {
        PyErr_SetString(PyExc_ValueError, "a letter or a kind of value is not usable");
        return false;
    }
    for (Py_ssize_t index = 0; index < count; index++) {
        if (!read_pair(PyTuple_GetItem(pairs, index), &writing->integers[index])) { return false; }
    }
    return true;
}

/* writing((letter, kind) by kind of Python value, (letter, kind) of integers, max_depth, max_elements) */
PyObject *make_writing(PyObject *Py_UNUSED(module), PyObject *arguments) {
    PyObject *letters, *integers;
    Writing settings = {{{0, 0}}, {{0, 0}}, 0, 0};
    bool is_read = PyArg_ParseTuple(arguments, "O!O!II", &PyDict_Type, &letters, &PyTuple_Type, &integers,
                                    &settings.max_depth, &settings.max_elements)
                   && fill_letters(&settings, letters) && fill_integers(&settings, integers);
    return is_read ? settings_capsule(&settings, sizeof settings, writing_name) : NULL;
}
