"""What is judged of all connections together: deprecated uses, declarations that differ, reconnects."""
