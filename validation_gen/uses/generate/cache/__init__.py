"""Results of earlier runs, kept on disk: a run that would be answered the same does no work.

A run is found by what it was asked to do, and believed if all that its readers asked has the same answer (`recorded`).
What is kept is JSON with a checksum: texts, findings, numbers. Whatever is wrong with a kept result, or with the place
where results are kept, has one consequence: the work is done. Where others can write, nothing is believed or kept. This
package never reads sources itself.
"""
