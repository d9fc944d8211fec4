/* The module amqp_native: the types of the cores, and functions that make settings for them. */
#include "amqp0.h"
#include "amqp1.h"

/* Packages and core must agree on it: what the methods take and give, and what layouts are. */
enum { LAYOUT_VERSION = 3 };

static PyMethodDef functions[] = {
    {"reading", make_reading, METH_VARARGS,
     "reading($module, kinds_by_letter, max_depth, max_elements, /)\n--\n\nReturn settings of reading tables."},
    {"writing", make_writing, METH_VARARGS,
     "writing($module, letters, integers, max_depth, max_elements, /)\n--\n\n"
     "Return settings of writing tables: letters are (letter, kind) by kind of Python value, integers a tuple of the "
     "same."},
    {NULL, NULL, 0, NULL},
};

static int add_all(PyObject *module) {
    if (add_core0(module) < 0 || add_core1(module) < 0) { return -1; }
    return PyModule_AddIntConstant(module, "LAYOUT_VERSION", LAYOUT_VERSION);
}

static PyModuleDef_Slot slots[] = {
    {Py_mod_exec, (void *)add_all},
    {0, NULL},
};

static PyModuleDef definition = {
    PyModuleDef_HEAD_INIT, .m_name = "amqp_native", .m_doc = "Cores in C for packages that amqp-codegen generates.",
    .m_size = 0,           .m_methods = functions,  .m_slots = slots,
};

PyMODINIT_FUNC PyInit_amqp_native(void) { return PyModuleDef_Init(&definition); }

/* In a package that was vendored with its core, the module is a private one of the package. */
PyMODINIT_FUNC PyInit__amqp_native(void) { return PyModuleDef_Init(&definition); }
