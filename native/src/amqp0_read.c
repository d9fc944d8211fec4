/* Reading methods and content headers, field by field along their layouts. */
#include "amqp0.h"

/* Bits in a row share octets, lowest bit first (0-9-1, 4.2.5.2); returns the index of the field after them, or -1. */
static Py_ssize_t read_bits(const Layout *layout, Py_ssize_t index, Input *in, PyObject *method) {
    const uint8_t *octet = take(in, 1);
    if (octet == NULL) return -1;
    for (int bit = 0; bit < 8 && index < layout->field_count && layout->fields[index].kind == BIT; bit++, index++) {
        if (layout->fields[index].reserved) continue;
        fill_slot(method, layout->fields[index].place, PyBool_FromLong(*octet >> bit & 1));
    }
    return index;
}

/* Reads a field into its slot, or past it when it is reserved. */
static bool read_into_slot(Core0 *core, const Reading *reading, const Field *field, Input *in, PyObject *owner) {
    PyObject *value = read_kind(core, reading, field->kind, in, 0);
    if (value == NULL) return false;
    if (field->reserved)
        Py_DECREF(value);
    else
        fill_slot(owner, field->place, value);
    return true;
}

static bool read_fields(Core0 *core, const Reading *reading, const Layout *layout, Input *in, PyObject *method) {
    Py_ssize_t index = 0;
    while (index >= 0 && index < layout->field_count) {
        const Field *field = &layout->fields[index];
        if (field->kind == BIT)
            index = read_bits(layout, index, in, method);
        else if (read_into_slot(core, reading, field, in, method))
            index++;
        else
            index = -1;
    }
    return index >= 0 && in->at == in->end;
}

/* A method from its payload: four octets of indices and the fields, nothing more. */
PyObject *read_method(Core0 *core, const Reading *reading, Input *in) {
    const uint8_t *indices = take(in, 4);
    const Layout *layout = indices == NULL ? NULL : look_up(&core->numbers, get_32(indices))->layout;
    PyObject *method = layout == NULL ? NULL : new_instance(layout);
    if (method != NULL && !read_fields(core, reading, layout, in, method)) Py_CLEAR(method);
    return method;
}

/* Flags from the highest bit on say which properties follow (0-9-1, 4.2.6.1). */
static bool read_present(
    Core0 *core, const Reading *reading, const Layout *layout, uint16_t flags, Input *in, PyObject *properties) {
    for (Py_ssize_t index = 0; index < layout->field_count; index++) {
        const Field *field = &layout->fields[index];
        if (flags & 0x8000 >> index) {
            if (!read_into_slot(core, reading, field, in, properties)) return false;
        } else {
            Py_INCREF(Py_None);
            fill_slot(properties, field->place, Py_None);
        }
    }
    return in->at == in->end;
}

static PyObject *read_properties(Core0 *core, const Reading *reading, const Layout *layout, uint16_t flags, Input *in) {
    if (flags & 0xFFFF >> layout->field_count) return NULL;
    PyObject *properties = new_instance(layout);
    if (properties != NULL && !read_present(core, reading, layout, flags, in, properties)) Py_CLEAR(properties);
    return properties;
}

/* A content header from its payload: class, weight, size of the body, flags and properties. */
PyObject *read_header(Core0 *core, const Reading *reading, Input *in) {
    const uint8_t *at = take(in, 14);
    if (at == NULL || get_16(at + 2) != 0 || core->header_type == NULL) return NULL;
    const Layout *layout = look_up(&core->numbers, properties_number(get_16(at)))->layout;
    PyObject *properties = layout == NULL ? NULL : read_properties(core, reading, layout, get_16(at + 12), in);
    PyObject *size = properties == NULL ? NULL : PyLong_FromUnsignedLongLong(get_64(at + 4));
    PyObject *header = size == NULL ? NULL : PyType_GenericAlloc(core->header_type, 0);
    if (header == NULL) {
        Py_XDECREF(properties);
        Py_XDECREF(size);
        return NULL;
    }
    Py_INCREF(core->zero);
    fill_slot(header, core->header_properties, properties);
    fill_slot(header, core->header_size, size);
    fill_slot(header, core->header_weight, core->zero);
    return header;
}
