"""What templates of 1.0 are given: ``context`` plans the files, ``filters`` lists the filters."""
