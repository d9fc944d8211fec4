"""Other implementations of AMQP 1.0 on the other side: RabbitMQ, proton and rhea."""
