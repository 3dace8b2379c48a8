"""Classes of characters: those of Perl, those of POSIX, and Unicode's categories and scripts.

A class is the ranges of its code points. Python has no data of scripts: only their names are known here.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from functools import cache

Ranges = tuple[tuple[int, int], ...]

#: The highest code point.
LAST = 0x10FFFF


def _make_ranges(*ranges: str) -> Ranges:
    """Builds ranges from their first and last characters."""
    return tuple((ord(pair[0]), ord(pair[-1])) for pair in ranges)


_WORD = _make_ranges("09", "AZ", "_", "az")
PERL = {"d": _make_ranges("09"), "s": _make_ranges("\t\n", "\f\r", " "), "w": _WORD}
POSIX = {
    "alnum": _make_ranges("09", "AZ", "az"),
    "alpha": _make_ranges("AZ", "az"),
    "ascii": _make_ranges("\x00\x7f"),
    "blank": _make_ranges("\t", " "),
    "cntrl": _make_ranges("\x00\x1f", "\x7f"),
    "digit": _make_ranges("09"),
    "graph": _make_ranges("!~"),
    "lower": _make_ranges("az"),
    "print": _make_ranges(" ~"),
    "punct": _make_ranges("!/", ":@", "[`", "{~"),
    "space": _make_ranges("\t\r", " "),
    "upper": _make_ranges("AZ"),
    "word": _WORD,
    "xdigit": _make_ranges("09", "AF", "af"),
}


def brackets(ranges: Iterable[tuple[int, int]], *, negative: bool = False) -> str:
    """Writes a class in Python's syntax, as one set: overlapping alternatives would backtrack forever."""
    inside = "".join(f"\\U{low:08x}-\\U{high:08x}" for low, high in ranges)
    return f"[{'^' if negative else ''}{inside}]"


def complement(ranges: Iterable[tuple[int, int]]) -> Ranges:
    """Returns all other characters."""
    found, start = [], 0
    for low, high in sorted(ranges):
        if low > start:
            found.append((start, low - 1))
        start = max(start, high + 1)
    return (*found, (start, LAST)) if start <= LAST else tuple(found)


_CATEGORIES = frozenset(
    "C Cc Cf Cn Co Cs L LC Ll Lm Lo Lt Lu M Mc Me Mn N Nd Nl No P Pc Pd Pe Pf Pi Po Ps S Sc Sk Sm So Z Zl Zp Zs".split()
)
_ALIASES = dict(
    pair.split("=")
    for pair in (
        "Casedletter=LC Closepunctuation=Pe Combiningmark=M Connectorpunctuation=Pc Control=Cc Currencysymbol=Sc "
        "Dashpunctuation=Pd Decimalnumber=Nd Enclosingmark=Me Finalpunctuation=Pf Format=Cf Initialpunctuation=Pi "
        "Letter=L Letternumber=Nl Lineseparator=Zl Lowercaseletter=Ll Mark=M Mathsymbol=Sm Modifierletter=Lm "
        "Modifiersymbol=Sk Nonspacingmark=Mn Number=N Openpunctuation=Ps Other=C Otherletter=Lo Othernumber=No "
        "Otherpunctuation=Po Othersymbol=So Paragraphseparator=Zp Privateuse=Co Punctuation=P Separator=Z "
        "Spaceseparator=Zs Spacingmark=Mc Surrogate=Cs Symbol=S Titlecaseletter=Lt Unassigned=Cn Uppercaseletter=Lu "
        "Cntrl=Cc Digit=Nd Punct=P Lc=LC"
    ).split()
)
_SCRIPTS = frozenset(
    (
        "Adlam Ahom Anatolianhieroglyphs Arabic Armenian Avestan Balinese Bamum Bassavah Batak Bengali Beriaerfe "
        "Bhaiksuki Bopomofo Brahmi Braille Buginese Buhid Canadianaboriginal Carian Caucasianalbanian Chakma Cham "
        "Cherokee Chorasmian Common Coptic Cuneiform Cypriot Cyprominoan Cyrillic Deseret Devanagari Divesakuru Dogra "
        "Duployan Egyptianhieroglyphs Elbasan Elymaic Ethiopic Garay Georgian Glagolitic Gothic Grantha Greek Gujarati "
        "Gunjalagondi Gurmukhi Gurungkhema Han Hangul Hanifirohingya Hanunoo Hatran Hebrew Hiragana Imperialaramaic "
        "Inherited Inscriptionalpahlavi Inscriptionalparthian Javanese Kaithi Kannada Katakana Kawi Kayahli Kharoshthi "
        "Khitansmallscript Khmer Khojki Khudawadi Kiratrai Lao Latin Lepcha Limbu Lineara Linearb Lisu Lycian Lydian "
        "Mahajani Makasar Malayalam Mandaic Manichaean Marchen Masaramgondi Medefaidrin Meeteimayek Mendekikakui "
        "Meroiticcursive Meroitichieroglyphs Miao Modi Mongolian Mro Multani Myanmar Nabataean Nagmundari Nandinagari "
        "Newtailue Newa Nko Nushu Nyiakengpuachuehmong Ogham Olchiki Olonal Oldhungarian Olditalic Oldnortharabian "
        "Oldpermic Oldpersian Oldsogdian Oldsoutharabian Oldturkic Olduyghur Oriya Osage Osmanya Pahawhhmong Palmyrene "
        "Paucinhau Phagspa Phoenician Psalterpahlavi Rejang Runic Samaritan Saurashtra Sharada Shavian Siddham Sidetic "
        "Signwriting Sinhala Sogdian Sorasompeng Soyombo Sundanese Sunuwar Sylotinagri Syriac Tagalog Tagbanwa Taile "
        "Taitham Taiviet Taiyo Takri Tamil Tangsa Tangut Telugu Thaana Thai Tibetan Tifinagh Tirhuta Todhri Tolongsiki "
        "Toto Tulutigalari Ugaritic Vai Vithkuqi Wancho Warangciti Yezidi Yi Zanabazarsquare"
    ).split()
)


class ScriptError(LookupError):
    """The class is a script: its name is valid, but its characters are not known here."""


def unicode_class(name: str) -> Ranges | None:
    r"""Returns the class of `\p{name}`; `None` if there is none of that name.

    Raises:
        ScriptError: it is a script.
    """
    name = name.translate(dict.fromkeys(map(ord, "_- "))).capitalize()
    if name == "Any":
        return ((0, LAST),)
    if name == "Assigned":
        return complement(_category("Cn"))
    if name == "Ascii":
        return POSIX["ascii"]
    if name in _SCRIPTS:
        raise ScriptError(name)
    name = _ALIASES.get(name, name)
    return _category(name) if name in _CATEGORIES else None


@cache
def _category(name: str) -> Ranges:
    """Returns the characters of a category of Unicode, in Python's version."""
    wanted = "L[ult]" if name == "LC" else name if len(name) > 1 else f"{name}[a-z]"
    runs = re.finditer(f"(?:{wanted})+", _categories())
    return tuple((run.start() // 2, run.end() // 2 - 1) for run in runs)


@cache
def _categories() -> str:
    """Returns the categories of all characters in order. Each has two letters, of which the first is a capital."""
    return "".join(map(unicodedata.category, map(chr, range(LAST + 1))))
