"""The rules of the audit: how a rule is declared, and the catalogue of all."""
