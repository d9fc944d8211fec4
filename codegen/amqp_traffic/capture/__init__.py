"""Capture files: packets of pcap and pcapng, the TCP segments in them, and what had to be left out."""
