#include "texts.h"

static uint64_t word_at(const uint8_t *at) {
    uint64_t word;
    memcpy(&word, at, sizeof word);
    return word;
}

/* Of the size, and of the first, the middle and the last octets: all of them up to 24. The upper bits are the good
   ones. */
static uint32_t text_hash(const uint8_t *octets, size_t size) {
    uint64_t first = 0, middle = 0, last = 0;
    if (size >= 8) {
        first = word_at(octets);
        middle = word_at(octets + (size - 8) / 2);
        last = word_at(octets + size - 8);
    }
    else {
        for (size_t index = 0; index < size; index++) { first = first << 8 | octets[index]; }
    }
    uint64_t hash = (first + size) * 0x9E3779B97F4A7C15u ^ middle * 0xBF58476D1CE4E5B9u ^ last * 0x94D049BB133111EBu;
    return (uint32_t)((hash ^ hash >> 32) * 0xD6E8FEB86659FD93u >> 32);
}

static PyObject *new_text(const Texts *texts, const Input *run) {
    const char *octets = (const char *)run->at;
    Py_ssize_t size = (Py_ssize_t)input_size(run);
    if (texts->type == NULL) { return PyUnicode_DecodeUTF8(octets, size, NULL); }
    return new_derived(&PyUnicode_Type, texts->type, PyUnicode_DecodeASCII(octets, size, NULL));
}

static void keep_text(TextPlace *place, uint32_t hash, const Input *run, PyObject *text) {
    PyObject *before = place->text;
    place->text = Py_NewRef(text);
    place->hash = hash;
    place->size = (uint8_t)input_size(run);
    memcpy(place->octets, run->at, place->size);
    Py_XDECREF(before);
}

PyObject *find_text(Texts *texts, const Input *run) {
    size_t size = input_size(run);
    if (size > TEXT_LONGEST) { return new_text(texts, run); }
    uint32_t hash = text_hash(run->at, size);
    TextPlace *place = &texts->places[hash % TEXT_PLACES];
    if (place->hash == hash && place->text != NULL && place->size == size
        && memcmp(place->octets, run->at, size) == 0) {
        return Py_NewRef(place->text);
    }
    PyObject *text = new_text(texts, run);
    if (text != NULL && place->missed == hash) { keep_text(place, hash, run, text); }
    place->missed = hash;
    return text;
}

void clear_texts(Texts *texts) {
    for (int index = 0; index < TEXT_PLACES; index++) { Py_CLEAR(texts->places[index].text); }
}
