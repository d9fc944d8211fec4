/* The core of the 1.0 packages: what it knows of one package, and who reads and writes what.

   Theory of operation. As in amqp0.h: a package gives its classes to a `Core1` when it is imported, the core makes a layout
   of each composite from FIELDS, and whatever is not plain is left to Python. Here Python can be asked for less than the
   whole: a value that is not plain (a decimal, an array of composites, a described value that nobody knows) is read and
   written by the package's own function for it, in the midst of the rest. When that raises, the attempt ends like any other,
   and Python does all of it again and says what is wrong. */
#ifndef AMQP_NATIVE_AMQP1_H
#define AMQP_NATIVE_AMQP1_H

#include "amqp1_codes.h"
#include "variant_pair.h"

/* One field of a composite. */
typedef struct {
    Type type; /* T_OTHER: for Python when there is a value, or for any type that provides the archetype */
    Keys keys; /* of a map */
    bool is_mandatory;
    bool is_multiple;          /* a list, empty when nothing is sent */
    bool has_number;           /* the fallback is a number */
    int64_t fallback_number;
    Py_ssize_t place;          /* of its slot */
    PyObject *fallback;        /* the value when nothing is sent */
    PyObject *members;         /* wire value to member of an enum, or NULL */
    PyTypeObject *member_type; /* the class of these, or NULL */
    PyObject *providers;       /* the composites that provide the archetype, a frozenset; or NULL */
    uint32_t provided;         /* the types that do, by bits */
} FieldFacts;

typedef struct {
    PyTypeObject *type;
    uint8_t code; /* of its descriptor, a smallulong */
    bool is_performative;
    Py_ssize_t field_count;
    FieldFacts *fields;
} Composite;

/* One call: where it reads, how large values may be, and what Python's readers take for depth: Limits, by what is left of it. */
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
    const Composite *composites[256];  /* by the code of the descriptor */
    PyTypeObject *classes[TYPE_COUNT]; /* the Python class of a primitive type, where it has one of its own */
    PyObject *small[TYPE_COUNT][SMALL_NUMBERS]; /* numbers of one octet, made once */
    PyObject *type_names[TYPE_COUNT];
    PyObject *read_other;              /* (buffer, position, limits) -> (value, position), format code first */
    PyObject *write_other;             /* (value, depth) -> octets */
    uint32_t depth, max_elements;      /* limits of writing */
    PyTypeObject *array_type;
    Py_ssize_t array_items, array_type_name, array_descriptors;
    PyObject *no_descriptors;
    Py_ssize_t bits_places[TYPE_COUNT]; /* of the slot of decimals and UUIDs */
    Py_ssize_t uuid_safety;
    PyObject *unknown_safety, *sixty_four;
    PyTypeObject *message_type;
    Py_ssize_t message_places[MESSAGE_SLOTS];
    PyTypeObject *body_types[3];       /* Data, AmqpSequence, AmqpValue */
    Py_ssize_t body_places[3];
} Core1;

/* amqp1_types.c */
bool make_types(Core1 *core, PyObject *classes);

/* amqp1_layout.c */
Composite *make_composite(Core1 *core, PyTypeObject *type, uint8_t code, PyObject *facts);

/* amqp1_scalars.c */
PyObject *read_scalar(Core1 *core, uint8_t code, const uint8_t *at);
bool write_number(Output *out, Type type, PyObject *value);
bool write_code(Output *out, uint8_t code);
bool write_string(Output *out, PyObject *text);
bool write_symbol(Output *out, PyObject *text);
bool write_binary(Output *out, PyObject *octets);
bool write_double(Output *out, PyObject *value);
bool write_float(Output *out, PyObject *value);
bool write_char(Output *out, PyObject *value);
bool write_bits(Core1 *core, Output *out, Type type, PyObject *value);

/* amqp1_read_value.c */
PyObject *read_value(Core1 *core, Reading1 *reading, Input *in, uint32_t depth);

/* amqp1_rows.c: a VARIANT of any value, and of a map */
PyObject *read_value_variant(Core1 *core, Input *in);
PyObject *read_map_variant(Core1 *core, Input *in, Keys keys);
PyObject *make_row_reader1(Core1 *core, PyObject *arguments);

/* amqp1_read_composite.c */
PyObject *read_whole(Type type, Input *in);
PyObject *read_composite(Core1 *core, Reading1 *reading, const Composite *composite, Input *in, uint32_t depth);

/* amqp1_write_value.c: the longer head of a list, a map or an array has so many octets. */
enum { COMPOUND_HEAD = 9 };
static inline Type type_of_value(const Core1 *core, PyObject *value) { return (Type)look_up_type(&core->base.types, value)->kind; }
bool write_value(Core1 *core, Output *out, PyObject *value, uint32_t depth);
bool write_map(Core1 *core, Output *out, PyObject *map, Keys keys, uint32_t depth);
size_t open_compound(Output *out);
bool close_compound(Output *out, size_t start, uint8_t small_code, uint32_t count);

/* amqp1_write_composite.c */
bool write_composite(Core1 *core, Output *out, const Composite *composite, PyObject *value, uint32_t depth);
bool write_descriptor(Output *out, uint8_t code);

/* amqp1_frames.c */
bool read_frames1(Core1 *core, Reading1 *reading, Input *in, uint64_t max_frame_size, PyObject *frames);
bool write_frame1(Core1 *core, Output *out, PyObject *channel, PyObject *performative, PyObject *payload, uint64_t most);

/* amqp1_messages.c */
bool set_message(Core1 *core, PyTypeObject *message, PyObject *attributes, PyTypeObject *const *bodies);
PyObject *read_message(Core1 *core, Reading1 *reading, Input *in, uint32_t depth);
bool write_message1(Core1 *core, Output *out, PyObject *message, uint32_t depth);

/* amqp1_core.c */
int add_core1(PyObject *module);

#endif
