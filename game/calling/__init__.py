"""Calls players whose turn it is and who have no page open, by web push and by mail.

The worker (`caller.py`) works out who is due from the games themselves, so a move writes nothing for it. The pages need
only the public key (`push_key.py`), and never load the encryption.
"""
