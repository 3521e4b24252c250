"""Calls whoever is due and has no page open: by the browser's push service, and by mail.

The worker does it (`caller.py`), from where the games stand: a move writes nothing for it. The pages need the public
key alone (`push_key.py`), and never load what encrypts.
"""
