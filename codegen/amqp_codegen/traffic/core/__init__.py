"""From capture files to frames: octets, packets, TCP segments, ordered pieces of streams, frames.

``capture_file`` opens a file; ``segments`` reads TCP segments out of it (``pcap`` and ``pcapng`` find the packets,
``link_layers`` and ``internet`` look into them); ``connections`` puts them in order (``reassembly`` for one stream).
``conversations`` finds the frames of all connections: ``protocol`` says what a connection speaks, ``framing`` reads one
direction, by what ``framing0`` and ``framing1`` know of frames, ``resynchronisation`` finds them again where something
is missing, and ``redaction`` takes passwords out. Every octet is accounted for (``ledger``), and what is left out has a reason (``quarantine``).

A capture may be read in parts: ``splits`` says where to cut a file, ``fragments`` reads a part (``head`` finds out how
connections are that began before it, with the help of ``survey``), and ``stitching`` puts together what the parts tell, and
checks it (``joint``).
"""
