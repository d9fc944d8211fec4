"""Methods and content headers of the 0-x family, field by field."""
