/* Reading values of any type: a format code and its data (1.0, 1.2 and 1.6). */
#include "amqp1.h"

static PyObject *read_data(Core1 *core, Reading1 *reading, uint8_t code, Input *in, uint32_t depth);

/* (value, position after it) or NULL. */
static PyObject *call_reader(const Core1 *core, const Reading1 *reading, const uint8_t *code, uint32_t depth) {
    PyObject *limits = reading->retries < 0 ? NULL : PyList_GetItem(reading->levels, (Py_ssize_t)depth);
    PyObject *position = limits == NULL ? NULL : PyLong_FromSsize_t(code - reading->start);
    if (position == NULL) return NULL;
    PyObject *found = PyObject_CallFunctionObjArgs(core->read_other, reading->buffer, position, limits, NULL);
    Py_DECREF(position);
    if (found != NULL && (!PyTuple_Check(found) || PyTuple_Size(found) != 2)) Py_CLEAR(found);
    return found;
}

/* What Python reads: the format code stands at `code`, and the data follows, where `in` is. When it cannot, the attempt ends. */
static PyObject *ask_python(Core1 *core, Reading1 *reading, Input *in, const uint8_t *code, uint32_t depth) {
    PyObject *found = call_reader(core, reading, code, depth);
    Py_ssize_t position = found == NULL ? -1 : PyLong_AsSsize_t(PyTuple_GetItem(found, 1));
    PyObject *value = NULL;
    if (position > code - reading->start && position <= in->end - reading->start) {
        in->at = reading->start + position;
        value = PyTuple_GetItem(found, 0);
        Py_INCREF(value);
    } else {
        reading->retries = -1;
    }
    Py_XDECREF(found);
    return value;
}

/* So many values up to the end of `items`; without an `element` code each has its own. */
static PyObject *read_items(
    Core1 *core, Reading1 *reading, Input *items, uint32_t count, uint8_t element, uint32_t depth) {
    PyObject *list = PyList_New(0);
    for (uint32_t index = 0; list != NULL && index < count; index++) {
        PyObject *value =
            element == 0 ? read_value(core, reading, items, depth) : read_data(core, reading, element, items, depth);
        if (value == NULL || PyList_Append(list, value) < 0) Py_CLEAR(list);
        Py_XDECREF(value);
    }
    if (list != NULL && items->at != items->end) Py_CLEAR(list);
    return list;
}

static PyObject *read_list(Core1 *core, Reading1 *reading, uint8_t code, Input *in, uint32_t depth) {
    Input items;
    uint32_t count;
    if (depth == 0) return NULL;
    if (code == LIST0) return PyList_New(0);
    if (!take_compound(in, code == LIST32, &items, &count) || count > reading->max_elements) return NULL;
    return read_items(core, reading, &items, count, 0, depth - 1);
}

/* Python compares strings with strings, and symbols with symbols, as AMQP does. Other scalars are plain as long as they are few:
   a peer can choose numbers of one hash. */
static bool is_plain_key(const Input *items, uint32_t count) {
    if (!input_has(items, 1)) return false;
    uint8_t code = *items->at;
    return code == STR8 || code == SYM8 || (code != DESCRIBED && code < LIST8 && count <= 100);
}

/* A dict; NULL when keys are not plain, or equal in Python, which may not be so in AMQP. */
static PyObject *read_entries(Core1 *core, Reading1 *reading, Input *items, uint32_t count, uint32_t depth) {
    PyObject *map = PyDict_New();
    for (uint32_t index = 0; map != NULL && index < count / 2; index++) {
        PyObject *key = is_plain_key(items, count) ? read_value(core, reading, items, depth) : NULL;
        PyObject *value = key == NULL ? NULL : read_value(core, reading, items, depth);
        if (value == NULL || PyDict_SetItem(map, key, value) < 0) Py_CLEAR(map);
        Py_XDECREF(key);
        Py_XDECREF(value);
    }
    if (map != NULL && (items->at != items->end || 2 * (uint64_t)PyDict_Size(map) != count)) Py_CLEAR(map);
    return map;
}

static PyObject *read_map(Core1 *core, Reading1 *reading, uint8_t code, Input *in, uint32_t depth) {
    Input items, rest = *in;
    uint32_t count;
    if (!take_compound(&rest, code == MAP32, &items, &count) || count > reading->max_elements) return NULL;
    if (count > 0 && !is_plain_key(&items, count)) return NULL;
    *in = rest;
    return read_entries(core, reading, &items, count, depth - 1);
}

static bool is_plain_element(uint8_t code) {
    Type type = type_of_code(code);
    bool has_data = code >= UBYTE_CODE;
    return has_data && type != T_OTHER && type < T_LIST;
}

/* Takes over the items. */
static PyObject *new_array(Core1 *core, PyObject *items, Type type) {
    PyObject *array = new_with_slot(core->array_type, core->array_items, items);
    if (array == NULL) return NULL;
    Py_INCREF(core->type_names[type]);
    Py_INCREF(core->no_descriptors);
    fill_slot(array, core->array_type_name, core->type_names[type]);
    fill_slot(array, core->array_descriptors, core->no_descriptors);
    return array;
}

/* Elements share one format code, which stands once before them. */
static PyObject *read_array(Core1 *core, Reading1 *reading, uint8_t code, Input *in, uint32_t depth) {
    Input items, rest = *in;
    uint32_t count;
    if (!take_compound(&rest, code == ARRAY32, &items, &count) || count > reading->max_elements) return NULL;
    const uint8_t *element = take(&items, 1);
    if (element == NULL || !is_plain_element(*element) || core->array_type == NULL) return NULL;
    *in = rest;
    return new_array(core, read_items(core, reading, &items, count, *element, depth - 1), type_of_code(*element));
}

/* A composite that the core knows, by the common form of its descriptor. */
static PyObject *read_described(Core1 *core, Reading1 *reading, Input *in, uint32_t depth) {
    if (!input_has(in, 2) || in->at[0] != SMALLULONG) return NULL;
    const Composite *composite = core->composites[in->at[1]];
    if (composite == NULL) return NULL;
    in->at += 2;
    return read_composite(core, reading, composite, in, depth - 1);
}

/* A value of which the core knows some; the others are for Python. Nothing was tried where `in` has not moved. */
static PyObject *read_or_ask(Core1 *core, Reading1 *reading, uint8_t code, Input *in, uint32_t depth) {
    const uint8_t *start = in->at;
    PyObject *value = NULL;
    if (depth == 0) return NULL;
    if (code == DESCRIBED)
        value = read_described(core, reading, in, depth);
    else if (code == MAP8 || code == MAP32)
        value = read_map(core, reading, code, in, depth);
    else if (code == ARRAY8 || code == ARRAY32)
        value = read_array(core, reading, code, in, depth);
    if (value != NULL || !forget_error()) return value;
    if (in->at != start) reading->retries--;
    in->at = start;
    return ask_python(core, reading, in, start - 1, depth);
}

static PyObject *read_fixed(Core1 *core, uint8_t code, Input *in) {
    const uint8_t *at = take_fixed(in, code);
    return at == NULL ? NULL : read_scalar(core, code, at);
}

/* The data of a value whose format code was read. */
static PyObject *read_data(Core1 *core, Reading1 *reading, uint8_t code, Input *in, uint32_t depth) {
    Input run;
    switch (type_of_code(code)) {
    case T_BINARY: return take_run(in, code == VBIN32, &run) ? new_bytes(&run) : NULL;
    case T_STRING: return take_run(in, code == STR32, &run) ? find_text(core->base.texts, &run) : NULL;
    case T_SYMBOL: return take_run(in, code == SYM32, &run) ? find_text(core->base.symbols, &run) : NULL;
    case T_LIST: return read_list(core, reading, code, in, depth);
    case T_MAP:
    case T_ARRAY:
    case T_OTHER: return read_or_ask(core, reading, code, in, depth);
    default: return read_fixed(core, code, in);
    }
}

PyObject *read_value(Core1 *core, Reading1 *reading, Input *in, uint32_t depth) {
    const uint8_t *code = take(in, 1);
    return code == NULL ? NULL : read_data(core, reading, *code, in, depth);
}
