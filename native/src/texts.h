/* Short texts that repeat (names of queues, routing keys, content types) are made once and found again.

   A text of at most 47 octets has one place, given by its hash. It is kept there when the place misses it twice in a
   row: texts that never come again cost no more than the look-up. Whatever a peer sends, it can neither fill memory nor
   make a look-up cost more than one comparison. */
#ifndef AMQP_NATIVE_TEXTS_H
#define AMQP_NATIVE_TEXTS_H

#include "values.h"

enum { TEXT_PLACES = 1024, TEXT_LONGEST = 47 };

/* As large as a line of the processor's cache. */
typedef struct {
    PyObject *text;
    uint32_t hash;
    uint32_t missed; /* the hash of the last text that was looked up in vain */
    uint8_t size;
    uint8_t octets[TEXT_LONGEST];
} TextPlace;

typedef struct {
    TextPlace places[TEXT_PLACES];
    PyTypeObject *type; /* NULL: str; else a class derived from it, of ASCII alone */
} Texts;

/* A new reference to the text of these octets; UnicodeDecodeError when they are not UTF-8, or not ASCII. */
PyObject *find_text(Texts *texts, const Input *run);

void clear_texts(Texts *texts);

#endif
