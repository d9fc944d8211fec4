#include "amqp1_requests.h"

enum { MOST_OPEN_REQUESTS = 4096 };

struct Request {
    Chained chained; /* by a hash of its key */
    RequestKey key;  /* the name is a copy */
    Sent sent;
    Request *earlier, *later; /* in the order in which they came */
    uint8_t name_octets[];
};

static Sent sent_by(const Event *event) {
    return (Sent){event->layout->name_text, event->frame_no, event->direction, event->channel, event->offset, event->ns};
}

static uint64_t hash_of(const ConnectionRequests *requests, const RequestKey *key) {
    return mix_key(hash_of_link(requests->sink->secret, &key->link), (uint64_t)(key->session * 8 + key->kind));
}

static bool is_same(const RequestKey *one, const RequestKey *other) {
    return one->kind == other->kind && one->session == other->session && is_same_link(&one->link, &other->link);
}

static Request *find(const ConnectionRequests *requests, const RequestKey *key) {
    Request *request = map_get(&requests->open, hash_of(requests, key));
    while (request != NULL && !is_same(&request->key, key)) request = (Request *)request->chained.next;
    return request;
}

static Request *new_request(const ConnectionRequests *requests, const RequestKey *key, const Event *event) {
    size_t size = key->link.has_name ? input_size(&key->link.name) : 0;
    Request *request = PyMem_Calloc(1, sizeof(Request) + size);
    if (request == NULL) {
        PyErr_NoMemory();
        return NULL;
    }
    request->key = *key;
    request->sent = sent_by(event);
    request->chained.key = hash_of(requests, key);
    if (size > 0) memcpy(request->name_octets, key->link.name.at, size);
    request->key.link.name = (Input){request->name_octets, request->name_octets + size};
    return request;
}

static bool put_in(ConnectionRequests *requests, Request *request) {
    if (!chain_put(&requests->open, &request->chained)) return false;
    request->earlier = requests->newest;
    *(requests->newest == NULL ? &requests->oldest : &requests->newest->later) = request;
    requests->newest = request;
    requests->count++;
    return true;
}

static void drop(ConnectionRequests *requests, Request *request) {
    chain_take(&requests->open, &request->chained);
    *(request->earlier == NULL ? &requests->oldest : &request->earlier->later) = request->later;
    *(request->later == NULL ? &requests->newest : &request->later->earlier) = request->earlier;
    requests->count--;
    PyMem_Free(request);
}

/* Writes the row of a request, and drops it. */
static bool put_out(ConnectionRequests *requests, Request *request, const char *outcome, const Sent *reply) {
    bool is_done = put_exchange(requests->sink, requests->connection, &request->sent, outcome, reply);
    drop(requests, request);
    return is_done;
}

bool pair_request(ConnectionRequests *requests, const RequestKey *key, const Event *event) {
    const Request *request = find(requests, key);
    if (request == NULL || request->sent.direction == event->direction) return add_request(requests, key, event);
    return answer_request(requests, key, event, true);
}

bool add_request(ConnectionRequests *requests, const RequestKey *key, const Event *event) {
    Request *before = find(requests, key);
    if (before == NULL && requests->count >= MOST_OPEN_REQUESTS) before = requests->oldest;
    if (before != NULL && !put_out(requests, before, "unanswered", NULL)) return false;
    Request *request = new_request(requests, key, event);
    if (request == NULL || put_in(requests, request)) return request != NULL;
    PyMem_Free(request);
    return false;
}

bool answer_request(ConnectionRequests *requests, const RequestKey *key, const Event *event, bool is_certain) {
    Request *request = find(requests, key);
    Sent reply = sent_by(event);
    if (request != NULL && request->sent.direction != reply.direction) return put_out(requests, request, "ok", &reply);
    return !is_certain || put_unasked(requests->sink, requests->connection, &reply);
}

bool close_requests(ConnectionRequests *requests, const Event *event, int64_t session) {
    Sent reply = sent_by(event);
    for (Request *request = requests->oldest, *later; request != NULL; request = later) {
        later = request->later;
        bool is_other = request->sent.direction != reply.direction && !equal_runs(&request->sent.name, &reply.name);
        if (is_other && (session == 0 || request->key.session == session) && !put_out(requests, request, "closed", &reply))
            return false;
    }
    return true;
}

bool finish_requests(ConnectionRequests *requests) {
    while (requests->oldest != NULL)
        if (!put_out(requests, requests->oldest, "unanswered", NULL)) return false;
    return true;
}

void free_requests(ConnectionRequests *requests) {
    while (requests->oldest != NULL) drop(requests, requests->oldest);
    free_map(&requests->open);
}
