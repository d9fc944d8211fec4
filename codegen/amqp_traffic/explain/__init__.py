"""Explains a finding of the audit: what is known of it, and the conversation around it."""
