#include "amqp1_values.h"

#include "../src/amqp1_walk.h"
#include "../src/core.h"

Result read_map_value(Input *in, Keys keys, Arena *arena, Value *value) {
    Variant variant;
    start_variant(&variant);
    return finish_variant_value(&variant, write_map_variant(&variant, in, keys), arena, value);
}

static Result read_primitive_variant(Input *in, Arena *arena, Value *value) {
    Variant variant;
    start_variant(&variant);
    return finish_variant_value(&variant, write_value_variant(&variant, in), arena, value);
}

/* The octets of a composite with a short descriptor and a short list. */
static bool take_small(Input *in, Input *octets) {
    const uint8_t *head = take(in, 3), *list = head == NULL ? NULL : take(in, 1);
    Input fields;
    if (list == NULL || head[1] != SMALLULONG || (*list != LIST0 && *list != LIST8)) { return false; }
    if (*list == LIST8 && !take_run(in, false, &fields)) { return false; }
    *octets = (Input){head, in->at};
    return input_size(octets) <= LONGEST_SMALL;
}

static PyObject *find_small(const struct SectionLayouts *shared, const Input *octets, const PyObject *archetype) {
    size_t size = input_size(octets);
    for (size_t index = 0; index < MOST_SMALL; index++) {
        const SmallComposite *small = &shared->small[index];
        if (small->size == size && small->archetype == archetype && memcmp(small->octets, octets->at, size) == 0) {
            return small->variant;
        }
    }
    return NULL;
}

/* Takes over the variant, and gives up the oldest one. */
static void remember_small(struct SectionLayouts *shared, const Input *octets, const PyObject *archetype,
                           PyObject *variant) {
    SmallComposite *small = &shared->small[shared->next];
    PyObject *before = small->variant;
    shared->next = (shared->next + 1) % MOST_SMALL;
    small->archetype = archetype;
    small->variant = variant;
    small->size = input_size(octets);
    memcpy(small->octets, octets->at, small->size);
    Py_XDECREF(before);
}

/* What Python makes of the octets, which is remembered; not plain when that is not all of them. */
static Result ask_small(struct SectionLayouts *shared, const Input *octets, PyObject *archetype, PyObject **variant) {
    PyObject *value, *metadata;
    Py_ssize_t stop, size = (Py_ssize_t)input_size(octets);
    PyObject *found = PyObject_CallFunction(shared->read_required, "y#O", (const char *)octets->at, size, archetype);
    if (found == NULL) { return FAILED; }
    Result result = done_or_failed(PyArg_ParseTuple(found, "O!n", &PyTuple_Type, variant, &stop)
                                   && PyArg_ParseTuple(*variant, "SS", &value, &metadata));
    if (result == DONE) { result = plain_if(stop == size); }
    if (result == DONE) {
        Py_INCREF(*variant);
        remember_small(shared, octets, archetype, *variant);
    }
    Py_DECREF(found);
    return result;
}

static Result read_small(const Package *package, const CompositeField *field, Input *in, Arena *arena, Value *value) {
    Input small, octets, metadata;
    if (!take_small(in, &small)) { return NOT_PLAIN; }
    PyObject *variant = find_small(package->sections, &small, field->archetype);
    if (variant == NULL) {
        RETURN_UNLESS_DONE(left_to_python(ask_small(package->sections, &small, field->archetype, &variant)));
    }
    bytes_run(PyTuple_GetItem(variant, 0), &octets);
    bytes_run(PyTuple_GetItem(variant, 1), &metadata);
    return keep_variant(&octets, &metadata, arena, value);
}

static bool is_member(const CompositeField *field, int64_t number) {
    return field->members == 0 || (number < 64 && (field->members >> number & 1) != 0);
}

static bool read_number(const CompositeField *field, Input *in, int64_t *column) {
    uint64_t number;
    return take_number(in, &number) && fits_column(number, column) && is_member(field, *column);
}

static bool read_run(Type type, Input *in, Value *value) {
    Input run;
    uint8_t code = *in->at++;
    if (!take_run(in, code >= VBIN32, &run)) { return false; }
    *value = run_value(type == T_BINARY ? OCTETS : TEXT, run);
    return type == T_BINARY || (type == T_STRING ? is_utf8(&run) : is_ascii(&run));
}

static Result read_primitive(const CompositeField *field, Input *in, Arena *arena, Value *value) {
    if (type_of_code(*in->at) != field->type) { return NOT_PLAIN; }
    *value = number_value(0);
    switch (field->type) {
    case T_MAP: return read_map_value(in, field->keys, arena, value);
    case T_TIMESTAMP: return plain_if(take_moment(in, &value->number));
    case T_BINARY:
    case T_STRING:
    case T_SYMBOL: return plain_if(read_run(field->type, in, value));
    default: return plain_if(read_number(field, in, &value->number));
    }
}

/* The composite at work. */
typedef struct {
    const Package *package;
    const CompositeField *fields;
    Arena *arena;
    Value *values;
} ValueTarget;

static Result take_sent(const void *object, size_t index, Input *in) {
    const ValueTarget *target = object;
    const CompositeField *field = &target->fields[index];
    if (field->column < 0) { return NOT_PLAIN; }
    Value *value = &target->values[field->column];
    if (field->type != T_OTHER) { return read_primitive(field, in, target->arena, value); }
    if (field->archetype == NULL) { return NOT_PLAIN; }
    if (*in->at == DESCRIBED) { return read_small(target->package, field, in, target->arena, value); }
    return field->provided >> type_of_code(*in->at) & 1 ? read_primitive_variant(in, target->arena, value) : NOT_PLAIN;
}

static Result take_absent(const void *object, size_t index) {
    const ValueTarget *target = object;
    const CompositeField *field = &target->fields[index];
    if (field->column >= 0) { target->values[field->column] = field->absent; }
    return plain_if(field->may_be_absent);
}

Result read_composite_values(const Package *package, const RowLayout *layout, Input *in, Arena *arena, Value *values) {
    static const FieldSink sink = {take_sent, take_absent};
    ValueTarget target = {package, layout->composite_fields, arena, values};
    for (size_t index = 0; index < layout->value_count; index++) { values[index] = no_value(); }
    return walk_fields(in, layout->field_count, &sink, &target);
}

Result read_performative_row(const Package *package, const RowLayout *performative, Input payload, Arena *arena,
                             Row *row, Input *rest) {
    *rest = payload;
    row->count = performative->value_count;
    if (take(rest, 3) == NULL) { return NOT_PLAIN; /* the descriptor */ }
    return read_composite_values(package, performative, rest, arena, row->values);
}
