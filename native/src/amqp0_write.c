/* Writing methods and content headers, field by field along their layouts. */
#include "amqp0.h"
#include "amqp0_walk.h"

/* An exact int of that width; a bool is none. */
static Result write_number(Output *out, size_t width, PyObject *value) {
    uint64_t number;
    if (!PyLong_CheckExact(value) || !unsigned_64(value, &number)) { return NOT_PLAIN; }
    if (width < 8 && number >> 8 * width != 0) { return NOT_PLAIN; }
    put_number(out, width, number);
    return DONE;
}

/* A table that Python code may replace meanwhile is held; None stands for an empty one. */
static Result write_table_field(Core0 *core, const Writing *writing, Output *out, PyObject *table) {
    if (table == Py_None) {
        put_32(out, 0);
        return DONE;
    }
    Py_INCREF(table);
    Result result = write_table(core, writing, out, table, 1);
    Py_DECREF(table);
    return result;
}

static Result write_field(Core0 *core, const Writing *writing, Output *out, Kind kind, PyObject *value) {
    Input run;
    if (value == NULL || !output_room(out, 8)) { return NOT_PLAIN; }
    switch (kind) {
    case NAME: return write_short_text(out, value);
    case BYTES: return bytes_run(value, &run) ? write_long_run(out, &run) : NOT_PLAIN;
    case MAPPING: return write_table_field(core, writing, out, value);
    default: return write_number(out, kinds[kind].width, value);
    }
}

/* Python code that gave the rest other values than the prototype's meant something by it. */
static bool has_plain_rest(const Layout *layout, PyObject *instance) {
    for (Py_ssize_t index = 0; index < layout->rest_count; index++) {
        if (get_slot(instance, layout->rest[index].place) != layout->rest[index].value) { return false; }
    }
    return true;
}

/* Returns how many fields the octet is for, see `walk_bits`; 0 when it is not plain. */
static Py_ssize_t write_bits(Output *out, const Field *fields, Py_ssize_t count, PyObject *method) {
    if (!output_room(out, 1)) { return 0; }
    uint8_t octet = 0;
    Py_ssize_t bit = 0;
    for (; bit < BITS_IN_OCTET && bit < count && fields[bit].kind == BIT; bit++) {
        if (fields[bit].is_reserved) { continue; }
        PyObject *value = get_slot(method, fields[bit].place);
        if (value != Py_True && value != Py_False) { return 0; }
        octet |= (uint8_t)((value == Py_True) << bit);
    }
    put_8(out, octet);
    return bit;
}

/* Zero, or nothing with its length. */
static Result write_reserved(Output *out, size_t width) {
    if (!output_room(out, 8)) { return NOT_PLAIN; }
    put_number(out, width, 0);
    return DONE;
}

/* The payload of a method: four octets of indices and the fields. */
Result write_method(Core0 *core, const Writing *writing, Output *out, const Layout *layout, PyObject *method) {
    if (!has_plain_rest(layout, method) || !output_room(out, 4)) { return NOT_PLAIN; }
    put_32(out, layout->key);
    for (Py_ssize_t index = 0, step = 1; index < layout->field_count; index += step, step = 1) {
        const Field *field = &layout->fields[index];
        if (field->kind == BIT) {
            step = write_bits(out, field, layout->field_count - index, method);
            if (step == 0) { return NOT_PLAIN; }
        }
        else if (field->is_reserved) { RETURN_UNLESS_DONE(write_reserved(out, kinds[field->kind].width)); }
        else { RETURN_UNLESS_DONE(write_field(core, writing, out, field->kind, get_slot(method, field->place))); }
    }
    return DONE;
}

/* The payload of a content header; the flags say which properties there are. */
Result write_header_of(Core0 *core, const Writing *writing, Output *out, const Layout *layout, PyObject *properties,
                       uint64_t size) {
    if (!has_plain_rest(layout, properties) || !output_room(out, 14)) { return NOT_PLAIN; }
    put_32(out, layout->key << 16);
    put_64(out, size);
    put_16(out, 0);
    size_t start = out->size;
    uint16_t flags = 0;
    for (Py_ssize_t index = 0; index < layout->field_count; index++) {
        const Field *field = &layout->fields[index];
        PyObject *value = get_slot(properties, field->place);
        if (value == Py_None) { continue; }
        RETURN_UNLESS_DONE(write_field(core, writing, out, field->kind, value));
        flags |= (uint16_t)(0x8000 >> index);
    }
    set_16(out->octets + start - 2, flags);
    return DONE;
}

/* The same of a ContentHeader. */
Result write_header(Core0 *core, const Writing *writing, Output *out, PyObject *header) {
    uint64_t octets;
    PyObject *properties = get_slot(header, core->header_properties), *size = get_slot(header, core->header_size);
    if (properties == NULL || size == NULL || get_slot(header, core->header_weight) != core->zero) { return NOT_PLAIN; }
    const Found *found = look_up_type(&core->base.types, properties);
    if (found->kind != PROPERTIES_CLASS || !PyLong_CheckExact(size) || !unsigned_64(size, &octets)) {
        return NOT_PLAIN;
    }
    Py_INCREF(properties);
    Result result = write_header_of(core, writing, out, found->layout, properties, octets);
    Py_DECREF(properties);
    return result;
}
