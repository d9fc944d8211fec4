"""From files to the raw model: safe XML with positions, schemas as data, overlays, one reader per family.

Only ``load`` touches the file system; everything else is a function of its arguments.
"""
