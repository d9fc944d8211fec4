"""What is judged frame by frame on a connection of the 0-x family."""
