/* Writing methods and content headers, field by field along their layouts. */
#include "amqp0.h"

/* An exact int of that width; a bool is none. */
static bool write_number(Output *out, size_t width, PyObject *value) {
    uint64_t number;
    if (!PyLong_CheckExact(value) || !unsigned_64(value, &number)) return false;
    if (width < 8 && number >> 8 * width != 0) return false;
    put_number(out, width, number);
    return true;
}

/* A table that Python code may replace meanwhile is held; None stands for an empty one. */
static bool write_table_field(Core0 *core, const Writing *writing, Output *out, PyObject *table) {
    if (table == Py_None) {
        put_32(out, 0);
        return true;
    }
    Py_INCREF(table);
    bool done = write_table(core, writing, out, table, 1);
    Py_DECREF(table);
    return done;
}

static bool write_field(Core0 *core, const Writing *writing, Output *out, Kind kind, PyObject *value) {
    Input run;
    if (value == NULL || !output_room(out, 8)) return false;
    switch (kind) {
    case NAME: return write_short_text(out, value);
    case BYTES: return bytes_run(value, &run) && write_long_run(out, &run);
    case MAPPING: return write_table_field(core, writing, out, value);
    default: return write_number(out, kinds[kind].width, value);
    }
}

/* Python code that gave the rest other values than the prototype's meant something by it. */
static bool has_plain_rest(const Layout *layout, PyObject *instance) {
    for (Py_ssize_t index = 0; index < layout->rest_count; index++)
        if (get_slot(instance, layout->rest[index].place) != layout->rest[index].value) return false;
    return true;
}

/* Returns the index of the field after the bits, or -1; see `read_bits`. */
static Py_ssize_t write_bits(Output *out, const Layout *layout, Py_ssize_t index, PyObject *method) {
    if (!output_room(out, 1)) return -1;
    uint8_t octet = 0;
    for (int bit = 0; bit < 8 && index < layout->field_count && layout->fields[index].kind == BIT; bit++, index++) {
        if (layout->fields[index].reserved) continue;
        PyObject *value = get_slot(method, layout->fields[index].place);
        if (value == Py_True)
            octet |= (uint8_t)(1 << bit);
        else if (value != Py_False)
            return -1;
    }
    put_8(out, octet);
    return index;
}

/* Zero, or nothing with its length. */
static bool write_reserved(Output *out, size_t width) {
    if (!output_room(out, 8)) return false;
    put_number(out, width, 0);
    return true;
}

/* The payload of a method: four octets of indices and the fields. */
bool write_method(Core0 *core, const Writing *writing, Output *out, const Layout *layout, PyObject *method) {
    if (!has_plain_rest(layout, method) || !output_room(out, 4)) return false;
    put_32(out, layout->key);
    Py_ssize_t index = 0;
    while (index >= 0 && index < layout->field_count) {
        const Field *field = &layout->fields[index];
        if (field->kind == BIT)
            index = write_bits(out, layout, index, method);
        else if (field->reserved ? write_reserved(out, kinds[field->kind].width)
                                 : write_field(core, writing, out, field->kind, get_slot(method, field->place)))
            index++;
        else
            index = -1;
    }
    return index >= 0;
}

/* The payload of a content header; the flags say which properties there are. */
bool write_header_of(
    Core0 *core, const Writing *writing, Output *out, const Layout *layout, PyObject *properties, uint64_t size) {
    if (!has_plain_rest(layout, properties) || !output_room(out, 14)) return false;
    put_32(out, layout->key << 16);
    put_64(out, size);
    put_16(out, 0);
    size_t start = out->size;
    uint16_t flags = 0;
    for (Py_ssize_t index = 0; index < layout->field_count; index++) {
        const Field *field = &layout->fields[index];
        PyObject *value = get_slot(properties, field->place);
        if (value == Py_None) continue;
        if (!write_field(core, writing, out, field->kind, value)) return false;
        flags |= (uint16_t)(0x8000 >> index);
    }
    set_16(out->octets + start - 2, flags);
    return true;
}

/* The same of a ContentHeader. */
bool write_header(Core0 *core, const Writing *writing, Output *out, PyObject *header) {
    uint64_t octets;
    PyObject *properties = get_slot(header, core->header_properties);
    PyObject *size = get_slot(header, core->header_size);
    if (properties == NULL || size == NULL || get_slot(header, core->header_weight) != core->zero) return false;
    const Found *found = look_up_type(&core->base.types, properties);
    if (found->kind != PROPERTIES_CLASS || !PyLong_CheckExact(size) || !unsigned_64(size, &octets)) return false;
    Py_INCREF(properties);
    bool done = write_header_of(core, writing, out, found->layout, properties, octets);
    Py_DECREF(properties);
    return done;
}
