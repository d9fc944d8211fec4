"""The rules of the audit: what each finds, how bad that is, and which source says so."""
