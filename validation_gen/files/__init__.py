"""Reading files and git repositories that others may have made: with care, whatever they turn out to be.

What comes in are paths that a user, a configuration or a source has named, or where kept state lies. What goes out are
bytes, who owns a file, and trees of files of a revision. A path may lead to a pipe without a writer, to a device, or to
a file without an end; the settings of a repository may name programs, and its names may be traps. All of that is an
`OSError` here, of git a `GitError`, or is left alone.

The room uses the standard library alone, and no other room. It waits for nothing without an end, and writes nothing.
Readers of sources do not come here themselves; they ask `sources/recorded`.

- `reading`: reads a file, at most so many bytes, without waiting. Begin here.
- `digests`: makes a digest of what was read.
- `packing`: says whether data are compressed, by their first bytes.
- `paths`: says which paths are below which, and which names files with manifests have.
- `ownership`: says whether somebody else could have written a file.
- `git`: the one module that runs git.
- `revision`: the files of a revision, read when somebody asks.
- `tree`: files of another state, which readers see as if they were on disk.
"""
