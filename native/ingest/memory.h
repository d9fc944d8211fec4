/* Memory of C, lists in it, and references to Python objects in it. */
#ifndef AMQP_NATIVE_INGEST_MEMORY_H
#define AMQP_NATIVE_INGEST_MEMORY_H

#include "../src/octets.h"

/* To be freed with `PyMem_Free`. */
static inline void *new_memory(size_t size) {
    void *memory = PyMem_Malloc(size);
    return memory == NULL ? PyErr_NoMemory() : memory;
}

static inline void *zeros(size_t count, size_t size) {
    void *memory = PyMem_Calloc(count, size);
    return memory == NULL ? PyErr_NoMemory() : memory;
}

static inline bool grow_array(void *array, size_t *capacity, size_t count, size_t size) {
    void *items;
    memcpy(&items, array, sizeof items);
    items = PyMem_Realloc(items, 2 * count * size);
    if (items == NULL) { return PyErr_NoMemory() != NULL; }
    memcpy(array, &items, sizeof items);
    *capacity = 2 * count;
    return true;
}

/* Makes room for so many items of an array, or twice as many; `array` is the address of the pointer to it. */
static inline bool make_room(void *array, size_t *capacity, size_t count, size_t size) {
    return count <= *capacity || grow_array(array, capacity, count, size);
}

/* A list has `first` and `last`. Its items are linked by two of their members, which are named here. */
#define APPEND_ITEM(list, item, earlier, later)                                   \
    do {                                                                          \
        (item)->earlier = (list)->last;                                           \
        (item)->later = NULL;                                                     \
        *((list)->last == NULL ? &(list)->first : &(list)->last->later) = (item); \
        (list)->last = (item);                                                    \
    } while (0)

#define REMOVE_ITEM(list, item, earlier, later)                                                \
    do {                                                                                       \
        *((item)->earlier == NULL ? &(list)->first : &(item)->earlier->later) = (item)->later; \
        *((item)->later == NULL ? &(list)->last : &(item)->later->earlier) = (item)->earlier;  \
    } while (0)

/* Gives back what a function of Python has returned that returns nothing; NULL is an exception. */
static inline bool is_called(PyObject *result) {
    Py_XDECREF(result);
    return result != NULL;
}

/* Lets a place take over a reference, or none. The collector may look at the place while the former object dies. */
static inline void set_reference(PyObject **place, PyObject *object) {
    PyObject *former = *place;
    *place = object;
    Py_XDECREF(former);
}

/* As `Py_VISIT`, for a function that visits. */
#define VISIT_WITH(call)                      \
    do {                                      \
        int visited = (call);                 \
        if (visited != 0) { return visited; } \
    } while (0)

#endif
