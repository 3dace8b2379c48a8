"""Classes of characters: those of Perl, those of POSIX, and Unicode's categories and scripts.

Each is text for the inside of brackets in Python's syntax. Python knows no scripts: they have names here, and no
characters (`Scripts` says so).
"""

from __future__ import annotations

import unicodedata
from functools import cache

#: The highest code point that there is.
LAST = 0x10FFFF

PERL = {"d": "0-9", "s": r"\t\n\f\r ", "w": "0-9A-Za-z_"}
POSIX = {
    "alnum": "0-9A-Za-z",
    "alpha": "A-Za-z",
    "ascii": r"\x00-\x7f",
    "blank": r"\t ",
    "cntrl": r"\x00-\x1f\x7f",
    "digit": "0-9",
    "graph": "!-~",
    "lower": "a-z",
    "print": " -~",
    "punct": r"!-/:-@\[-`{-~",
    "space": r"\t\n\v\f\r ",
    "upper": "A-Z",
    "word": "0-9A-Za-z_",
    "xdigit": "0-9A-Fa-f",
}

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
    """The class is a script: its name is right, and its characters are not known here."""


def unicode_class(name: str) -> str | None:
    r"""The class that `\p{name}` means; `None` if there is none of that name.

    Raises:
        ScriptError: it is a script.
    """
    name = name.translate(dict.fromkeys(map(ord, "_- "))).capitalize()
    if name == "Any":
        return f"\\x00-\\U{LAST:08x}"
    if name == "Assigned":
        return _ranges("Cn", negated=True)
    if name == "Ascii":
        return r"\x00-\x7f"
    if name in _SCRIPTS:
        raise ScriptError(name)
    name = _ALIASES.get(name, name)
    return _ranges(name) if name in _CATEGORIES else None


@cache
def _ranges(category: str, *, negated: bool = False) -> str:
    """The characters of a category, as ranges."""
    wanted = ("Lu", "Ll", "Lt") if category == "LC" else (category,)
    parts: list[str] = []
    start = -1
    for code in range(LAST + 2):
        inside = code <= LAST and unicodedata.category(chr(code)).startswith(wanted) is not negated
        if inside and start < 0:
            start = code
        elif not inside and start >= 0:
            parts.append(f"\\U{start:08x}-\\U{code - 1:08x}")
            start = -1
    return "".join(parts)
