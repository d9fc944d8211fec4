"""What a specification says (``raw``) and what it means (``spec``), a folder for each family; problems and where they stand."""
