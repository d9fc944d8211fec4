/* The module amqp_native_ingest: what reads captures. */
#include "types.h"

/* `amqp_traffic` and this module must agree on it: what the methods take and give. */
enum { LAYOUT_VERSION = 6 };

static bool add_type(PyObject *module, PyType_Spec *spec, PyTypeObject **type) {
    *type = (PyTypeObject *)PyType_FromModuleAndSpec(module, spec, NULL);
    return *type != NULL && PyModule_AddType(module, *type) == 0;
}

static int add_all(PyObject *module) {
    Types *types = PyModule_GetState(module);
    bool is_done = add_type(module, &flow_buckets_spec, &types->flow_buckets)
                   && add_type(module, &ingest_spec, &types->ingest) && add_type(module, &scan_spec, &types->scan);
    return is_done ? PyModule_AddIntConstant(module, "LAYOUT_VERSION", LAYOUT_VERSION) : -1;
}

static int visit_module(PyObject *module, visitproc visit, void *arg) {
    Types *types = PyModule_GetState(module);
    Py_VISIT(types->flow_buckets);
    Py_VISIT(types->ingest);
    Py_VISIT(types->scan);
    return 0;
}

static int clear_module(PyObject *module) {
    Types *types = PyModule_GetState(module);
    Py_CLEAR(types->flow_buckets);
    Py_CLEAR(types->ingest);
    Py_CLEAR(types->scan);
    return 0;
}

static void free_module(void *module) { clear_module(module); }

static PyModuleDef_Slot slots[] = {
    {Py_mod_exec, (void *)add_all},
    {0, NULL},
};

static PyModuleDef definition = {
    PyModuleDef_HEAD_INIT,
    .m_name = "amqp_native_ingest",
    .m_doc = "Reads captures for amqp-codegen traffic.",
    .m_size = sizeof(Types),
    .m_slots = slots,
    .m_traverse = visit_module,
    .m_clear = clear_module,
    .m_free = free_module,
};

PyMODINIT_FUNC PyInit_amqp_native_ingest(void) { return PyModuleDef_Init(&definition); }
