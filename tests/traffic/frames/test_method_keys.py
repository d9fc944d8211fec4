"""Keys of methods, by the names of generated classes."""

from __future__ import annotations

from amqp_traffic.frames.amqp0.frame_format import method_key, method_octets

from tests.generated.amqp0.packages import PACKAGES


def test_keys() -> None:
    assert method_key("BasicPublish") == 0x003C0028
    assert method_key("ConnectionClose") == 0x000A0032
    assert method_key("ConnectionClose", "amqp_0_8") == 0x000A003C
    assert method_octets("ConnectionStartOk") == b"\0\x0a\0\x0b"


def test_which_are_not_the_same_in_all_versions() -> None:
    found = {
        method.__name__
        for package in PACKAGES.values()
        for key, method in package.METHODS.items()
        if hasattr(PACKAGES["amqp_0_9_1_rabbitmq"].methods, method.__name__)
        and method_key(method.__name__) != key
    }
    assert found == {"BasicRecover", "ConnectionClose", "ConnectionCloseOk"}
