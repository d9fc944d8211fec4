"""amqp-codegen: typed, vendorable Python codecs from the AMQP specification XML."""

__version__ = "0.1.0"
