/* What both cores are made of, and what their methods have in common.

   A core belongs to one package and holds all that it knows of it: there is no other state, so that packages,
   interpreters and copies of this module do not meet. What a core refers to, it keeps until it dies. It has no
   `tp_clear`: a cycle through a core also goes through a class or a function of the package, and these break it. */
#ifndef AMQP_NATIVE_CORE_H
#define AMQP_NATIVE_CORE_H

#include "slots.h"
#include "steps.h"
#include "texts.h"
#include "variant.h"

enum { LOOKUP_PLACES = 1024 };

/* What a number or the address of a class stands for; a kind of 0 stands for nothing. */
typedef struct {
    uint64_t key;
    int kind;
    const void *layout;
} Found;

/* Open addressing, at most half full. */
typedef struct {
    Found places[LOOKUP_PLACES];
    int count;
} Lookup;

/* Multiplication by the golden ratio spreads numbers as well as addresses. */
static inline const Found *look_up(const Lookup *lookup, uint64_t key) {
    uint32_t place = (uint32_t)(key * 0x9E3779B97F4A7C15u >> 54);
    while (lookup->places[place].kind != 0 && lookup->places[place].key != key) { place = (place + 1) % LOOKUP_PLACES; }
    return &lookup->places[place];
}

static inline const Found *look_up_type(const Lookup *lookup, PyObject *value) {
    return look_up(lookup, (uint64_t)(uintptr_t)Py_TYPE(value));
}

/* False when the key is there already, or there is no room left. */
bool add_to_lookup(Lookup *lookup, uint64_t key, int kind, const void *layout);

/* Memory that lives as long as the core. */
typedef struct Block {
    struct Block *next;
    uint64_t octets[];
} Block;

typedef struct {
    PyObject_HEAD PyObject **kept;
    size_t kept_count;
    Block *blocks;
    Lookup types; /* by address of the Python class */
    Texts *texts;
    Texts *symbols;     /* of 1.0 */
    PyObject *metadata; /* of the last VARIANT */
    Steps steps;        /* frames that were read */
} Core;

/* Keeps an object, and returns it. */
void *keep(Core *core, PyObject *object);
/* Keeps an object that the caller owns; NULL is that of an exception. */
void *keep_owned(Core *core, PyObject *object);
/* Zeros. */
void *keep_memory(Core *core, size_t size);
/* Keeps a class and adds it to `types`. */
Result keep_type(Core *core, PyTypeObject *type, int kind, const void *layout);

/* A method of a type, or a function. */
#define METHOD(name, function, flags, doc) {name, (PyCFunction)(void (*)(void))function, flags, doc}

/* Adds the type of a core to the module; -1 with an exception when that fails. */
int add_core_type(PyObject *module, const char *name, const char *doc, size_t size, newfunc make, PyMethodDef *methods);

/* Forgets the error of an attempt that gave up. False when it is none that Python's code would handle, as an interrupt
   from the keyboard: then it stays set, and nothing more is tried. */
static inline bool forget_error(void) {
    if (PyErr_Occurred() && !PyErr_ExceptionMatches(PyExc_Exception)) { return false; }
    PyErr_Clear();
    return true;
}

/* What an attempt leaves to Python is not plain. */
static inline Result left_to_python(Result result) { return result == FAILED && forget_error() ? NOT_PLAIN : result; }

/* What an attempt made, or None when it gave up. */
PyObject *none_unless_done(Result result, PyObject *value);
/* (value, position); takes over the value. */
PyObject *with_position(PyObject *value, Py_ssize_t position);
/* The same, or None. */
PyObject *pair_or_none(Result result, PyObject *value, Py_ssize_t position);
/* The octets that were written, or None. */
PyObject *octets_or_none(Output *out, Result result);
/* Whether the core takes a class, as True or False. */
PyObject *true_if_done(Result result);

/* False with a TypeError when a method got another number of arguments. */
bool argument_count(const char *name, Py_ssize_t given, Py_ssize_t wanted);
/* The octets of a bytes object from a position on, which must lie in it; returns where the object starts. */
const uint8_t *input_from(PyObject *buffer, PyObject *position, Input *in);
/* The same up to `end`, or to the end of the object when that is NULL; `*start` is where the object starts. */
Result input_between(PyObject *buffer, PyObject *position, PyObject *end, Input *in, const uint8_t **start);

/* A function that reads rows, of four arguments, the first of which is the buffer. It is called with the tuple (core,
   facts, fallback) and asks the fallback, a function of Python, for the rows that the core gives up. */
PyObject *new_row_reader(Core *core, PyMethodDef *definition, PyObject *facts, PyObject *fallback);
/* What such a function returns; takes over the row. */
PyObject *row_or_ask(Result result, PyObject *row, PyObject *reader, PyObject *const *arguments);

/* The pair (value, metadata) of a VARIANT that was written, if that is plain; releases what it needed. */
Result finish_variant(Core *core, Variant *variant, bool is_plain, PyObject **pair);

#endif
