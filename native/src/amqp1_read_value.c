/* Reading values of any type: a format code and its data (1.0, 1.2 and 1.6). */
#include "amqp1.h"
#include "amqp1_walk.h"

static Result read_compound(Core1 *core, Reading1 *reading, uint8_t code, Input *in, uint32_t depth, PyObject **value);

/* The data of a value whose format code was read. */
static ALWAYS_INLINE Result read_data(Core1 *core, Reading1 *reading, uint8_t code, Input *in, uint32_t depth,
                                      PyObject **value) {
    Type type = type_of_code(code);
    if (type == T_OTHER || type >= T_LIST) { return read_compound(core, reading, code, in, depth, value); }
    if (type >= T_BINARY) { return read_octets(core, code, in, value); }
    const uint8_t *at = take_fixed(in, code);
    return at != NULL && is_plain_scalar(core, code, at) ? made(value, new_scalar(core, code, at)) : NOT_PLAIN;
}

/* The value of an answer, (value, position after it). */
static Result take_answer(const Reading1 *reading, Input *in, const uint8_t *code, PyObject *answer, PyObject **value) {
    if (!PyTuple_Check(answer) || PyTuple_Size(answer) != 2) { return NOT_PLAIN; }
    Py_ssize_t position = PyLong_AsSsize_t(PyTuple_GetItem(answer, 1));
    if (position == -1 && PyErr_Occurred()) { return FAILED; }
    if (position <= code - reading->start || position > in->end - reading->start) { return NOT_PLAIN; }
    in->at = reading->start + position;
    return made(value, Py_NewRef(PyTuple_GetItem(answer, 0)));
}

static Result call_reader(const Core1 *core, const Reading1 *reading, Input *in, const uint8_t *code, uint32_t depth,
                          PyObject **value) {
    if (reading->retries < 0) { return NOT_PLAIN; }
    PyObject *limits = PyList_GetItem(reading->levels, (Py_ssize_t)depth);
    PyObject *position = limits == NULL ? NULL : PyLong_FromSsize_t(code - reading->start);
    if (position == NULL) { return FAILED; }
    PyObject *answer = PyObject_CallFunctionObjArgs(core->read_other, reading->buffer, position, limits, NULL);
    Result result = answer == NULL ? FAILED : take_answer(reading, in, code, answer, value);
    Py_XDECREF(answer);
    Py_DECREF(position);
    return result;
}

/* What Python reads: the format code stands at `code`, and the data follows, where `in` is. When it cannot, the attempt
   ends. */
static Result ask_python(Core1 *core, Reading1 *reading, Input *in, const uint8_t *code, uint32_t depth,
                         PyObject **value) {
    Result result = call_reader(core, reading, in, code, depth, value);
    if (result != DONE) { reading->retries = -1; }
    return result;
}

/* So many values up to the end of `items`; without an `element` code each has its own. */
static Result fill_list(Core1 *core, Reading1 *reading, Input *items, uint32_t count, uint8_t element, uint32_t depth,
                        PyObject *list) {
    for (uint32_t index = 0; index < count; index++) {
        PyObject *value;
        RETURN_UNLESS_DONE(element == 0 ? read_value(core, reading, items, depth, &value)
                                        : read_data(core, reading, element, items, depth, &value));
        int status = PyList_Append(list, value);
        Py_DECREF(value);
        if (status < 0) { return FAILED; }
    }
    return plain_if(items->at == items->end);
}

static Result read_items(Core1 *core, Reading1 *reading, Input *items, uint32_t count, uint8_t element, uint32_t depth,
                         PyObject **list) {
    RETURN_UNLESS_DONE(made(list, PyList_New(0)));
    return drop_unless_done(fill_list(core, reading, items, count, element, depth, *list), list);
}

static Result read_list(Core1 *core, Reading1 *reading, uint8_t code, Input *in, uint32_t depth, PyObject **list) {
    Input items;
    uint32_t count;
    if (code == LIST0) { return made(list, PyList_New(0)); }
    if (!take_compound(in, code == LIST32, &items, &count) || count > reading->max_elements) { return NOT_PLAIN; }
    return read_items(core, reading, &items, count, 0, depth - 1, list);
}

/* Python compares strings with strings, and symbols with symbols, as AMQP does. Other scalars are plain as long as they
   are few: a peer can choose numbers of one hash. */
static bool is_plain_key(const Input *items, uint32_t count) {
    if (!input_has(items, 1)) { return false; }
    uint8_t code = *items->at;
    return code == STR8 || code == SYM8 || (code != DESCRIBED && code < LIST8 && count <= 100);
}

static Result add_entry(Core1 *core, Reading1 *reading, Input *items, uint32_t depth, PyObject *map) {
    PyObject *key, *value;
    RETURN_UNLESS_DONE(read_value(core, reading, items, depth, &key));
    Result result = read_value(core, reading, items, depth, &value);
    if (result == DONE) {
        result = done_or_failed(PyDict_SetItem(map, key, value) == 0);
        Py_DECREF(value);
    }
    Py_DECREF(key);
    return result;
}

/* Keys that are equal in Python may not be so in AMQP. */
static Result fill_map(Core1 *core, Reading1 *reading, Input *items, uint32_t count, uint32_t depth, PyObject *map) {
    for (uint32_t index = 0; index < count / 2; index++) {
        if (!is_plain_key(items, count)) { return NOT_PLAIN; }
        RETURN_UNLESS_DONE(add_entry(core, reading, items, depth, map));
    }
    return plain_if(items->at == items->end && 2 * (uint64_t)PyDict_Size(map) == count);
}

static Result read_map(Core1 *core, Reading1 *reading, uint8_t code, Input *in, uint32_t depth, PyObject **map) {
    Input items, rest = *in;
    uint32_t count;
    if (!take_compound(&rest, code == MAP32, &items, &count) || count > reading->max_elements) { return NOT_PLAIN; }
    if (count > 0 && !is_plain_key(&items, count)) { return NOT_PLAIN; }
    *in = rest;
    RETURN_UNLESS_DONE(made(map, PyDict_New()));
    return drop_unless_done(fill_map(core, reading, &items, count, depth - 1, *map), map);
}

static bool is_plain_element(uint8_t code) {
    Type type = type_of_code(code);
    bool has_data = code >= UBYTE_CODE;
    return has_data && type != T_OTHER && type < T_LIST;
}

/* Takes over the items. */
static PyObject *new_array(Core1 *core, PyObject *items, Type type) {
    PyObject *array = new_with_slot(core->array_type, core->array_items, items);
    if (array == NULL) { return NULL; }
    fill_slot(array, core->array_type_name, Py_NewRef(core->type_names[type]));
    fill_slot(array, core->array_descriptors, Py_NewRef(core->no_descriptors));
    return array;
}

/* Elements share one format code, which stands once before them. */
static Result read_array(Core1 *core, Reading1 *reading, uint8_t code, Input *in, uint32_t depth, PyObject **array) {
    Input items, rest = *in;
    uint32_t count;
    PyObject *list;
    if (!take_compound(&rest, code == ARRAY32, &items, &count) || count > reading->max_elements) { return NOT_PLAIN; }
    const uint8_t *element = take(&items, 1);
    if (element == NULL || !is_plain_element(*element) || core->array_type == NULL) { return NOT_PLAIN; }
    *in = rest;
    RETURN_UNLESS_DONE(read_items(core, reading, &items, count, *element, depth - 1, &list));
    return made(array, new_array(core, list, type_of_code(*element)));
}

/* A composite that the core knows, by the common form of its descriptor. */
static Result read_described(Core1 *core, Reading1 *reading, Input *in, uint32_t depth, PyObject **value) {
    if (!input_has(in, 2) || in->at[0] != SMALLULONG) { return NOT_PLAIN; }
    const Composite *composite = core->composites[in->at[1]];
    if (composite == NULL) { return NOT_PLAIN; }
    in->at += 2;
    return read_composite(core, reading, composite, in, depth - 1, value);
}

/* Lists, and values of which the core knows some; the others are for Python. Nothing was tried where `in` has not
   moved. */
static Result read_compound(Core1 *core, Reading1 *reading, uint8_t code, Input *in, uint32_t depth, PyObject **value) {
    const uint8_t *start = in->at;
    Result result = NOT_PLAIN;
    if (depth == 0) { return NOT_PLAIN; }
    if (type_of_code(code) == T_LIST) { return read_list(core, reading, code, in, depth, value); }
    if (code == DESCRIBED) { result = read_described(core, reading, in, depth, value); }
    else if (code == MAP8 || code == MAP32) { result = read_map(core, reading, code, in, depth, value); }
    else if (code == ARRAY8 || code == ARRAY32) { result = read_array(core, reading, code, in, depth, value); }
    result = left_to_python(result);
    if (result != NOT_PLAIN) { return result; }
    if (in->at != start) { reading->retries--; }
    in->at = start;
    return ask_python(core, reading, in, start - 1, depth, value);
}

Result read_value(Core1 *core, Reading1 *reading, Input *in, uint32_t depth, PyObject **value) {
    const uint8_t *code = take(in, 1);
    return code == NULL ? NOT_PLAIN : read_data(core, reading, *code, in, depth, value);
}
