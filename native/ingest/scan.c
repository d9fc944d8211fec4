/* The type `Scan`, which reads the plain packets of a capture file: segments as Python has them,
   `amqp_traffic.capture.stream_data.Segment`.

   Plain packets of wanted flows become tuples, or go to an `Ingest`; those of other flows, and packets of other
   protocols, are counted. The scan goes from record to record, and stops where Python has to look: at damage, at a
   block that is not an enhanced packet, at a packet that is not plain. Python (`amqp_traffic.capture.pcap`, `.pcapng`)
   reads that one record and calls again with the position after it.

   pcap: https://ietf-opsawg-wg.github.io/draft-ietf-opsawg-pcap/draft-ietf-opsawg-pcap.html, pcapng:
   draft-ietf-opsawg-pcapng. */
#include "../src/steps.h"
#include "flows.h"
#include "ingest.h"
#include "memory.h"
#include "types.h"

enum { KINDS_OF_LINKS = 512 }; /* link types above are not plain */
enum { TUNNEL_FLAGS = 1 << 16 };
enum { BETWEEN_LOOKS = 64 }; /* segments, after which an ingest may be full */

enum { LONGEST_PACKET = 262144, SECOND = 1000000000 }; /* libpcap and Wireshark neither read nor write longer packets */
enum { RECORD_HEADER = 16, ENHANCED_PACKET = 6, BEFORE_PACKET = 28, AROUND_PACKET = 32 };

/* An interface of pcapng; `scale` nanoseconds are a unit of its time, 0 when that is no whole number. */
typedef struct {
    uint32_t link_type;
    int64_t scale;
} Interface;

/* The octets of a file, and how its records are written. */
typedef struct {
    const uint8_t *octets;
    size_t size;
    bool is_little;              /* the byte order of numbers */
    uint32_t unit;               /* pcap: nanoseconds in a unit of fractions of a second; 0 for pcapng */
    uint32_t link_type;          /* pcap */
    const Interface *interfaces; /* pcapng */
    size_t interface_count;
} Records;

typedef struct {
    PyObject_HEAD FlowBuckets *buckets; /* NULL: all flows are wanted */
    Py_ssize_t at_once;
    Ingest *ingest;     /* takes the segments; or NULL */
    PyObject *tunnels;  /* bytes for `find_segment`, or NULL */
    PyObject *segments; /* those not taken yet */
    Py_ssize_t taken;   /* by the ingest, since `taken` was called */
    uint64_t octets;    /* of their payloads */
    uint64_t record;    /* where the last packet begins */
    int64_t packet_no;  /* of the last packet */
    int64_t first_ns;
    int64_t ns;
    bool has_begun;
    bool is_at_work; /* the host of the ingest must not call it meanwhile */
    uint64_t unwanted;
    uint64_t others, other_octets;
    bool link_types[KINDS_OF_LINKS];
    Steps steps; /* packets: a file may have no wanted flow for minutes */
} Scan;

static PyObject *new_scan(PyTypeObject *type, PyObject *arguments, PyObject *Py_UNUSED(keywords)) {
    PyObject *buckets, *ingest = Py_None, *tunnels = Py_None;
    long long packets_before;
    Py_ssize_t at_once;
    const Types *types = PyType_GetModuleState(type);
    if (types == NULL
        || !PyArg_ParseTuple(arguments, "OLn|OO", &buckets, &packets_before, &at_once, &ingest, &tunnels)) {
        return NULL;
    }
    if (tunnels != Py_None && !PyBytes_Check(tunnels)) {
        return PyErr_Format(PyExc_TypeError, "bytes or None, not %R", tunnels);
    }
    if (tunnels != Py_None && PyBytes_Size(tunnels) != TUNNEL_FLAGS) {
        return PyErr_Format(PyExc_ValueError, "an octet for each of %d numbers", TUNNEL_FLAGS);
    }
    if (buckets != Py_None && !Py_IS_TYPE(buckets, types->flow_buckets)) {
        return PyErr_Format(PyExc_TypeError, "FlowBuckets or None, not %R", buckets);
    }
    if (ingest != Py_None && !Py_IS_TYPE(ingest, types->ingest)) {
        return PyErr_Format(PyExc_TypeError, "Ingest or None, not %R", ingest);
    }
    PyObject *segments = PyList_New(0);
    Scan *scan = segments == NULL ? NULL : (Scan *)PyType_GenericAlloc(type, 0);
    if (scan == NULL) {
        Py_XDECREF(segments);
        return NULL;
    }
    scan->buckets = buckets == Py_None ? NULL : (FlowBuckets *)Py_NewRef(buckets);
    scan->ingest = ingest == Py_None ? NULL : (Ingest *)Py_NewRef(ingest);
    scan->at_once = at_once;
    scan->tunnels = tunnels == Py_None ? NULL : Py_NewRef(tunnels);
    scan->segments = segments;
    scan->packet_no = packets_before;
    return (PyObject *)scan;
}

static int visit_scan(Scan *scan, visitproc visit, void *arg) {
    Py_VISIT(Py_TYPE((PyObject *)scan));
    Py_VISIT((PyObject *)scan->ingest);
    Py_VISIT(scan->segments);
    return 0;
}

/* The list stays, so that a scan always has one: what is in it is let go of. */
static int clear_scan(Scan *scan) {
    Ingest *ingest = scan->ingest;
    if (scan->is_at_work) { return 0; }
    scan->ingest = NULL;
    Py_XDECREF((PyObject *)ingest);
    if (scan->segments != NULL) { PyList_SetSlice(scan->segments, 0, PyList_Size(scan->segments), NULL); }
    return 0;
}

static void free_scan(Scan *scan) {
    PyTypeObject *type = Py_TYPE((PyObject *)scan);
    PyObject_GC_UnTrack(scan);
    Py_XDECREF((PyObject *)scan->buckets);
    Py_XDECREF((PyObject *)scan->ingest);
    Py_XDECREF(scan->tunnels);
    Py_XDECREF(scan->segments);
    PyObject_GC_Del(scan);
    Py_DECREF(type);
}

/* --- Records --- */

static uint32_t number_at(const Records *records, const uint8_t *at) {
    if (!records->is_little) { return get_32(at); }
    return (uint32_t)at[3] << 24 | (uint32_t)at[2] << 16 | (uint32_t)at[1] << 8 | at[0];
}

static size_t read_pcap(const Records *records, size_t position, Packet *packet) {
    const uint8_t *head = records->octets + position;
    if (records->size - position < RECORD_HEADER) { return 0; }
    uint32_t fraction = number_at(records, head + 4);
    size_t captured = number_at(records, head + 8);
    if (captured == 0 || captured > LONGEST_PACKET || fraction >= SECOND / records->unit) { return 0; }
    if (captured > records->size - position - RECORD_HEADER) { return 0; }
    packet->octets = head + RECORD_HEADER;
    packet->captured = captured;
    packet->original = number_at(records, head + 12);
    packet->link_type = records->link_type;
    packet->ns = (int64_t)number_at(records, head) * SECOND + (int64_t)fraction * records->unit;
    return position + RECORD_HEADER + captured;
}

/* An enhanced packet block. Where options follow the packet, its length stands again at its end. */
static size_t read_pcapng(const Records *records, size_t position, Packet *packet) {
    const uint8_t *head = records->octets + position;
    if (records->size - position < AROUND_PACKET || number_at(records, head) != ENHANCED_PACKET) { return 0; }
    size_t length = number_at(records, head + 4);
    size_t number = number_at(records, head + 8);
    size_t captured = number_at(records, head + 20);
    size_t without_options = (captured + 3 + AROUND_PACKET) & ~(size_t)3;
    if (captured > LONGEST_PACKET || length < without_options || length > records->size - position) { return 0; }
    if (length > without_options && (length % 4 != 0 || number_at(records, head + length - 4) != length)) { return 0; }
    if (number >= records->interface_count) { return 0; }
    int64_t scale = records->interfaces[number].scale;
    uint64_t units = (uint64_t)number_at(records, head + 12) << 32 | number_at(records, head + 16);
    if (scale == 0 || units > (uint64_t)(INT64_MAX / scale)) { return 0; }
    packet->octets = head + BEFORE_PACKET;
    packet->captured = captured;
    packet->original = number_at(records, head + 24);
    packet->link_type = records->interfaces[number].link_type;
    packet->ns = (int64_t)units * scale;
    return position + length;
}

/* Reads the packet whose record begins at a position, and returns where the record ends; 0 when it is not a plain
   one. */
static size_t read_record(const Records *records, size_t position, Packet *packet) {
    packet->record = position;
    return records->unit != 0 ? read_pcap(records, position, packet) : read_pcapng(records, position, packet);
}

/* --- Packets --- */

/* Gives a segment to the ingest, or appends its tuple. */
static bool take_or_append(Scan *scan, const Segment *segment, const Packet *packet) {
    if (scan->ingest != NULL) {
        scan->taken++;
        scan->octets += input_size(&segment->payload);
        return take_segment(scan->ingest, segment, &(Place){scan->packet_no, packet->record, packet->ns});
    }
    PyObject *tuple =
        Py_BuildValue("(y#IIBy#KLKL)", (const char *)segment->flow, (Py_ssize_t)segment->flow_size, segment->sequence,
                      segment->acknowledgment, segment->flags, (const char *)segment->payload.at,
                      (Py_ssize_t)input_size(&segment->payload), (unsigned long long)segment->missing,
                      (long long)scan->packet_no, (unsigned long long)packet->record, (long long)packet->ns);
    if (tuple == NULL) { return false; }
    int failed = PyList_Append(scan->segments, tuple);
    Py_DECREF(tuple);
    return failed == 0;
}

static void note_packet(Scan *scan, int64_t ns) {
    if (!scan->has_begun) { scan->first_ns = ns; }
    scan->has_begun = true;
    scan->packet_no++;
    scan->ns = ns;
}

/* Fails if the host of the ingest has called the scan. */
static bool check_rest(const Scan *scan) {
    if (scan->is_at_work) {
        PyErr_SetString(PyExc_RuntimeError, "this scan is at work: the host of its ingest must not call it");
    }
    return !scan->is_at_work;
}

/* Reads from a position on; returns the position of the first record that was not read, and the time of the last
   packet. */
static PyObject *read_packets(Scan *scan, const Records *records, size_t position) {
    Packet packet;
    Py_ssize_t at_once = scan->at_once;
    const uint8_t *tunnels = scan->tunnels == NULL ? NULL : (const uint8_t *)PyBytes_AsString(scan->tunnels);
    while (position < records->size && scan->taken + PyList_Size(scan->segments) < at_once) {
        size_t end = read_record(records, position, &packet);
        if (end == 0 || packet.link_type >= KINDS_OF_LINKS) { break; }
        Segment segment;
        Content content = find_segment(&packet, tunnels, &segment);
        if (content == ODD_PACKET) { break; }
        note_packet(scan, packet.ns);
        scan->link_types[packet.link_type] = true;
        scan->record = packet.record;
        if (content == NO_SEGMENT) {
            scan->others++;
            scan->other_octets += packet.captured;
        }
        else if (scan->buckets == NULL
                 || count_segment(scan->buckets, segment.flow, segment.flow_size, input_size(&segment.payload))) {
            if (!take_or_append(scan, &segment, &packet)) { return NULL; }
            bool is_time = scan->ingest != NULL && scan->taken % BETWEEN_LOOKS == 0;
            if (is_time && is_full(scan->ingest)) { at_once = 0; /* small frames may be very many */ }
        }
        else { scan->unwanted++; }
        position = end;
        if (!take_step(&scan->steps)) { return NULL; }
    }
    return Py_BuildValue("(KL)", (unsigned long long)position, (long long)scan->ns);
}

/* Holds the octets of a file, which may be mapped, while it reads them. */
static PyObject *read_file(Scan *scan, PyObject *file, Records *records, Py_ssize_t position) {
    Py_buffer buffer;
    PyObject *result = NULL;
    if (!check_rest(scan) || PyObject_GetBuffer(file, &buffer, PyBUF_SIMPLE) < 0) { return NULL; }
    if (position < 0 || position > buffer.len) {
        PyErr_Format(PyExc_ValueError, "position %zd in a file of %zd octets", position, buffer.len);
    }
    else {
        records->octets = buffer.buf;
        records->size = (size_t)buffer.len;
        scan->is_at_work = true;
        result = read_packets(scan, records, (size_t)position);
        scan->is_at_work = false;
    }
    PyBuffer_Release(&buffer);
    return result;
}

static PyObject *scan_pcap(Scan *scan, PyObject *arguments) {
    PyObject *file;
    Py_ssize_t position;
    int is_little;
    Records records = {0};
    if (!PyArg_ParseTuple(arguments, "OnpII", &file, &position, &is_little, &records.unit, &records.link_type)) {
        return NULL;
    }
    if (records.unit == 0) { return PyErr_Format(PyExc_ValueError, "a unit of 0 ns"); }
    records.is_little = is_little != 0;
    return read_file(scan, file, &records, position);
}

/* The interfaces of a section, (link type, nanoseconds in a unit of time or 0) each. */
static Interface *read_interfaces(PyObject *tuple, size_t count) {
    Interface *interfaces = zeros(count, sizeof *interfaces);
    for (size_t index = 0; interfaces != NULL && index < count; index++) {
        PyObject *pair = PyTuple_GetItem(tuple, (Py_ssize_t)index);
        long long scale = 0;
        bool is_pair = PyTuple_Check(pair);
        if (!is_pair) { PyErr_Format(PyExc_TypeError, "(link type, scale), not %R", pair); }
        if (!is_pair || !PyArg_ParseTuple(pair, "IL", &interfaces[index].link_type, &scale)) {
            PyMem_Free(interfaces);
            return NULL;
        }
        interfaces[index].scale = scale < 0 ? 0 : scale;
    }
    return interfaces;
}

static PyObject *scan_pcapng(Scan *scan, PyObject *arguments) {
    PyObject *file, *tuple;
    Py_ssize_t position;
    int is_little;
    if (!PyArg_ParseTuple(arguments, "OnpO!", &file, &position, &is_little, &PyTuple_Type, &tuple)) { return NULL; }
    size_t count = (size_t)PyTuple_Size(tuple);
    Interface *interfaces = read_interfaces(tuple, count);
    Records records = {.is_little = is_little != 0, .interfaces = interfaces, .interface_count = count};
    PyObject *result = interfaces == NULL ? NULL : read_file(scan, file, &records, position);
    PyMem_Free(interfaces);
    return result;
}

static PyObject *take_segments(Scan *scan, PyObject *Py_UNUSED(unused)) {
    PyObject *empty = check_rest(scan) ? PyList_New(0) : NULL, *segments = scan->segments;
    if (empty == NULL) { return NULL; }
    scan->segments = empty;
    return segments;
}

static PyObject *taken(Scan *scan, PyObject *Py_UNUSED(unused)) {
    if (!check_rest(scan)) { return NULL; }
    PyObject *result =
        Py_BuildValue("(nKK)", scan->taken, (unsigned long long)scan->octets, (unsigned long long)scan->record);
    scan->taken = 0;
    scan->octets = 0;
    return result;
}

static PyObject *note(Scan *scan, PyObject *arguments) {
    long long ns;
    if (!PyArg_ParseTuple(arguments, "L", &ns) || !check_rest(scan)) { return NULL; }
    note_packet(scan, ns);
    return PyLong_FromLongLong(scan->packet_no);
}

static PyObject *sums(Scan *scan, PyObject *Py_UNUSED(unused)) {
    PyObject *link_types = check_rest(scan) ? PyList_New(0) : NULL;
    for (long link_type = 0; link_types != NULL && link_type < KINDS_OF_LINKS; link_type++) {
        if (!scan->link_types[link_type]) { continue; }
        PyObject *number = PyLong_FromLong(link_type);
        if (number == NULL || PyList_Append(link_types, number) < 0) { Py_CLEAR(link_types); }
        Py_XDECREF(number);
    }
    if (link_types == NULL) { return NULL; }
    return Py_BuildValue("(LLLKKKN)", (long long)scan->packet_no, (long long)scan->first_ns, (long long)scan->ns,
                         (unsigned long long)scan->unwanted, (unsigned long long)scan->others,
                         (unsigned long long)scan->other_octets, link_types);
}

static PyMethodDef methods[] = {
    {"read_pcap", (PyCFunction)scan_pcap, METH_VARARGS,
     "read_pcap($self, buffer, position, is_little, unit, link_type, /)\n--\n\n"
     "Read records from a position on; return the position of the first one that was not read, and the ns of the last "
     "packet."},
    {"read_pcapng", (PyCFunction)scan_pcapng, METH_VARARGS,
     "read_pcapng($self, buffer, position, is_little, interfaces, /)\n--\n\n"
     "Read blocks; for the rest see `read_pcap`. An interface is (link type, ns in a unit of time or 0)."},
    {"take", (PyCFunction)take_segments, METH_NOARGS,
     "take($self, /)\n--\n\nReturn the wanted segments since the last call."},
    {"taken", (PyCFunction)taken, METH_NOARGS,
     "taken($self, /)\n--\n\nReturn how many segments the ingest took since the last call, the octets of their "
     "payloads, and "
     "where the last packet begins."},
    {"note", (PyCFunction)note, METH_VARARGS,
     "note($self, ns, /)\n--\n\nCount a packet that the caller has read, and return its number."},
    {"sums", (PyCFunction)sums, METH_NOARGS,
     "sums($self, /)\n--\n\nReturn packet_no, first_ns, last_ns, unwanted segments, packets of other protocols, their "
     "octets, and "
     "the link types."},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot slots[] = {
    {Py_tp_new, (void *)new_scan},
    {Py_tp_traverse, (void *)visit_scan},
    {Py_tp_clear, (void *)clear_scan},
    {Py_tp_dealloc, (void *)free_scan},
    {Py_tp_methods, methods},
    {Py_tp_doc, "Scan(buckets, packets_before, at_once, ingest=None, tunnels=None, /)\n--\n\nThe plain packets of a "
                "capture file."},
    {0, NULL},
};

PyType_Spec scan_spec = {"amqp_native_ingest.Scan", sizeof(Scan), 0, TYPE_FLAGS | Py_TPFLAGS_HAVE_GC, slots};
