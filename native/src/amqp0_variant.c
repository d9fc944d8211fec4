/* Field tables (0-9-1, 4.2.5.5) as VARIANT: an object for a table, an array for an array. */
#include "amqp0_kinds.h"
#include "column_numbers.h"

static bool copy_kind(const Reading *reading, Variant *variant, Kind kind, Input *in, uint32_t depth);

static bool copy_table(const Reading *reading, Variant *variant, Input *in, uint32_t depth) {
    Input entries, key;
    Parts parts;
    if (depth > MOST_LEVELS || depth > reading->max_depth || !take_run(in, true, &entries)) { return false; }
    start_parts(&parts, variant);
    while (entries.at < entries.end) {
        if (!take_run(&entries, false, &key)) { return false; }
        const uint8_t *letter = take(&entries, 1);
        if (letter == NULL || !copy_kind(reading, variant, (Kind)reading->kinds[*letter], &entries, depth)) {
            return false;
        }
        if (!end_part(&parts, variant, &key)) { return false; }
    }
    if ((uint32_t)parts.count > reading->max_elements) { return false; }
    return depth == 1 ? close_whole_object(variant, &parts) : close_object(variant, &parts);
}

static bool copy_array(const Reading *reading, Variant *variant, Input *in, uint32_t depth) {
    Input items;
    Parts parts;
    if (depth >= MOST_LEVELS || depth >= reading->max_depth || !take_run(in, true, &items)) { return false; }
    start_parts(&parts, variant);
    while (items.at < items.end) {
        Kind kind = (Kind)reading->kinds[*items.at++];
        if (!copy_kind(reading, variant, kind, &items, depth + 1) || !end_part(&parts, variant, NULL)) { return false; }
    }
    return (uint32_t)parts.count <= reading->max_elements && close_array(variant, &parts);
}

/* Unsigned numbers have the next signed type. */
static bool copy_number(Variant *variant, Kind kind, const uint8_t *at) {
    int64_t number;
    switch (kind) {
    case BOOLEAN: return write_variant_number(variant, *at ? VARIANT_TRUE : VARIANT_FALSE, 0, 0);
    case INT8: return write_variant_number(variant, VARIANT_INT8, 1, *at);
    case UINT8: return write_variant_number(variant, VARIANT_INT16, 2, *at);
    case INT16: return write_variant_number(variant, VARIANT_INT16, 2, get_16(at));
    case UINT16: return write_variant_number(variant, VARIANT_INT32, 4, get_16(at));
    case INT32: return write_variant_number(variant, VARIANT_INT32, 4, get_32(at));
    case UINT32: return write_variant_number(variant, VARIANT_INT64, 8, get_32(at));
    case UINT64: return fits_column(get_64(at), &number) && write_variant_number(variant, VARIANT_INT64, 8, get_64(at));
    case INT64: return write_variant_number(variant, VARIANT_INT64, 8, get_64(at));
    case FLOAT: return write_variant_number(variant, VARIANT_FLOAT, 4, get_32(at));
    case DOUBLE: return write_variant_number(variant, VARIANT_DOUBLE, 8, get_64(at));
    case DECIMAL: return write_variant_decimal(variant, (int32_t)get_32(at + 1), at[0]);
    case DECIMAL_UNSIGNED: return write_variant_decimal(variant, get_32(at + 1), at[0]);
    case TIME: return fits_column(get_64(at), &number) && write_variant_moment(variant, number, PER_SECOND);
    case VOID: return write_variant_number(variant, VARIANT_NULL, 0, 0);
    default: return false;
    }
}

static bool copy_kind(const Reading *reading, Variant *variant, Kind kind, Input *in, uint32_t depth) {
    Input run;
    switch (kind) {
    case SHORT_STRING:
    case LONG_STRING: return take_run(in, kind == LONG_STRING, &run) && write_variant_text(variant, &run);
    case BYTES: return take_run(in, true, &run) && write_variant_binary(variant, &run);
    case ARRAY: return copy_array(reading, variant, in, depth);
    case MAPPING: return copy_table(reading, variant, in, depth + 1);
    default: break;
    }
    const uint8_t *at = take(in, kinds[kind].width);
    return at != NULL && copy_number(variant, kind, at);
}

bool write_table_variant(const Reading *reading, Variant *variant, Input *in) {
    return copy_table(reading, variant, in, 1);
}
