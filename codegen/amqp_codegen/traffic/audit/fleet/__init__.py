"""What is told of all connections together: deprecated uses, declarations that differ, reconnects."""
