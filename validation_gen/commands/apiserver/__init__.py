"""A local API server for one's own kinds: definitions of sources and files, its sockets, its kubeconfig, and its end.

`validation_gen.apiserver` has the server itself.
"""
