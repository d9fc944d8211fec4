"""Explaining a finding of the audit: what is known about it, and the conversation around it."""
