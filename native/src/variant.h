/* Values as VARIANT, the type of Spark and Parquet for values that have no schema (VariantEncoding of parquet-format).

   Theory of operation. A value is written into an output as it is read. An object or an array has its size and the
   places of its parts before them; so the parts are written first, `Parts` remembers where each ends, and closing the
   object or the array moves them up and puts the head before them. The names of all objects in one variant stand in its
   metadata, and the order of names is the order in which the package's module `variant_octets` meets them: the octets
   are the same. What would need more than `MOST_PARTS` parts or names, more than `MOST_LEVELS` levels, or an array of
   pairs, is not plain. */
#ifndef AMQP_NATIVE_VARIANT_H
#define AMQP_NATIVE_VARIANT_H

#include "octets.h"

enum { MOST_PARTS = 64, MOST_LEVELS = 8 };

/* The first octet of a scalar. */
/* clang-format off */
enum {
    VARIANT_NULL = 0x00, VARIANT_TRUE = 0x04, VARIANT_FALSE = 0x08,
    VARIANT_INT8 = 0x0C, VARIANT_INT16 = 0x10, VARIANT_INT32 = 0x14, VARIANT_INT64 = 0x18,
    VARIANT_DOUBLE = 0x1C, VARIANT_DECIMAL4 = 0x20, VARIANT_DECIMAL8 = 0x24,
    VARIANT_TIMESTAMP = 0x30, VARIANT_FLOAT = 0x38, VARIANT_BINARY = 0x3C, VARIANT_STRING = 0x40
};
/* clang-format on */

/* A variant at work: its octets, and the names of the fields of its objects; their numbers are their places. */
typedef struct {
    Output out;
    int name_count;
    Input names[MOST_PARTS];
} Variant;

/* The parts of one object or array, one behind the other in the output. */
typedef struct {
    size_t start;
    int count;
    size_t ends[MOST_PARTS];
    Input keys[MOST_PARTS]; /* of an object */
} Parts;

static inline void start_variant(Variant *variant) {
    start_output(&variant->out);
    variant->name_count = 0;
}

static inline void start_parts(Parts *parts, const Variant *variant) {
    parts->start = variant->out.size;
    parts->count = 0;
}

/* Ends a part that was written; `key` is its name in an object, else NULL. */
static inline bool end_part(Parts *parts, const Variant *variant, const Input *key) {
    if (parts->count == MOST_PARTS) { return false; }
    if (key != NULL) { parts->keys[parts->count] = *key; }
    parts->ends[parts->count++] = variant->out.size - parts->start;
    return true;
}

bool write_variant_number(Variant *variant, uint8_t first, size_t width, uint64_t number);
bool write_variant_decimal(Variant *variant, int64_t digits, uint8_t scale);
bool write_variant_moment(Variant *variant, int64_t value, int64_t per_second);
bool write_variant_binary(Variant *variant, const Input *run);
/* A string; false when it is not UTF-8. */
bool write_variant_text(Variant *variant, const Input *run);
bool close_array(Variant *variant, const Parts *parts);
/* An object, whose names are UTF-8, different, and do not begin with the sign of a tag; else false. */
bool close_object(Variant *variant, const Parts *parts);
/* The object that is the whole variant. */
bool close_whole_object(Variant *variant, const Parts *parts);
/* An object of one field around the value that begins at `start`: for a type that VARIANT lacks. */
bool close_tagged(Variant *variant, size_t start, const char *tag);
/* Writes the names of all objects; false when they or the value take more octets than readers accept. */
bool write_metadata(const Variant *variant, Output *out);

#endif
