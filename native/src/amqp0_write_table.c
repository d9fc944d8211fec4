/* Writing field tables. Only exact types of Python are plain: what a subclass means is for Python to say. */
#include "amqp0.h"

static Result write_value(Core0 *core, const Writing *writing, Output *out, PyObject *value, uint32_t depth);

/* A length of one octet and a text. */
Result write_short_text(Output *out, PyObject *text) {
    Input run;
    if (!PyUnicode_CheckExact(text)) { return NOT_PLAIN; }
    if (!text_run(text, &run)) { return FAILED; }
    if (input_size(&run) > UINT8_MAX || !output_room(out, input_size(&run) + 1)) { return NOT_PLAIN; }
    put_8(out, (uint8_t)input_size(&run));
    put_run(out, &run);
    return DONE;
}

/* A length of four octets and a text or octets. */
Result write_long_run(Output *out, const Input *run) {
    if (input_size(run) > UINT32_MAX || !output_room(out, input_size(run) + 4)) { return NOT_PLAIN; }
    put_32(out, (uint32_t)input_size(run));
    put_run(out, run);
    return DONE;
}

static Result write_text(Output *out, PyObject *text) {
    Input run;
    return text_run(text, &run) ? write_long_run(out, &run) : FAILED;
}

static Result write_bytes(Output *out, PyObject *octets) {
    Input run;
    return bytes_run(octets, &run) ? write_long_run(out, &run) : NOT_PLAIN;
}

/* The first letter whose range holds the number. Numbers beyond 64 bits with a sign are for Python. */
static Result write_integer(const Writing *writing, Output *out, PyObject *value) {
    int64_t number;
    if (!signed_64(value, &number)) { return NOT_PLAIN; }
    for (int index = 0; index < INTEGER_LETTERS; index++) {
        Letter letter = writing->integers[index];
        const KindFacts *kind = &kinds[letter.kind];
        if (number < kind->least || number > kind->most) { continue; }
        put_8(out, letter.letter);
        put_number(out, kind->width, (uint64_t)number);
        return DONE;
    }
    return NOT_PLAIN;
}

/* A number without its point, and how many of its digits follow that. */
typedef struct {
    long long digits;
    long scale;
} DecimalParts;

/* Digits and perhaps a point, as Python shows a decimal without an exponent; false for any other text. */
static bool parse_decimal(const Input *text, DecimalParts *parts) {
    bool is_negative = text->at < text->end && *text->at == '-';
    bool has_point = false;
    *parts = (DecimalParts){0, 0};
    if (input_size(text) > 16) { return false; }
    for (const uint8_t *at = text->at + is_negative; at < text->end; at++) {
        if (*at != '.' && (*at < '0' || *at > '9')) { return false; }
        if (*at != '.') { parts->digits = 10 * parts->digits + (*at - '0'); }
        parts->scale += *at != '.' && has_point;
        has_point = has_point || *at == '.';
    }
    if (is_negative) { parts->digits = -parts->digits; }
    return true;
}

/* Python's code takes apart what is shown in another way. */
static bool ask_for_parts(Core0 *core, PyObject *value, long long least, long long most, DecimalParts *parts) {
    PyObject *answer = PyObject_CallFunction(core->decimal_parts, "OLL", value, least, most);
    bool is_read = answer != NULL && PyArg_Parse(answer, "(lL)", &parts->scale, &parts->digits);
    Py_XDECREF(answer);
    return is_read;
}

static Result write_decimal(Core0 *core, Kind kind, Output *out, PyObject *value) {
    long long least = kind == DECIMAL ? INT32_MIN : 0;
    long long most = kind == DECIMAL ? INT32_MAX : UINT32_MAX;
    DecimalParts parts;
    Input run;
    PyObject *text = PyObject_Str(value);
    bool is_read = text != NULL && text_run(text, &run)
                   && (parse_decimal(&run, &parts) || ask_for_parts(core, value, least, most, &parts));
    Py_XDECREF(text);
    if (!is_read) { return FAILED; }
    if (parts.scale < 0 || parts.scale > UINT8_MAX || parts.digits < least || parts.digits > most) { return NOT_PLAIN; }
    put_8(out, (uint8_t)parts.scale);
    put_32(out, (uint32_t)parts.digits);
    return DONE;
}

static Result write_time(Output *out, PyObject *value) {
    uint64_t seconds;
    if (!unsigned_64(value, &seconds)) { return NOT_PLAIN; }
    put_64(out, seconds);
    return DONE;
}

/* Puts the number of octets written since `start` into the four octets before it. */
static Result close_run(Output *out, size_t start) {
    size_t size = out->size - start;
    if (size > UINT32_MAX) { return NOT_PLAIN; }
    set_32(out->octets + start - 4, (uint32_t)size);
    return DONE;
}

/* Writing a decimal runs Python, which may change the array or the table around it: the item is held meanwhile. */
static Result write_held(Core0 *core, const Writing *writing, Output *out, PyObject *item, uint32_t depth) {
    Py_INCREF(item);
    Result result = write_value(core, writing, out, item, depth);
    Py_DECREF(item);
    return result;
}

static Result write_array(Core0 *core, const Writing *writing, Output *out, PyObject *array, uint32_t depth) {
    if (depth >= writing->max_depth || PyList_Size(array) > writing->max_elements) { return NOT_PLAIN; }
    put_32(out, 0);
    size_t start = out->size;
    for (Py_ssize_t index = 0; index < PyList_Size(array); index++) {
        RETURN_UNLESS_DONE(write_held(core, writing, out, PyList_GetItem(array, index), depth + 1));
    }
    return close_run(out, start);
}

/* A letter and a value; the room for the letter and for any value of fixed width is made first. */
static Result write_value(Core0 *core, const Writing *writing, Output *out, PyObject *value, uint32_t depth) {
    Plain plain = (Plain)look_up_type(&core->base.types, value)->kind;
    if (!output_room(out, 16)) { return NOT_PLAIN; }
    if (plain == PLAIN_INTEGER) { return write_integer(writing, out, value); }
    Letter letter = plain < PLAIN_INTEGER ? writing->letters[plain] : (Letter){0, 0};
    if (letter.letter == 0) { return NOT_PLAIN; }
    put_8(out, letter.letter);
    switch (plain) {
    case PLAIN_BOOLEAN: put_8(out, value == Py_True); return DONE;
    case PLAIN_FLOAT: put_double(out, PyFloat_AsDouble(value)); return DONE;
    case PLAIN_TEXT: return write_text(out, value);
    case PLAIN_BYTES: return write_bytes(out, value);
    case PLAIN_DECIMAL: return write_decimal(core, (Kind)letter.kind, out, value);
    case PLAIN_TIMESTAMP: return write_time(out, value);
    case PLAIN_ARRAY: return write_array(core, writing, out, value, depth);
    case PLAIN_TABLE: return write_table(core, writing, out, value, depth + 1);
    default: return DONE; /* void */
    }
}

/* A table; see `read_table`. */
Result write_table(Core0 *core, const Writing *writing, Output *out, PyObject *table, uint32_t depth) {
    if (!PyDict_CheckExact(table) || depth > writing->max_depth || !output_room(out, 4)) { return NOT_PLAIN; }
    Py_ssize_t count = PyDict_Size(table);
    if (count > writing->max_elements) { return NOT_PLAIN; }
    put_32(out, 0);
    size_t start = out->size;
    Py_ssize_t position = 0;
    PyObject *key, *value;
    while (PyDict_Next(table, &position, &key, &value)) {
        RETURN_UNLESS_DONE(write_short_text(out, key));
        RETURN_UNLESS_DONE(write_held(core, writing, out, value, depth));
        if (PyDict_Size(table) != count) { return NOT_PLAIN; }
    }
    return close_run(out, start);
}
