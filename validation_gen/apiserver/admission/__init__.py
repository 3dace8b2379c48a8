"""Admission: webhooks and policies, as they are stored in the server, decide about requests and change their objects.

`configurations` reads them, `subject` is the object of a request in any version, `webhooks` calls webhooks, `answers`
checks their answers, `policies` evaluates policies, and `review` runs all of them for one request, in a thread.
"""
