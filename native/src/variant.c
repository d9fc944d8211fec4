#include "variant.h"

#include "column_numbers.h"

/* What readers of VARIANT accept: 16 MiB. */
enum { MOST_OCTETS = 0xFFFFFF, SHORT_STRING_SIZES = 64, TAG_SIGN = '$' };

/* How many octets a number takes. */
static size_t width_of(size_t number) { return number < 0x100 ? 1 : number < 0x10000 ? 2 : number < 0x1000000 ? 3 : 4; }

static uint8_t *set_little(uint8_t *at, size_t width, uint64_t number) {
    for (size_t index = 0; index < width; index++) { at[index] = (uint8_t)(number >> 8 * index); }
    return at + width;
}

bool write_variant_number(Variant *variant, uint8_t first, size_t width, uint64_t number) {
    Output *out = &variant->out;
    if (!output_room(out, 1 + width)) { return false; }
    put_8(out, first);
    set_little(out->octets + out->size, width, number);
    out->size += width;
    return true;
}

/* Of the narrowest width that has as many digits. */
bool write_variant_decimal(Variant *variant, int64_t digits, uint8_t scale) {
    bool is_narrow = scale <= 9 && digits > -1000000000 && digits < 1000000000;
    if (scale > 18 || !output_room(&variant->out, 2)) { return false; }
    put_8(&variant->out, is_narrow ? VARIANT_DECIMAL4 : VARIANT_DECIMAL8);
    return write_variant_number(variant, scale, is_narrow ? 4 : 8, (uint64_t)digits);
}

bool write_variant_moment(Variant *variant, int64_t value, int64_t per_second) {
    int64_t microseconds;
    return moment_in_years(value, per_second, &microseconds)
           && write_variant_number(variant, VARIANT_TIMESTAMP, 8, (uint64_t)microseconds);
}

static bool write_octets(Variant *variant, const Input *run) {
    if (!output_room(&variant->out, input_size(run))) { return false; }
    put_run(&variant->out, run);
    return true;
}

bool write_variant_binary(Variant *variant, const Input *run) {
    return write_variant_number(variant, VARIANT_BINARY, 4, input_size(run)) && write_octets(variant, run);
}

bool write_variant_text(Variant *variant, const Input *run) {
    size_t size = input_size(run);
    if (!is_utf8(run)) { return false; }
    bool is_short = size < SHORT_STRING_SIZES;
    return write_variant_number(variant, is_short ? (uint8_t)(size << 2 | 1) : VARIANT_STRING, is_short ? 0 : 4, size)
           && write_octets(variant, run);
}

/* Makes room for a head before what was written from `start` on; returns where the head goes, or NULL. */
static uint8_t *insert_head(Output *out, size_t start, size_t size) {
    if (!output_room(out, size)) { return NULL; }
    memmove(out->octets + start + size, out->octets + start, out->size - start);
    out->size += size;
    return out->octets + start;
}

static size_t end_of(const Parts *parts, int part) { return part < 0 ? 0 : parts->ends[part]; }

bool close_array(Variant *variant, const Parts *parts) {
    size_t width = width_of(end_of(parts, parts->count - 1));
    uint8_t *at = insert_head(&variant->out, parts->start, 2 + width * (size_t)(parts->count + 1));
    if (at == NULL) { return false; }
    *at++ = (uint8_t)((width - 1) << 2 | 3);
    *at++ = (uint8_t)parts->count;
    for (int part = -1; part < parts->count; part++) { at = set_little(at, width, end_of(parts, part)); }
    return true;
}

static int compare(const Input *first, const Input *second) {
    size_t first_size = input_size(first), second_size = input_size(second);
    int order = memcmp(first->at, second->at, first_size < second_size ? first_size : second_size);
    return order != 0 ? order : (first_size > second_size) - (first_size < second_size);
}

/* The parts in the order of their names; false when two have the same. They are few. */
static bool sort_parts(const Parts *parts, uint8_t *order) {
    for (int part = 0; part < parts->count; part++) {
        int place = part, result = -1;
        for (; place > 0; place--) {
            result = compare(&parts->keys[order[place - 1]], &parts->keys[part]);
            if (result <= 0) { break; }
            order[place] = order[place - 1];
        }
        if (place > 0 && result == 0) { return false; }
        order[place] = (uint8_t)part;
    }
    return true;
}

/* The number of a name, which is added when it is new; -1 when there is no room. */
static int number_of(Variant *variant, const Input *name) {
    for (int number = 0; number < variant->name_count; number++) {
        if (compare(&variant->names[number], name) == 0) { return number; }
    }
    if (variant->name_count == MOST_PARTS) { return -1; }
    variant->names[variant->name_count] = *name;
    return variant->name_count++;
}

/* The head of an object: the numbers of its names in their order, and where the value of each begins. */
static bool put_object(Variant *variant, const Parts *parts, const uint8_t *order) {
    uint8_t numbers[MOST_PARTS];
    for (int place = 0; place < parts->count; place++) {
        int number = number_of(variant, &parts->keys[order[place]]);
        if (number < 0) { return false; }
        numbers[place] = (uint8_t)number;
    }
    size_t count = (size_t)parts->count, size = end_of(parts, parts->count - 1), width = width_of(size);
    uint8_t *at = insert_head(&variant->out, parts->start, 2 + count + width * (count + 1));
    if (at == NULL) { return false; }
    *at++ = (uint8_t)((width - 1) << 2 | 2);
    *at++ = (uint8_t)count;
    memcpy(at, numbers, count);
    at += count;
    for (size_t place = 0; place < count; place++) { at = set_little(at, width, end_of(parts, order[place] - 1)); }
    set_little(at, width, size);
    return true;
}

bool close_object(Variant *variant, const Parts *parts) {
    uint8_t order[MOST_PARTS];
    for (int part = 0; part < parts->count; part++) {
        const Input *key = &parts->keys[part];
        if ((input_has(key, 1) && *key->at == TAG_SIGN) || !is_utf8(key)) { return false; }
    }
    return sort_parts(parts, order) && put_object(variant, parts, order);
}

/* Where no object in it has names, its own stand in the metadata in the order in which they came. */
bool close_whole_object(Variant *variant, const Parts *parts) {
    if (variant->name_count == 0) {
        memcpy(variant->names, parts->keys, (size_t)parts->count * sizeof(Input));
        variant->name_count = parts->count;
    }
    return close_object(variant, parts);
}

bool close_tagged(Variant *variant, size_t start, const char *tag) {
    static const uint8_t only = 0;
    Parts parts;
    parts.start = start;
    parts.count = 1;
    parts.ends[0] = variant->out.size - start;
    parts.keys[0] = (Input){(const uint8_t *)tag, (const uint8_t *)tag + strlen(tag)};
    return put_object(variant, &parts, &only);
}

/* The names, each by where it ends. */
bool write_metadata(const Variant *variant, Output *out) {
    size_t size = 0, count = (size_t)variant->name_count;
    for (int number = 0; number < variant->name_count; number++) { size += input_size(&variant->names[number]); }
    size_t width = width_of(size);
    if (!output_room(out, 1 + width * (count + 2) + size)) { return false; }
    put_8(out, (uint8_t)((width - 1) << 6 | 1));
    uint8_t *at = set_little(set_little(out->octets + out->size, width, count), width, 0);
    size_t end = 0;
    for (int number = 0; number < variant->name_count; number++) {
        end += input_size(&variant->names[number]);
        at = set_little(at, width, end);
    }
    out->size = (size_t)(at - out->octets);
    for (int number = 0; number < variant->name_count; number++) { put_run(out, &variant->names[number]); }
    return out->size <= MOST_OCTETS && variant->out.size <= MOST_OCTETS;
}
