"""One model of a channel of 0-x and of a session of 1.0, for the rows of messages and for the audit."""
