/* Frames of 1.0 (2.3): size, offset of the body, type, channel, a performative and a payload. */
#include "amqp1.h"

enum { FRAME_HEADER = 8, AMQP_FRAME = 0 };

/* A performative with the common form of its descriptor, None when there is none; SASL and other forms are for
   Python. */
static Result read_performative(Core1 *core, Reading1 *reading, Input *body, uint32_t depth, PyObject **performative) {
    if (body->at == body->end) { return made(performative, Py_NewRef(Py_None)); }
    const uint8_t *at = take(body, 3);
    if (at == NULL || at[0] != DESCRIBED || at[1] != SMALLULONG) { return NOT_PLAIN; }
    const Composite *composite = core->composites[at[2]];
    if (composite == NULL || !composite->is_performative) { return NOT_PLAIN; }
    return read_composite(core, reading, composite, body, depth, performative);
}

/* Appends (channel, performative, payload) and takes over the performative. */
static bool append_frame(PyObject *frames, uint16_t channel, PyObject *performative, const Input *payload) {
    PyObject *number = PyLong_FromLong(channel);
    PyObject *octets = number == NULL ? NULL : new_bytes(payload);
    PyObject *frame = octets == NULL ? NULL : PyTuple_Pack(3, number, performative, octets);
    bool done = frame != NULL && PyList_Append(frames, frame) == 0;
    Py_XDECREF(frame);
    Py_XDECREF(octets);
    Py_XDECREF(number);
    Py_DECREF(performative);
    return done;
}

bool read_frames1(Core1 *core, Reading1 *reading, Input *in, uint64_t max_frame_size, PyObject *frames) {
    uint32_t depth = (uint32_t)PyList_Size(reading->levels) - 2;
    while (input_has(in, FRAME_HEADER)) {
        uint32_t size = get_32(in->at);
        size_t offset = 4 * (size_t)in->at[4];
        if (size > max_frame_size || offset < FRAME_HEADER || offset > size || in->at[5] != AMQP_FRAME) { break; }
        if (!input_has(in, size)) { break; }
        Input body = {in->at + offset, in->at + size};
        PyObject *performative;
        reading->retries = MOST_RETRIES;
        Result result = left_to_python(read_performative(core, reading, &body, depth, &performative));
        if (result != DONE) { return result != FAILED; }
        if (!append_frame(frames, get_16(in->at + 6), performative, &body) || !take_step(&core->base.steps)) {
            return false;
        }
        in->at += size;
    }
    return true;
}

Result write_frame1(Core1 *core, Output *out, PyObject *channel, PyObject *performative, PyObject *payload,
                    uint64_t most) {
    const Found *found = look_up_type(&core->base.types, performative);
    uint16_t number;
    Input run;
    if (found->kind != T_COMPOSITE || !((const Composite *)found->layout)->is_performative) { return NOT_PLAIN; }
    if (!is_channel(channel, &number) || !bytes_run(payload, &run) || !output_room(out, FRAME_HEADER)) {
        return NOT_PLAIN;
    }
    put_32(out, 0);
    put_8(out, FRAME_HEADER / 4);
    put_8(out, AMQP_FRAME);
    put_16(out, number);
    RETURN_UNLESS_DONE(write_composite(core, out, found->layout, performative, core->depth - 1));
    if (!output_room(out, input_size(&run))) { return NOT_PLAIN; }
    put_run(out, &run);
    if (out->size > most) { return NOT_PLAIN; }
    set_32(out->octets, (uint32_t)out->size);
    return DONE;
}
