/* Events of a 0-x connection to messages, requests with replies; the counterpart of
   `amqp_traffic.messages.amqp0.assembly`.

   Theory of operation. Frames may be missing from the capture, so what does not fit is not an error. What concerns all
   channels must not cost time for each: channels are in the order of their last events, so connection.close reaches
   only those with events since the last one; and a channel learns that frames were missing when its next event
   comes. */
#include "amqp0_channel.h"
#include "memory.h"

/* Where the next frames should begin, to detect missing frames. Heartbeats and protocol headers, of eight octets each,
   make no events. Frame numbers tell how many there are. Any other gap in a stream means that octets were lost or were
   not frames. */
typedef struct {
    int64_t expected[2]; /* offset by direction; -1 before the first event */
    int64_t quiet;
    int64_t events; /* so far */
} Continuity;

enum { FRAME_OVERHEAD = 8 };

struct Assembly0 {
    Setting0 setting;
    Continuity continuity;
    Map channels;
    Channel0 *first, *last; /* the last is the one with the last event */
    HeldItems held;
    uint64_t lost_at[2],
        closed_at[2]; /* by direction: the event before which frames were missing; of connection.close */
};

/* --- Continuity */

/* True if frames are missing before an event. */
static bool breaks(Continuity *continuity, const Event *event) {
    int64_t expected = continuity->expected[event->direction], unheard = event->frame_no - continuity->events;
    if (event->offset == expected) { return false; }
    if (expected < 0) {
        continuity->quiet += event->offset == FRAME_OVERHEAD; /* the protocol header */
        return false;
    }
    int64_t distance = event->offset - expected;
    continuity->quiet += distance / FRAME_OVERHEAD;
    if (distance > 0 && distance % FRAME_OVERHEAD == 0 && continuity->quiet <= unheard) { return false; }
    continuity->quiet = unheard;
    return true;
}

static void note_event(Assembly0 *assembly, const Event *event) {
    Continuity *continuity = &assembly->continuity;
    bool is_broken = breaks(continuity, event);
    continuity->events++;
    if (is_broken) { assembly->lost_at[event->direction] = (uint64_t)continuity->events; }
    continuity->expected[event->direction] = event->offset + (int64_t)event->size + FRAME_OVERHEAD;
}

/* --- Channels */

static Channel0 *add_channel(Assembly0 *assembly, uint16_t number) {
    Channel0 *channel = new_channel0(&assembly->setting, number);
    if (channel == NULL) { return NULL; }
    if (!map_put(&assembly->channels, number, channel)) {
        free_channel0(channel);
        return NULL;
    }
    APPEND_ITEM(assembly, channel, earlier, later);
    return channel;
}

/* The channel of an event, which has learnt of missing frames. */
static Channel0 *channel_of(Assembly0 *assembly, const Event *event) {
    Channel0 *channel = map_get(&assembly->channels, event->channel);
    if (channel == NULL) {
        channel = add_channel(assembly, event->channel);
        if (channel == NULL) { return NULL; }
    }
    else {
        for (int direction = 0; direction < 2; direction++) {
            if (channel->touched_at < assembly->lost_at[direction]) { lose_frames0(channel, direction); }
        }
        if (assembly->last != channel) {
            REMOVE_ITEM(assembly, channel, earlier, later);
            APPEND_ITEM(assembly, channel, earlier, later);
        }
    }
    channel->touched_at = (uint64_t)assembly->continuity.events;
    return assembly->setting.has_failed ? NULL : channel;
}

static void remove_channel(Assembly0 *assembly, Channel0 *channel, const char *outcome) {
    end_channel0(channel, outcome);
    REMOVE_ITEM(assembly, channel, earlier, later);
    map_take(&assembly->channels, channel->number);
    free_channel0(channel);
}

static void remove_all(Assembly0 *assembly, const char *outcome) {
    while (assembly->last != NULL) { remove_channel(assembly, assembly->last, outcome); }
}

/* --- Methods of classes connection and channel */

static const char CHANNEL_CLOSE[] = "channel.close", CONNECTION_CLOSE[] = "connection.close";

/* The others have been closed, and nothing has happened on them since. */
static void close_channels(Assembly0 *assembly, const Event *event) {
    uint64_t *closed_at = &assembly->closed_at[event->direction];
    for (Channel0 *channel = assembly->last; channel != NULL && channel->touched_at > *closed_at;
         channel = channel->earlier) {
        take_close0(channel, event, CONNECTION_CLOSE);
    }
    *closed_at = (uint64_t)assembly->continuity.events;
}

static void take_control(Assembly0 *assembly, Channel0 *channel, const Event *event) {
    if (event->layout == NULL || event->channel != 0) { return; }
    if (is_named(event->layout, CONNECTION_CLOSE)) { close_channels(assembly, event); }
    take_other0(channel, event);
    if (is_named(event->layout, "connection.close-ok") && !awaits_reply0(&channel->requests, CONNECTION_CLOSE)) {
        remove_all(assembly, "closed");
    }
}

static void take_method(Assembly0 *assembly, Channel0 *channel, const Event *event) {
    const MethodKeys *keys = &assembly->setting.sink->keys;
    end_open_content0(channel, event->direction);
    if (assembly->setting.has_failed || take_meaning0(channel, event)) { return; }
    if (event->key >> 16 == keys->connection_class) {
        take_control(assembly, channel, event);
        return;
    }
    if (event->key == keys->channel_close) { take_close0(channel, event, CHANNEL_CLOSE); }
    take_other0(channel, event);
    /* The other side may have closed it at the same time. */
    if (event->key == keys->channel_close_ok && !awaits_reply0(&channel->requests, CHANNEL_CLOSE)) {
        remove_channel(assembly, channel, "closed");
    }
}

/* --- The assembly */

Assembly0 *new_assembly0(Sink *sink, int64_t connection) {
    Assembly0 *assembly = zeros(1, sizeof(Assembly0));
    if (assembly == NULL) { return NULL; }
    assembly->setting = (Setting0){.sink = sink, .connection = connection};
    assembly->continuity.expected[0] = assembly->continuity.expected[1] = -1;
    start_held(&assembly->held);
    return assembly;
}

void read_by0(Assembly0 *assembly, const Package *package) { assembly->setting.package = package; }

/* Counts what is held before the event of a method, and forgets it if it is too much. */
static bool look(Assembly0 *assembly, const Event *event) {
    Setting0 *setting = &assembly->setting;
    size_t count = 0;
    for (const Channel0 *channel = assembly->first; channel != NULL; channel = channel->later) {
        count += CHANNEL_WEIGHT + held_by_channel0(channel);
    }
    if (!is_too_much(&assembly->held, setting->sink, count, assembly->continuity.events)) { return true; }
    remove_all(assembly, NOT_FOLLOWED);
    clear_held(&assembly->held, setting->sink);
    return !setting->has_failed && note_forgotten(setting->sink, setting->connection, event);
}

bool add_event0(Assembly0 *assembly, const Event *event) {
    bool is_time = event->kind == METHOD_EVENT && assembly->continuity.events >= assembly->held.next_look;
    if (is_time && !look(assembly, event)) { return false; }
    note_event(assembly, event);
    Channel0 *channel = channel_of(assembly, event);
    if (channel == NULL) { assembly->setting.has_failed = true; }
    else if (event->kind == BODY_EVENT) { take_body0(channel, event); }
    else if (event->kind == HEADER_EVENT) { take_header0(channel, event); }
    else { take_method(assembly, channel, event); }
    return !assembly->setting.has_failed;
}

bool finish_assembly0(Assembly0 *assembly) {
    remove_all(assembly, "unanswered");
    clear_held(&assembly->held, assembly->setting.sink);
    bool is_done = !assembly->setting.has_failed;
    free_map(&assembly->channels);
    PyMem_Free(assembly);
    return is_done;
}

void free_assembly0(Assembly0 *assembly) {
    assembly->setting.has_failed = true; /* so that no row is written */
    finish_assembly0(assembly);
}

int visit_assembly0(const Assembly0 *assembly, visitproc visit, void *arg) {
    for (const Channel0 *channel = assembly->first; channel != NULL; channel = channel->later) {
        VISIT_WITH(visit_channel0(channel, visit, arg));
    }
    return 0;
}
