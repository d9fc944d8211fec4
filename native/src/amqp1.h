/* The core of the 1.0 packages: what it knows of one package, and who reads and writes what.

   Theory of operation. As in amqp0.h: a package gives its classes to a `Core1` when it is imported, the core makes a
   layout of each composite from FIELDS, and whatever is not plain is left to Python. Here Python can be asked for less
   than the whole: a value that is not plain (a decimal, an array of composites, a described value that nobody knows) is
   read and written by the package's own function for it, in the midst of the rest. When that raises, the attempt ends
   like any other, and Python does all of it again and says what is wrong. */
#ifndef AMQP_NATIVE_AMQP1_H
#define AMQP_NATIVE_AMQP1_H

#include "amqp1_codes.h"
#include "core.h"

/* One field of a composite. */
typedef struct {
    Type type; /* T_OTHER: for Python when there is a value, or for any type that provides the archetype */
    Keys keys; /* of a map */
    bool is_mandatory;
    bool is_multiple; /* a list, empty when nothing is sent */
    bool has_number;  /* the fallback is a number */
    int64_t fallback_number;
    Py_ssize_t place;       /* of its slot */
    PyObject *fallback;     /* the value when nothing is sent */
    PyObject *members;      /* wire value to member of an enum, or NULL */
    PyTypeObject *own_type; /* the class of these; without them that of the type, or NULL */
    PyObject *providers;    /* the composites that provide the archetype, a frozenset; or NULL */
    uint32_t provided;      /* the types that do, by bits */
} FieldFacts;

typedef struct {
    PyTypeObject *type;
    uint8_t code; /* of its descriptor, a smallulong */
    bool is_performative;
    Py_ssize_t field_count;
    FieldFacts *fields;
} Composite;

/* One call: where it reads, how large values may be, and what Python's readers take for depth: Limits, by what is left
   of it. */
typedef struct {
    PyObject *levels;
    PyObject *buffer;
    const uint8_t *start;
    uint32_t max_elements;
    int retries; /* see MOST_RETRIES */
} Reading1;

enum { SMALL_NUMBERS = 256, MESSAGE_SLOTS = 7 };

typedef struct {
    Core base;
    const Composite *composites[256];           /* by the code of the descriptor */
    PyTypeObject *classes[TYPE_COUNT];          /* the Python class of a primitive type, where it has one of its own */
    PyObject *small[TYPE_COUNT][SMALL_NUMBERS]; /* numbers of one octet, made once */
    PyObject *type_names[TYPE_COUNT];
    PyObject *read_other;         /* (buffer, position, limits) -> (value, position), format code first */
    PyObject *write_other;        /* (value, depth) -> octets */
    uint32_t depth, max_elements; /* limits of writing */
    PyTypeObject *array_type;
    Py_ssize_t array_items, array_type_name, array_descriptors;
    PyObject *no_descriptors;
    Py_ssize_t bits_places[TYPE_COUNT]; /* of the slot of decimals and UUIDs */
    Py_ssize_t uuid_safety;
    PyObject *unknown_safety, *sixty_four;
    PyTypeObject *message_type;
    Py_ssize_t message_places[MESSAGE_SLOTS];
    PyTypeObject *body_types[3]; /* Data, AmqpSequence, AmqpValue */
    Py_ssize_t body_places[3];
} Core1;

/* amqp1_types.c: the classes that numbers and texts have of their own, by the names of their types. */
bool make_types(Core1 *core, PyObject *classes);

/* amqp1_layout.c: NOT_PLAIN when the class is not for this core. */
Result make_composite(Core1 *core, PyTypeObject *type, uint8_t code, PyObject *facts, Composite **composite);

/* Whether the data of a value of fixed width is for `new_scalar`. */
static inline bool is_plain_scalar(const Core1 *core, uint8_t code, const uint8_t *at) {
    Type type = type_of_code(code);
    if (code == BOOLEAN_CODE) { return *at <= 1; }
    if (type == T_CHAR) { return get_32(at) <= 0x10FFFF && !(get_32(at) >= 0xD800 && get_32(at) <= 0xDFFF); }
    return type < T_DECIMAL32 || core->classes[type] != NULL;
}

static inline Result write_code(Output *out, uint8_t code) {
    if (!output_room(out, 1)) { return NOT_PLAIN; }
    put_8(out, code);
    return DONE;
}

/* amqp1_scalars.c */
PyObject *new_scalar(Core1 *core, uint8_t code, const uint8_t *at);
Result write_number(Output *out, Type type, PyObject *value);
Result write_string(Output *out, PyObject *text);
Result write_symbol(Output *out, PyObject *text);
Result write_binary(Output *out, PyObject *octets);
Result write_double(Output *out, PyObject *value);
Result write_float(Output *out, PyObject *value);
Result write_char(Output *out, PyObject *value);
Result write_bits(Core1 *core, Output *out, Type type, PyObject *value);

/* The data of a binary, a string or a symbol; the codes of the long ones are the higher ones. */
static inline Result read_octets(const Core1 *core, uint8_t code, Input *in, PyObject **value) {
    Input run;
    Type type = type_of_code(code);
    if (!take_run(in, code >= VBIN32, &run)) { return NOT_PLAIN; }
    if (type == T_BINARY) { return made(value, new_bytes(&run)); }
    return made(value, find_text(type == T_STRING ? core->base.texts : core->base.symbols, &run));
}

/* amqp1_read_value.c */
Result read_value(Core1 *core, Reading1 *reading, Input *in, uint32_t depth, PyObject **value);

/* amqp1_rows.c: a VARIANT of any value, and of a map */
Result read_value_variant(Core1 *core, Input *in, PyObject **pair);
Result read_map_variant(Core1 *core, Input *in, Keys keys, PyObject **pair);
PyObject *make_row_reader1(Core1 *core, PyObject *arguments);

/* amqp1_read_composite.c: what follows the descriptor. */
Result read_composite(Core1 *core, Reading1 *reading, const Composite *composite, Input *in, uint32_t depth,
                      PyObject **value);

/* amqp1_write_value.c: the longer head of a list, a map or an array has so many octets. */
enum { COMPOUND_HEAD = 9 };
static inline Type type_of_value(const Core1 *core, PyObject *value) {
    return (Type)look_up_type(&core->base.types, value)->kind;
}
Result write_value(Core1 *core, Output *out, PyObject *value, uint32_t depth);
/* Holds the value of a list or a slot: to write it may run Python, which may change what it is in. */
static inline Result write_held(Core1 *core, Output *out, PyObject *value, uint32_t depth) {
    Py_INCREF(value);
    Result result = write_value(core, out, value, depth);
    Py_DECREF(value);
    return result;
}
Result write_map(Core1 *core, Output *out, PyObject *map, Keys keys, uint32_t depth);
size_t open_compound(Output *out);
Result close_compound(Output *out, size_t start, uint8_t small_code, uint32_t count);

/* amqp1_write_composite.c */
Result write_composite(Core1 *core, Output *out, const Composite *composite, PyObject *value, uint32_t depth);
Result write_descriptor(Output *out, uint8_t code);

/* amqp1_frames.c: plain frames, up to the first that is not. */
bool read_frames1(Core1 *core, Reading1 *reading, Input *in, uint64_t max_frame_size, PyObject *frames);
Result write_frame1(Core1 *core, Output *out, PyObject *channel, PyObject *performative, PyObject *payload,
                    uint64_t most);

/* amqp1_messages.c */
Result set_message(Core1 *core, PyTypeObject *message, PyObject *attributes, PyTypeObject *const *bodies);
Result read_message(Core1 *core, Reading1 *reading, Input *in, uint32_t depth, PyObject **message);
Result write_message1(Core1 *core, Output *out, PyObject *message, uint32_t depth);

/* amqp1_core.c */
int add_core1(PyObject *module);

#endif
