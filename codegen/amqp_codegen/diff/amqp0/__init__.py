"""What differs between two specifications of the 0-x family."""
