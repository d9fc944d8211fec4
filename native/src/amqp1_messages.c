/* Messages (1.0, 3.2): sections in a fixed order, each a described value. */
#include "amqp1.h"

enum {
    HEADER = 0x70,
    DELIVERY_ANNOTATIONS,
    MESSAGE_ANNOTATIONS,
    PROPERTIES,
    APPLICATION_PROPERTIES,
    DATA,
    AMQP_SEQUENCE,
    AMQP_VALUE,
    FOOTER
};

/* The attributes of a message that do not have the number of their section: three of these are a body. */
enum { BODY_PLACE = 5, FOOTER_PLACE = 6 };

/* Takes the class of messages, its attributes in order and (Data, AmqpSequence, AmqpValue); false when they are not for this core. */
bool set_message(Core1 *core, PyTypeObject *message, PyObject *attributes, PyTypeObject *const *bodies) {
    if (core->message_type != NULL || PyTuple_Size(attributes) != MESSAGE_SLOTS) return false;
    for (int index = 0; index < MESSAGE_SLOTS; index++) {
        core->message_places[index] = find_slot(message, PyUnicode_AsUTF8AndSize(PyTuple_GetItem(attributes, index), NULL));
        if (core->message_places[index] < 0) return false;
    }
    for (int index = 0; index < 3; index++) {
        core->body_places[index] = find_slot(bodies[index], "value");
        core->body_types[index] = keep(&core->base, (PyObject *)bodies[index]);
        if (core->body_places[index] < 0 || core->body_types[index] == NULL) return false;
    }
    core->message_type = keep(&core->base, (PyObject *)message);
    return core->message_type != NULL;
}

static Py_ssize_t place_of_section(const Core1 *core, int section) {
    if (section <= APPLICATION_PROPERTIES) return core->message_places[section - HEADER];
    return core->message_places[section == FOOTER ? FOOTER_PLACE : BODY_PLACE];
}

/* Header and properties are composites, the three of the body objects of their classes, and the others maps. */
static PyObject *read_section(Core1 *core, Reading1 *reading, int section, Input *in, uint32_t depth) {
    if (section == HEADER || section == PROPERTIES) {
        const Composite *composite = core->composites[section];
        return composite == NULL ? NULL : read_composite(core, reading, composite, in, depth);
    }
    Type type = input_has(in, 1) ? type_of_code(*in->at) : T_OTHER;
    int kind = section - DATA;
    switch (section) {
    case DATA:
    case AMQP_SEQUENCE:
        if (type != (section == DATA ? T_BINARY : T_LIST)) return NULL;
        /* fall through */
    case AMQP_VALUE: return new_with_slot(core->body_types[kind], core->body_places[kind], read_value(core, reading, in, depth));
    default: return type == T_MAP ? read_value(core, reading, in, depth) : NULL;
    }
}

/* Puts a section into its place and takes it over; a second one of the body makes it a list. */
static bool place_section(PyObject *message, Py_ssize_t place, PyObject *value) {
    PyObject *before = get_slot(message, place);
    if (before == Py_None) {
        fill_slot(message, place, value);
        Py_DECREF(before);
        return true;
    }
    bool is_list = PyList_CheckExact(before);
    PyObject *list = is_list ? before : PyList_New(0);
    bool done = list != NULL && (is_list || PyList_Append(list, before) == 0) && PyList_Append(list, value) == 0;
    Py_DECREF(value);
    if (is_list || list == NULL) return done;
    fill_slot(message, place, list);
    Py_DECREF(before);
    return done;
}

/* Each section once and in order, but for data and sequences, which may be several; and one kind of body. */
static bool is_in_order(int section, int last) {
    bool is_again = section == last && (section == DATA || section == AMQP_SEQUENCE);
    bool is_second_body = section > DATA && section < FOOTER && last >= DATA && section != last;
    return section >= HEADER && section <= FOOTER && (section > last || is_again) && !is_second_body;
}

static bool read_sections(Core1 *core, Reading1 *reading, Input *in, uint32_t depth, PyObject *message) {
    int last = 0;
    while (in->at < in->end) {
        const uint8_t *at = take(in, 3);
        if (at == NULL || at[0] != DESCRIBED || at[1] != SMALLULONG || !is_in_order(at[2], last)) return false;
        last = at[2];
        PyObject *value = read_section(core, reading, last, in, depth);
        if (value == NULL || !place_section(message, place_of_section(core, last), value)) return false;
    }
    return true;
}

PyObject *read_message(Core1 *core, Reading1 *reading, Input *in, uint32_t depth) {
    PyObject *message = core->message_type == NULL ? NULL : PyType_GenericAlloc(core->message_type, 0);
    if (message == NULL) return NULL;
    for (int index = 0; index < MESSAGE_SLOTS; index++) {
        Py_INCREF(Py_None);
        fill_slot(message, core->message_places[index], Py_None);
    }
    if (!read_sections(core, reading, in, depth, message)) Py_CLEAR(message);
    return message;
}

static bool write_body_section(Core1 *core, Output *out, PyObject *body, uint32_t depth) {
    for (int kind = 0; kind < 3; kind++) {
        if (Py_TYPE(body) != core->body_types[kind]) continue;
        PyObject *value = get_slot(body, core->body_places[kind]);
        if (value == NULL || !write_descriptor(out, (uint8_t)(DATA + kind))) return false;
        if (DATA + kind == DATA) return PyBytes_CheckExact(value) && write_binary(out, value);
        if (DATA + kind == AMQP_SEQUENCE && !PyList_CheckExact(value)) return false;
        return write_value(core, out, value, depth);
    }
    return false;
}

static bool write_section(Core1 *core, Output *out, int place, PyObject *value, uint32_t depth) {
    int section = place == FOOTER_PLACE ? FOOTER : HEADER + place;
    if (place == BODY_PLACE) return write_body_section(core, out, value, depth);
    if (section == HEADER || section == PROPERTIES) {
        const Composite *composite = core->composites[section];
        return composite != NULL && Py_TYPE(value) == composite->type && write_composite(core, out, composite, value, depth);
    }
    Keys keys = section == APPLICATION_PROPERTIES ? STRING_KEYS : SYMBOL_KEYS;
    if (!PyDict_CheckExact(value) || depth == 0 || !write_descriptor(out, (uint8_t)section)) return false;
    return write_map(core, out, value, keys, depth - 1);
}

bool write_message1(Core1 *core, Output *out, PyObject *message, uint32_t depth) {
    if (core->message_type == NULL || Py_TYPE(message) != core->message_type) return false;
    for (int place = 0; place < MESSAGE_SLOTS; place++) {
        PyObject *value = get_slot(message, core->message_places[place]);
        if (value == Py_None) continue;
        if (value == NULL) return false;
        Py_INCREF(value);
        bool done = write_section(core, out, place, value, depth);
        Py_DECREF(value);
        if (!done) return false;
    }
    return true;
}
