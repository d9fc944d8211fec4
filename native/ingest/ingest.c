#include "ingest.h"

#include "conversation.h"
#include "memory.h"
#include "secrets.h"
#include "streams.h"
#include "types.h"

enum { PORTS = 65536, MOST_FRAMES = 65536, MOST_OCTETS = 32 << 20 };

enum { FRAMES, METHODS, PERFORMATIVES, MESSAGES, EXCHANGES, TABLE_COUNT };
static const char *const TABLE_NAMES[TABLE_COUNT] = {"frames", "methods", "performatives", "messages", "exchanges"};

struct Ingest {
    PyObject_HEAD PyObject *host; /* `amqp_traffic.ingest.native.host.NativeHost` */
    Tracker *tracker;             /* NULL: the ingest is not made yet, or the collector has cleared it */
    PieceSink pieces;
    Shared shared;
    bool *server_ports;
    Map senders; /* of methods of 0-x, by key */
    Table tables[TABLE_COUNT];
    bool has_failed; /* an exception has ended the ingest */
    bool is_at_work; /* the host must not call it meanwhile, nor anybody else */
};

/* --- Making --- */

/* {key: 0 or 1}: the methods that only the client or only the server sends. */
static bool read_senders(Map *senders, PyObject *sender_by_key) {
    Py_ssize_t position = 0;
    PyObject *key, *sender;
    while (PyDict_Next(sender_by_key, &position, &key, &sender)) {
        unsigned long long number;
        unsigned char side;
        if (!PyArg_Parse(key, "K", &number) || !PyArg_Parse(sender, "b", &side)) { return false; }
        if (!map_put(senders, number, (void *)(uintptr_t)(1 + side))) { return false; }
    }
    return true;
}

static bool read_ports(bool *server_ports, PyObject *ports) {
    for (Py_ssize_t index = 0; index < PyTuple_Size(ports); index++) {
        long port;
        if (!PyArg_Parse(PyTuple_GetItem(ports, index), "l", &port)) { return false; }
        if (port >= 0 && port < PORTS) { server_ports[port] = true; }
    }
    return true;
}

/* {"frames": columns, ...}, see columns.h. */
static bool make_tables(Ingest *ingest, PyObject *columns_by_table) {
    for (size_t index = 0; index < TABLE_COUNT; index++) {
        PyObject *columns = PyDict_GetItemString(columns_by_table, TABLE_NAMES[index]);
        if (columns == NULL) { return PyErr_Format(PyExc_KeyError, "no columns of %s", TABLE_NAMES[index]) != NULL; }
        if (!make_table(&ingest->tables[index], columns)) { return false; }
    }
    return true;
}

static bool read_number(PyObject *numbers, const char *name, uint32_t *number) {
    PyObject *found = PyDict_GetItemString(numbers, name);
    if (found == NULL) { return PyErr_Format(PyExc_KeyError, "there is no %s", name) != NULL; }
    return PyArg_Parse(found, "I", number) != 0;
}

/* The keys of methods by the names of their classes, and the ids of classes. */
static bool read_method_keys(MethodKeys *keys, PyObject *numbers) {
    /* clang-format off */
    const struct {
        const char *name;
        uint32_t *key;
    } names[] = {
        {"ChannelOpen", &keys->channel_open},     {"ChannelClose", &keys->channel_close},
        {"ChannelCloseOk", &keys->channel_close_ok}, {"QueueDeclare", &keys->queue_declare},
        {"QueueDeclareOk", &keys->queue_declare_ok}, {"BasicConsume", &keys->basic_consume},
        {"BasicConsumeOk", &keys->basic_consume_ok}, {"BasicCancelOk", &keys->basic_cancel_ok},
        {"BasicPublish", &keys->basic_publish},   {"BasicReturn", &keys->basic_return},
        {"BasicDeliver", &keys->basic_deliver},   {"BasicGetOk", &keys->basic_get_ok},
        {"BasicAck", &keys->basic_ack},           {"BasicReject", &keys->basic_reject},
        {"BasicNack", &keys->basic_nack},         {"BasicRecoverAsync", &keys->basic_recover_async},
        {"BasicRecover", &keys->basic_recover},   {"ConfirmSelect", &keys->confirm_select},
        {"connection", &keys->connection_class},  {"basic", &keys->basic_class},
    };
    /* clang-format on */
    for (size_t index = 0; index < sizeof names / sizeof *names; index++) {
        if (!read_number(numbers, names[index].name, names[index].key)) { return false; }
    }
    return true;
}

/* The numbers of the names of frames by what they are, and of others by their types. */
static bool read_frame_names(FrameNames *names, PyObject *numbers, PyObject *others) {
    const struct {
        const char *name;
        int32_t *number;
    } fixed[] = {
        {"content-header", &names->content_header},
        {"content-body", &names->content_body},
        {"protocol-header", &names->protocol_header},
        {"empty", &names->empty},
        {"ok", &names->ok},
        {"undecoded", &names->undecoded},
    };
    for (size_t index = 0; index < sizeof fixed / sizeof *fixed; index++) {
        if (!read_number(numbers, fixed[index].name, (uint32_t *)fixed[index].number)) { return false; }
    }
    for (int type = 0; type < 256; type++) { names->others[type] = -1; }
    Py_ssize_t position = 0;
    PyObject *type, *number;
    while (PyDict_Next(others, &position, &type, &number)) {
        unsigned char place;
        if (!PyArg_Parse(type, "b", &place) || !PyArg_Parse(number, "i", &names->others[place])) { return false; }
    }
    return true;
}

/* The methods of 0-x that Python wants to see before they are delivered, by key. */
static bool read_telling(Map *telling, PyObject *keys) {
    for (Py_ssize_t index = 0; index < PyList_Size(keys); index++) {
        unsigned long long key;
        if (!PyArg_Parse(PyList_GetItem(keys, index), "K", &key) || !map_put(telling, key, telling)) { return false; }
    }
    return true;
}

static bool fill_ingest(Ingest *ingest, PyObject *arguments) {
    PyObject *host, *ports, *senders, *columns, *recipes, *keys, *names, *others, *telling, *texts;
    int keeps_bodies;
    Shared *shared = &ingest->shared;
    Sink *sink = &shared->sink;
    Table *tables = ingest->tables;
    if (!PyArg_ParseTuple(arguments, "OO!O!O!O!O!O!O!pO!O!", &host, &PyTuple_Type, &ports, &PyDict_Type, &senders,
                          &PyDict_Type, &columns, &PyDict_Type, &recipes, &PyDict_Type, &keys, &PyDict_Type, &names,
                          &PyDict_Type, &others, &keeps_bodies, &PyList_Type, &telling, &PyTuple_Type, &texts)) {
        return false;
    }
    ingest->host = shared->host = sink->host = Py_NewRef(host);
    ingest->pieces = conversation_sink(shared);
    sink->keeps_bodies = keeps_bodies != 0;
    sink->steps = &shared->steps;
    sink->messages = &tables[MESSAGES];
    sink->exchanges = &tables[EXCHANGES];
    shared->packages.tables[0] = &tables[METHODS];
    shared->packages.tables[1] = &tables[PERFORMATIVES];
    shared->arena.secrets = sink->secrets = make_secrets(texts);
    if (sink->secrets == NULL) { return false; }
    ingest->server_ports = zeros(PORTS, sizeof(bool));
    if (ingest->server_ports == NULL || !read_ports(ingest->server_ports, ports)) { return false; }
    if (!read_senders(&ingest->senders, senders) || !make_tables(ingest, columns)) { return false; }
    if (!read_telling(&shared->telling, telling) || !read_method_keys(&sink->keys, keys)) { return false; }
    if (!read_frame_names(&shared->names, names, others)) { return false; }
    if (!make_frame_rows(shared, &tables[FRAMES], &tables[METHODS], &tables[PERFORMATIVES], recipes)
        || !make_sink(sink, recipes)) {
        return false;
    }
    ingest->tracker = new_tracker(&ingest->pieces, ingest->server_ports, &ingest->senders, &shared->steps);
    return ingest->tracker != NULL;
}

static PyObject *new_ingest(PyTypeObject *type, PyObject *arguments, PyObject *Py_UNUSED(keywords)) {
    Ingest *ingest = (Ingest *)PyType_GenericAlloc(type, 0);
    if (ingest == NULL) { return NULL; }
    ingest->is_at_work = true; /* the collector shows it to others already */
    bool is_made = fill_ingest(ingest, arguments);
    ingest->is_at_work = false;
    if (!is_made) { Py_CLEAR(ingest); }
    return (PyObject *)ingest;
}

/* --- Garbage --- */

static int visit_ingest(Ingest *ingest, visitproc visit, void *arg) {
    Py_VISIT(Py_TYPE((PyObject *)ingest));
    Py_VISIT(ingest->host);
    for (size_t index = 0; index < TABLE_COUNT; index++) {
        VISIT_WITH(visit_table(&ingest->tables[index], visit, arg));
    }
    if (ingest->shared.sink.secrets != NULL) { VISIT_WITH(visit_secrets(ingest->shared.sink.secrets, visit, arg)); }
    if (ingest->tracker != NULL) { VISIT_WITH(visit_tracker(ingest->tracker, visit, arg)); }
    VISIT_WITH(visit_sink1(&ingest->shared.sink, visit, arg));
    return visit_packages(&ingest->shared.packages, visit, arg);
}

/* Who calls an ingest holds it, so one at work is no garbage. A cleared one takes nothing more, and has no rows. */
static int clear_ingest(Ingest *ingest) {
    Tracker *tracker = ingest->tracker;
    if (ingest->is_at_work) { return 0; }
    ingest->tracker = NULL;
    if (tracker != NULL) { free_tracker(tracker); }
    free_sink1(&ingest->shared.sink);
    free_packages(&ingest->shared.packages);
    for (size_t index = 0; index < TABLE_COUNT; index++) { free_table(&ingest->tables[index]); }
    Py_CLEAR(ingest->host);
    return 0;
}

static void free_ingest(Ingest *ingest) {
    PyTypeObject *type = Py_TYPE((PyObject *)ingest);
    PyObject_GC_UnTrack(ingest);
    clear_ingest(ingest);
    free_map(&ingest->senders);
    free_map(&ingest->shared.telling);
    PyMem_Free(ingest->server_ports);
    PyMem_Free(ingest->shared.batch);
    release_arena(&ingest->shared.arena);
    free_secrets(ingest->shared.sink.secrets);
    PyObject_GC_Del(ingest);
    Py_DECREF(type);
}

/* --- Segments --- */

/* Begins work, unless the ingest is at work, or has failed and must not go on. */
static bool begin_work(Ingest *ingest, bool goes_on) {
    if (ingest->is_at_work) {
        PyErr_SetString(PyExc_RuntimeError, "this ingest is at work: its host must not call it");
    }
    else if (ingest->tracker == NULL || (goes_on && ingest->has_failed)) {
        PyErr_SetString(PyExc_RuntimeError, "this ingest has failed before");
    }
    else { return ingest->is_at_work = true; }
    return false;
}

/* Ends work: what was not done fails the ingest. */
static bool end_work(Ingest *ingest, bool is_done) {
    ingest->is_at_work = false;
    ingest->has_failed = ingest->has_failed || !is_done;
    return is_done;
}

static PyObject *none_if(bool is_done) { return is_done ? Py_NewRef(Py_None) : NULL; }

bool take_segment(Ingest *ingest, const Segment *segment, const Place *place) {
    return begin_work(ingest, true) && end_work(ingest, track_segment(ingest->tracker, segment, place, true));
}

/* A segment of Python, see `amqp_traffic.capture.stream_data.Segment`. */
static bool read_segment(PyObject *tuple, Segment *segment, Place *place) {
    Py_ssize_t flow_size, size;
    const char *flow;
    unsigned long long missing, record;
    long long packet_no, ns;
    if (!PyTuple_Check(tuple)) { return PyErr_Format(PyExc_TypeError, "a segment, not %R", tuple) != NULL; }
    if (!PyArg_ParseTuple(tuple, "y#IIBy#KLKL", &flow, &flow_size, &segment->sequence, &segment->acknowledgment,
                          &segment->flags, &segment->payload.at, &size, &missing, &packet_no, &record, &ns)) {
        return false;
    }
    if (flow_size != 12 && flow_size != LONGEST_FLOW) {
        PyErr_Format(PyExc_ValueError, "a flow of %zd octets", flow_size);
        return false;
    }
    memcpy(segment->flow, flow, (size_t)flow_size);
    segment->flow_size = (uint8_t)flow_size;
    segment->payload.end = segment->payload.at + size;
    segment->missing = missing;
    *place = (Place){packet_no, record, ns};
    return true;
}

/* Takes a segment of a list, which may be gone from it before the work ends. */
static bool add_segment(Ingest *ingest, PyObject *tuple) {
    Segment segment;
    Place place;
    Py_INCREF(tuple);
    bool is_done = take_step(&ingest->shared.steps) && read_segment(tuple, &segment, &place)
                   && track_segment(ingest->tracker, &segment, &place, false);
    Py_DECREF(tuple);
    return is_done;
}

static PyObject *add_segments(Ingest *ingest, PyObject *segments) {
    if (!PyList_Check(segments)) { return PyErr_Format(PyExc_TypeError, "a list of segments, not %R", segments); }
    if (!begin_work(ingest, true)) { return NULL; }
    bool is_done = true;
    for (Py_ssize_t index = 0; is_done && index < PyList_Size(segments); index++) {
        is_done = add_segment(ingest, PyList_GetItem(segments, index));
    }
    return none_if(end_work(ingest, is_done));
}

static PyObject *end_file(Ingest *ingest, PyObject *Py_UNUSED(unused)) {
    return none_if(begin_work(ingest, false) && end_work(ingest, end_of_file(ingest->tracker)));
}

static PyObject *finish(Ingest *ingest, PyObject *Py_UNUSED(unused)) {
    return none_if(begin_work(ingest, true) && end_work(ingest, end_streams(ingest->tracker)));
}

bool is_full(const Ingest *ingest) {
    if (ingest->tables[FRAMES].row_count >= MOST_FRAMES) { return true; }
    size_t octets = 0;
    for (size_t index = 0; index < TABLE_COUNT; index++) { octets += table_octets(&ingest->tables[index]); }
    return octets >= MOST_OCTETS;
}

static PyObject *ask_full(Ingest *ingest, PyObject *Py_UNUSED(unused)) {
    if (!begin_work(ingest, false)) { return NULL; }
    end_work(ingest, true);
    return PyBool_FromLong(is_full(ingest));
}

/* No table is cleared unless all can be read. */
static PyObject *take_tables(Ingest *ingest, PyObject *Py_UNUSED(unused)) {
    if (!begin_work(ingest, false)) { return NULL; }
    PyObject *tables = PyDict_New();
    for (size_t index = 0; tables != NULL && index < TABLE_COUNT; index++) {
        PyObject *table = rows_of_table(&ingest->tables[index]);
        if (table == NULL || PyDict_SetItemString(tables, TABLE_NAMES[index], table) < 0) { Py_CLEAR(tables); }
        Py_XDECREF(table);
    }
    for (size_t index = 0; tables != NULL && index < TABLE_COUNT; index++) { clear_table(&ingest->tables[index]); }
    end_work(ingest, true); /* what could not be read is still there */
    return tables;
}

static PyMethodDef methods[] = {
    {"add", (PyCFunction)add_segments, METH_O,
     "add($self, segments, /)\n--\n\nTake a list of segments that Python has read."},
    {"end_file", (PyCFunction)end_file, METH_NOARGS, "end_file($self, /)\n--\n\nLet go of the octets of the file."},
    {"finish", (PyCFunction)finish, METH_NOARGS, "finish($self, /)\n--\n\nEnd all connections."},
    {"is_full", (PyCFunction)ask_full, METH_NOARGS,
     "is_full($self, /)\n--\n\nReturn whether it is time to take the tables."},
    {"take", (PyCFunction)take_tables, METH_NOARGS,
     "take($self, /)\n--\n\nRemove the rows, and return {table: (rows, {column: (type, nulls, validity, buffers)})}."},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot slots[] = {
    {Py_tp_new, (void *)new_ingest},
    {Py_tp_traverse, (void *)visit_ingest},
    {Py_tp_clear, (void *)clear_ingest},
    {Py_tp_dealloc, (void *)free_ingest},
    {Py_tp_methods, methods},
    {Py_tp_doc,
     "Ingest(host, server_ports, senders, columns_by_table, recipes, method_keys, frame_names, names_by_frame_type, "
     "keeps_bodies,"
     " telling_methods, secret_texts, /)\n--\n\nFrom segments to tables, for the connections of a share of a capture."},
    {0, NULL},
};

PyType_Spec ingest_spec = {"amqp_native_ingest.Ingest", sizeof(Ingest), 0, TYPE_FLAGS | Py_TPFLAGS_HAVE_GC, slots};
