#include "octets.h"

bool grow_output(Output *out, size_t count) {
    if (count > (size_t)PY_SSIZE_T_MAX / 4 || out->size > (size_t)PY_SSIZE_T_MAX / 4) return false;
    size_t capacity = 2 * (out->size + count);
    bool is_first = out->octets == out->first;
    uint8_t *octets = PyMem_Realloc(is_first ? NULL : out->octets, capacity);
    if (octets == NULL) return false;
    if (is_first) memcpy(octets, out->first, out->size);
    out->octets = octets;
    out->capacity = capacity;
    return true;
}
