"""The lexical index shared by all stores: postings and columns as blobs in a store's own rows, scored with numpy.

Nothing is imported here: ``rows`` (the protocol a store implements) is light, the other modules import numpy.
"""
