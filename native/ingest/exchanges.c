#include "assembly.h"
#include "map.h"

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))

/* clang-format off */
static const char *const ASKED[] = {
    "connection", "channel", "name", "request_dir", "request_frame_no", "request_off", "request_ns", "outcome",
    "reply_name", "reply_frame_no", "reply_off", "reply_ns", "latency_ns",
};
/* clang-format on */
enum { UNANSWERED_COUNT = 8 };
static const char *const UNASKED[] = {
    "connection", "channel", "request_dir", "reply_name", "reply_frame_no", "reply_off", "reply_ns", "outcome",
};

bool make_sink(Sink *sink) {
    return make_secret(&sink->secret) && pick_columns(&sink->unanswered_rows, sink->exchanges, ASKED, UNANSWERED_COUNT)
           && pick_columns(&sink->answered_rows, sink->exchanges, ASKED, COUNT_OF(ASKED))
           && pick_columns(&sink->unasked_rows, sink->exchanges, UNASKED, COUNT_OF(UNASKED)) && make_sink0(sink)
           && make_sink1(sink);
}

bool put_exchange(Sink *sink, int64_t connection, const Sent *request, const char *outcome, const Sent *reply) {
    Value values[COUNT_OF(ASKED)] = {
        number_value(connection),        number_value(request->channel),
        run_value(TEXT, request->name),  number_value(request->direction),
        number_value(request->frame_no), number_value(request->offset),
        number_value(request->ns),       text_value(outcome),
    };
    if (!take_step(sink->steps)) { return false; }
    if (reply == NULL) { return put_row(&sink->unanswered_rows, values); }
    values[UNANSWERED_COUNT] = run_value(TEXT, reply->name);
    values[UNANSWERED_COUNT + 1] = number_value(reply->frame_no);
    values[UNANSWERED_COUNT + 2] = number_value(reply->offset);
    values[UNANSWERED_COUNT + 3] = number_value(reply->ns);
    values[UNANSWERED_COUNT + 4] = number_value((int64_t)((uint64_t)reply->ns - (uint64_t)request->ns));
    return put_row(&sink->answered_rows, values);
}

bool put_unasked(Sink *sink, int64_t connection, const Sent *reply) {
    const Value values[COUNT_OF(UNASKED)] = {
        number_value(connection),     number_value(reply->channel),  number_value(1 - reply->direction),
        run_value(TEXT, reply->name), number_value(reply->frame_no), number_value(reply->offset),
        number_value(reply->ns),      text_value("out-of-order"),
    };
    return put_row(&sink->unasked_rows, values);
}
