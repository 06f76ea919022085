"""The files that memory travels in: SmartBrain's own export, and the chats of other programs (``chats``). No I/O
beyond the stream that is given; what it means for a store is decided in the runtime."""
