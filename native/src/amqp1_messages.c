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

/* Takes the class of messages, its attributes in order and (Data, AmqpSequence, AmqpValue), where they are for this
   core. */
Result set_message(Core1 *core, PyTypeObject *message, PyObject *attributes, PyTypeObject *const *bodies) {
    if (core->message_type != NULL || PyTuple_Size(attributes) != MESSAGE_SLOTS) { return NOT_PLAIN; }
    for (int index = 0; index < MESSAGE_SLOTS; index++) {
        const char *attribute = PyUnicode_AsUTF8AndSize(PyTuple_GetItem(attributes, index), NULL);
        if (attribute == NULL) { return FAILED; }
        core->message_places[index] = find_slot(message, attribute);
        if (core->message_places[index] < 0) { return NOT_PLAIN; }
    }
    for (int index = 0; index < 3; index++) {
        core->body_places[index] = find_slot(bodies[index], "value");
        if (core->body_places[index] < 0) { return NOT_PLAIN; }
        core->body_types[index] = keep(&core->base, (PyObject *)bodies[index]);
        if (core->body_types[index] == NULL) { return FAILED; }
    }
    core->message_type = keep(&core->base, (PyObject *)message);
    return done_or_failed(core->message_type != NULL);
}

static Py_ssize_t place_of_section(const Core1 *core, int section) {
    if (section <= APPLICATION_PROPERTIES) { return core->message_places[section - HEADER]; }
    return core->message_places[section == FOOTER ? FOOTER_PLACE : BODY_PLACE];
}

/* Header and properties are composites, the three of the body objects of their classes, and the others maps. */
static Result read_section(Core1 *core, Reading1 *reading, int section, Input *in, uint32_t depth, PyObject **value) {
    static const Type types[] = {[DATA - DATA] = T_BINARY, [AMQP_SEQUENCE - DATA] = T_LIST};
    if (section == HEADER || section == PROPERTIES) {
        const Composite *composite = core->composites[section];
        return composite == NULL ? NOT_PLAIN : read_composite(core, reading, composite, in, depth, value);
    }
    bool is_body = section >= DATA && section <= AMQP_VALUE;
    Type type = input_has(in, 1) ? type_of_code(*in->at) : T_OTHER;
    if (section != AMQP_VALUE && type != (is_body ? types[section - DATA] : T_MAP)) { return NOT_PLAIN; }
    RETURN_UNLESS_DONE(read_value(core, reading, in, depth, value));
    if (!is_body) { return DONE; }
    return made(value, new_with_slot(core->body_types[section - DATA], core->body_places[section - DATA], *value));
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
    if (is_list || list == NULL) { return done; }
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

static Result read_sections(Core1 *core, Reading1 *reading, Input *in, uint32_t depth, PyObject *message) {
    int last = 0;
    while (in->at < in->end) {
        PyObject *value;
        const uint8_t *at = take(in, 3);
        if (at == NULL || at[0] != DESCRIBED || at[1] != SMALLULONG || !is_in_order(at[2], last)) { return NOT_PLAIN; }
        last = at[2];
        RETURN_UNLESS_DONE(read_section(core, reading, last, in, depth, &value));
        if (!place_section(message, place_of_section(core, last), value)) { return FAILED; }
    }
    return DONE;
}

Result read_message(Core1 *core, Reading1 *reading, Input *in, uint32_t depth, PyObject **message) {
    if (core->message_type == NULL) { return NOT_PLAIN; }
    RETURN_UNLESS_DONE(made(message, PyType_GenericAlloc(core->message_type, 0)));
    for (int index = 0; index < MESSAGE_SLOTS; index++) {
        fill_slot(*message, core->message_places[index], Py_NewRef(Py_None));
    }
    return drop_unless_done(read_sections(core, reading, in, depth, *message), message);
}

static Result write_body_section(Core1 *core, Output *out, PyObject *body, uint32_t depth) {
    int kind = 0;
    while (kind < 3 && Py_TYPE(body) != core->body_types[kind]) { kind++; }
    PyObject *value = kind == 3 ? NULL : get_slot(body, core->body_places[kind]);
    if (value == NULL) { return NOT_PLAIN; }
    RETURN_UNLESS_DONE(write_descriptor(out, (uint8_t)(DATA + kind)));
    switch (DATA + kind) {
    case DATA: return write_binary(out, value);
    case AMQP_SEQUENCE: return PyList_CheckExact(value) ? write_held(core, out, value, depth) : NOT_PLAIN;
    default: return write_held(core, out, value, depth);
    }
}

static Result write_section(Core1 *core, Output *out, int place, PyObject *value, uint32_t depth) {
    int section = place == FOOTER_PLACE ? FOOTER : HEADER + place;
    if (place == BODY_PLACE) { return write_body_section(core, out, value, depth); }
    if (section == HEADER || section == PROPERTIES) {
        const Composite *composite = core->composites[section];
        bool is_plain = composite != NULL && Py_TYPE(value) == composite->type;
        return is_plain ? write_composite(core, out, composite, value, depth) : NOT_PLAIN;
    }
    if (!PyDict_CheckExact(value) || depth == 0) { return NOT_PLAIN; }
    RETURN_UNLESS_DONE(write_descriptor(out, (uint8_t)section));
    return write_map(core, out, value, section == APPLICATION_PROPERTIES ? STRING_KEYS : SYMBOL_KEYS, depth - 1);
}

Result write_message1(Core1 *core, Output *out, PyObject *message, uint32_t depth) {
    if (core->message_type == NULL || Py_TYPE(message) != core->message_type) { return NOT_PLAIN; }
    for (int place = 0; place < MESSAGE_SLOTS; place++) {
        PyObject *value = get_slot(message, core->message_places[place]);
        if (value == Py_None) { continue; }
        if (value == NULL) { return NOT_PLAIN; }
        Py_INCREF(value);
        Result result = write_section(core, out, place, value, depth);
        Py_DECREF(value);
        RETURN_UNLESS_DONE(result);
    }
    return DONE;
}
