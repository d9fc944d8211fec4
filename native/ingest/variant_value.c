#include "variant_value.h"

RowResult keep_variant(const Input *octets, const Input *metadata, Arena *arena, Value *value) {
    size_t size = input_size(octets), metadata_size = input_size(metadata);
    uint8_t *room = arena_room(arena, size + metadata_size);
    if (room == NULL) return READ_FAILED;
    memcpy(room, octets->at, size);
    memcpy(room + size, metadata->at, metadata_size);
    *value = run_value(VARIANT, (Input){room, room + size});
    value->metadata = (Input){room + size, room + size + metadata_size};
    return READ_ROW;
}

RowResult finish_variant_value(Variant *variant, bool done, Arena *arena, Value *value) {
    Output names;
    RowResult result = NOT_PLAIN_ROW;
    start_output(&names);
    if (done && write_metadata(variant, &names)) {
        Input octets = {variant->out.octets, variant->out.octets + variant->out.size};
        Input metadata = {names.octets, names.octets + names.size};
        result = keep_variant(&octets, &metadata, arena, value);
    }
    release_output(&names);
    release_output(&variant->out);
    return result;
}
