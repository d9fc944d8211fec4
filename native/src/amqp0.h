/* The core of the 0-x packages: what it knows of one package, and who reads and writes what.

   Theory of operation. A package gives its classes to a `Core0` when it is imported; the core makes a `Layout` of each
   from `FIELDS`. Reading fills the slots of new instances, writing reads them, both field by field along the layout.
   Whatever is not plain, or fails, ends the attempt (`result.h`): the core drops the exception, if there is one, and
   the Python code of the package does that one frame, table or message again. It decides, and it raises the errors. So
   nothing here knows an error text, and every limit is checked only as far as to give up. */
#ifndef AMQP_NATIVE_AMQP0_H
#define AMQP_NATIVE_AMQP0_H

#include "amqp0_kinds.h"
#include "core.h"

/* A slot that is no field: every new instance has what the prototype has there; NULL: nothing is assigned. */
typedef struct {
    Py_ssize_t place;
    PyObject *value;
} Rest;

/* A class of methods or of properties. */
typedef struct {
    PyTypeObject *type;
    uint32_t key; /* class index << 16 | method index; of properties the class index */
    bool has_content;
    Py_ssize_t field_count, rest_count;
    Py_ssize_t value_count; /* of the fields that are not reserved */
    Field *fields;
    Rest *rest;
} Layout;

/* What the core does with a Python class. The first ones have a letter in field tables. */
/* clang-format off */
typedef enum {
    NO_PLAIN,
    PLAIN_BOOLEAN, PLAIN_FLOAT, PLAIN_TEXT, PLAIN_BYTES, PLAIN_DECIMAL, PLAIN_TIMESTAMP, PLAIN_ARRAY, PLAIN_TABLE, PLAIN_VOID,
    PLAIN_INTEGER,
    METHOD_CLASS, PROPERTIES_CLASS, HEADER_CLASS, BODY_CLASS, HEARTBEAT_CLASS
} Plain;
/* clang-format on */

enum { INTEGER_LETTERS = 8 };

/* Settings of writing tables, in a capsule: the letters of Python values. */
typedef struct {
    Letter letters[PLAIN_INTEGER];
    Letter integers[INTEGER_LETTERS]; /* in the order in which they are tried */
    uint32_t max_depth, max_elements;
} Writing;

typedef struct {
    Core base;
    Lookup numbers; /* layouts of methods by their key, and those of properties by `properties_number` */
    PyTypeObject *header_type, *body_type, *heartbeat_type;
    Py_ssize_t header_properties, header_size, header_weight, body_payload; /* places of slots */
    PyObject *decimal_type, *timestamp_type;
    PyObject *decimal_parts; /* (value, least, most) -> (digits after the point, integer) */
    PyObject *zero;
} Core0;

static inline uint64_t properties_number(uint32_t class_index) { return (uint64_t)1 << 32 | class_index; }

/* amqp0_layout.c */
Result make_layout(Core0 *core, PyObject *type, PyObject *prototype, PyObject *rest, uint32_t key, Layout **layout);
PyObject *new_instance(const Layout *layout);

/* amqp0_settings.c */
PyObject *make_reading(PyObject *module, PyObject *arguments);
PyObject *make_writing(PyObject *module, PyObject *arguments);
const Reading *reading_of(PyObject *capsule);
const Writing *writing_of(PyObject *capsule);

/* amqp0_read_table.c */
Result read_table(Core0 *core, const Reading *reading, Input *in, uint32_t depth, PyObject **table);
Result read_kind(Core0 *core, const Reading *reading, Kind kind, Input *in, uint32_t depth, PyObject **value);

/* amqp0_read.c */
Result read_method(Core0 *core, const Reading *reading, Input *in, PyObject **method);
Result read_header(Core0 *core, const Reading *reading, Input *in, PyObject **header);

/* amqp0_rows.c: (value, metadata) of a table */
Result read_table_variant(Core0 *core, const Reading *reading, Input *in, PyObject **pair);
PyObject *make_row_reader(Core0 *core, PyObject *arguments);

/* amqp0_write_table.c */
Result write_table(Core0 *core, const Writing *writing, Output *out, PyObject *table, uint32_t depth);
Result write_short_text(Output *out, PyObject *text);
Result write_long_run(Output *out, const Input *run);

/* amqp0_write.c */
Result write_method(Core0 *core, const Writing *writing, Output *out, const Layout *layout, PyObject *method);
Result write_header(Core0 *core, const Writing *writing, Output *out, PyObject *header);
Result write_header_of(Core0 *core, const Writing *writing, Output *out, const Layout *layout, PyObject *properties,
                       uint64_t size);

/* amqp0_frames.c: frames have 8 octets besides their payload. */
enum { FRAME_OVERHEAD = 8 };

/* A message is written with the frames of its body; a limit of 0 is none. */
typedef struct {
    PyObject *channel, *method, *properties, *body;
    uint64_t max_frame_size;
} MessageParts;

bool read_frames(Core0 *core, const Reading *reading, Input *in, uint64_t max_payload, PyObject *frames);
Result write_frame(Core0 *core, const Writing *writing, Output *out, PyObject *channel, PyObject *frame);
Result write_message(Core0 *core, const Writing *writing, Output *out, const MessageParts *message);

/* amqp0_core.c */
int add_core0(PyObject *module);

#endif
