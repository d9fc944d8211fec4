"""From a resolved specification to files: filters, templates, output plan, formatting, publishing."""
