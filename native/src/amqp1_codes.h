/* Types of 1.0 and the format codes of their encodings (1.0, 1.6): what can be read without a core. */
#ifndef AMQP_NATIVE_AMQP1_CODES_H
#define AMQP_NATIVE_AMQP1_CODES_H

#include "variant.h"

/* The types that the core reads and writes itself (1.0, 1.6), by the names in FIELDS; see amqp1_codes.c. */
/* clang-format off */
typedef enum {
    T_OTHER, T_NULL, T_BOOLEAN,
    T_UBYTE, T_USHORT, T_UINT, T_ULONG, T_BYTE, T_SHORT, T_INT, T_LONG,
    T_FLOAT, T_DOUBLE, T_CHAR, T_TIMESTAMP,
    T_DECIMAL32, T_DECIMAL64, T_DECIMAL128, T_UUID, /* a slot has their octets as a number */
    T_BINARY, T_STRING, T_SYMBOL,
    T_LIST, T_MAP, T_ARRAY, T_COMPOSITE, TYPE_COUNT
} Type;
/* clang-format on */

/* The units of a timestamp in a second (1.0, 1.6.17). */
enum { MOMENTS_PER_SECOND = 1000 };

/* Format codes (1.0, 1.6); the first digit says how the data is laid out (1.2). */
/* clang-format off */
enum {
    DESCRIBED = 0x00,
    NULL_CODE = 0x40, TRUE_CODE = 0x41, FALSE_CODE = 0x42, UINT0 = 0x43, ULONG0 = 0x44, LIST0 = 0x45,
    UBYTE_CODE = 0x50, BYTE_CODE = 0x51, SMALLUINT = 0x52, SMALLULONG = 0x53, SMALLINT = 0x54, SMALLLONG = 0x55, BOOLEAN_CODE = 0x56,
    USHORT_CODE = 0x60, SHORT_CODE = 0x61,
    UINT_CODE = 0x70, INT_CODE = 0x71, FLOAT_CODE = 0x72, CHAR_CODE = 0x73, DECIMAL32_CODE = 0x74,
    ULONG_CODE = 0x80, LONG_CODE = 0x81, DOUBLE_CODE = 0x82, TIMESTAMP_CODE = 0x83, DECIMAL64_CODE = 0x84,
    DECIMAL128_CODE = 0x94, UUID_CODE = 0x98,
    VBIN8 = 0xA0, STR8 = 0xA1, SYM8 = 0xA3,
    VBIN32 = 0xB0, STR32 = 0xB1, SYM32 = 0xB3,
    LIST8 = 0xC0, MAP8 = 0xC1,
    LIST32 = 0xD0, MAP32 = 0xD1,
    ARRAY8 = 0xE0, ARRAY32 = 0xF0
};
/* clang-format on */

/* Which keys a map may have: application properties have strings; annotations and the like have symbols, and a `str` is
   one. */
typedef enum { ANY_KEYS, STRING_KEYS, SYMBOL_KEYS } Keys;

extern const uint8_t types_by_code[256];
static inline Type type_of_code(uint8_t code) { return (Type)types_by_code[code]; }
const char *type_name_of(Type type);
/* The type of that name; T_OTHER for one that the core leaves to Python. */
Type type_named(const char *name);

/* The data of a value of fixed width: up to 0x9F the first digit of a format code says how many octets (1.0, 1.2). */
static inline const uint8_t *take_fixed(Input *in, uint8_t code) {
    static const uint8_t widths[] = {[5] = 1, [6] = 2, [7] = 4, [8] = 8, [9] = 16};
    return take(in, widths[code >> 4]);
}

/* Size and count of a list, map or array; `items` is what the size covers after the count. */
static inline bool take_compound(Input *in, bool is_wide, Input *items, uint32_t *count) {
    if (!take_run(in, is_wide, items)) { return false; }
    const uint8_t *at = take(items, is_wide ? 4 : 1);
    if (at == NULL) { return false; }
    *count = is_wide ? get_32(at) : *at;
    return true;
}

/* amqp1_variant.c: any value; a map, which is the whole variant, and whose keys usually are symbols or else strings.
   False when it is not plain. */
bool write_value_variant(Variant *variant, Input *in);
bool write_map_variant(Variant *variant, Input *in, Keys keys);

#endif
