"""The data classes of a specification, a folder for each family: ``raw`` as written, ``spec`` resolved; problems and positions."""
