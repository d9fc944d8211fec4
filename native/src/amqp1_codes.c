#include "amqp1_codes.h"

/* clang-format off */
static const char *const names[TYPE_COUNT] = {
    [T_OTHER] = "",         [T_NULL] = "null",     [T_BOOLEAN] = "boolean", [T_UBYTE] = "ubyte", [T_USHORT] = "ushort",
    [T_UINT] = "uint",      [T_ULONG] = "ulong",   [T_BYTE] = "byte",       [T_SHORT] = "short", [T_INT] = "int",
    [T_LONG] = "long",      [T_FLOAT] = "float",   [T_DOUBLE] = "double",   [T_CHAR] = "char",   [T_TIMESTAMP] = "timestamp",
    [T_DECIMAL32] = "decimal32", [T_DECIMAL64] = "decimal64", [T_DECIMAL128] = "decimal128",
    [T_UUID] = "uuid",      [T_BINARY] = "binary", [T_STRING] = "string",   [T_SYMBOL] = "symbol",
    [T_LIST] = "list",      [T_MAP] = "map",       [T_ARRAY] = "array",     [T_COMPOSITE] = "",
};
/* clang-format on */

/* T_OTHER for descriptors, and for types that the core leaves to Python. */
/* clang-format off */
const uint8_t types_by_code[256] = {
    [NULL_CODE] = T_NULL,       [TRUE_CODE] = T_BOOLEAN,  [FALSE_CODE] = T_BOOLEAN,  [BOOLEAN_CODE] = T_BOOLEAN,
    [UBYTE_CODE] = T_UBYTE,     [USHORT_CODE] = T_USHORT, [UINT0] = T_UINT,          [SMALLUINT] = T_UINT,
    [UINT_CODE] = T_UINT,       [ULONG0] = T_ULONG,       [SMALLULONG] = T_ULONG,    [ULONG_CODE] = T_ULONG,
    [BYTE_CODE] = T_BYTE,       [SHORT_CODE] = T_SHORT,   [SMALLINT] = T_INT,        [INT_CODE] = T_INT,
    [SMALLLONG] = T_LONG,       [LONG_CODE] = T_LONG,     [FLOAT_CODE] = T_FLOAT,    [DOUBLE_CODE] = T_DOUBLE,
    [CHAR_CODE] = T_CHAR,       [UUID_CODE] = T_UUID,     [TIMESTAMP_CODE] = T_TIMESTAMP,
    [DECIMAL32_CODE] = T_DECIMAL32, [DECIMAL64_CODE] = T_DECIMAL64, [DECIMAL128_CODE] = T_DECIMAL128,
    [VBIN8] = T_BINARY,         [VBIN32] = T_BINARY,      [STR8] = T_STRING,         [STR32] = T_STRING,
    [SYM8] = T_SYMBOL,          [SYM32] = T_SYMBOL,       [LIST0] = T_LIST,          [LIST8] = T_LIST,
    [LIST32] = T_LIST,          [MAP8] = T_MAP,           [MAP32] = T_MAP,           [ARRAY8] = T_ARRAY,
    [ARRAY32] = T_ARRAY,
};
/* clang-format on */

const char *type_name_of(Type type) { return names[type]; }

Type type_named(const char *name) {
    for (Type type = T_NULL; type < T_COMPOSITE; type++) {
        if (strcmp(names[type], name) == 0) { return type; }
    }
    return T_OTHER;
}
