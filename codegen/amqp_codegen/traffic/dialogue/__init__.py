"""What both peers say, followed once: channels of 0-x and sessions of 1.0, for messages and for the audit."""
