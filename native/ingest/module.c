/* The module amqp_native_ingest: what reads captures. */
#include "ingest.h"
#include "scan.h"

/* `amqp_traffic` and this module must agree on it: what the methods take and give. */
enum { LAYOUT_VERSION = 2 };

static int add_all(PyObject *module) {
    if (add_flow_buckets(module) < 0 || add_ingest(module) < 0 || add_scan(module) < 0) return -1;
    return PyModule_AddIntConstant(module, "LAYOUT_VERSION", LAYOUT_VERSION);
}

static PyModuleDef_Slot slots[] = {
    {Py_mod_exec, (void *)add_all},
    {0, NULL},
};

static PyModuleDef definition = {
    PyModuleDef_HEAD_INIT,
    .m_name = "amqp_native_ingest",
    .m_doc = "Reads captures for amqp-codegen traffic.",
    .m_size = 0,
    .m_slots = slots,
};

PyMODINIT_FUNC PyInit_amqp_native_ingest(void) { return PyModuleDef_Init(&definition); }
