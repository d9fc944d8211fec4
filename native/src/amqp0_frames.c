/* Frames of the 0-x versions (0-9-1, 4.2.3): type, channel, size, payload and the octet 0xCE. */
#include "amqp0.h"

enum { METHOD_FRAME = 1, HEADER_FRAME = 2, BODY_FRAME = 3, HEARTBEAT_FRAME = 8, FRAME_END = 0xCE };

static Result read_payload(Core0 *core, const Reading *reading, uint8_t type, Input *payload, PyObject **frame) {
    switch (type) {
    case METHOD_FRAME: return read_method(core, reading, payload, frame);
    case HEADER_FRAME: return read_header(core, reading, payload, frame);
    case BODY_FRAME:
        if (core->body_type == NULL) { return NOT_PLAIN; }
        return made(frame, new_with_slot(core->body_type, core->body_payload, new_bytes(payload)));
    case HEARTBEAT_FRAME:
        if (payload->at != payload->end || core->heartbeat_type == NULL) { return NOT_PLAIN; }
        return made(frame, PyType_GenericAlloc(core->heartbeat_type, 0));
    default: return NOT_PLAIN;
    }
}

/* The frames of one channel mostly come in a row: they share its number. */
typedef struct {
    int channel;
    PyObject *number;
} Channel;

/* Appends (channel, frame) and takes over the frame. */
static bool append_frame(PyObject *frames, Channel *last, uint16_t channel, PyObject *frame) {
    if (last->channel != channel) {
        Py_XDECREF(last->number);
        last->channel = channel;
        last->number = PyLong_FromLong(channel);
    }
    PyObject *pair = last->number == NULL ? NULL : PyTuple_Pack(2, last->number, frame);
    Py_DECREF(frame);
    bool done = pair != NULL && PyList_Append(frames, pair) == 0;
    Py_XDECREF(pair);
    return done;
}

/* Reads plain frames and leaves the input before the first that is not. */
bool read_frames(Core0 *core, const Reading *reading, Input *in, uint64_t max_payload, PyObject *frames) {
    Channel last = {-1, NULL};
    bool is_done = true;
    while (is_done && input_has(in, FRAME_OVERHEAD)) {
        uint32_t size = get_32(in->at + 3);
        if (size > max_payload || !input_has(in, (size_t)size + FRAME_OVERHEAD)) { break; }
        Input payload = {in->at + 7, in->at + 7 + size};
        if (*payload.end != FRAME_END) { break; }
        PyObject *frame;
        if (read_payload(core, reading, in->at[0], &payload, &frame) != DONE) {
            is_done = forget_error();
            break;
        }
        is_done = append_frame(frames, &last, get_16(in->at + 1), frame) && take_step(&core->base.steps);
        in->at += (size_t)size + FRAME_OVERHEAD;
    }
    Py_XDECREF(last.number);
    return is_done;
}

/* Starts a frame whose size `end_frame` fills in; returns where its payload starts, 0 when there is no memory. */
static size_t start_frame(Output *out, uint8_t type, uint16_t channel) {
    if (!output_room(out, FRAME_OVERHEAD)) { return 0; }
    put_8(out, type);
    put_16(out, channel);
    put_32(out, 0);
    return out->size;
}

static Result end_frame(Output *out, size_t start, uint64_t max_payload) {
    size_t size = out->size - start;
    if (size > max_payload || !output_room(out, 1)) { return NOT_PLAIN; }
    set_32(out->octets + start - 4, (uint32_t)size);
    put_8(out, FRAME_END);
    return DONE;
}

static Result write_body(const Core0 *core, Output *out, PyObject *body) {
    Input run;
    PyObject *payload = get_slot(body, core->body_payload);
    if (payload == NULL || !bytes_run(payload, &run) || !output_room(out, input_size(&run))) { return NOT_PLAIN; }
    put_run(out, &run);
    return DONE;
}

static Result write_payload(Core0 *core, const Writing *writing, Output *out, const Found *found, PyObject *frame) {
    switch (found->kind) {
    case METHOD_CLASS: return write_method(core, writing, out, found->layout, frame);
    case HEADER_CLASS: return write_header(core, writing, out, frame);
    case BODY_CLASS: return write_body(core, out, frame);
    default: return DONE; /* a heartbeat */
    }
}

Result write_frame(Core0 *core, const Writing *writing, Output *out, PyObject *channel, PyObject *frame) {
    static const uint8_t types[] = {
        [METHOD_CLASS] = METHOD_FRAME,
        [HEADER_CLASS] = HEADER_FRAME,
        [BODY_CLASS] = BODY_FRAME,
        [HEARTBEAT_CLASS] = HEARTBEAT_FRAME,
    };
    uint16_t number;
    const Found *found = look_up_type(&core->base.types, frame);
    if (types[found->kind] == 0 || !is_channel(channel, &number)) { return NOT_PLAIN; }
    if (found->kind == HEARTBEAT_CLASS && number != 0) {
        return NOT_PLAIN;
    } /* 4.2.7 has heartbeats on channel 0 alone */
    size_t start = start_frame(out, types[found->kind], number);
    if (start == 0) { return NOT_PLAIN; }
    RETURN_UNLESS_DONE(write_payload(core, writing, out, found, frame));
    return end_frame(out, start, UINT32_MAX);
}

/* Cuts the body into frames that hold at most `room` octets each. */
static Result write_body_frames(Output *out, uint16_t channel, Input *body, uint64_t room) {
    while (input_size(body) > 0) {
        size_t size = input_size(body) < room ? input_size(body) : (size_t)room;
        Input part = {body->at, body->at + size};
        size_t start = start_frame(out, BODY_FRAME, channel);
        if (start == 0 || !output_room(out, size)) { return NOT_PLAIN; }
        put_run(out, &part);
        RETURN_UNLESS_DONE(end_frame(out, start, room));
        body->at = part.end;
    }
    return DONE;
}

/* The frames of a method with content, of its header and of its body (0-9-1, 4.2.6). */
Result write_message(Core0 *core, const Writing *writing, Output *out, const MessageParts *message) {
    uint16_t channel;
    Input body;
    const Found *method = look_up_type(&core->base.types, message->method);
    const Found *properties = look_up_type(&core->base.types, message->properties);
    if (method->kind != METHOD_CLASS || properties->kind != PROPERTIES_CLASS) { return NOT_PLAIN; }
    const Layout *method_layout = method->layout, *layout = properties->layout;
    if (!method_layout->has_content || method_layout->key >> 16 != layout->key) { return NOT_PLAIN; }
    if (!is_channel(message->channel, &channel) || !bytes_run(message->body, &body)) { return NOT_PLAIN; }
    if (message->max_frame_size != 0 && message->max_frame_size <= FRAME_OVERHEAD) { return NOT_PLAIN; }
    uint64_t room = message->max_frame_size == 0 ? UINT32_MAX : message->max_frame_size - FRAME_OVERHEAD;
    size_t start = start_frame(out, METHOD_FRAME, channel);
    if (start == 0) { return NOT_PLAIN; }
    RETURN_UNLESS_DONE(write_method(core, writing, out, method_layout, message->method));
    RETURN_UNLESS_DONE(end_frame(out, start, room));
    start = start_frame(out, HEADER_FRAME, channel);
    if (start == 0) { return NOT_PLAIN; }
    RETURN_UNLESS_DONE(write_header_of(core, writing, out, layout, message->properties, input_size(&body)));
    RETURN_UNLESS_DONE(end_frame(out, start, room));
    return write_body_frames(out, channel, &body, room);
}
