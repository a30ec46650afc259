"""The .mailmap of a repository, as it stands in its newest commit."""

from __future__ import annotations

from contextlib import closing

from bot.index.git import GitAt

NAME = ".mailmap"
LARGEST = 1 << 20  # bytes; what is more is left out
_FILES = ("100644", "100755", "100664")  # git follows no link that is called .mailmap; the last is of old histories


def read_mailmap(git: GitAt, tip: str) -> str:
    """The text of the file; empty where there is none. Bytes that are no UTF-8 are replaced.

    Of a file that is too large only the lines that fit are given. Raises GitFailed where there is one that cannot
    be read, as in a mirror without the contents of files.
    """
    listed = git.text("ls-tree", "-z", tip, "--", NAME)
    mode, _, rest = listed.partition(" ")
    if mode not in _FILES:
        return ""
    sha = rest.partition(" ")[2].partition("\t")[0]
    text = b""
    with closing(git.blocks(["cat-file", "blob", sha])) as blocks:
        for block in blocks:
            text += block
            if len(text) > LARGEST:
                text = text[:LARGEST].rpartition(b"\n")[0]
                break
    return text.decode(errors="replace")
