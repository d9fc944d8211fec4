/* Octets of the wire: a cursor that reads them, and a buffer that grows as they are written.

   Every number on the wire is big-endian (AMQP 0-9-1, 4.2.5; AMQP 1.0, 1.6). What is read was taken first, and `take`
   checks that it is there; what is put needs room, and `output_room` makes it. */
#ifndef AMQP_NATIVE_OCTETS_H
#define AMQP_NATIVE_OCTETS_H

#define Py_LIMITED_API 0x030B0000
#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "result.h"

/* What is added to sizes of the wire, which have up to 32 bits, must not wrap. Where this cannot be compiled, packages
   stay pure. */
_Static_assert(sizeof(size_t) >= 8,
               "the cores in C need a platform of 64 bits; Python reads and writes all the same without them");

/* All that the files of this module share stays in it: the linker then binds their calls directly. */
#if defined(__GNUC__)
#pragma GCC visibility push(hidden)
#endif

/* Of a function whose parameters are constants where it is called, as the sinks of walks are. */
#if defined(__GNUC__)
#define ALWAYS_INLINE inline __attribute__((always_inline))
#elif defined(_MSC_VER)
#define ALWAYS_INLINE __forceinline
#else
#define ALWAYS_INLINE inline
#endif

/* What is given up after it began is done twice. Were that to happen at each level of nesting, time would grow with the
   square: after a few times the whole attempt ends. */
enum { MOST_RETRIES = 4 };

/* What is left to read, or some octets that were: from `at` up to, not including, `end`. */
typedef struct {
    const uint8_t *at;
    const uint8_t *end;
} Input;

static inline size_t input_size(const Input *in) { return (size_t)(in->end - in->at); }

static inline bool input_has(const Input *in, size_t count) { return input_size(in) >= count; }

static inline uint16_t get_16(const uint8_t *at) { return (uint16_t)(at[0] << 8 | at[1]); }

static inline uint32_t get_32(const uint8_t *at) {
    return (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
}

static inline uint64_t get_64(const uint8_t *at) { return (uint64_t)get_32(at) << 32 | get_32(at + 4); }

static inline double get_float(const uint8_t *at) {
    uint32_t bits = get_32(at);
    float number;
    memcpy(&number, &bits, sizeof number);
    return number;
}

static inline double get_double(const uint8_t *at) {
    uint64_t bits = get_64(at);
    double number;
    memcpy(&number, &bits, sizeof number);
    return number;
}

/* Moves past so many octets and returns where they are; NULL when there are fewer. */
static inline const uint8_t *take(Input *in, size_t count) {
    if (!input_has(in, count)) { return NULL; }
    const uint8_t *octets = in->at;
    in->at += count;
    return octets;
}

/* Takes a length of one octet or of four, and as many octets as it says; false when there are fewer. */
static inline bool take_run(Input *in, bool is_long, Input *run) {
    const uint8_t *length = take(in, is_long ? 4 : 1);
    if (length == NULL) { return false; }
    size_t size = is_long ? get_32(length) : *length;
    run->at = take(in, size);
    if (run->at == NULL) { return false; }
    run->end = run->at + size;
    return true;
}

bool is_ascii(const Input *run);
/* Whether octets are UTF-8 as Python reads it: no surrogates, nothing longer than it must be (RFC 3629, 3 and 4). */
bool is_utf8(const Input *run);

/* Written octets. They stand in `first` until they outgrow it; `release_output` gives back what they grew into. */
typedef struct {
    uint8_t *octets;
    size_t size;
    size_t capacity;
    int retries; /* how often a part may still be given up and written by Python */
    uint8_t first[2048];
} Output;

static inline void start_output(Output *out) {
    out->octets = out->first;
    out->size = 0;
    out->capacity = sizeof out->first;
    out->retries = MOST_RETRIES;
}

static inline void release_output(Output *out) {
    if (out->octets != out->first) { PyMem_Free(out->octets); }
}

bool grow_output(Output *out, size_t count);

/* Makes room for `count` more octets; false when there is no memory. */
static inline bool output_room(Output *out, size_t count) {
    return out->capacity - out->size >= count || grow_output(out, count);
}

static inline void set_16(uint8_t *at, uint16_t value) {
    at[0] = (uint8_t)(value >> 8);
    at[1] = (uint8_t)value;
}

static inline void set_32(uint8_t *at, uint32_t value) {
    set_16(at, (uint16_t)(value >> 16));
    set_16(at + 2, (uint16_t)value);
}

static inline void put_8(Output *out, uint8_t value) { out->octets[out->size++] = value; }

static inline void put_16(Output *out, uint16_t value) {
    set_16(out->octets + out->size, value);
    out->size += 2;
}

static inline void put_32(Output *out, uint32_t value) {
    set_32(out->octets + out->size, value);
    out->size += 4;
}

static inline void put_64(Output *out, uint64_t value) {
    put_32(out, (uint32_t)(value >> 32));
    put_32(out, (uint32_t)value);
}

static inline void put_float(Output *out, float number) {
    uint32_t bits;
    memcpy(&bits, &number, sizeof bits);
    put_32(out, bits);
}

static inline void put_double(Output *out, double number) {
    uint64_t bits;
    memcpy(&bits, &number, sizeof bits);
    put_64(out, bits);
}

/* A number in 1, 2, 4 or 8 octets. */
static inline void put_number(Output *out, size_t width, uint64_t number) {
    switch (width) {
    case 1: put_8(out, (uint8_t)number); break;
    case 2: put_16(out, (uint16_t)number); break;
    case 4: put_32(out, (uint32_t)number); break;
    default: put_64(out, number); break;
    }
}

static inline void put_run(Output *out, const Input *run) {
    memcpy(out->octets + out->size, run->at, input_size(run));
    out->size += input_size(run);
}

#endif
