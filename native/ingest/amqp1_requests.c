#include "amqp1_requests.h"

#include "memory.h"

enum { MOST_OPEN_REQUESTS = 4096 };

enum { IN_ALL, IN_END, IN_SESSION, LISTS_EACH }; /* the lists of a request */

struct Request {
    Chained chained; /* by a hash of its key */
    RequestKey key;  /* the name is a copy */
    Sent sent;
    Request *earlier[LISTS_EACH], *later[LISTS_EACH];
    uint8_t name_octets[];
};

static uint64_t hash_of(const ConnectionRequests *requests, const RequestKey *key) {
    return mix_key(hash_of_link(requests->sink->secret, &key->link), (uint64_t)(key->session * 8 + key->kind));
}

static bool is_same(const RequestKey *one, const RequestKey *other) {
    return one->kind == other->kind && one->session == other->session && is_same_link(&one->link, &other->link);
}

static Request *find(const ConnectionRequests *requests, const RequestKey *key) {
    Request *request = map_get(&requests->open, hash_of(requests, key));
    while (request != NULL && !is_same(&request->key, key)) { request = (Request *)request->chained.next; }
    return request;
}

static Request *new_request(const ConnectionRequests *requests, const RequestKey *key, const Event *event) {
    size_t size = key->link.has_name ? input_size(&key->link.name) : 0;
    Request *request = zeros(1, sizeof(Request) + size);
    if (request == NULL) { return NULL; }
    request->key = *key;
    request->sent = sent_by(event, event->layout->name_text);
    request->chained.key = hash_of(requests, key);
    if (size > 0) { memcpy(request->name_octets, key->link.name.at, size); }
    request->key.link.name = (Input){request->name_octets, request->name_octets + size};
    return request;
}

/* The list of a session in the direction of a request, which may be new. */
static RequestList *list_of_session(ConnectionRequests *requests, const Request *request) {
    Map *lists = &requests->of_session[request->sent.direction];
    RequestList *list = map_get(lists, (uint64_t)request->key.session);
    if (list != NULL) { return list; }
    list = zeros(1, sizeof *list);
    if (list == NULL) { return NULL; }
    if (map_put(lists, (uint64_t)request->key.session, list)) { return list; }
    PyMem_Free(list);
    return NULL;
}

static void drop_if_empty(ConnectionRequests *requests, RequestList *list, int direction, int64_t session) {
    if (list->first != NULL) { return; }
    map_take(&requests->of_session[direction], (uint64_t)session);
    PyMem_Free(list);
}

static bool put_in(ConnectionRequests *requests, Request *request) {
    int direction = request->sent.direction;
    RequestList *list = list_of_session(requests, request);
    if (list == NULL) { return false; }
    if (!chain_put(&requests->open, &request->chained)) {
        drop_if_empty(requests, list, direction, request->key.session);
        return false;
    }
    APPEND_ITEM(&requests->all, request, earlier[IN_ALL], later[IN_ALL]);
    APPEND_ITEM(&requests->of_end[direction], request, earlier[IN_END], later[IN_END]);
    APPEND_ITEM(list, request, earlier[IN_SESSION], later[IN_SESSION]);
    requests->count++;
    return true;
}

static void drop(ConnectionRequests *requests, Request *request) {
    int direction = request->sent.direction;
    RequestList *list = map_get(&requests->of_session[direction], (uint64_t)request->key.session);
    chain_take(&requests->open, &request->chained);
    REMOVE_ITEM(&requests->all, request, earlier[IN_ALL], later[IN_ALL]);
    REMOVE_ITEM(&requests->of_end[direction], request, earlier[IN_END], later[IN_END]);
    REMOVE_ITEM(list, request, earlier[IN_SESSION], later[IN_SESSION]);
    drop_if_empty(requests, list, direction, request->key.session);
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
    if (request == NULL || request->sent.direction == event->direction) { return add_request(requests, key, event); }
    return answer_request(requests, key, event, true);
}

bool add_request(ConnectionRequests *requests, const RequestKey *key, const Event *event) {
    Request *before = find(requests, key);
    if (before == NULL && requests->count >= MOST_OPEN_REQUESTS) { before = requests->all.first; }
    if (before != NULL && !put_out(requests, before, "unanswered", NULL)) { return false; }
    Request *request = new_request(requests, key, event);
    if (request == NULL || put_in(requests, request)) { return request != NULL; }
    PyMem_Free(request);
    return false;
}

bool answer_request(ConnectionRequests *requests, const RequestKey *key, const Event *event, bool is_certain) {
    Request *request = find(requests, key);
    Sent reply = sent_by(event, event->layout->name_text);
    if (request != NULL && request->sent.direction != reply.direction) {
        return put_out(requests, request, "ok", &reply);
    }
    return !is_certain || put_unasked(requests->sink, requests->connection, &reply);
}

bool close_requests(ConnectionRequests *requests, const Event *event, int64_t session) {
    Sent reply = sent_by(event, event->layout->name_text);
    int other = 1 - reply.direction, kind = session == 0 ? IN_END : IN_SESSION;
    const RequestList *list =
        session == 0 ? &requests->of_end[other] : map_get(&requests->of_session[other], (uint64_t)session);
    for (Request *request = list == NULL ? NULL : list->first, *later; request != NULL; request = later) {
        later = request->later[kind];
        if (!equal_runs(&request->sent.name, &reply.name) && !put_out(requests, request, "closed", &reply)) {
            return false;
        }
    }
    return true;
}

bool finish_requests(ConnectionRequests *requests, const char *outcome) {
    while (requests->all.first != NULL) {
        if (!put_out(requests, requests->all.first, outcome, NULL)) { return false; }
    }
    return true;
}

void free_requests(ConnectionRequests *requests) {
    while (requests->all.first != NULL) { drop(requests, requests->all.first); }
    free_map(&requests->open);
    for (int direction = 0; direction < 2; direction++) { free_map(&requests->of_session[direction]); }
}
