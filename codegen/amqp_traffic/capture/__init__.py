"""Capture files: packets of pcap and pcapng, their TCP segments, and what has to be left out."""
