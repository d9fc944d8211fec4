#include "amqp1_values.h"

#include "../src/utf8.h"
#include "../src/values.h"
#include "variant_value.h"

RowResult read_map_value(Input *in, Keys keys, Arena *arena, Value *value) {
    Variant variant;
    start_variant(&variant);
    return finish_variant_value(&variant, write_map_variant(&variant, in, keys), arena, value);
}

static RowResult read_primitive_variant(Input *in, Arena *arena, Value *value) {
    Variant variant;
    start_variant(&variant);
    return finish_variant_value(&variant, write_value_variant(&variant, in), arena, value);
}

/* The octets of a composite with a short descriptor and a short list. */
static bool take_small(Input *in, Input *octets) {
    const uint8_t *head = take(in, 3), *list = head == NULL ? NULL : take(in, 1);
    Input fields;
    if (list == NULL || head[1] != SMALLULONG || (*list != LIST0 && *list != LIST8)) return false;
    if (*list == LIST8 && !take_run(in, false, &fields)) return false;
    *octets = (Input){head, in->at};
    return input_size(octets) <= LONGEST_SMALL;
}

static PyObject *find_small(const struct SectionLayouts *shared, const Input *octets, const PyObject *archetype) {
    size_t size = input_size(octets);
    for (size_t index = 0; index < MOST_SMALL; index++) {
        const SmallComposite *small = &shared->small[index];
        if (small->size == size && small->archetype == archetype && memcmp(small->octets, octets->at, size) == 0)
            return small->variant;
    }
    return NULL;
}

/* Takes over the variant, and gives up the oldest one. */
static void remember_small(struct SectionLayouts *shared, const Input *octets, const PyObject *archetype, PyObject *variant) {
    SmallComposite *small = &shared->small[shared->next];
    PyObject *before = small->variant;
    shared->next = (shared->next + 1) % MOST_SMALL;
    small->archetype = archetype;
    small->variant = variant;
    small->size = input_size(octets);
    memcpy(small->octets, octets->at, small->size);
    Py_XDECREF(before);
}

/* What Python makes of the octets, which is remembered; NULL when that is not all of them, or with an exception. */
static PyObject *ask_small(struct SectionLayouts *shared, const Input *octets, PyObject *archetype) {
    PyObject *variant = NULL, *value, *metadata;
    Py_ssize_t stop, size = (Py_ssize_t)input_size(octets);
    PyObject *found = PyObject_CallFunction(shared->read_required, "y#O", (const char *)octets->at, size, archetype);
    bool is_found = found != NULL && PyArg_ParseTuple(found, "O!n", &PyTuple_Type, &variant, &stop);
    if (is_found && PyArg_ParseTuple(variant, "SS", &value, &metadata) && stop == size) {
        Py_INCREF(variant);
        remember_small(shared, octets, archetype, variant);
    } else {
        variant = NULL;
    }
    Py_XDECREF(found);
    return variant;
}

static RowResult read_small(const Package *package, const CompositeField *field, Input *in, Arena *arena, Value *value) {
    Input small, octets, metadata;
    if (!take_small(in, &small)) return NOT_PLAIN_ROW;
    PyObject *variant = find_small(package->sections, &small, field->archetype);
    if (variant == NULL) variant = ask_small(package->sections, &small, field->archetype);
    if (variant == NULL) {
        if (PyErr_Occurred() && !PyErr_ExceptionMatches(PyExc_Exception)) return READ_FAILED; /* an interrupt */
        PyErr_Clear();
        return NOT_PLAIN_ROW;
    }
    bytes_run(PyTuple_GetItem(variant, 0), &octets);
    bytes_run(PyTuple_GetItem(variant, 1), &metadata);
    return keep_variant(&octets, &metadata, arena, value);
}

/* A boolean or an unsigned number; the first digit of its format code tells how many octets it has (1.0, 1.2). */
static bool read_number(Input *in, int64_t *number) {
    uint8_t code = *in->at++;
    const uint8_t *at = take_fixed(in, code);
    if (at == NULL) return false;
    switch (code >> 4) {
    case 4: *number = code == TRUE_CODE; return true;
    case 5: *number = *at; return code != BOOLEAN_CODE || *at <= 1;
    case 6: *number = get_16(at); return true;
    case 7: *number = get_32(at); return true;
    default: *number = (int64_t)get_64(at); return get_64(at) <= INT64_MAX; /* columns have no unsigned 64 bits */
    }
}

static bool is_member(const CompositeField *field, int64_t number) {
    return field->members == 0 || (number < 64 && (field->members >> number & 1) != 0);
}

/* Milliseconds as microseconds. */
static bool read_moment(Input *in, int64_t *number) {
    const uint8_t *at = take(in, 9);
    if (at == NULL) return false;
    int64_t milliseconds = (int64_t)get_64(at + 1);
    if (milliseconds < FIRST_SECOND * 1000 || milliseconds >= (LAST_SECOND + 1) * 1000) return false;
    *number = milliseconds * 1000;
    return true;
}

static bool read_run(Type type, Input *in, Value *value) {
    Input run;
    uint8_t code = *in->at++;
    if (!take_run(in, code == VBIN32 || code == STR32 || code == SYM32, &run)) return false;
    *value = run_value(type == T_BINARY ? OCTETS : TEXT, run);
    return type == T_BINARY || (type == T_STRING ? is_utf8(&run) : is_ascii(&run));
}

static RowResult read_primitive(const CompositeField *field, Input *in, Arena *arena, Value *value) {
    if (type_of_code(*in->at) != field->type) return NOT_PLAIN_ROW;
    *value = number_value(0);
    switch (field->type) {
    case T_MAP: return read_map_value(in, field->keys, arena, value);
    case T_TIMESTAMP: return read_moment(in, &value->number) ? READ_ROW : NOT_PLAIN_ROW;
    case T_BINARY:
    case T_STRING:
    case T_SYMBOL: return read_run(field->type, in, value) ? READ_ROW : NOT_PLAIN_ROW;
    default: return read_number(in, &value->number) && is_member(field, value->number) ? READ_ROW : NOT_PLAIN_ROW;
    }
}

/* A value that is there. */
static RowResult read_sent(const Package *package, const CompositeField *field, Input *in, Arena *arena, Value *value) {
    if (field->column < 0) return NOT_PLAIN_ROW;
    if (field->type != T_OTHER) return read_primitive(field, in, arena, value);
    if (field->archetype == NULL) return NOT_PLAIN_ROW;
    if (*in->at == DESCRIBED) return read_small(package, field, in, arena, value);
    return field->provided >> type_of_code(*in->at) & 1 ? read_primitive_variant(in, arena, value) : NOT_PLAIN_ROW;
}

RowResult read_composite_values(const Package *package, const RowLayout *layout, Input *in, Arena *arena, Value *values) {
    Input items;
    uint32_t count;
    if (!take_fields(in, &items, &count) || count > layout->field_count) return NOT_PLAIN_ROW;
    for (size_t index = 0; index < layout->value_count; index++) values[index] = no_value();
    for (size_t index = 0; index < layout->field_count; index++) {
        const CompositeField *field = &layout->composite_fields[index];
        Value value = field->absent;
        RowResult result = field->may_be_absent ? READ_ROW : NOT_PLAIN_ROW;
        if (index < count && !input_has(&items, 1)) return NOT_PLAIN_ROW;
        if (index < count && *items.at != NULL_CODE)
            result = read_sent(package, field, &items, arena, &value);
        else if (index < count)
            items.at++;
        if (result != READ_ROW) return result;
        if (field->column >= 0) values[field->column] = value;
    }
    return items.at == items.end ? READ_ROW : NOT_PLAIN_ROW;
}

RowResult read_performative_row(const Package *package, const RowLayout *performative, Input payload, Arena *arena, Row *row,
                                Input *rest) {
    *rest = payload;
    row->count = performative->value_count;
    if (take(rest, 3) == NULL) return NOT_PLAIN_ROW; /* the descriptor */
    return read_composite_values(package, performative, rest, arena, row->values);
}
