#include "secrets.h"

#include "memory.h"

enum { MOST_TEXTS = 64, LONGEST_TEXT = 32, MOST_KNOWN = 64, LONGEST_KNOWN = 256 };

typedef struct {
    size_t count;
    Input texts[MOST_TEXTS];
} Texts;

/* The names of a VARIANT among which is no secret: messages of one kind usually have the same. */
typedef struct {
    size_t size;
    uint8_t octets[LONGEST_KNOWN];
} KnownNames;

struct Secrets {
    PyObject *description; /* holds the texts */
    Texts endings, whole, others, in_texts;
    KnownNames known[MOST_KNOWN]; /* by their size and their last octets */
};

static bool read_texts(Texts *texts, PyObject *items) {
    if (!PyTuple_Check(items) || PyTuple_Size(items) > MOST_TEXTS) {
        return PyErr_Format(PyExc_ValueError, "texts of secrets are a tuple of a few") != NULL;
    }
    for (Py_ssize_t index = 0; index < PyTuple_Size(items); index++) {
        char *octets;
        Py_ssize_t size;
        if (PyBytes_AsStringAndSize(PyTuple_GetItem(items, index), &octets, &size) < 0) { return false; }
        if (size == 0 || size > LONGEST_TEXT) {
            return PyErr_Format(PyExc_ValueError, "a text of secrets is too long") != NULL;
        }
        texts->texts[texts->count++] = (Input){(const uint8_t *)octets, (const uint8_t *)octets + size};
    }
    return true;
}

Secrets *make_secrets(PyObject *description) {
    PyObject *endings, *whole, *others, *in_texts;
    if (!PyArg_ParseTuple(description, "OOOO", &endings, &whole, &others, &in_texts)) { return NULL; }
    Secrets *secrets = zeros(1, sizeof(Secrets));
    if (secrets == NULL) { return NULL; }
    secrets->description = Py_NewRef(description);
    if (read_texts(&secrets->endings, endings) && read_texts(&secrets->whole, whole)
        && read_texts(&secrets->others, others) && read_texts(&secrets->in_texts, in_texts)) {
        return secrets;
    }
    free_secrets(secrets);
    return NULL;
}

void free_secrets(Secrets *secrets) {
    if (secrets == NULL) { return; }
    Py_DECREF(secrets->description);
    PyMem_Free(secrets);
}

int visit_secrets(const Secrets *secrets, visitproc visit, void *arg) {
    Py_VISIT(secrets->description);
    return 0;
}

/* --- Names --- */

static uint8_t lower(uint8_t octet) { return octet >= 'A' && octet <= 'Z' ? octet | 0x20 : octet; }

static bool is_separator(uint8_t octet) { return octet == '-' || octet == '_' || octet == '.' || octet == ' '; }

/* Whether a name, without separators, ends with a text; or is that text, perhaps after an x. */
static bool ends_with(const Input *name, const Input *text, bool is_all) {
    const uint8_t *at = name->end, *expected = text->end;
    while (expected > text->at) {
        while (at > name->at && is_separator(at[-1])) { at--; }
        if (at == name->at || lower(*--at) != *--expected) { return false; }
    }
    if (!is_all) { return true; }
    while (at > name->at && is_separator(at[-1])) { at--; }
    if (at > name->at && lower(at[-1]) == 'x') { at--; }
    while (at > name->at && is_separator(at[-1])) { at--; }
    return at == name->at;
}

static bool ends_with_any(const Input *name, const Texts *texts, bool is_all) {
    for (size_t index = 0; index < texts->count; index++) {
        if (ends_with(name, &texts->texts[index], is_all)) { return true; }
    }
    return false;
}

static bool is_secret_name(const Secrets *secrets, const Input *name) {
    static const char DOTTED_I[] = "\xC4\xB0", KELVIN[] = "\xE2\x84\xAA"; /* their lower case is ASCII */
    for (const uint8_t *at = name->at; at < name->end; at++) {
        Input rest = {at, name->end};
        if (*at < 0x80) { continue; }
        if (input_has(&rest, 2) && memcmp(at, DOTTED_I, 2) == 0) { return true; }
        if (input_has(&rest, 3) && memcmp(at, KELVIN, 3) == 0) { return true; }
    }
    if (ends_with_any(name, &secrets->whole, true)) { return true; }
    return ends_with_any(name, &secrets->endings, false) && !ends_with_any(name, &secrets->others, false);
}

static size_t get_little(const uint8_t *at, size_t width) {
    size_t number = 0;
    while (width-- > 0) { number = number << 8 | at[width]; }
    return number;
}

/* The names in the metadata: a head, their number, where each begins, and the last one ends, all of one width. */
static bool has_secret_name(const Secrets *secrets, const Input *metadata) {
    Input in = *metadata;
    const uint8_t *head = take(&in, 1);
    size_t width = head == NULL ? 1 : (size_t)(*head >> 6) + 1;
    const uint8_t *size = take(&in, width);
    if (head == NULL || size == NULL) { return true; }
    size_t count = get_little(size, width);
    if (count >= input_size(&in) / width) { return true; }
    const uint8_t *offsets = take(&in, (count + 1) * width);
    for (size_t index = 0; index < count; index++) {
        size_t start = get_little(offsets + index * width, width),
               end = get_little(offsets + (index + 1) * width, width);
        if (start > end || end > input_size(&in)) { return true; }
        Input name = {in.at + start, in.at + end};
        if (is_secret_name(secrets, &name)) { return true; }
    }
    return false;
}

static bool has_secret_names(Secrets *secrets, const Input *metadata) {
    size_t size = input_size(metadata);
    KnownNames *known = &secrets->known[(size + 7 * metadata->end[-1]) % MOST_KNOWN];
    if (known->size == size && memcmp(known->octets, metadata->at, size) == 0) { return false; }
    if (has_secret_name(secrets, metadata)) { return true; }
    if (size <= LONGEST_KNOWN) {
        known->size = size;
        memcpy(known->octets, metadata->at, size);
    }
    return false;
}

/* --- Texts --- */

static bool stands_before(const uint8_t *end, const uint8_t *first, const Input *text) {
    const uint8_t *expected = text->end;
    if ((size_t)(end - first) < input_size(text)) { return false; }
    while (expected > text->at) {
        if (lower(*--end) != *--expected) { return false; }
    }
    return true;
}

/* The last octet of each text, a blank or `=`, is rare: memchr finds it faster than a search for the text. */
static bool has_secret_text(const Texts *texts, const Input *octets) {
    for (size_t index = 0; index < texts->count; index++) {
        uint8_t last = texts->texts[index].end[-1];
        bool is_seen = false;
        for (size_t before = 0; before < index; before++) { is_seen = is_seen || texts->texts[before].end[-1] == last; }
        Input rest = *octets;
        while (!is_seen && (rest.at = memchr(rest.at, last, input_size(&rest))) != NULL) {
            rest.at++;
            for (size_t other = index; other < texts->count; other++) {
                if (stands_before(rest.at, octets->at, &texts->texts[other])) { return true; }
            }
        }
    }
    return false;
}

bool may_hold_secret(Secrets *secrets, const Input *octets, const Input *metadata) {
    return has_secret_names(secrets, metadata) || has_secret_text(&secrets->in_texts, octets);
}
