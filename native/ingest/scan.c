/* The scan of a capture file: segments as Python has them, `amqp_traffic.capture.stream_data.Segment`.

   Plain packets of wanted flows become tuples, or go to an `Ingest`; those of other flows, and packets of other protocols, are
   counted. */
#include "scan.h"

#include "ingest.h"

enum { KINDS_OF_LINKS = 512 };          /* link types above are not plain */
enum { BETWEEN_LOOKS = 64 };            /* segments, after which an ingest may be full */
enum { BETWEEN_INTERRUPTS = 1 << 14 };  /* packets; a file may have no wanted flow for minutes */

typedef struct {
    PyObject_HEAD
    FlowBuckets *buckets; /* NULL: all flows are wanted */
    Py_ssize_t at_once;
    Ingest *ingest;       /* takes the segments; or NULL */
    PyObject *segments;   /* those not taken yet */
    Py_ssize_t taken;     /* by the ingest, since `taken` was called */
    uint64_t octets;      /* of their payloads */
    uint64_t record;      /* where the last packet begins */
    int64_t packet_no;    /* of the last packet */
    int64_t first_ns;
    int64_t ns;
    bool has_begun;
    uint64_t unwanted;
    uint64_t others, other_octets;
    bool link_types[KINDS_OF_LINKS];
} Scan;

static PyObject *new_scan(PyTypeObject *type, PyObject *arguments, PyObject *keywords) {
    PyObject *buckets, *ingest = Py_None;
    long long packets_before;
    Py_ssize_t at_once;
    if (!PyArg_ParseTuple(arguments, "OLn|O", &buckets, &packets_before, &at_once, &ingest)) return NULL;
    if (buckets != Py_None && !is_flow_buckets(buckets)) return PyErr_Format(PyExc_TypeError, "FlowBuckets or None, not %R", buckets);
    if (ingest != Py_None && !is_ingest(ingest)) return PyErr_Format(PyExc_TypeError, "Ingest or None, not %R", ingest);
    PyObject *segments = PyList_New(0);
    Scan *scan = segments == NULL ? NULL : PyObject_New(Scan, type);
    if (scan == NULL) {
        Py_XDECREF(segments);
        return NULL;
    }
    memset((char *)scan + sizeof(PyObject), 0, sizeof *scan - sizeof(PyObject));
    if (buckets != Py_None) {
        Py_INCREF(buckets);
        scan->buckets = (FlowBuckets *)buckets;
    }
    if (ingest != Py_None) {
        Py_INCREF(ingest);
        scan->ingest = (Ingest *)ingest;
    }
    scan->at_once = at_once;
    scan->segments = segments;
    scan->packet_no = packets_before;
    return (PyObject *)scan;
}

static void free_scan(Scan *scan) {
    PyTypeObject *type = Py_TYPE((PyObject *)scan);
    Py_XDECREF((PyObject *)scan->buckets);
    Py_XDECREF((PyObject *)scan->ingest);
    Py_XDECREF(scan->segments);
    PyObject_Free(scan);
    Py_DECREF(type);
}

/* Gives a segment to the ingest, or appends its tuple; false with an exception. */
static bool take_or_append(Scan *scan, const Segment *segment, const Packet *packet) {
    if (scan->ingest != NULL) {
        scan->taken++;
        scan->octets += input_size(&segment->payload);
        return take_segment(scan->ingest, segment, &(Place){scan->packet_no, packet->record, packet->ns});
    }
    PyObject *tuple = Py_BuildValue(
        "(y#IIBy#KLKL)", (const char *)segment->flow, (Py_ssize_t)segment->flow_size, segment->sequence, segment->acknowledgment,
        segment->flags, (const char *)segment->payload.at, (Py_ssize_t)input_size(&segment->payload),
        (unsigned long long)segment->missing, (long long)scan->packet_no, (unsigned long long)packet->record,
        (long long)packet->ns);
    if (tuple == NULL) return false;
    int failed = PyList_Append(scan->segments, tuple);
    Py_DECREF(tuple);
    return failed == 0;
}

static void note_packet(Scan *scan, int64_t ns) {
    if (!scan->has_begun) scan->first_ns = ns;
    scan->has_begun = true;
    scan->packet_no++;
    scan->ns = ns;
}

/* Reads from a position on; returns the position of the first record that was not read, and the time of the last packet. */
static PyObject *read_records(Scan *scan, const Records *records, size_t position) {
    Packet packet;
    Py_ssize_t at_once = scan->at_once;
    while (position < records->size && scan->taken + PyList_Size(scan->segments) < at_once) {
        size_t end = read_record(records, position, &packet);
        if (end == 0 || packet.link_type >= KINDS_OF_LINKS) break;
        Segment segment;
        Content content = find_segment(&packet, &segment);
        if (content == NOT_PLAIN) break;
        note_packet(scan, packet.ns);
        scan->link_types[packet.link_type] = true;
        scan->record = packet.record;
        if (content == NO_SEGMENT) {
            scan->others++;
            scan->other_octets += packet.captured;
        } else if (scan->buckets == NULL ||
                   count_segment(scan->buckets, segment.flow, segment.flow_size, input_size(&segment.payload))) {
            if (!take_or_append(scan, &segment, &packet)) return NULL;
            bool is_time = scan->ingest != NULL && scan->taken % BETWEEN_LOOKS == 0;
            if (is_time && is_full(scan->ingest)) at_once = 0; /* small frames may be very many */
        } else {
            scan->unwanted++;
        }
        position = end;
        if (scan->packet_no % BETWEEN_INTERRUPTS == 0 && PyErr_CheckSignals() < 0) return NULL;
    }
    return Py_BuildValue("(KL)", (unsigned long long)position, (long long)scan->ns);
}

/* Holds the octets of a file, which may be mapped, and checks the position; on success, the caller releases the buffer. */
static bool open_records(PyObject *file, Py_ssize_t position, Py_buffer *buffer, Records *records) {
    if (PyObject_GetBuffer(file, buffer, PyBUF_SIMPLE) < 0) return false;
    if (position < 0 || position > buffer->len) {
        PyErr_Format(PyExc_ValueError, "position %zd in a file of %zd octets", position, buffer->len);
        PyBuffer_Release(buffer);
        return false;
    }
    records->octets = buffer->buf;
    records->size = (size_t)buffer->len;
    return true;
}

/* read_pcap(buffer, position, is_little, unit, link_type) -> (position, ns) */
static PyObject *scan_pcap(Scan *scan, PyObject *arguments) {
    PyObject *file;
    Py_buffer buffer;
    Py_ssize_t position;
    int is_little;
    Records records = {0};
    if (!PyArg_ParseTuple(arguments, "OnpII", &file, &position, &is_little, &records.unit, &records.link_type)) return NULL;
    if (records.unit == 0) return PyErr_Format(PyExc_ValueError, "a unit of 0 ns");
    if (!open_records(file, position, &buffer, &records)) return NULL;
    records.is_little = is_little;
    PyObject *result = read_records(scan, &records, (size_t)position);
    PyBuffer_Release(&buffer);
    return result;
}

/* The interfaces of a section, (link type, nanoseconds in a unit of time or 0) each; NULL with an exception when that fails. */
static Interface *read_interfaces(PyObject *tuple, Py_ssize_t count) {
    Interface *interfaces = PyMem_Calloc((size_t)count + 1, sizeof *interfaces);
    if (interfaces == NULL) return (Interface *)PyErr_NoMemory();
    for (Py_ssize_t index = 0; index < count; index++) {
        PyObject *pair = PyTuple_GetItem(tuple, index);
        long long scale;
        if (!PyTuple_Check(pair)) PyErr_Format(PyExc_TypeError, "(link type, scale), not %R", pair);
        if (PyErr_Occurred() || !PyArg_ParseTuple(pair, "IL", &interfaces[index].link_type, &scale)) {
            PyMem_Free(interfaces);
            return NULL;
        }
        interfaces[index].scale = scale < 0 ? 0 : scale;
    }
    return interfaces;
}

/* read_pcapng(buffer, position, is_little, interfaces) -> (position, ns) */
static PyObject *scan_pcapng(Scan *scan, PyObject *arguments) {
    PyObject *file, *tuple;
    Py_buffer buffer;
    Py_ssize_t position;
    int is_little;
    Records records = {0};
    if (!PyArg_ParseTuple(arguments, "OnpO!", &file, &position, &is_little, &PyTuple_Type, &tuple)) return NULL;
    if (!open_records(file, position, &buffer, &records)) return NULL;
    records.is_little = is_little;
    records.interface_count = (size_t)PyTuple_Size(tuple);
    Interface *interfaces = read_interfaces(tuple, PyTuple_Size(tuple));
    records.interfaces = interfaces;
    PyObject *result = interfaces == NULL ? NULL : read_records(scan, &records, (size_t)position);
    PyMem_Free(interfaces);
    PyBuffer_Release(&buffer);
    return result;
}

/* take() -> the segments read since the last call */
static PyObject *take_segments(Scan *scan, PyObject *unused) {
    PyObject *segments = scan->segments, *empty = PyList_New(0);
    if (empty == NULL) return NULL;
    scan->segments = empty;
    return segments;
}

/* taken() -> (segments, octets of their payloads) that the ingest took since the last call, and where the last packet begins */
static PyObject *taken(Scan *scan, PyObject *unused) {
    PyObject *result = Py_BuildValue("(nKK)", scan->taken, (unsigned long long)scan->octets, (unsigned long long)scan->record);
    scan->taken = 0;
    scan->octets = 0;
    return result;
}

/* note(ns) -> packet_no: counts a packet that Python has read. */
static PyObject *note(Scan *scan, PyObject *arguments) {
    long long ns;
    if (!PyArg_ParseTuple(arguments, "L", &ns)) return NULL;
    note_packet(scan, ns);
    return PyLong_FromLongLong(scan->packet_no);
}

/* sums() -> (packet_no, first_ns, ns, unwanted segments, packets of other protocols, their octets, link types) */
static PyObject *sums(Scan *scan, PyObject *unused) {
    PyObject *link_types = PyList_New(0);
    for (long link_type = 0; link_types != NULL && link_type < KINDS_OF_LINKS; link_type++) {
        PyObject *number = scan->link_types[link_type] ? PyLong_FromLong(link_type) : NULL;
        if (number != NULL && PyList_Append(link_types, number) < 0) Py_CLEAR(link_types);
        Py_XDECREF(number);
    }
    if (link_types == NULL) return NULL;
    return Py_BuildValue("(LLLKKKN)", (long long)scan->packet_no, (long long)scan->first_ns, (long long)scan->ns,
                         (unsigned long long)scan->unwanted, (unsigned long long)scan->others,
                         (unsigned long long)scan->other_octets, link_types);
}

static PyMethodDef methods[] = {
    {"read_pcap", (PyCFunction)scan_pcap, METH_VARARGS,
     "read_pcap(buffer, position, is_little, unit, link_type) -> (position of the first record that was not read, ns of the last packet)"},
    {"read_pcapng", (PyCFunction)scan_pcapng, METH_VARARGS,
     "read_pcapng(buffer, position, is_little, ((link_type, ns in a unit of time or 0), ...)) -> (position of the first block that "
     "was not read, ns of the last packet)"},
    {"take", (PyCFunction)take_segments, METH_NOARGS, "take() -> the wanted segments since the last call"},
    {"taken", (PyCFunction)taken, METH_NOARGS,
     "taken() -> (segments, octets of their payloads) that the ingest took since the last call, where the last packet begins"},
    {"note", (PyCFunction)note, METH_VARARGS, "note(ns) -> number of a packet that the caller has read"},
    {"sums", (PyCFunction)sums, METH_NOARGS,
     "sums() -> (packet_no, first_ns, last_ns, unwanted, packets of other protocols, their octets, link types)"},
    {NULL, NULL, 0, NULL},
};

int add_scan(PyObject *module) {
    PyType_Slot slots[] = {
        {Py_tp_new, (void *)new_scan},
        {Py_tp_dealloc, (void *)free_scan},
        {Py_tp_methods, methods},
        {Py_tp_doc, "Scan(buckets or None, packets_before, at_once, ingest or None): the plain packets of a capture file."},
        {0, NULL},
    };
    PyType_Spec spec = {"amqp_native_ingest.Scan", sizeof(Scan), 0, Py_TPFLAGS_DEFAULT | Py_TPFLAGS_IMMUTABLETYPE, slots};
    PyObject *type = PyType_FromModuleAndSpec(module, &spec, NULL);
    int result = type == NULL ? -1 : PyModule_AddType(module, (PyTypeObject *)type);
    Py_XDECREF(type);
    return result;
}
