"""What differs between two specifications, and whom each difference breaks."""
