"""From capture files to streams: octets, packets, TCP segments, ordered pieces of streams.

``capture_file`` opens a file; ``segments`` reads TCP segments out of it (``pcap`` and ``pcapng`` find the packets,
``link_layers`` and ``internet`` look into them); ``connections`` puts them in order (``reassembly`` for one stream).
Every octet is accounted for (``ledger``), and what is left out has a reason (``quarantine``).
"""
