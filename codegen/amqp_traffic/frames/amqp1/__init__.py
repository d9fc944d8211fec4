"""How frames of AMQP 1.0 look."""
