"""The network front: everything between the network and Django's pages."""
