"""What a frame that is well delimited becomes if its payload cannot be read as a method."""

from ._dataclass import attributes_text, dataclass
from ._method import MethodBase
from .errors import DecodeError
from .methods import METHODS

__all__ = ["UnreadableMethod"]


@dataclass
class UnreadableMethod:
    """A method whose arguments cannot be read, or that this version does not have; decoders make it.

    What one frame holds does not end the connection: the frames after it are read. Encoding it gives the same octets.

    Attributes:
        class_id: The index of the class.
        method_id: The index of the method in its class.
        payload: The payload of the frame, the four octets of both indices included.
        error: What is wrong; its offset counts like those of the errors that the decoder raises.
    """

    __slots__ = ("class_id", "error", "method_id", "payload")
    __match_args__ = ("class_id", "method_id", "payload", "error")

    class_id: int
    method_id: int
    payload: bytes
    error: DecodeError

    def __init__(self, class_id: int, method_id: int, payload: bytes, error: DecodeError) -> None:
        self.class_id = class_id
        self.method_id = method_id
        self.payload = payload
        self.error = error

    @property
    def method(self) -> type[MethodBase] | None:
        """The class of the method; None if this version does not have it."""
        return METHODS.get(self.class_id << 16 | self.method_id)

    @property
    def name(self) -> str:
        """The name of the method, for example ``queue.declare``, or its indices."""
        method = self.method
        return method.NAME if method else f"method {self.method_id} of class {self.class_id}"

    @property
    def expects_reply(self) -> bool:
        """True if there are replies to the method; whether it says that it wants none cannot be told."""
        method = self.method
        return method is not None and bool(method.RESPONSES)

    def __eq__(self, other: object) -> bool:
        # Errors are equal if they say the same.
        return isinstance(other, UnreadableMethod) and (
            self.class_id,
            self.method_id,
            self.payload,
            repr(self.error),
        ) == (other.class_id, other.method_id, other.payload, repr(other.error))

    def __repr__(self) -> str:
        return attributes_text(self)
