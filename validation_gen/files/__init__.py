"""Reads files and git repositories of others, which may be hostile.

The input are paths from a user, a configuration or a source, or of kept state. The output are bytes, the owner of a
file, and trees of files of a revision. A path may be that of a pipe without a writer, of a device, or of an endless
file; the settings of a repository may name programs, and its names may be traps. All of that raises an `OSError` here,
for git a `GitError`, or is skipped.

The room uses the standard library alone, and no other room. It never waits without a limit, and writes nothing. Readers
of sources do not use it directly, but through `sources/recording_fs`.

- `reading`: reads a file, with a size limit and without waiting, and recognizes compressed data. Begin here.
- `ownership`: checks whether another user could have written a file.
- `git`: the only module that runs git.
- `revision`: the files of a revision, read on demand.
- `tree`: files of another state, which readers see as if they were on disk.
"""
