"""The state of a 0-x channel and of a 1.0 session. Message assembly and the audit both use it."""
