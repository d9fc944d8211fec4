"""Generation as a step of other projects' builds: one thin module for each kind of build backend.

``project`` has what they share. No other module imports these: the backend loads its own by an entry point
(``hatch``, ``setuptools``, ``pdm``) or as ``build-backend`` (``backends``), so the generator needs none of them.
"""
