"""The bodies of commits as they are stored: short ones as text, others packed to less than half.

Bodies are most of an index, and most of them repeat the same phrases, too short each for zlib to notice. So
it is given phrases to begin with, which saves a fifth more (measured on two histories: 600 and 730 bytes a body
become 280 and 360, in 20 microseconds; 360 and 440 without).
"""

from __future__ import annotations

import zlib

# Never to be changed: what was packed with it cannot be read without it. What is most common stands last.
_PHRASES = (
    b"cherry picked from commit This reverts commit Change-Id: I Merge branch 'main' into Merge pull request # from "
    b"Reported-by: Tested-by: Acked-by: Suggested-by: Helped-by: Cc: Fixes: Closes: Approved-by: "
    b"Co-authored-by: <noreply@users.noreply.github.com>\nCo-authored-by: dependabot[bot] "
    b"<49699333+dependabot[bot]@users.noreply.github.com>\nSigned-off-by: Signed-off-by: @gmail.com>\n"
    b"the of to and in is that for this be we with it as not are when which from should use instead because\n- \n* "
    b"imported-using-ghimport\n\nghstack-source-id: X-link: https://github.com/ Pull Request resolved: "
    b"https://github.com/ /pull/\n\nSummary:\n\nTest Plan:\n\nReviewed By: \n\nDifferential Revision: D\n\n"
    b"fbshipit-source-id: "
)
_SHORT = 48  # bytes; less is not worth the trouble
# 8 kB of memory for what came before, and as much work to find it: with zlib's own 32 kB, whose memory is asked
# of the system anew each time, packing takes up to four times as long and saves nothing.
_WINDOW, _MEMORY = -13, 6


def packed(body: str) -> str | bytes:
    """The body as it is put into the database."""
    raw = body.encode()
    if len(raw) <= _SHORT:
        return body
    packer = zlib.compressobj(6, zlib.DEFLATED, _WINDOW, _MEMORY, zdict=_PHRASES)
    small = packer.compress(raw) + packer.flush()
    return small if len(small) < len(raw) else body


def unpacked(stored: str | bytes) -> str:
    """The body that was packed."""
    if isinstance(stored, str):
        return stored
    return zlib.decompressobj(_WINDOW, zdict=_PHRASES).decompress(stored).decode()
