/* Values of 1.0 as VARIANT: an object for a map, an array for a list; a type that VARIANT lacks has a tag. */
#include "amqp1_codes.h"
#include "column_numbers.h"

static bool copy_value(Variant *variant, Input *in, uint32_t depth);

/* Unsigned numbers have the next signed type; the short encodings have that of the long ones. */
static bool copy_number(Variant *variant, uint8_t code, const uint8_t *at) {
    int64_t number;
    switch (code) {
    case NULL_CODE: return write_variant_number(variant, VARIANT_NULL, 0, 0);
    case TRUE_CODE: return write_variant_number(variant, VARIANT_TRUE, 0, 0);
    case FALSE_CODE: return write_variant_number(variant, VARIANT_FALSE, 0, 0);
    case BOOLEAN_CODE: return *at <= 1 && write_variant_number(variant, *at ? VARIANT_TRUE : VARIANT_FALSE, 0, 0);
    case UINT0:
    case ULONG0: return write_variant_number(variant, VARIANT_INT64, 8, 0);
    case UBYTE_CODE: return write_variant_number(variant, VARIANT_INT16, 2, *at);
    case SMALLUINT:
    case SMALLULONG: return write_variant_number(variant, VARIANT_INT64, 8, *at);
    case BYTE_CODE: return write_variant_number(variant, VARIANT_INT8, 1, *at);
    case SMALLINT: return write_variant_number(variant, VARIANT_INT32, 4, (uint64_t)(int8_t)*at);
    case SMALLLONG: return write_variant_number(variant, VARIANT_INT64, 8, (uint64_t)(int8_t)*at);
    case USHORT_CODE: return write_variant_number(variant, VARIANT_INT32, 4, get_16(at));
    case SHORT_CODE: return write_variant_number(variant, VARIANT_INT16, 2, get_16(at));
    case UINT_CODE: return write_variant_number(variant, VARIANT_INT64, 8, get_32(at));
    case INT_CODE: return write_variant_number(variant, VARIANT_INT32, 4, get_32(at));
    case FLOAT_CODE: return write_variant_number(variant, VARIANT_FLOAT, 4, get_32(at));
    case ULONG_CODE:
        return fits_column(get_64(at), &number) && write_variant_number(variant, VARIANT_INT64, 8, get_64(at));
    case LONG_CODE: return write_variant_number(variant, VARIANT_INT64, 8, get_64(at));
    case DOUBLE_CODE: return write_variant_number(variant, VARIANT_DOUBLE, 8, get_64(at));
    case TIMESTAMP_CODE: return write_variant_moment(variant, (int64_t)get_64(at), MOMENTS_PER_SECOND);
    default: return false;
    }
}

static bool copy_symbol(Variant *variant, const Input *run) {
    size_t start = variant->out.size;
    return is_ascii(run) && write_variant_text(variant, run) && close_tagged(variant, start, "$symbol");
}

/* Groups of 4, 2, 2, 2 and 6 octets (RFC 4122, 3). */
static bool copy_uuid(Variant *variant, const uint8_t *at) {
    static const char digits[] = "0123456789abcdef";
    char text[36], *next = text;
    size_t start = variant->out.size;
    for (int index = 0; index < 16; index++) {
        if (index == 4 || index == 6 || index == 8 || index == 10) { *next++ = '-'; }
        *next++ = digits[at[index] >> 4];
        *next++ = digits[at[index] & 15];
    }
    Input run = {(const uint8_t *)text, (const uint8_t *)next};
    return write_variant_text(variant, &run) && close_tagged(variant, start, "$uuid");
}

static bool copy_list(Variant *variant, uint8_t code, Input *in, uint32_t depth) {
    Parts parts;
    Input items = {NULL, NULL};
    uint32_t count = 0;
    if (depth == MOST_LEVELS || (code != LIST0 && !take_compound(in, code == LIST32, &items, &count))) { return false; }
    start_parts(&parts, variant);
    for (uint32_t index = 0; index < count; index++) {
        if (!copy_value(variant, &items, depth + 1) || !end_part(&parts, variant, NULL)) { return false; }
    }
    return items.at == items.end && close_array(variant, &parts);
}

/* The keys of a map are names when all are strings, or all symbols. */
static bool take_key(Input *entries, Type type, Input *key) {
    const uint8_t *code = take(entries, 1);
    if (code == NULL || type_of_code(*code) != type) { return false; }
    return take_run(entries, *code == STR32 || *code == SYM32, key) && (type == T_STRING || is_ascii(key));
}

static bool copy_entries(Variant *variant, Input *entries, uint32_t count, Type type, Parts *parts, uint32_t depth) {
    Input key;
    start_parts(parts, variant);
    for (uint32_t index = 0; index < count / 2; index++) {
        if (!take_key(entries, type, &key) || !copy_value(variant, entries, depth + 1)
            || !end_part(parts, variant, &key)) {
            return false;
        }
    }
    return entries->at == entries->end && count % 2 == 0;
}

/* A map whose keys are usually of the type `usual`. One that is the whole variant has its own names first. */
static bool copy_map(Variant *variant, uint8_t code, Input *in, Type usual, bool is_whole, uint32_t depth) {
    Parts parts;
    Input entries;
    uint32_t count;
    size_t start = variant->out.size;
    if (depth == MOST_LEVELS || !take_compound(in, code == MAP32, &entries, &count)) { return false; }
    Type type = count == 0 || !input_has(&entries, 1) ? usual : type_of_code(*entries.at);
    if (type != T_STRING && type != T_SYMBOL) { return false; }
    if (!copy_entries(variant, &entries, count, type, &parts, depth)) { return false; }
    if (is_whole && type == usual) { return close_whole_object(variant, &parts); }
    if (!close_object(variant, &parts)) { return false; }
    return type == usual || close_tagged(variant, start, type == T_SYMBOL ? "$symbols" : "$strings");
}

static bool copy_value(Variant *variant, Input *in, uint32_t depth) {
    Input run;
    const uint8_t *code = take(in, 1);
    if (code == NULL) { return false; }
    switch (type_of_code(*code)) {
    case T_BINARY: return take_run(in, *code == VBIN32, &run) && write_variant_binary(variant, &run);
    case T_STRING: return take_run(in, *code == STR32, &run) && write_variant_text(variant, &run);
    case T_SYMBOL: return take_run(in, *code == SYM32, &run) && copy_symbol(variant, &run);
    case T_LIST: return copy_list(variant, *code, in, depth);
    case T_MAP: return copy_map(variant, *code, in, T_STRING, false, depth);
    case T_OTHER:
    case T_ARRAY: return false;
    default: break;
    }
    const uint8_t *at = take_fixed(in, *code);
    return at != NULL && (*code == UUID_CODE ? copy_uuid(variant, at) : copy_number(variant, *code, at));
}

bool write_value_variant(Variant *variant, Input *in) { return copy_value(variant, in, 0); }

bool write_map_variant(Variant *variant, Input *in, Keys keys) {
    const uint8_t *code = take(in, 1);
    if (code == NULL || type_of_code(*code) != T_MAP) { return false; }
    return copy_map(variant, *code, in, keys == SYMBOL_KEYS ? T_SYMBOL : T_STRING, true, 0);
}
