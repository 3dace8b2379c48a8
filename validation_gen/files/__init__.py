"""Reads files and git repositories of others, which may be hostile.

The input are paths from a user, a configuration, a source or stored state. The output are bytes, the owner of a file,
and the files of a revision as a tree. A path may name a pipe without a writer, a device, or an endless file; a git
repository may have settings that name programs, and hostile file names. All of these are skipped, or raise an
`OSError` (for git a `GitError`).

The room uses the standard library alone, and no other room. It never waits without a limit, and writes nothing. Readers
of sources do not use it directly, but through `sources/recording_fs`.

- `reading`: reads a file, with a size limit and without waiting, and recognizes compressed data. Begin here.
- `ownership`: checks whether another user could have written a file.
- `git`: the only module that runs git.
- `revision`: the files of a revision, read on demand.
- `tree`: files of another state, which readers see as if they were on disk.
"""
