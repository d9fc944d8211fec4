/* Reading methods and content headers, field by field along their layouts, into the slots of new instances. */
#include "amqp0.h"
#include "amqp0_walk.h"

/* A new instance whose slots are being filled. */
typedef struct {
    Core0 *core;
    const Reading *reading;
    PyObject *instance;
} Filling;

static inline Result read_into_slot(void *owner, const Field *field, Input *in) {
    const Filling *filling = owner;
    PyObject *value;
    RETURN_UNLESS_DONE(read_kind(filling->core, filling->reading, field->kind, in, 0, &value));
    fill_slot(filling->instance, field->place, value);
    return DONE;
}

static inline Result read_past(void *owner, const Field *field, Input *in) {
    const Filling *filling = owner;
    PyObject *value;
    RETURN_UNLESS_DONE(read_kind(filling->core, filling->reading, field->kind, in, 0, &value));
    Py_DECREF(value);
    return DONE;
}

static inline void fill_bit(void *owner, const Field *field, bool bit) {
    fill_slot(((Filling *)owner)->instance, field->place, PyBool_FromLong(bit));
}

static inline void fill_none(void *owner, const Field *field) {
    fill_slot(((Filling *)owner)->instance, field->place, Py_NewRef(Py_None));
}

static const FieldSink slots = {read_into_slot, read_past, fill_bit, fill_none, false};

/* A method from its payload: four octets of indices and the fields. */
Result read_method(Core0 *core, const Reading *reading, Input *in, PyObject **method) {
    const uint8_t *indices = take(in, 4);
    const Layout *layout = indices == NULL ? NULL : look_up(&core->numbers, get_32(indices))->layout;
    if (layout == NULL) { return NOT_PLAIN; }
    RETURN_UNLESS_DONE(made(method, new_instance(layout)));
    Filling filling = {core, reading, *method};
    return drop_unless_done(walk_arguments(&slots, &filling, layout->fields, layout->field_count, in), method);
}

static PyObject *new_header(Core0 *core, PyObject *properties, uint64_t body_size) {
    PyObject *size = PyLong_FromUnsignedLongLong(body_size);
    PyObject *header = size == NULL ? NULL : PyType_GenericAlloc(core->header_type, 0);
    if (header == NULL) {
        Py_XDECREF(size);
        return NULL;
    }
    fill_slot(header, core->header_properties, Py_NewRef(properties));
    fill_slot(header, core->header_size, size);
    fill_slot(header, core->header_weight, Py_NewRef(core->zero));
    return header;
}

/* A content header from its payload. */
Result read_header(Core0 *core, const Reading *reading, Input *in, PyObject **header) {
    HeaderHead head;
    if (!take_header_head(in, &head) || core->header_type == NULL) { return NOT_PLAIN; }
    const Layout *layout = look_up(&core->numbers, properties_number(head.class_index))->layout;
    if (layout == NULL) { return NOT_PLAIN; }
    Filling filling = {core, reading, new_instance(layout)};
    if (filling.instance == NULL) { return FAILED; }
    Result result = walk_properties(&slots, &filling, layout->fields, layout->field_count, head.flags, in);
    if (result == DONE) { result = made(header, new_header(core, filling.instance, head.body_size)); }
    Py_DECREF(filling.instance);
    return result;
}
