#include "assembly.h"
#include "map.h"

/* A request, a reply or both; NULL is none. */
#define NUMBER_OF(sent, member) ((sent) == NULL ? no_value() : number_value((sent)->member))
#define OWN_VALUES(VALUE)                                                        \
    VALUE("connection", number_value(connection))                                \
    VALUE("channel", number_value((request == NULL ? reply : request)->channel)) \
    VALUE("request_direction", number_value(direction))                          \
    VALUE("outcome", text_value(outcome))                                        \
    VALUE("latency", latency)                                                    \
    VALUE("request.name", name_of(request))                                      \
    VALUE("request.frame_no", NUMBER_OF(request, frame_no))                      \
    VALUE("request.offset", NUMBER_OF(request, offset))                          \
    VALUE("request.ns", NUMBER_OF(request, ns))                                  \
    VALUE("reply.name", name_of(reply))                                          \
    VALUE("reply.frame_no", NUMBER_OF(reply, frame_no))                          \
    VALUE("reply.offset", NUMBER_OF(reply, offset))                              \
    VALUE("reply.ns", NUMBER_OF(reply, ns))

static const char *const OWN[] = {OWN_VALUES(NAME_OF)};
static const Origin ORIGINS[] = {{"own", 0, COUNT_OF(OWN), OWN}, {.name = NULL}};

bool make_sink(Sink *sink, PyObject *recipes) {
    return make_secret(&sink->secret)
           && read_recipe(&sink->exchange_rows, sink->exchanges, recipes, "exchanges", ORIGINS)
           && make_sink0(sink, recipes) && make_sink1(sink, recipes);
}

static Value name_of(const Sent *sent) { return sent == NULL ? no_value() : run_value(TEXT, sent->name); }

static bool put(const Sink *sink, int64_t connection, int direction, const Sent *request, const char *outcome,
                const Sent *reply) {
    Value latency = no_value();
    if (request != NULL && reply != NULL) {
        latency = number_value((int64_t)((uint64_t)reply->ns - (uint64_t)request->ns));
    }
    const Value values[] = {OWN_VALUES(VALUE_OF)};
    return put_row(&sink->exchange_rows, values);
}

bool put_exchange(Sink *sink, int64_t connection, const Sent *request, const char *outcome, const Sent *reply) {
    return take_step(sink->steps) && put(sink, connection, request->direction, request, outcome, reply);
}

bool put_unasked(Sink *sink, int64_t connection, const Sent *reply) {
    return put(sink, connection, 1 - reply->direction, NULL, "out-of-order", reply);
}
