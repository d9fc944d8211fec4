#include "assembly.h"

#include "memory.h"

enum { MOST_HELD = 96 << 10, MOST_HELD_TOGETHER = 192 << 10 };
enum { FIRST_LOOK = 16, MOST_BETWEEN_LOOKS = 1024 }; /* events */

const char NOT_FOLLOWED[] = "not-followed";

void start_held(HeldItems *held) { *held = (HeldItems){0, FIRST_LOOK}; }

bool is_too_much(HeldItems *held, Sink *sink, size_t count, int64_t events) {
    held->next_look = events + (events < MOST_BETWEEN_LOOKS ? events : MOST_BETWEEN_LOOKS);
    sink->held += count - held->count; /* modulo 2^64, so it may fall */
    held->count = count;
    return count > MOST_HELD || (sink->held > MOST_HELD_TOGETHER && count > FIRST_LOOK);
}

void clear_held(HeldItems *held, Sink *sink) {
    sink->held -= held->count;
    held->count = 0;
}

bool note_forgotten(const Sink *sink, int64_t connection, const Event *event) {
    return is_called(PyObject_CallMethod(sink->host, "forget_held", "LiLL", (long long)connection, event->direction,
                                         (long long)event->ns, (long long)event->offset));
}
