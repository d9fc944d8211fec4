"""What templates of the 0-x family are given: ``context`` plans the files, ``filters`` lists the filters."""
