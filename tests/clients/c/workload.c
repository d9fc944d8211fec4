/* The workload (see ../workload.py) with librabbitmq: workload HOST PORT NAME */

#include <amqp.h>
#include <amqp_tcp_socket.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct {
    int publish, confirm, returned, deliver, get, empty, ack, nack, reject;
} counts;

static char exchange[64], dead[64], calls[64];

static void check(amqp_connection_state_t connection, const char *what) {
    if (amqp_get_rpc_reply(connection).reply_type == AMQP_RESPONSE_NORMAL) { return; }
    fprintf(stderr, "%s failed\n", what);
    exit(1);
}

static amqp_connection_state_t connect_to_broker(const char *host, int port) {
    amqp_connection_state_t connection = amqp_new_connection();
    amqp_socket_t *socket = amqp_tcp_socket_new(connection);
    if (amqp_socket_open(socket, host, port) != 0) { exit(1); }
    amqp_login(connection, "/", 0, 131072, 0, AMQP_SASL_METHOD_PLAIN, "guest", "guest");
    return connection;
}

static void open_channel(amqp_connection_state_t connection, amqp_channel_t channel) {
    amqp_channel_open(connection, channel);
    check(connection, "channel.open");
}

static void publish(amqp_connection_state_t connection, amqp_channel_t channel, const char *to, const char *key,
                    int mandatory, amqp_basic_properties_t *properties, amqp_bytes_t body) {
    counts.publish++;
    amqp_basic_publish(connection, channel, amqp_cstring_bytes(to), amqp_cstring_bytes(key), mandatory, 0, properties, body);
}

static void publish_text(amqp_connection_state_t connection, amqp_channel_t channel, const char *key, int mandatory,
                         const char *text) {
    amqp_basic_properties_t properties = {._flags = AMQP_BASIC_DELIVERY_MODE_FLAG, .delivery_mode = 2};
    publish(connection, channel, exchange, key, mandatory, &properties, amqp_cstring_bytes(text));
}

static void get_all(amqp_connection_state_t connection, amqp_channel_t channel, const char *queue) {
    for (;;) {
        amqp_rpc_reply_t reply = amqp_basic_get(connection, channel, amqp_cstring_bytes(queue), 0);
        if (reply.reply.id == AMQP_BASIC_GET_EMPTY_METHOD) { break; }
        uint64_t tag = ((amqp_basic_get_ok_t *)reply.reply.decoded)->delivery_tag;
        amqp_message_t message;
        amqp_read_message(connection, channel, &message, 0);
        amqp_destroy_message(&message);
        counts.get++;
        counts.ack++;
        amqp_basic_ack(connection, channel, tag, 0);
    }
    counts.empty++;
}

/* Takes confirms and returned messages until all that was published is confirmed. */
static void wait_for_confirms(amqp_connection_state_t connection, amqp_channel_t channel) {
    bool is_confirmed[64] = {false};
    while (counts.confirm < counts.publish) {
        amqp_frame_t frame;
        amqp_simple_wait_frame(connection, &frame);
        if (frame.frame_type != AMQP_FRAME_METHOD) { continue; }
        if (frame.payload.method.id == AMQP_BASIC_ACK_METHOD) {
            const amqp_basic_ack_t *ack = frame.payload.method.decoded;
            for (uint64_t tag = ack->multiple ? 1 : ack->delivery_tag; tag <= ack->delivery_tag && tag < 64; tag++) {
                counts.confirm += !is_confirmed[tag];
                is_confirmed[tag] = true;
            }
        }
        else if (frame.payload.method.id == AMQP_BASIC_RETURN_METHOD) {
            amqp_message_t message;
            amqp_read_message(connection, channel, &message, 0);
            amqp_destroy_message(&message);
            counts.returned++;
        }
    }
}

static void confirms(amqp_connection_state_t connection) {
    amqp_table_entry_t entry = {amqp_cstring_bytes("x-dead-letter-exchange"),
                                {AMQP_FIELD_KIND_UTF8, {.bytes = amqp_cstring_bytes(dead)}}};
    amqp_table_t dead_letters = {1, &entry};
    amqp_bytes_t main_name = amqp_cstring_bytes(exchange), dead_name = amqp_cstring_bytes(dead);
    open_channel(connection, 1);
    amqp_exchange_declare(connection, 1, main_name, amqp_cstring_bytes("direct"), 0, 1, 0, 0, amqp_empty_table);
    amqp_exchange_declare(connection, 1, dead_name, amqp_cstring_bytes("fanout"), 0, 1, 0, 0, amqp_empty_table);
    amqp_queue_declare(connection, 1, main_name, 0, 1, 0, 0, dead_letters);
    amqp_queue_declare(connection, 1, dead_name, 0, 1, 0, 0, amqp_empty_table);
    amqp_queue_bind(connection, 1, main_name, main_name, amqp_cstring_bytes("work"), amqp_empty_table);
    amqp_queue_bind(connection, 1, dead_name, dead_name, amqp_empty_bytes, amqp_empty_table);
    check(connection, "queue.bind");
    amqp_confirm_select(connection, 1);
    for (int number = 0; number < 50; number++) {
        char text[32];
        snprintf(text, sizeof text, "message %d", number);
        publish_text(connection, 1, "work", 0, text);
    }
    for (int number = 0; number < 3; number++) { publish_text(connection, 1, "nowhere", 1, "lost"); }
    static char large[300001];
    for (int octet = 'x'; octet <= 'y'; octet++) {
        memset(large, octet, sizeof large - 1);
        publish_text(connection, 1, "work", 0, large);
    }
    wait_for_confirms(connection, 1);
    amqp_channel_close(connection, 1, AMQP_REPLY_SUCCESS);
}

static void consume(amqp_connection_state_t connection) {
    open_channel(connection, 2);
    amqp_basic_qos(connection, 2, 0, 5, 0);
    amqp_bytes_t tag = amqp_cstring_bytes("worker");
    amqp_basic_consume(connection, 2, amqp_cstring_bytes(exchange), tag, 0, 0, 0, amqp_empty_table);
    check(connection, "basic.consume");
    for (int settled = 0; settled < 52;) {
        amqp_envelope_t envelope;
        amqp_consume_message(connection, &envelope, NULL, 0);
        counts.deliver++;
        if (!envelope.redelivered && counts.nack < 3) {
            counts.nack++;
            amqp_basic_nack(connection, 2, envelope.delivery_tag, 0, 1);
        }
        else if (counts.reject < 7) {
            counts.reject++;
            settled++;
            amqp_basic_reject(connection, 2, envelope.delivery_tag, 0);
        }
        else {
            counts.ack++;
            settled++;
            amqp_basic_ack(connection, 2, envelope.delivery_tag, 0);
        }
        amqp_destroy_envelope(&envelope);
    }
    amqp_basic_cancel(connection, 2, tag);
    get_all(connection, 2, dead);
    amqp_channel_close(connection, 2, AMQP_REPLY_SUCCESS);
}

/* Answers the next call. */
static void serve(amqp_connection_state_t server) {
    amqp_envelope_t envelope;
    amqp_consume_message(server, &envelope, NULL, 0);
    counts.deliver++;
    amqp_bytes_t reply_to = envelope.message.properties.reply_to;
    amqp_basic_properties_t properties = {._flags = AMQP_BASIC_CORRELATION_ID_FLAG,
                                          .correlation_id = envelope.message.properties.correlation_id};
    counts.publish++;
    amqp_basic_publish(server, 1, amqp_empty_bytes, reply_to, 0, 0, &properties, amqp_cstring_bytes("answer"));
    counts.ack++;
    amqp_basic_ack(server, 1, envelope.delivery_tag, 0);
    amqp_destroy_envelope(&envelope);
}

static void make_calls(amqp_connection_state_t connection, amqp_connection_state_t server) {
    amqp_bytes_t queue = amqp_cstring_bytes(calls), reply_to = amqp_cstring_bytes("amq.rabbitmq.reply-to");
    open_channel(server, 1);
    amqp_queue_declare(server, 1, queue, 0, 0, 1, 1, amqp_empty_table); /* exclusive to this connection */
    amqp_basic_consume(server, 1, queue, amqp_empty_bytes, 0, 0, 0, amqp_empty_table);
    check(server, "basic.consume");
    open_channel(connection, 3);
    amqp_queue_declare(connection, 3, queue, 1, 0, 0, 0, amqp_empty_table);
    amqp_channel_close_ok_t refused = {0};
    amqp_send_method(connection, 3, AMQP_CHANNEL_CLOSE_OK_METHOD, &refused);
    open_channel(connection, 4);
    amqp_basic_consume(connection, 4, reply_to, amqp_empty_bytes, 0, 1, 0, amqp_empty_table);
    check(connection, "basic.consume");
    for (int number = 0; number < 9; number++) {
        amqp_basic_properties_t properties = {._flags = AMQP_BASIC_REPLY_TO_FLAG, .reply_to = reply_to};
        publish(connection, 4, "", calls, 0, &properties, amqp_cstring_bytes("call"));
        serve(server);
        amqp_envelope_t answer;
        amqp_consume_message(connection, &answer, NULL, 0);
        counts.deliver++;
        amqp_destroy_envelope(&answer);
    }
    amqp_channel_close(connection, 4, AMQP_REPLY_SUCCESS);
}

static void transactions(amqp_connection_state_t connection) {
    open_channel(connection, 5);
    amqp_tx_select(connection, 5);
    for (int number = 0; number < 4; number++) { publish_text(connection, 5, "work", 0, "committed"); }
    amqp_tx_commit(connection, 5);
    for (int number = 0; number < 3; number++) { publish_text(connection, 5, "work", 0, "rolled back"); }
    amqp_tx_rollback(connection, 5);
    get_all(connection, 5, exchange);
    amqp_tx_commit(connection, 5);
    const char *names[] = {exchange, dead};
    for (int number = 0; number < 2; number++) {
        amqp_queue_delete(connection, 5, amqp_cstring_bytes(names[number]), 0, 0);
        amqp_exchange_delete(connection, 5, amqp_cstring_bytes(names[number]), 0);
    }
    check(connection, "exchange.delete");
}

int main(int count, char **arguments) {
    if (count != 4) { return 2; }
    snprintf(exchange, sizeof exchange, "%s", arguments[3]);
    snprintf(dead, sizeof dead, "%s.dead", arguments[3]);
    snprintf(calls, sizeof calls, "%s.calls", arguments[3]);
    int port = atoi(arguments[2]);
    amqp_connection_state_t connection = connect_to_broker(arguments[1], port);
    amqp_connection_state_t other = connect_to_broker(arguments[1], port);
    confirms(connection);
    consume(connection);
    make_calls(connection, other);
    transactions(connection);
    amqp_connection_close(other, AMQP_REPLY_SUCCESS);
    amqp_connection_close(connection, AMQP_REPLY_SUCCESS);
    amqp_destroy_connection(other);
    amqp_destroy_connection(connection);
    printf("{\"publish\": %d, \"confirm\": %d, \"return\": %d, \"deliver\": %d, \"get\": %d, \"empty\": %d, ",
           counts.publish, counts.confirm, counts.returned, counts.deliver, counts.get, counts.empty);
    printf("\"ack\": %d, \"nack\": %d, \"reject\": %d}\n", counts.ack, counts.nack, counts.reject);
    return 0;
}
