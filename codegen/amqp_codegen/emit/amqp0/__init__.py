"""The input of the 0-x templates: ``context`` plans the files, ``filters`` lists the filters."""
