"""What happens on a channel or a session: one model for whoever puts messages together, and for the audit.

A model is told what was sent, in plain values, and answers with facts. It knows of no rows, no Arrow and no findings.
"""
