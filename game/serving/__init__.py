"""The network front: everything between the socket and Django's pages."""
