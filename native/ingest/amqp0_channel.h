/* The messages and requests of a 0-x channel, from its first event on; the counterpart of
   `amqp_traffic.messages.amqp0.channel` and `.contents`, with that part of `amqp_traffic.dialogue.amqp0.channel` on
   which messages depend.

   Both sides may send content at the same time. A side sends no other method between the frames of a content. */
#ifndef AMQP_NATIVE_INGEST_AMQP0_CHANNEL_H
#define AMQP_NATIVE_INGEST_AMQP0_CHANNEL_H

#include "amqp0_requests.h"

typedef struct Channel0 {
    Setting0 *setting;
    uint16_t number;
    bool begins;            /* everything since channel.open was captured */
    Message0 *open[2];      /* by direction: the message whose content is under way, or NULL */
    Outstanding deliveries; /* that the client has to settle */
    Outstanding published;  /* that the broker has to confirm */
    int64_t confirm_number; /* of what was published last, from 1; -1: not counted */
    Consumers consumers;
    QueueName *queue; /* that an empty name stands for; NULL if it is not known */
    Requests0 requests;
    /* For the assembly: the number of its last event, and the channels with events after and before. */
    uint64_t touched_at;
    struct Channel0 *earlier, *later;
} Channel0;

Channel0 *new_channel0(Setting0 *setting, uint16_t number);
/* How many messages, requests and consumers wait for something. */
size_t held_by_channel0(const Channel0 *channel);
/* Ends all messages and requests under way; `outcome` is that of requests without a reply, and of messages if it is
   `NOT_FOLLOWED`. */
void end_channel0(Channel0 *channel, const char *outcome);
/* After `end_channel0`. */
void free_channel0(Channel0 *channel);
int visit_channel0(const Channel0 *channel, visitproc visit, void *arg);

void take_header0(Channel0 *channel, const Event *event);
void take_body0(Channel0 *channel, const Event *event);
/* No more content comes in this direction. */
void end_open_content0(Channel0 *channel, int direction);

/* Takes a method that means more than a request or a reply; false for any other. */
bool take_meaning0(Channel0 *channel, const Event *event);
/* Takes any method, as a request or a reply. */
void take_other0(Channel0 *channel, const Event *event);
/* Takes channel.close or connection.close, as `name` says: the other side has no effect any more. */
void take_close0(Channel0 *channel, const Event *event, const char *name);
/* Frames of this direction are missing. */
void lose_frames0(Channel0 *channel, int direction);

#endif
