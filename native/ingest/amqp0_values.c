/* Rows of methods and content headers of 0-x, as the generated `columns._basic` and its like read them.

   What would be a misfit of the row, whatever is damaged, and a table that `write_table_variant` gives up, are not
   plain. So the last value of a row, for misfits, is always nothing. */
#include "../src/amqp0_walk.h"
#include "../src/column_numbers.h"
#include "row_layouts.h"

enum { METHOD_HEAD = 4 };

/* A row whose values are being set. */
typedef struct {
    const Package *package;
    Arena *arena;
    Row *row;
} RowFilling;

static Result read_table(const Package *package, Input *in, Arena *arena, Value *value) {
    Variant variant;
    start_variant(&variant);
    return finish_variant_value(&variant, write_table_variant(&package->reading, &variant, in), arena, value);
}

/* A short string has to be text; a long one is octets. */
static bool read_run(bool is_long, Input *in, Value *value) {
    Input run;
    if (!take_run(in, is_long, &run)) { return false; }
    *value = run_value(is_long ? OCTETS : TEXT, run);
    return is_long || is_utf8(&run);
}

static bool read_number(const Field *field, Input *in, Value *value) {
    const uint8_t *at = take(in, kinds[field->kind].width);
    *value = number_value(0);
    if (at == NULL) { return false; }
    switch (field->kind) {
    case UINT8: value->number = *at; return true;
    case UINT16: value->number = get_16(at); return true;
    case UINT32: value->number = get_32(at); return true;
    case UINT64:
        if (!fits_column(get_64(at), &value->number)) { return false; }
        return !field->is_moment || moment_in_years(value->number, PER_SECOND, &value->number);
    default: return false;
    }
}

static inline Result read_value(void *owner, const Field *field, Input *in) {
    const RowFilling *filling = owner;
    Value *value = &filling->row->values[filling->row->count++];
    if (field->kind == MAPPING) { return read_table(filling->package, in, filling->arena, value); }
    if (field->kind == NAME || field->kind == BYTES) { return plain_if(read_run(field->kind == BYTES, in, value)); }
    return plain_if(read_number(field, in, value));
}

static inline Result skip_zeros(void *Py_UNUSED(owner), const Field *field, Input *in) {
    return plain_if(take_zeros(field, in));
}

static inline void add_value(void *owner, Value value) {
    const RowFilling *filling = owner;
    filling->row->values[filling->row->count++] = value;
}

static inline void add_bit(void *owner, const Field *Py_UNUSED(field), bool bit) {
    add_value(owner, number_value(bit));
}

static inline void add_nothing(void *owner, const Field *Py_UNUSED(field)) { add_value(owner, no_value()); }

static const FieldSink values = {read_value, skip_zeros, add_bit, add_nothing, true};

Result read_method_row(const Package *package, const RowLayout *method, Input payload, Arena *arena, Row *row) {
    RowFilling filling = {package, arena, row};
    if (take(&payload, METHOD_HEAD) == NULL) { return NOT_PLAIN; }
    row->count = 0;
    RETURN_UNLESS_DONE(walk_arguments(&values, &filling, method->fields, (Py_ssize_t)method->field_count, &payload));
    add_value(&filling, no_value());
    return DONE;
}

Result read_header_row(const Package *package, const RowLayout *header, Input payload, Arena *arena, Row *row) {
    RowFilling filling = {package, arena, row};
    HeaderHead head;
    int64_t body_size;
    if (!take_header_head(&payload, &head) || !fits_column(head.body_size, &body_size)) { return NOT_PLAIN; }
    row->count = 0;
    add_value(&filling, number_value(head.class_index));
    add_value(&filling, number_value(body_size));
    RETURN_UNLESS_DONE(
        walk_properties(&values, &filling, header->fields, (Py_ssize_t)header->field_count, head.flags, &payload));
    add_value(&filling, no_value());
    return DONE;
}
