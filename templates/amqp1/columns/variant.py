"""Values as VARIANT: typed values that Spark and Parquet read, made directly from the octets of AMQP.

Nothing is lost. A value for which VARIANT has a type becomes that type:

- null, boolean, float, double, binary and string: the type of the same name.
- byte, short, int and long: an integer of the same width.
- ubyte, ushort and uint: an integer of twice the width. ulong: int64, or a decimal where that is too narrow.
- decimal32, decimal64 and decimal128: decimal4, decimal8 and decimal16, if there are as many digits after the point
  as these allow, and the bits are the usual ones for the number.
- timestamp: timestamp, if it is in the years 1 to 9999.
- list: array. A map whose keys are strings: object.
- A value of a type of the specification that has a descriptor: an object with the name of the type under ``$type``,
  and its fields, null ones left out and defaults filled in, or else its ``value``. The types of fields are known:
  symbols in them are strings, and maps with symbols for keys are objects.

The rest becomes an object with a name that starts with a dollar sign:

- ``$symbol``, ``$char`` and ``$uuid``: a string.
- ``$timestamp``: the milliseconds since 1970, for a moment of another year.
- ``$decimal32``, ``$decimal64`` and ``$decimal128``: the octets of any other decimal.
- ``$array``: an array of the items, of the ``type`` of that name, with the ``descriptors`` if they have some. A
  ``count`` says how often a single item is repeated that takes no octets.
- ``$symbols``: an object, for a map whose keys are symbols; ``$strings`` where symbols would be usual.
- ``$map``: an array of arrays of key and value, for any other map, or one with a key that starts with a dollar sign.
- ``$described``: the descriptor of a type that is not known, beside the ``value``.
"""

from .._basics import Octets, input_octets
from .._limits import DECODE_FAULTS, MAX_DEPTH, MAX_ELEMENTS, make_limits
from .._type_walker import decode_error
from ..errors import Truncated
from ._variant_fields import read_variant
from ._variant_reader import make_variant_state
from .variant_octets import Variant

__all__ = ["value_variant"]


def value_variant(
    buffer: Octets, position: int = 0, *, max_depth: int = MAX_DEPTH, max_elements: int = MAX_ELEMENTS
) -> tuple[Variant, int]:
    """Turn a value into a VARIANT.

    Args:
        buffer: The octets; bytes are read in place, anything else is copied first.
        position: Where the value starts, constructor first.
        max_depth: How deep described values, lists, maps and arrays may nest, 1 to 128. A composite
            is one level, the list in it included.
        max_elements: How many elements a list, map or array may have; the fields of a composite do not count.

    Returns:
        The octets of the value and of its metadata, as a pair, and the position after the value.

    Raises:
        DecodeError: The octets are invalid; with offset and path.
        ValueError: A limit is out of range.
    """
    data = input_octets(buffer, position)
    limits = make_limits(max_depth, max_elements)
    try:
        found, end = read_variant(data, position, limits, make_variant_state(max_depth, max_elements))
        if end > len(data):
            raise Truncated("value")
    except DECODE_FAULTS as fault:
        raise decode_error(data, position, len(data), limits, fault) from None
    return found, end
