"""The input of the 1.0 templates: ``context`` plans the files, ``filters`` lists the filters."""
