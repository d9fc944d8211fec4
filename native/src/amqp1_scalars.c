/* Values of fixed width, strings, symbols and binaries (1.0, 1.6): written in the shortest encoding. */
#include "amqp1.h"

static PyObject *new_number(const Core1 *core, Type type, int64_t number) {
    return new_derived(&PyLong_Type, core->classes[type], PyLong_FromLongLong(number));
}

/* A number of one octet, made once. */
static PyObject *small_number(Core1 *core, Type type, uint8_t octet, bool is_signed) {
    PyObject **place = &core->small[type][octet];
    if (*place == NULL) { *place = keep_owned(&core->base, new_number(core, type, is_signed ? (int8_t)octet : octet)); }
    return Py_XNewRef(*place);
}

static PyObject *new_char(const Core1 *core, uint32_t point) {
    return new_derived(&PyUnicode_Type, core->classes[T_CHAR], PyUnicode_FromFormat("%c", (int)point));
}

/* A decimal; takes over the number, which may be NULL. */
static PyObject *new_bits(const Core1 *core, Type type, PyObject *number) {
    return new_with_slot(core->classes[type], core->bits_places[type], number);
}

static PyObject *new_128(const Core1 *core, Type type, const uint8_t *at) {
    PyObject *high = PyLong_FromUnsignedLongLong(get_64(at));
    PyObject *low = high == NULL ? NULL : PyLong_FromUnsignedLongLong(get_64(at + 8));
    PyObject *shifted = low == NULL ? NULL : PyNumber_Lshift(high, core->sixty_four);
    PyObject *number = shifted == NULL ? NULL : PyNumber_Or(shifted, low);
    Py_XDECREF(shifted);
    Py_XDECREF(low);
    Py_XDECREF(high);
    return new_bits(core, type, number);
}

static PyObject *new_uuid(const Core1 *core, const uint8_t *at) {
    PyObject *uuid = new_128(core, T_UUID, at);
    if (uuid == NULL) { return NULL; }
    fill_slot(uuid, core->uuid_safety, Py_NewRef(core->unknown_safety));
    return uuid;
}

PyObject *new_scalar(Core1 *core, uint8_t code, const uint8_t *at) {
    switch (code) {
    case NULL_CODE: Py_RETURN_NONE;
    case TRUE_CODE: Py_RETURN_TRUE;
    case FALSE_CODE: Py_RETURN_FALSE;
    case BOOLEAN_CODE: return PyBool_FromLong(*at);
    case UINT0: return small_number(core, T_UINT, 0, false);
    case ULONG0: return small_number(core, T_ULONG, 0, false);
    case UBYTE_CODE: return small_number(core, T_UBYTE, *at, false);
    case SMALLUINT: return small_number(core, T_UINT, *at, false);
    case SMALLULONG: return small_number(core, T_ULONG, *at, false);
    case BYTE_CODE: return small_number(core, T_BYTE, *at, true);
    case SMALLINT: return small_number(core, T_INT, *at, true);
    case SMALLLONG: return PyLong_FromLong((int8_t)*at);
    case USHORT_CODE: return new_number(core, T_USHORT, get_16(at));
    case SHORT_CODE: return new_number(core, T_SHORT, (int16_t)get_16(at));
    case UINT_CODE: return new_number(core, T_UINT, get_32(at));
    case INT_CODE: return new_number(core, T_INT, (int32_t)get_32(at));
    case FLOAT_CODE: return new_derived(&PyFloat_Type, core->classes[T_FLOAT], PyFloat_FromDouble(get_float(at)));
    case CHAR_CODE: return new_char(core, get_32(at));
    case ULONG_CODE: return new_derived(&PyLong_Type, core->classes[T_ULONG], PyLong_FromUnsignedLongLong(get_64(at)));
    case LONG_CODE: return PyLong_FromLongLong((int64_t)get_64(at));
    case DOUBLE_CODE: return PyFloat_FromDouble(get_double(at));
    case TIMESTAMP_CODE: return new_number(core, T_TIMESTAMP, (int64_t)get_64(at));
    case DECIMAL32_CODE: return new_bits(core, T_DECIMAL32, PyLong_FromUnsignedLong(get_32(at)));
    case DECIMAL64_CODE: return new_bits(core, T_DECIMAL64, PyLong_FromUnsignedLongLong(get_64(at)));
    case DECIMAL128_CODE: return new_128(core, T_DECIMAL128, at);
    default: return new_uuid(core, at);
    }
}

/* A format code and so many octets of a number; true. */
static bool put_coded(Output *out, uint8_t code, size_t width, uint64_t number) {
    put_8(out, code);
    put_number(out, width, number);
    return true;
}

/* A number as one of that type; false when it is out of its range. */
static bool put_unsigned(Output *out, Type type, uint64_t number) {
    switch (type) {
    case T_UBYTE: return number <= UINT8_MAX && put_coded(out, UBYTE_CODE, 1, number);
    case T_USHORT: return number <= UINT16_MAX && put_coded(out, USHORT_CODE, 2, number);
    case T_UINT:
        if (number == 0) { return write_code(out, UINT0) == DONE; }
        if (number <= UINT8_MAX) { return put_coded(out, SMALLUINT, 1, number); }
        return number <= UINT32_MAX && put_coded(out, UINT_CODE, 4, number);
    default:
        if (number == 0) { return write_code(out, ULONG0) == DONE; }
        return number <= UINT8_MAX ? put_coded(out, SMALLULONG, 1, number) : put_coded(out, ULONG_CODE, 8, number);
    }
}

static bool put_signed(Output *out, Type type, int64_t number) {
    bool is_small = number == (int8_t)number;
    switch (type) {
    case T_BYTE: return is_small && put_coded(out, BYTE_CODE, 1, (uint64_t)number);
    case T_SHORT: return number == (int16_t)number && put_coded(out, SHORT_CODE, 2, (uint64_t)number);
    case T_TIMESTAMP: return put_coded(out, TIMESTAMP_CODE, 8, (uint64_t)number);
    case T_INT:
        if (is_small) { return put_coded(out, SMALLINT, 1, (uint64_t)number); }
        return number == (int32_t)number && put_coded(out, INT_CODE, 4, (uint64_t)number);
    default:
        return is_small ? put_coded(out, SMALLLONG, 1, (uint64_t)number)
                        : put_coded(out, LONG_CODE, 8, (uint64_t)number);
    }
}

/* An int as a number of that type. A long may be larger, and is a ulong then. */
Result write_number(Output *out, Type type, PyObject *value) {
    int64_t number;
    uint64_t large;
    if (!output_room(out, 9)) { return NOT_PLAIN; }
    if (type >= T_UBYTE && type <= T_ULONG) {
        return plain_if(unsigned_64(value, &large) && put_unsigned(out, type, large));
    }
    if (signed_64(value, &number)) { return plain_if(put_signed(out, type, number)); }
    return plain_if(type == T_LONG && unsigned_64(value, &large) && put_unsigned(out, T_ULONG, large));
}

Result write_double(Output *out, PyObject *value) {
    if (!output_room(out, 9)) { return NOT_PLAIN; }
    put_8(out, DOUBLE_CODE);
    put_double(out, PyFloat_AsDouble(value));
    return DONE;
}

/* A number that 32 bits can hold as it is; any other, and what is no number, is for Python. */
Result write_float(Output *out, PyObject *value) {
    double number = PyFloat_AsDouble(value);
    bool is_plain = number >= -3.4e38 && number <= 3.4e38 && (double)(float)number == number;
    if (!is_plain || !output_room(out, 5)) { return NOT_PLAIN; }
    put_8(out, FLOAT_CODE);
    put_float(out, (float)number);
    return DONE;
}

Result write_char(Output *out, PyObject *value) {
    if (PyUnicode_GetLength(value) != 1 || !output_room(out, 5)) { return NOT_PLAIN; }
    uint32_t point = PyUnicode_ReadChar(value, 0);
    return plain_if(!(point >= 0xD800 && point <= 0xDFFF) && put_coded(out, CHAR_CODE, 4, point));
}

static Result write_128(const Core1 *core, Output *out, uint8_t code, PyObject *number) {
    uint64_t high;
    PyObject *shifted = PyNumber_Rshift(number, core->sixty_four);
    if (shifted == NULL) { return FAILED; }
    bool is_plain = unsigned_64(shifted, &high);
    Py_DECREF(shifted);
    if (!is_plain) { return NOT_PLAIN; }
    put_coded(out, code, 8, high);
    put_64(out, PyLong_AsUnsignedLongLongMask(number));
    return DONE;
}

/* A decimal or a UUID. */
Result write_bits(Core1 *core, Output *out, Type type, PyObject *value) {
    uint64_t bits;
    PyObject *number = get_slot(value, core->bits_places[type]);
    if (number == NULL || !PyLong_CheckExact(number) || !output_room(out, 17)) { return NOT_PLAIN; }
    switch (type) {
    case T_DECIMAL32:
        return plain_if(unsigned_64(number, &bits) && bits <= UINT32_MAX && put_coded(out, DECIMAL32_CODE, 4, bits));
    case T_DECIMAL64: return plain_if(unsigned_64(number, &bits) && put_coded(out, DECIMAL64_CODE, 8, bits));
    default: return write_128(core, out, type == T_UUID ? UUID_CODE : DECIMAL128_CODE, number);
    }
}

/* Up to 255 octets have a size of one octet, more of them one of four. */
static Result write_run(Output *out, uint8_t small_code, const Input *run) {
    size_t size = input_size(run);
    if (size > UINT32_MAX || !output_room(out, size + 5)) { return NOT_PLAIN; }
    if (size <= UINT8_MAX) { put_coded(out, small_code, 1, size); }
    else { put_coded(out, small_code + 0x10, 4, size); }
    put_run(out, run);
    return DONE;
}

Result write_string(Output *out, PyObject *text) {
    Input run;
    return text_run(text, &run) ? write_run(out, STR8, &run) : FAILED;
}

/* Symbols are ASCII: as many octets as characters. */
Result write_symbol(Output *out, PyObject *text) {
    Input run;
    if (!text_run(text, &run)) { return FAILED; }
    return (Py_ssize_t)input_size(&run) == PyUnicode_GetLength(text) ? write_run(out, SYM8, &run) : NOT_PLAIN;
}

Result write_binary(Output *out, PyObject *value) {
    Input run;
    return bytes_run(value, &run) ? write_run(out, VBIN8, &run) : NOT_PLAIN;
}
