/* Performatives and sections of messages of 1.0 as rows, by layouts that are made from the generated package.

   Theory of operation. A composite is a list whose items are its fields in order (1.0, 1.4). A layout tells for each
   field how it is laid out, what it is when nothing is sent, and which value of the row it is. Whatever is unusual is
   not plain, and Python reads it: fields that may have several values, or of a composite type; what does not fit its
   column, or is wrong.

   A field that may have any type that provides an archetype is a VARIANT. Primitive values are written here.
   Composites, which are usually one of a few delivery states (1.0, part 3, section 3.4), are asked of Python and
   remembered by their octets. */
#ifndef AMQP_NATIVE_INGEST_AMQP1_VALUES_H
#define AMQP_NATIVE_INGEST_AMQP1_VALUES_H

#include "../src/amqp1_codes.h"
#include "row_layouts.h"

/* A field of a composite. */
typedef struct CompositeField {
    Type type;          /* T_OTHER: a value that is sent has to provide the archetype, or is not plain without one */
    Keys keys;          /* of a map */
    bool may_be_absent; /* and is this then, which is NOTHING or a NUMBER: */
    Value absent;
    uint64_t members;    /* of an enum, a bit for each number; 0 when it is none */
    PyObject *archetype; /* or NULL */
    uint32_t provided;   /* the primitive types that provide it, by bits */
    int column;          /* the index of its value in a row; -1 without one: then only its absence is plain */
} CompositeField;

enum { MOST_SMALL = 64, LONGEST_SMALL = 64 };

/* A composite that was read before. */
typedef struct {
    const PyObject *archetype; /* that of a field, which keeps it */
    PyObject *variant;         /* (value, metadata), or NULL: the place is free */
    size_t size;
    uint8_t octets[LONGEST_SMALL];
} SmallComposite;

/* What the rows of a package of 1.0 share. */
struct SectionLayouts {
    RowLayout header, properties;
    PyObject *read_required;
    SmallComposite small[MOST_SMALL];
    size_t next; /* the one to be replaced */
};

/* Makes the fields of a layout and sets its `value_count`, from (FIELDS, columns): FIELDS is that of the class of the
   composite, a tuple of `FieldLayout`; columns is a tuple of (name, type), `gathered[name].kind.columns` of
   `PerformativeColumns`. False with an exception; `free_composite_fields` is due in any case. */
bool make_composite_fields(RowLayout *layout, PyObject *description);
void free_composite_fields(RowLayout *layout);

/* Makes `sections`, which reading performatives needs, too, from (header, properties, read_required): header is
   (Header.FIELDS, its columns), properties likewise; read_required(octets, archetype) returns a small composite as
   ((value, metadata), its size), or raises an exception. False with an exception; `free_sections` is due in any
   case. */
bool make_sections(Package *package, PyObject *description);
void free_sections(Package *package);

/* Reads what follows the descriptor of a composite into as many values as its layout has. */
Result read_composite_values(const Package *package, const RowLayout *layout, Input *in, Arena *arena, Value *values);
/* Reads a map, whose keys usually are symbols or else strings. */
Result read_map_value(Input *in, Keys keys, Arena *arena, Value *value);

#endif
