"""Whether "a" or "an" stands before a word: by how it is said, with a table of what no rule knows. Pure."""

from __future__ import annotations

import re
from typing import Literal

Article = Literal["a", "an", "either"]

_LETTERS_AN = frozenset("AEFHILMNORSX")  # letters whose names begin with a vowel: "an SSD"
# Words that begin with a vowel, but not with its sound, and the other way round.
_A = re.compile(
    r"uni(?!n|mp|mm|mag|mit|dent|diom|gnor|ncl)|us(?:e|a|u|i)|ut(?:i|o)|ubiq|ur(?:an|i|ea)|eu|ewe|uku|ufo|"
    r"one(?![a-z])|ones?(?:elf|hot|off|shot|dnn|ccl|api)|once|ouija|"
    r"(?:url|uri|uuid|uid|usb|udp|utf|ucx|uvm|usd)(?![a-z]{3})|u[ix](?![a-z])"
)
_AN = re.compile(
    r"h(?:our|onest|onou?r|eir)|(?:html|http|hbm|hdf|mlx|msg|nfs|rpc|rdma|sdk|ssh|ssl|xml|xor)(?![a-z]{3})"
)
# Letters that are said as a word, or by some as one and by others not.
_SAID = (
    "FAQ FIFO FLAC FLOP FLOPS FREE HIP LAPACK LIFO LUT NCCL NULL ROCM SAAS SASS SCSI SHA SHMEM SLURM SMEM SNAP SQL "
    "SRAM SRC STDERR STDIN STDOUT SWAP XNNPACK XPU UN UNIX UMA UPC URN"
)
_EITHER_SAID = frozenset(_SAID.split())
_BEGINNINGS = (
    "bl br ch cl cr cz dr dw fl fr gh gl gn gr kh kl kn kr kw ll ph pl pn pr ps pt qu rh sc sh sk sl sm sn sp sq st "
    "sv sw th tr ts tw vl vr wh wr zh zw"
)
_ONSETS = frozenset(_BEGINNINGS.split())
_NUMBER_AN = re.compile(r"8|(?:11|18)(?!\d)(?![.,]\d{3})|(?:11|18)(?:,\d{3})(?!,)")
_PIECE = re.compile(r"[A-Za-z]+|\d[\d,.]*")


def article_of(word: str) -> Article:
    """What must stand before a word, an identifier or a number; "either" where it may be said both ways."""
    piece = _PIECE.search(word)
    if not piece or any(sign.isalpha() and not sign.isascii() for sign in word):
        return "either"
    said = piece[0]
    if said[0].isdigit():
        return "an" if _NUMBER_AN.match(said) else "a"
    rest = word[piece.end() :]
    is_letter = len(said) == 1 and (not rest or not rest[0].islower())
    if is_letter:
        return "an" if said.upper() in _LETTERS_AN else "a"
    capitals = re.match(r"[A-Z]{2,}(?=s?(?![a-z]))", said)
    if capitals:
        return _of_letters(capitals[0])
    if re.match(r"[A-Z]{2,}[a-z]", said):  # "MRs" was above; "RDMAction", "NVLink", "ROCm"
        return _of_letters(re.match(r"[A-Z]+", said)[0][:-1] + "-") if len(said) > 3 else "either"  # type: ignore[index]
    return _of_word(said.lower(), bool(re.match(r"[\d_:.]", rest)))


def _of_letters(said: str) -> Article:
    letters = said.rstrip("-")
    if letters[0] in "AEIO":
        return "an"
    if said in _EITHER_SAID or (len(letters) >= 5 and re.search(r"[AEIOU]", letters)):
        return "either"  # a word in capitals: "a SHARED", "an UNSET"
    if letters[0] == "U":
        return "a" if len(letters) < 4 or letters == "UUID" else "either"
    if letters[0] in _LETTERS_AN:
        return "either" if len(letters) > 2 and letters[1] in "AEIOUY" else "an"
    return "a"


def _of_word(said: str, is_part: bool) -> Article:
    if _A.match(said):
        return "a"
    if _AN.match(said):
        return "an"
    if said[0] in "aeiou":
        return "either" if said[0] == "u" and is_part else "an"  # "uint8"
    if not re.match(r"[^aeiouy]{0,3}[aeiouy]", said) or (said[1] not in "aeiouy" and said[:2] not in _ONSETS):
        return "either"  # said letter by letter: "fp8", "mxfp4"
    return "a"
