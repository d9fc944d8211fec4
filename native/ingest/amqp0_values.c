/* Rows of methods and content headers of 0-x, as the generated `columns._basic` and its like read them.

   Fields follow each other along the layout (0-9-1, 4.2.5); those that are reserved have no column. What would be a misfit of the
   row, whatever is damaged, and a table that `write_table_variant` gives up, are not plain. So the last value of a row, for
   misfits, is always nothing. */
#include "variant_value.h"

enum { METHOD_HEAD = 4, HEADER_HEAD = 14, BITS_IN_OCTET = 8, MICROSECONDS = 1000000 };

static RowResult read_table(const Package *package, Input *in, Arena *arena, Value *value) {
    Variant variant;
    start_variant(&variant);
    return finish_variant_value(&variant, write_table_variant(&package->reading, &variant, in), arena, value);
}

/* A short string has to be text; a long one is octets. */
static bool read_run(bool is_long, Input *in, Value *value) {
    Input run;
    if (!take_run(in, is_long, &run)) return false;
    *value = run_value(is_long ? OCTETS : TEXT, run);
    return is_long || is_utf8(&run);
}

/* Columns have no unsigned 64 bits, and no moment after the year 9999. */
static bool read_long(bool is_moment, const uint8_t *at, Value *value) {
    uint64_t number = get_64(at);
    if (number > (is_moment ? (uint64_t)LAST_SECOND : INT64_MAX)) return false;
    *value = number_value((int64_t)number * (is_moment ? MICROSECONDS : 1));
    return true;
}

static bool read_number(const FieldLayout *field, Input *in, Value *value) {
    const uint8_t *at = take(in, kinds[field->kind].width);
    if (at == NULL) return false;
    switch (field->kind) {
    case UINT8: *value = number_value(*at); return true;
    case UINT16: *value = number_value(get_16(at)); return true;
    case UINT32: *value = number_value(get_32(at)); return true;
    case UINT64: return read_long(field->is_moment, at, value);
    default: return false;
    }
}

static RowResult read_value(const Package *package, const FieldLayout *field, Input *in, Arena *arena, Value *value) {
    if (field->kind == MAPPING) return read_table(package, in, arena, value);
    if (field->kind == NAME || field->kind == BYTES) return read_run(field->kind == BYTES, in, value) ? READ_ROW : NOT_PLAIN_ROW;
    return read_number(field, in, value) ? READ_ROW : NOT_PLAIN_ROW;
}

/* A reserved field of zeros: a number, or the length of what is empty. */
static bool skip_reserved(const FieldLayout *field, Input *in) {
    size_t width = kinds[field->kind].width;
    const uint8_t *at = take(in, width);
    uint8_t all = 0;
    for (size_t index = 0; at != NULL && index < width; index++) all |= at[index];
    return at != NULL && all == 0;
}

/* Bits in a row share octets, lowest bit first (4.2.5.2). Adds to the row and returns how many fields the octet at hand is for; 0
   when it has bits that no column has. */
static size_t read_bits(const FieldLayout *fields, size_t count, Input *in, Row *row) {
    const uint8_t *octet = take(in, 1);
    if (octet == NULL) return 0;
    size_t bit = 0;
    int known = 0;
    for (; bit < BITS_IN_OCTET && bit < count && fields[bit].kind == BIT; bit++) {
        if (fields[bit].is_reserved) continue;
        known |= 1 << bit;
        row->values[row->count++] = number_value(*octet >> bit & 1);
    }
    return (*octet & ~known) == 0 ? bit : 0;
}

/* A row ends with the misfits; there are none. */
static RowResult end_plain_row(const Input *in, Row *row) {
    row->values[row->count++] = no_value();
    return in->at == in->end ? READ_ROW : NOT_PLAIN_ROW;
}

RowResult read_method_row(const Package *package, const RowLayout *method, Input payload, Arena *arena, Row *row) {
    if (take(&payload, METHOD_HEAD) == NULL) return NOT_PLAIN_ROW;
    row->count = 0;
    for (size_t index = 0, count = 1; index < method->field_count; index += count, count = 1) {
        const FieldLayout *field = &method->fields[index];
        RowResult result = READ_ROW;
        if (field->kind == BIT) {
            count = read_bits(field, method->field_count - index, &payload, row);
            if (count == 0) return NOT_PLAIN_ROW;
        } else if (field->is_reserved) {
            if (!skip_reserved(field, &payload)) return NOT_PLAIN_ROW;
        } else {
            result = read_value(package, field, &payload, arena, &row->values[row->count++]);
        }
        if (result != READ_ROW) return result;
    }
    return end_plain_row(&payload, row);
}

RowResult read_header_row(const Package *package, const RowLayout *header, Input payload, Arena *arena, Row *row) {
    const uint8_t *head = take(&payload, HEADER_HEAD);
    if (head == NULL || get_16(head + 2) != 0 || get_64(head + 4) > INT64_MAX) return NOT_PLAIN_ROW;
    /* Flags from the highest bit on say which properties follow (4.2.6.1). */
    uint16_t flags = get_16(head + 12);
    if (flags & 0xFFFF >> header->field_count) return NOT_PLAIN_ROW;
    row->values[0] = number_value(get_16(head));
    row->values[1] = number_value((int64_t)get_64(head + 4));
    row->count = 2;
    for (size_t index = 0; index < header->field_count; index++) {
        Value *value = &row->values[row->count++];
        *value = no_value();
        if ((flags & 0x8000 >> index) == 0) continue;
        RowResult result = read_value(package, &header->fields[index], &payload, arena, value);
        if (result != READ_ROW) return result;
    }
    return end_plain_row(&payload, row);
}
