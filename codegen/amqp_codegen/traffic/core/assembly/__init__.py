"""What the events of connections mean together: messages, requests with their replies, and facts of connections."""
