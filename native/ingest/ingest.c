#include "ingest.h"

#include "frame_rows.h"

enum { PORTS = 65536, MOST_FRAMES = 65536, MOST_OCTETS = 32 << 20 };

/* --- Making and freeing --- */

/* {key: 0 or 1}: the methods that only the client or only the server sends. */
static bool read_senders(Map *senders, PyObject *sender_by_key) {
    Py_ssize_t position = 0;
    PyObject *key, *sender;
    while (PyDict_Next(sender_by_key, &position, &key, &sender)) {
        uintptr_t side = 1 + (uintptr_t)PyLong_AsUnsignedLong(sender);
        if (PyErr_Occurred() || !map_put(senders, PyLong_AsUnsignedLongLong(key), (void *)side)) return false;
    }
    return !PyErr_Occurred();
}

static bool read_ports(Ingest *ingest, PyObject *ports) {
    ingest->server_ports = PyMem_Calloc(PORTS, sizeof(bool));
    if (ingest->server_ports == NULL) PyErr_NoMemory();
    for (Py_ssize_t index = 0; !PyErr_Occurred() && index < PyTuple_Size(ports); index++) {
        long port = PyLong_AsLong(PyTuple_GetItem(ports, index));
        if (port >= 0 && port < PORTS) ingest->server_ports[port] = true;
    }
    return !PyErr_Occurred();
}

/* {"frames": columns, ...}, see columns.h. */
static bool make_tables(Ingest *ingest, PyObject *columns_by_table) {
    const struct {
        const char *name;
        Table *table;
    } tables[] = {
        {"frames", &ingest->frames},     {"methods", &ingest->methods},     {"performatives", &ingest->performatives},
        {"messages", &ingest->messages}, {"exchanges", &ingest->exchanges},
    };
    for (size_t index = 0; index < sizeof tables / sizeof *tables; index++) {
        PyObject *columns = PyDict_GetItemString(columns_by_table, tables[index].name);
        if (columns == NULL) PyErr_Format(PyExc_KeyError, "no columns of %s", tables[index].name);
        if (columns == NULL || !make_table(tables[index].table, columns)) return false;
    }
    return true;
}

static bool read_number(PyObject *numbers, const char *name, uint32_t *number) {
    PyObject *found = PyDict_GetItemString(numbers, name);
    if (found == NULL) PyErr_Format(PyExc_KeyError, "there is no %s", name);
    if (found != NULL) *number = (uint32_t)PyLong_AsUnsignedLong(found);
    return !PyErr_Occurred();
}

/* The keys of methods by the names of their classes, and the ids of classes. */
static bool read_method_keys(MethodKeys *keys, PyObject *numbers) {
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
    for (size_t index = 0; index < sizeof names / sizeof *names; index++)
        if (!read_number(numbers, names[index].name, names[index].key)) return false;
    return true;
}

/* The numbers of the names of frames by what they are, and of others by their types. */
static bool read_frame_names(FrameNames *names, PyObject *numbers, PyObject *others) {
    const struct {
        const char *name;
        int32_t *number;
    } fixed[] = {
        {"content-header", &names->content_header}, {"content-body", &names->content_body},
        {"protocol-header", &names->protocol_header}, {"empty", &names->empty}, {"ok", &names->ok}, {"undecoded", &names->undecoded},
    };
    for (size_t index = 0; index < sizeof fixed / sizeof *fixed; index++)
        if (!read_number(numbers, fixed[index].name, (uint32_t *)fixed[index].number)) return false;
    for (int type = 0; type < 256; type++) names->others[type] = -1;
    Py_ssize_t position = 0;
    PyObject *type, *number;
    while (PyDict_Next(others, &position, &type, &number)) {
        long place = PyLong_AsLong(type);
        if (place >= 0 && place < 256) names->others[place] = (int32_t)PyLong_AsLong(number);
    }
    return !PyErr_Occurred();
}

/* The methods of 0-x that Python wants to see before they are delivered, by key. */
static bool read_telling(Map *telling, PyObject *keys) {
    for (Py_ssize_t index = 0; index < PyList_Size(keys); index++)
        if (!map_put(telling, PyLong_AsUnsignedLongLong(PyList_GetItem(keys, index)), telling)) return false;
    return !PyErr_Occurred();
}

/* Ingest(host, server ports, senders, columns by table, method keys, frame names, names by frame type, are bodies wanted, keys of
   methods that Python wants to see) */
static bool fill_ingest(Ingest *ingest, PyObject *arguments) {
    PyObject *host, *ports, *senders, *columns, *keys, *names, *others, *telling;
    int keeps_bodies;
    if (!PyArg_ParseTuple(arguments, "OO!O!O!O!O!O!pO!", &host, &PyTuple_Type, &ports, &PyDict_Type, &senders, &PyDict_Type, &columns,
                          &PyDict_Type, &keys, &PyDict_Type, &names, &PyDict_Type, &others, &keeps_bodies, &PyList_Type, &telling))
        return false;
    Py_INCREF(host);
    ingest->host = ingest->sink.host = host;
    ingest->sink.keeps_bodies = keeps_bodies != 0;
    ingest->sink.messages = &ingest->messages;
    ingest->sink.exchanges = &ingest->exchanges;
    if (!read_ports(ingest, ports) || !read_senders(&ingest->senders, senders) || !make_tables(ingest, columns)) return false;
    if (!read_telling(&ingest->telling, telling)) return false;
    if (!read_method_keys(&ingest->sink.keys, keys) || !read_frame_names(&ingest->names, names, others)) return false;
    if (!make_frame_rows(ingest) || !make_sink(&ingest->sink)) return false;
    ingest->tracker = new_tracker(ingest, ingest->server_ports, &ingest->senders);
    return ingest->tracker != NULL;
}

static PyObject *new_ingest(PyTypeObject *type, PyObject *arguments, PyObject *keywords) {
    Ingest *ingest = PyObject_New(Ingest, type);
    if (ingest == NULL) return NULL;
    memset((char *)ingest + sizeof(PyObject), 0, sizeof *ingest - sizeof(PyObject));
    if (!fill_ingest(ingest, arguments)) Py_CLEAR(ingest);
    return (PyObject *)ingest;
}

static void free_ingest(Ingest *ingest) {
    PyTypeObject *type = Py_TYPE((PyObject *)ingest);
    if (ingest->tracker != NULL) free_tracker(ingest->tracker);
    free_sink1(&ingest->sink);
    Table *const tables[] = {&ingest->frames, &ingest->methods, &ingest->performatives, &ingest->messages, &ingest->exchanges};
    for (size_t index = 0; index < sizeof tables / sizeof *tables; index++) free_table(tables[index]);
    for (size_t index = 0; index < ingest->package_count; index++) free_package(ingest->packages[index]);
    PyMem_Free(ingest->packages);
    free_map(&ingest->senders);
    free_map(&ingest->telling);
    PyMem_Free(ingest->server_ports);
    PyMem_Free(ingest->batch);
    release_arena(&ingest->arena);
    Py_XDECREF(ingest->host);
    PyObject_Free(ingest);
    Py_DECREF(type);
}

/* --- Packages and segments --- */

/* Adds the next package, as Python describes it. */
static bool add_package(Ingest *ingest) {
    PyObject *description = PyObject_CallMethod(ingest->host, "describe", "n", (Py_ssize_t)ingest->package_count);
    Package **packages = PyMem_Realloc(ingest->packages, (ingest->package_count + 1) * sizeof *packages);
    Package *package = NULL;
    int family;
    if (packages == NULL)
        PyErr_NoMemory();
    else
        ingest->packages = packages;
    if (description != NULL && packages != NULL && PyArg_Parse(PyTuple_GetItem(description, 0), "i", &family))
        package = make_package(description, family == 0 ? &ingest->methods : &ingest->performatives);
    Py_XDECREF(description);
    if (package != NULL) packages[ingest->package_count++] = package;
    return package != NULL;
}

bool has_package(Ingest *ingest, Py_ssize_t number) {
    while (number >= 0 && (size_t)number >= ingest->package_count)
        if (!add_package(ingest)) return false;
    if (number < 0) PyErr_SetString(PyExc_ValueError, "there is no such package");
    return number >= 0;
}

bool take_segment(Ingest *ingest, const Segment *segment, const Place *place) {
    if (!ingest->has_failed && track_segment(ingest->tracker, segment, place, true)) return true;
    if (!PyErr_Occurred()) PyErr_SetString(PyExc_RuntimeError, "this ingest has failed before");
    ingest->has_failed = true;
    return false;
}

/* A segment of Python, see `amqp_traffic.capture.stream_data.Segment`. */
static bool read_segment(PyObject *tuple, Segment *segment, Place *place) {
    Py_ssize_t flow_size, size;
    const char *flow;
    unsigned long long missing, record;
    long long packet_no, ns;
    if (!PyTuple_Check(tuple) || !PyArg_ParseTuple(tuple, "y#IIBy#KLKL", &flow, &flow_size, &segment->sequence, &segment->acknowledgment,
                                                   &segment->flags, &segment->payload.at, &size, &missing, &packet_no, &record, &ns))
        return false;
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

/* add(segments): takes a list of segments that Python has read. */
static PyObject *add_segments(Ingest *ingest, PyObject *segments) {
    Segment segment;
    Place place;
    if (ingest->has_failed) return PyErr_Format(PyExc_RuntimeError, "this ingest has failed before");
    for (Py_ssize_t index = 0; index < PyList_Size(segments); index++) {
        ingest->has_failed = !read_segment(PyList_GetItem(segments, index), &segment, &place)
                             || !track_segment(ingest->tracker, &segment, &place, false);
        if (ingest->has_failed) return NULL;
    }
    if (PyErr_Occurred()) return NULL;
    Py_RETURN_NONE;
}

/* end_file(): the octets of the file may go. */
static PyObject *end_file(Ingest *ingest, PyObject *unused) {
    if (!end_of_file(ingest->tracker)) return NULL;
    Py_RETURN_NONE;
}

/* finish(): ends all connections. */
static PyObject *finish(Ingest *ingest, PyObject *unused) {
    if (ingest->has_failed) return PyErr_Format(PyExc_RuntimeError, "this ingest has failed before");
    ingest->has_failed = !end_streams(ingest->tracker);
    if (ingest->has_failed) return NULL;
    Py_RETURN_NONE;
}

bool is_full(const Ingest *ingest) {
    if (ingest->frames.row_count >= MOST_FRAMES) return true;
    size_t octets = table_octets(&ingest->frames) + table_octets(&ingest->methods) + table_octets(&ingest->performatives)
                    + table_octets(&ingest->messages) + table_octets(&ingest->exchanges);
    return octets >= MOST_OCTETS;
}

/* is_full() -> is it time to take the tables? */
static PyObject *ask_full(Ingest *ingest, PyObject *unused) { return PyBool_FromLong(is_full(ingest)); }

/* take() -> {table: (rows, columns)}, see `take_table` */
static PyObject *take_tables(Ingest *ingest, PyObject *unused) {
    PyObject *frames = take_table(&ingest->frames), *methods = take_table(&ingest->methods);
    PyObject *performatives = take_table(&ingest->performatives), *messages = take_table(&ingest->messages);
    PyObject *exchanges = take_table(&ingest->exchanges), *tables = NULL;
    if (frames != NULL && methods != NULL && performatives != NULL && messages != NULL && exchanges != NULL)
        tables = Py_BuildValue("{sOsOsOsOsO}", "frames", frames, "methods", methods, "performatives", performatives, "messages", messages,
                               "exchanges", exchanges);
    Py_XDECREF(frames);
    Py_XDECREF(methods);
    Py_XDECREF(performatives);
    Py_XDECREF(messages);
    Py_XDECREF(exchanges);
    return tables;
}

static PyMethodDef methods[] = {
    {"add", (PyCFunction)add_segments, METH_O, "add(segments): takes segments that Python has read"},
    {"end_file", (PyCFunction)end_file, METH_NOARGS, "end_file(): the octets of the file may go"},
    {"finish", (PyCFunction)finish, METH_NOARGS, "finish(): ends all connections"},
    {"is_full", (PyCFunction)ask_full, METH_NOARGS, "is_full() -> is it time to take the tables?"},
    {"take", (PyCFunction)take_tables, METH_NOARGS, "take() -> {table: (rows, {column: (type, nulls, validity, buffers)})}"},
    {NULL, NULL, 0, NULL},
};

/* Every instance is freed by the same function, whatever module object its type belongs to. */
bool is_ingest(PyObject *object) { return PyType_GetSlot(Py_TYPE(object), Py_tp_dealloc) == (void *)free_ingest; }

int add_ingest(PyObject *module) {
    PyType_Slot slots[] = {
        {Py_tp_new, (void *)new_ingest},
        {Py_tp_dealloc, (void *)free_ingest},
        {Py_tp_methods, methods},
        {Py_tp_doc, "From segments to tables, for the connections of a share of a capture."},
        {0, NULL},
    };
    PyType_Spec spec = {"amqp_native_ingest.Ingest", sizeof(Ingest), 0, Py_TPFLAGS_DEFAULT | Py_TPFLAGS_IMMUTABLETYPE, slots};
    PyObject *type = PyType_FromModuleAndSpec(module, &spec, NULL);
    int result = type == NULL ? -1 : PyModule_AddType(module, (PyTypeObject *)type);
    Py_XDECREF(type);
    return result;
}
