/* How work ends. Every function of native/ that can fail follows one of these contracts; nothing else tells a failure.

   - `Result`: with three ends, as below.
   - A pointer from a function that makes or reads something: NULL always with an exception. One from a function that
     looks something up (`find_`, `look_up`, `map_get`, `..._at`, `take`): NULL if it is not there, never with one.
   - `bool` of work: false always with an exception. `bool` of a question (`is_`, `has_`), of octets.h and of variant.h,
     where false means not plain, and `bytes_run`, `signed_64`, `unsigned_64`: never with one.
   - `int`: what Python prescribes for a slot of a type or a module.

   With an exception set, nothing of Python is called but what gives references back. */
#ifndef AMQP_NATIVE_RESULT_H
#define AMQP_NATIVE_RESULT_H

typedef enum {
    FAILED = -1, /* an exception is set */
    NOT_PLAIN,   /* Python has to do it; no exception is set */
    DONE
} Result;

/* Ends the function with the result of a call that is not DONE. */
#define RETURN_UNLESS_DONE(call)                               \
    do {                                                       \
        Result result_of_call = (call);                        \
        if (result_of_call != DONE) { return result_of_call; } \
    } while (0)

/* The result of a question, whose answer is no where something is not plain. */
static inline Result plain_if(bool is_plain) { return is_plain ? DONE : NOT_PLAIN; }

/* The result of work that ends with an exception if it is not done. */
static inline Result done_or_failed(bool is_done) { return is_done ? DONE : FAILED; }

#endif
