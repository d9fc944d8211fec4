#include "flows.h"

#include "types.h"

/* The cyclic redundancy check of zlib (ISO 3309), four bits at a time. */
static const uint32_t REMAINDERS[16] = {
    0x00000000, 0x1DB71064, 0x3B6E20C8, 0x26D930AC, 0x76DC4190, 0x6B6B51F4, 0x4DB26158, 0x5005713C,
    0xEDB88320, 0xF00F9344, 0xD6D6A3E8, 0xCB61B38C, 0x9B64C2B0, 0x86D3D2D4, 0xA00AE278, 0xBDBDF21C,
};

static uint32_t add_checksum(uint32_t checksum, const uint8_t *octets, size_t size) {
    for (size_t index = 0; index < size; index++) {
        checksum ^= octets[index];
        checksum = checksum >> 4 ^ REMAINDERS[checksum & 0xF];
        checksum = checksum >> 4 ^ REMAINDERS[checksum & 0xF];
    }
    return checksum;
}

/* The lower endpoint, address and port, comes first. */
uint32_t bucket_of(const uint8_t *flow, size_t flow_size) {
    size_t address = (flow_size - 4) / 2;
    const uint8_t *ports = flow + 2 * address;
    int order = memcmp(flow, flow + address, address);
    if (order == 0) { order = memcmp(ports, ports + 2, 2); }
    size_t first = order <= 0 ? 0 : 1, second = 1 - first;
    uint32_t checksum = UINT32_MAX;
    checksum = add_checksum(checksum, flow + first * address, address);
    checksum = add_checksum(checksum, ports + first * 2, 2);
    checksum = add_checksum(checksum, flow + second * address, address);
    checksum = add_checksum(checksum, ports + second * 2, 2);
    return ~checksum % BUCKETS;
}

/* Most packets are of a few flows. */
static uint32_t known_bucket(FlowBuckets *buckets, const uint8_t *flow, size_t flow_size) {
    KnownFlow *known =
        &buckets->known[(flow[flow_size - 4] ^ flow[flow_size - 3] ^ flow[flow_size - 2] ^ flow[flow_size - 1]) & 0xFF];
    if (known->flow_size != flow_size || memcmp(known->flow, flow, flow_size) != 0) {
        memcpy(known->flow, flow, flow_size);
        known->flow_size = (uint8_t)flow_size;
        known->bucket = (uint16_t)bucket_of(flow, flow_size);
    }
    return known->bucket;
}

bool count_segment(FlowBuckets *buckets, const uint8_t *flow, size_t flow_size, uint64_t octets) {
    uint32_t bucket = known_bucket(buckets, flow, flow_size);
    buckets->segments[bucket]++;
    buckets->octets[bucket] += octets;
    return buckets->wanted[bucket];
}

static PyObject *new_buckets(PyTypeObject *type, PyObject *arguments, PyObject *Py_UNUSED(keywords)) {
    const char *wanted;
    Py_ssize_t size;
    if (!PyArg_ParseTuple(arguments, "y#", &wanted, &size)) { return NULL; }
    if (size != BUCKETS) { return PyErr_Format(PyExc_ValueError, "%zd octets for %d buckets", size, BUCKETS); }
    FlowBuckets *buckets = (FlowBuckets *)PyType_GenericAlloc(type, 0);
    for (int bucket = 0; buckets != NULL && bucket < BUCKETS; bucket++) {
        buckets->wanted[bucket] = wanted[bucket] != 0;
    }
    return (PyObject *)buckets;
}

static void free_buckets(PyObject *buckets) {
    PyTypeObject *type = Py_TYPE(buckets);
    PyObject_Free(buckets);
    Py_DECREF(type);
}

static PyObject *call_buckets(FlowBuckets *buckets, PyObject *arguments, PyObject *Py_UNUSED(keywords)) {
    const char *flow;
    Py_ssize_t size;
    unsigned long long octets;
    if (!PyArg_ParseTuple(arguments, "y#K", &flow, &size, &octets)) { return NULL; }
    if (size != 12 && size != LONGEST_FLOW) { return PyErr_Format(PyExc_ValueError, "a flow of %zd octets", size); }
    return PyBool_FromLong(count_segment(buckets, (const uint8_t *)flow, (size_t)size, octets));
}

static PyObject *counts(FlowBuckets *buckets, PyObject *Py_UNUSED(unused)) {
    PyObject *list = PyList_New(BUCKETS);
    for (int bucket = 0; list != NULL && bucket < BUCKETS; bucket++) {
        PyObject *pair = Py_BuildValue("(KK)", (unsigned long long)buckets->segments[bucket],
                                       (unsigned long long)buckets->octets[bucket]);
        if (pair == NULL || PyList_SetItem(list, bucket, pair) < 0) { Py_CLEAR(list); }
    }
    return list;
}

static PyMethodDef methods[] = {
    {"counts", (PyCFunction)counts, METH_NOARGS,
     "counts($self, /)\n--\n\nReturn a list with the segments and their octets so far, by bucket."},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot slots[] = {
    {Py_tp_new, (void *)new_buckets},
    {Py_tp_dealloc, (void *)free_buckets},
    {Py_tp_call, (void *)call_buckets},
    {Py_tp_methods, methods},
    {Py_tp_doc, "FlowBuckets(wanted, /)\n--\n\nThe flows that are wanted: `wanted` has an octet for each bucket, not 0 "
                "if it is.\n\n"
                "Called with a flow and octets of payload: counts a segment, and tells whether its flow is wanted."},
    {0, NULL},
};

PyType_Spec flow_buckets_spec = {"amqp_native_ingest.FlowBuckets", sizeof(FlowBuckets), 0, TYPE_FLAGS, slots};
