/* The type `Ingest`: the whole way from segments to tables, for all connections of a share of a capture.

   A segment goes to `streams.h`, its octets as a piece to `conversation.h`, the frames in it to `frame_rows.h`, and what they
   mean to `assembly.h`. Nothing returns to Python but tables, and what is not plain. */
#ifndef AMQP_NATIVE_INGEST_INGEST_H
#define AMQP_NATIVE_INGEST_INGEST_H

#include "assembly.h"
#include "streams.h"

/* The numbers of names that frames have without a package's own, and of statuses. */
typedef struct {
    int32_t content_header, content_body, protocol_header, empty, ok, undecoded;
    int32_t others[256]; /* by frame type; -1: none */
} FrameNames;

typedef struct {
    RowMaker frames;     /* what `FRAME_COLUMNS` of frame_rows.c names */
    RowMaker methods, performatives; /* what stands before the arguments, and `raw` */
} FrameRows;

typedef struct Ingest {
    PyObject_HEAD
    PyObject *host; /* `amqp_traffic.ingest.native_host.NativeHost` */
    Tracker *tracker;
    bool *server_ports;
    Map senders, telling; /* of methods of 0-x, by key */
    Table frames, methods, performatives, messages, exchanges;
    FrameRows rows;
    FrameNames names;
    Sink sink;
    Package **packages; /* by number */
    size_t package_count;
    Arena arena;        /* of the frame at hand */
    Frame *batch;       /* the frames of a piece */
    size_t batch_capacity;
    bool has_failed;    /* an exception has ended the ingest */
} Ingest;

/* Makes sure that the package of that number is there; Python tells its number before it describes it. False with an exception. */
bool has_package(Ingest *ingest, Py_ssize_t number);
/* Takes a segment of a file that stays open until `end_of_file`. */
bool take_segment(Ingest *ingest, const Segment *segment, const Place *place);
/* Whether it is time to take the tables. */
bool is_full(const Ingest *ingest);
bool is_ingest(PyObject *object);
/* Adds the type to the module; -1 with an exception when that fails. */
int add_ingest(PyObject *module);

#endif
