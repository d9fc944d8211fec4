"""From a packet to its TCP segment: link layers, IP, and the tunnels that carry another packet."""
