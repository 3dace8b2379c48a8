"""What a cluster asks over HTTPS, and how it is answered, without a server."""
