#include "amqp1_numbers.h"

#include "memory.h"

/* --- What is told */

void add_told(Told *told, const Told *later) {
    if (later->name != NULL) { set_reference(&told->name, Py_NewRef(later->name)); }
    if (later->meaning == NO_OUTCOME || (later->meaning == told->meaning && !later->had_other)) { return; }
    told->had_other = later->had_other || told->meaning != NO_OUTCOME;
    told->meaning = later->meaning;
    told->since = later->since;
}

void drop_told(Told *told) {
    set_reference(&told->name, NULL);
    *told = (Told){.name = NULL};
}

/* --- Items */

static bool is_item(const Spot *spot) { return spot->low == NULL; }
static bool covers(const Spot *spot, uint32_t number) { return spot->first <= number && number <= spot->last; }

static Spot **half_of(Spot *branch, uint32_t number) {
    uint32_t middle = branch->first + (branch->last - branch->first) / 2;
    return number > middle ? &branch->high : &branch->low;
}

static void push_down(Spot *branch) {
    add_told(&branch->low->told, &branch->told);
    add_told(&branch->high->told, &branch->told);
    drop_told(&branch->told);
}

Spot *spot_at(const Numbers *numbers, uint32_t number) {
    Spot *spot = numbers->root;
    while (spot != NULL && covers(spot, number)) {
        if (is_item(spot)) { return spot; }
        spot = *half_of(spot, number);
    }
    return NULL;
}

/* The smallest aligned block with the items of a spot and another one. */
static Spot *new_branch(Spot *spot, Spot *item) {
    uint32_t mask = spot->first ^ item->first;
    for (int shift = 1; shift < 32; shift *= 2) { mask |= mask >> shift; }
    Spot *branch = zeros(1, sizeof *branch);
    if (branch == NULL) { return NULL; }
    branch->first = item->first & ~mask;
    branch->last = item->first | mask;
    bool is_higher = item->first > spot->first;
    branch->low = is_higher ? spot : item;
    branch->high = is_higher ? item : spot;
    return branch;
}

bool add_spot(Numbers *numbers, Spot *item) {
    Spot **place = &numbers->root;
    item->low = item->high = NULL;
    while (*place != NULL && covers(*place, item->first)) {
        push_down(*place);
        place = half_of(*place, item->first);
    }
    Spot *spot = *place == NULL ? item : new_branch(*place, item);
    if (spot == NULL) { return false; }
    *place = spot;
    return true;
}

void tell_spot(const Numbers *numbers, const Spot *item) {
    for (Spot *spot = numbers->root; spot != item; spot = *half_of(spot, item->first)) { push_down(spot); }
}

void take_spot(Numbers *numbers, Spot *item) {
    Spot **place = &numbers->root, **above = NULL;
    while (*place != item) {
        above = place;
        place = half_of(*place, item->first);
    }
    *place = NULL;
    if (above == NULL) { return; }
    Spot *branch = *above; /* whose other half takes its place */
    *above = branch->low == NULL ? branch->high : branch->low;
    PyMem_Free(branch);
}

/* --- Ranges. One that goes on after the highest number is two without that. */

static bool is_empty(NumberRange range) { return range.last - range.first > INT32_MAX; }
static bool goes_round(NumberRange range) { return range.last < range.first; }

static bool is_apart(const Spot *spot, NumberRange range) {
    return spot == NULL || spot->last < range.first || range.last < spot->first;
}

/* Each branch in a range has an item there, so this walks down the two ends of the range at most. */
static Spot *first_within(Spot *spot, NumberRange range) {
    if (is_apart(spot, range) || is_item(spot)) { return is_apart(spot, range) ? NULL : spot; }
    Spot *found = first_within(spot->low, range);
    return found == NULL ? first_within(spot->high, range) : found;
}

Spot *first_spot(const Numbers *numbers, NumberRange range) {
    if (is_empty(range)) { return NULL; }
    if (!goes_round(range)) { return first_within(numbers->root, range); }
    Spot *found = first_within(numbers->root, (NumberRange){range.first, UINT32_MAX});
    return found == NULL ? first_within(numbers->root, (NumberRange){0, range.last}) : found;
}

static void tell_within(Spot *spot, NumberRange range, const Told *told) {
    if (is_apart(spot, range)) { return; }
    if (range.first <= spot->first && spot->last <= range.last) {
        add_told(&spot->told, told);
        return;
    }
    push_down(spot);
    tell_within(spot->low, range, told);
    tell_within(spot->high, range, told);
}

void tell_range(const Numbers *numbers, NumberRange range, const Told *told) {
    if (is_empty(range)) { return; }
    if (!goes_round(range)) {
        tell_within(numbers->root, range, told);
        return;
    }
    tell_within(numbers->root, (NumberRange){range.first, UINT32_MAX}, told);
    tell_within(numbers->root, (NumberRange){0, range.last}, told);
}

int visit_spots(const Spot *spot, visitproc visit, void *arg) {
    if (spot == NULL) { return 0; }
    Py_VISIT(spot->told.name);
    VISIT_WITH(visit_spots(spot->low, visit, arg));
    return visit_spots(spot->high, visit, arg);
}
