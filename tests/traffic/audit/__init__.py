"""Tests of the audit of captures."""
