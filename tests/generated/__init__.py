"""The generated packages, as their users see them: what they may rely on, and what hostile octets must not do."""
