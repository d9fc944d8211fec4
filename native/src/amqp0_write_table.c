/* Writing field tables. Only exact types of Python are plain: what a subclass means is for Python to say. */
#include "amqp0.h"

static bool write_value(Core0 *core, const Writing *writing, Output *out, PyObject *value, uint32_t depth);

/* A length of one octet and a text. */
bool write_short_text(Output *out, PyObject *text) {
    Input run;
    if (!PyUnicode_CheckExact(text) || !text_run(text, &run)) return false;
    if (input_size(&run) > UINT8_MAX || !output_room(out, input_size(&run) + 1)) return false;
    put_8(out, (uint8_t)input_size(&run));
    put_run(out, &run);
    return true;
}

/* A length of four octets and a text or octets. */
bool write_long_run(Output *out, const Input *run) {
    if (input_size(run) > UINT32_MAX || !output_room(out, input_size(run) + 4)) return false;
    put_32(out, (uint32_t)input_size(run));
    put_run(out, run);
    return true;
}

/* The first letter whose range holds the number. Numbers beyond 64 bits with a sign are for Python. */
static bool write_integer(const Writing *writing, Output *out, PyObject *value) {
    int64_t number;
    if (!signed_64(value, &number)) return false;
    for (int index = 0; index < INTEGER_LETTERS; index++) {
        Letter letter = writing->integers[index];
        const KindFacts *kind = &kinds[letter.kind];
        if (number < kind->least || number > kind->most) continue;
        put_8(out, letter.letter);
        put_number(out, kind->width, (uint64_t)number);
        return true;
    }
    return false;
}

/* Digits and perhaps a point, as Python shows a decimal without an exponent: the number that they make, and how many of them
   follow the point. */
static bool parse_decimal(const Input *text, long long *number, long *scale) {
    bool is_negative = text->at < text->end && *text->at == '-';
    bool has_point = false;
    *number = *scale = 0;
    if (input_size(text) > 16) return false;
    for (const uint8_t *at = text->at + is_negative; at < text->end; at++) {
        if (*at != '.' && (*at < '0' || *at > '9')) return false;
        if (*at != '.') *number = 10 * *number + (*at - '0');
        *scale += *at != '.' && has_point;
        has_point = has_point || *at == '.';
    }
    if (is_negative) *number = -*number;
    return true;
}

/* Python's code takes apart what is shown in another way. */
static bool ask_for_parts(Core0 *core, PyObject *value, long long least, long long most, long long *number, long *scale) {
    PyObject *parts = PyObject_CallFunction(core->decimal_parts, "OLL", value, least, most);
    bool done = parts != NULL && PyTuple_Check(parts) && PyArg_ParseTuple(parts, "lL", scale, number);
    Py_XDECREF(parts);
    return done;
}

static bool write_decimal(Core0 *core, Kind kind, Output *out, PyObject *value) {
    long long least = kind == DECIMAL ? INT32_MIN : 0;
    long long most = kind == DECIMAL ? INT32_MAX : UINT32_MAX;
    long long number;
    long scale;
    Input run;
    PyObject *text = PyObject_Str(value);
    bool done = text != NULL && text_run(text, &run)
                && (parse_decimal(&run, &number, &scale) || ask_for_parts(core, value, least, most, &number, &scale));
    Py_XDECREF(text);
    if (!done || scale < 0 || scale > UINT8_MAX || number < least || number > most) return false;
    put_8(out, (uint8_t)scale);
    put_32(out, (uint32_t)number);
    return true;
}

static bool write_time(Output *out, PyObject *value) {
    uint64_t seconds;
    if (!unsigned_64(value, &seconds)) return false;
    put_64(out, seconds);
    return true;
}

/* Puts the number of octets written since `start` into the four octets before it. */
static bool close_run(Output *out, size_t start) {
    size_t size = out->size - start;
    if (size > UINT32_MAX) return false;
    set_32(out->octets + start - 4, (uint32_t)size);
    return true;
}

/* Writing a decimal runs Python, which may change the array or the table around it: the item is held meanwhile. */
static bool write_held(Core0 *core, const Writing *writing, Output *out, PyObject *item, uint32_t depth) {
    Py_INCREF(item);
    bool done = write_value(core, writing, out, item, depth);
    Py_DECREF(item);
    return done;
}

static bool write_array(Core0 *core, const Writing *writing, Output *out, PyObject *array, uint32_t depth) {
    if (depth >= writing->max_depth || PyList_Size(array) > writing->max_elements) return false;
    put_32(out, 0);
    size_t start = out->size;
    for (Py_ssize_t index = 0; index < PyList_Size(array); index++)
        if (!write_held(core, writing, out, PyList_GetItem(array, index), depth + 1)) return false;
    return close_run(out, start);
}

/* A letter and a value; the room for the letter and for any value of fixed width is made first. */
static bool write_value(Core0 *core, const Writing *writing, Output *out, PyObject *value, uint32_t depth) {
    Plain plain = (Plain)look_up_type(&core->base.types, value)->kind;
    if (!output_room(out, 16)) return false;
    if (plain == PLAIN_INTEGER) return write_integer(writing, out, value);
    Letter letter = plain < PLAIN_INTEGER ? writing->letters[plain] : (Letter){0, 0};
    if (letter.letter == 0) return false;
    put_8(out, letter.letter);
    Input run;
    switch (plain) {
    case PLAIN_BOOLEAN: put_8(out, value == Py_True); return true;
    case PLAIN_FLOAT: put_double(out, PyFloat_AsDouble(value)); return true;
    case PLAIN_TEXT: return text_run(value, &run) && write_long_run(out, &run);
    case PLAIN_BYTES: return bytes_run(value, &run) && write_long_run(out, &run);
    case PLAIN_DECIMAL: return write_decimal(core, (Kind)letter.kind, out, value);
    case PLAIN_TIMESTAMP: return write_time(out, value);
    case PLAIN_ARRAY: return write_array(core, writing, out, value, depth);
    case PLAIN_TABLE: return write_table(core, writing, out, value, depth + 1);
    default: return true; /* void */
    }
}

/* A table; see `read_table`. */
bool write_table(Core0 *core, const Writing *writing, Output *out, PyObject *table, uint32_t depth) {
    if (!PyDict_CheckExact(table) || depth > writing->max_depth || !output_room(out, 4)) return false;
    Py_ssize_t count = PyDict_Size(table);
    if (count > writing->max_elements) return false;
    put_32(out, 0);
    size_t start = out->size;
    Py_ssize_t position = 0;
    PyObject *key, *value;
    while (PyDict_Next(table, &position, &key, &value)) {
        if (!write_short_text(out, key) || !write_held(core, writing, out, value, depth)) return false;
        if (PyDict_Size(table) != count) return false;
    }
    return close_run(out, start);
}
