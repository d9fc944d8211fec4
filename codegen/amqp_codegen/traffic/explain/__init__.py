"""Explains findings of the audit: what is known of one, and the conversation around it."""
