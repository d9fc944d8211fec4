"""From ``Spec`` to files: filters, templates, output plan, formatting, publishing."""
