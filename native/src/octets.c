#include "octets.h"

bool grow_output(Output *out, size_t count) {
    if (count > (size_t)PY_SSIZE_T_MAX / 4 || out->size > (size_t)PY_SSIZE_T_MAX / 4) { return false; }
    size_t capacity = 2 * (out->size + count);
    bool is_first = out->octets == out->first;
    uint8_t *octets = PyMem_Realloc(is_first ? NULL : out->octets, capacity);
    if (octets == NULL) { return false; }
    if (is_first) { memcpy(octets, out->first, out->size); }
    out->octets = octets;
    out->capacity = capacity;
    return true;
}

#define HIGH_BITS 0x8080808080808080u

static inline uint64_t eight_octets(const uint8_t *at) {
    uint64_t octets;
    memcpy(&octets, at, sizeof octets);
    return octets;
}

/* Eight at a time; the last eight overlap those before. */
bool is_ascii(const Input *run) {
    const uint8_t *at = run->at;
    uint64_t all = 0;
    if (input_has(run, 8)) {
        for (; run->end - at > 8; at += 8) { all |= eight_octets(at); }
        return ((all | eight_octets(run->end - 8)) & HIGH_BITS) == 0;
    }
    for (; at < run->end; at++) { all |= *at; }
    return all < 0x80;
}

/* The size of the character beyond ASCII at the beginning of so many octets; 0 when they are not UTF-8. */
static size_t character_size(const uint8_t *at, size_t size) {
    uint8_t first = *at;
    size_t count = first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
    if (first < 0xC2 || first > 0xF4 || size < count) { return 0; }
    uint8_t least = first == 0xE0 ? 0xA0 : first == 0xF0 ? 0x90 : 0x80;
    uint8_t most = first == 0xED ? 0x9F : first == 0xF4 ? 0x8F : 0xBF;
    if (at[1] < least || at[1] > most) { return 0; }
    for (size_t index = 2; index < count; index++) {
        if (at[index] >> 6 != 2) { return 0; }
    }
    return count;
}

bool is_utf8(const Input *run) {
    if (is_ascii(run)) { return true; }
    const uint8_t *at = run->at;
    while (at < run->end) {
        size_t size = 1;
        if (run->end - at >= 8 && (eight_octets(at) & HIGH_BITS) == 0) { size = 8; }
        else if (*at >= 0x80) { size = character_size(at, input_size(&(Input){at, run->end})); }
        if (size == 0) { return false; }
        at += size;
    }
    return true;
}
