/* Deliveries by number, and what dispositions tell about ranges of numbers (part 2, section 2.6.12); the counterpart of
   `amqp_traffic.dialogue.amqp1.number_ranges`.

   Theory of operation. A binary trie over the 32 bits of numbers: a branch has the smallest aligned block of numbers in
   which two items are. What is told about a range stays at the few branches and items that make up the range, at most
   two for each bit, and moves down along the paths that are walked later. So a disposition costs at most some 64 steps,
   however many deliveries its range has, and whatever numbers a peer chooses. */
#ifndef AMQP_NATIVE_INGEST_AMQP1_NUMBERS_H
#define AMQP_NATIVE_INGEST_AMQP1_NUMBERS_H

#include "amqp1_states.h"

/* What one or more dispositions, in their order, tell about a delivery. */
typedef struct {
    PyObject *name;  /* str: the last state; or NULL. A reference of its own */
    Meaning meaning; /* the last outcome */
    int64_t since;   /* when that outcome came first */
    bool had_other;  /* another outcome came before, so that it is new in any case */
} Told;

/* Adds what was told later. */
void add_told(Told *told, const Told *later);
void drop_told(Told *told);

/* A branch; or an item, which has its place in what it stands for. */
typedef struct Spot {
    uint32_t first, last;    /* equal in an item */
    Told told;               /* about all of them */
    struct Spot *low, *high; /* halves of the block; NULL in an item */
} Spot;

typedef struct {
    Spot *root;
} Numbers;

Spot *spot_at(const Numbers *numbers, uint32_t number);
/* Adds an item whose number is free. */
bool add_spot(Numbers *numbers, Spot *item);
/* Moves what was told about the item, which has to be there, down to it. */
void tell_spot(const Numbers *numbers, const Spot *item);
/* Removes an item, which has to be there, after `tell_spot`. */
void take_spot(Numbers *numbers, Spot *item);

/* A range of numbers, which may go on after the highest one with 0 (RFC 1982); it is empty if it ends before it
   begins. */
typedef struct {
    uint32_t first, last;
} NumberRange;

/* The first item of a range; NULL when there is none. */
Spot *first_spot(const Numbers *numbers, NumberRange range);
void tell_range(const Numbers *numbers, NumberRange range, const Told *told);
/* Visits what is told: of the root, about all items. */
int visit_spots(const Spot *spot, visitproc visit, void *arg);

#endif
