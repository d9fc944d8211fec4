"""What all capabilities share: wording, files that come along, generated packages."""
