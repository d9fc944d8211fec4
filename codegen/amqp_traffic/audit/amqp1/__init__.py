"""The rules about single connections of AMQP 1.0, judged frame by frame."""
