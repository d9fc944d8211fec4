/* The sections of a message before its body (1.0, part 3, section 3.2). */
#include "amqp1_values.h"

#include "memory.h"

/* Their descriptors, in the order in which sections come. Whatever follows them begins the body, or what is after
   it. */
enum {
    HEADER_SECTION = 0x70,
    DELIVERY_ANNOTATIONS,
    MESSAGE_ANNOTATIONS,
    PROPERTIES_SECTION,
    APPLICATION_PROPERTIES,
    BODY_SECTION
};

/* Where the values of a section begin in a row, as in `amqp_traffic.messages.amqp1.content.MessageSections`. */
enum {
    HEADER_PLACE = 0,
    DELIVERY_ANNOTATIONS_PLACE = 5,
    MESSAGE_ANNOTATIONS_PLACE,
    PROPERTIES_PLACE,
    APPLICATION_PROPERTIES_PLACE = SECTION_MISFITS + 1
};

bool make_sections(Package *package, PyObject *description) {
    PyObject *header, *properties, *read_required;
    if (!PyArg_ParseTuple(description, "OOO", &header, &properties, &read_required)) { return false; }
    struct SectionLayouts *sections = package->sections = zeros(1, sizeof(struct SectionLayouts));
    if (sections == NULL) { return false; }
    Py_INCREF(read_required);
    sections->read_required = read_required;
    if (!make_composite_fields(&sections->header, header)) { return false; }
    if (!make_composite_fields(&sections->properties, properties)) { return false; }
    if (sections->header.value_count == DELIVERY_ANNOTATIONS_PLACE - HEADER_PLACE
        && sections->properties.value_count == APPLICATION_PROPERTIES_PLACE - PROPERTIES_PLACE) {
        return true;
    }
    PyErr_SetString(PyExc_ValueError, "the sections of messages have other columns");
    return false;
}

void free_sections(Package *package) {
    struct SectionLayouts *sections = package->sections;
    if (sections == NULL) { return; }
    free_composite_fields(&sections->header);
    free_composite_fields(&sections->properties);
    for (size_t index = 0; index < MOST_SMALL; index++) { Py_XDECREF(sections->small[index].variant); }
    Py_XDECREF(sections->read_required);
    PyMem_Free(sections);
    package->sections = NULL;
}

static Result read_section(const Package *package, uint8_t code, Input *in, Arena *arena, Value *values) {
    switch (code) {
    case HEADER_SECTION:
        return read_composite_values(package, &package->sections->header, in, arena, values + HEADER_PLACE);
    case DELIVERY_ANNOTATIONS: return read_map_value(in, SYMBOL_KEYS, arena, values + DELIVERY_ANNOTATIONS_PLACE);
    case MESSAGE_ANNOTATIONS: return read_map_value(in, SYMBOL_KEYS, arena, values + MESSAGE_ANNOTATIONS_PLACE);
    case PROPERTIES_SECTION:
        return read_composite_values(package, &package->sections->properties, in, arena, values + PROPERTIES_PLACE);
    case APPLICATION_PROPERTIES: return read_map_value(in, STRING_KEYS, arena, values + APPLICATION_PROPERTIES_PLACE);
    default: return NOT_PLAIN;
    }
}

Result read_sections_row(const Package *package, Input payload, Arena *arena, Row *row, Input *body) {
    uint8_t last = 0;
    *body = payload;
    row->count = SECTION_VALUES;
    for (size_t index = 0; index < SECTION_VALUES; index++) { row->values[index] = no_value(); }
    while (body->at < body->end) {
        Input in = *body;
        const uint8_t *head = take(&in, 3);
        if (head == NULL || head[0] != DESCRIBED || head[1] != SMALLULONG || head[2] <= last) { return NOT_PLAIN; }
        if (head[2] >= BODY_SECTION) { return DONE; }
        last = head[2];
        RETURN_UNLESS_DONE(read_section(package, last, &in, arena, row->values));
        *body = in;
    }
    return DONE;
}
