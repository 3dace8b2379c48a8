"""Turns names of members into those of Python, JSON and Go, and makes the plural of a kind. No type is known here.

One member has three names: `pod_ips` in Python, `podIPs` in JSON, `PodIPs` in Go. Kubernetes writes acronyms in
capitals behind the first word of a JSON name, and in small letters as the first word (API conventions, "Naming
conventions"). `docs/python.md` lists those that are known.

The plural of a kind is a part of every URL, so it must be the one that controller-gen gives a kind without a `path` of
its own: `Redis` is `redis`, `Policy` is `policies`, `Index` is `indices`. controller-gen uses
github.com/gobuffalo/flect 1.0.3, whose words and endings these are.
"""

from __future__ import annotations

import functools
import keyword
import re

ACRONYMS = frozenset(
    "api ca cidr cpu csi dns fqdn gid gpu http https id io ip ipc json os pid rbac sctp ssh ssl tcp tls ttl udp uid "
    "uri url uuid vm xml yaml".split()
)
#: Windows has no file of these names, whatever their case and suffix.
DEVICES = frozenset(["con", "prn", "aux", "nul", *(f"{port}{n}" for port in ("com", "lpt") for n in range(10))])
#: Names that Go takes from a tag `json`.
_JSON_NAME = re.compile(r"[\w!#$%&()*+\-./:;<=>?@\[\]^{|}~ ]+")
_WORD = re.compile(r"[A-Z]+(?:s(?=$|[A-Z0-9])|(?![a-z]))|[A-Z]?[a-z]+|[A-Z]+|[0-9]+[a-z]*")


def json_name(attribute: str) -> str:
    """Returns the name in JSON of an attribute.

    `api_version` is `apiVersion`, `pod_ips` is `podIPs`, `from_` is `from`.
    """
    first, *rest = attribute.rstrip("_").split("_") if attribute.strip("_") else [attribute]
    return first + "".join(_acronym(word) or word[:1].upper() + word[1:] for word in rest)


def is_json_name(name: str) -> bool:
    """Returns whether a field of Go can have this name in JSON."""
    return _JSON_NAME.fullmatch(name) is not None


def go_name(json: str) -> str:
    """Returns the Go field of a JSON name by convention: `apiVersion` is `APIVersion`, `spec` is `Spec`."""
    words = _WORD.findall(json)
    first = words[0] if words else ""
    return (_acronym(first) or first[:1].upper() + first[1:]) + json[len(first) :]


def attribute_name(json: str) -> str:
    """Returns a Python attribute for a JSON name, the inverse of `json_name` wherever possible."""
    name = "_".join(word.lower() for word in _WORD.findall(json))
    if not name or name[0].isdigit():
        name = f"field_{name}"
    return f"{name}_" if keyword.iskeyword(name) else name


def file_word(name: str) -> str:
    """Returns a Python identifier as a file name that every system allows: `aux` is `aux_`."""
    return f"{name}_" if name.lower() in DEVICES else name


def _acronym(word: str) -> str:
    """Returns an acronym or its plural in capitals, `""` for another word."""
    if word in ACRONYMS:
        return word.upper()
    if word.endswith("s") and word[:-1] in ACRONYMS:
        return f"{word[:-1].upper()}s"
    return ""


#: Words and their plurals; a word alone is its own plural. Behind `|` is another plural, `=` marks words that are no
#: ending of others, and `~` those whose plural may be the singular of something else.
_WORDS = """
aircraft beef|beefs bison ~blues chassis deer fish|fishes moose police salmon|salmons series sheep
shrimp|shrimps species swine|swines trout|trouts tuna|tunas you child>children =ox>oxen foot>feet goose>geese
man>men human>humans =louse>lice mouse>mice tooth>teeth woman>women =die>dice person>people adieu>adieux|adieus
fabliau>fabliaux bureau>bureaus|bureaux criterion>criteria ganglion>ganglia|ganglions lexicon>lexica|lexicons
mitochondrion>mitochondria|mitochondrions noumenon>noumena phenomenon>phenomena taxon>taxa media
~medium>media|mediums stadium>stadiums|stadia aquarium>aquaria|aquariums auditorium>auditoria|auditoriums
symposium>symposia|symposiums curriculum>curriculums|curricula quota>quotas alumnus>alumni|alumnuses
bacillus>bacilli cactus>cacti|cactuses coccus>cocci focus>foci|focuses locus>loci|locuses
nucleus>nuclei|nucleuses octopus>octupuses|octopi radius>radii|radiuses syllabus>syllabi corpus>corpora|corpuses
genus>genera alumna>alumnae vertebra>vertebrae differentia>differentiae minutia>minutiae vita>vitae larva>larvae
postcava>postcavae praecava>praecavae uva>uvae apex>apices|apexes codex>codices|codexes index>indices|indexes
latex>latices|latexes vertex>vertices|vertexes vortex>vortices|vortexes appendix>appendices|appendixes
radix>radices|radixes helix>helices|helixes =axis>axes crisis>crises ~ellipsis>ellipses genesis>geneses
oasis>oases thesis>theses testis>testes base>bases ~basis>bases =alias>aliases vedalia>vedalias =use>uses
abuse>abuses cause>causes clause>clauses cruse>cruses excuse>excuses fuse>fuses house>houses misuse>misuses
muse>muses pause>pauses ache>aches topaz>topazes buffalo>buffaloes|buffalos potato>potatoes tomato>tomatoes
equipment information jeans money news rice dwarf>dwarfs|dwarves hoof>hoofs|hooves thief>thieves chive>chives
hive>hives move>moves movie>movies cookie>cookies pretorium>pretoriums agenda>agendas formula>formulas|formulae
shoe>shoes =toe>toes graffiti =ID>IDs
""".split()
#: Endings and those of the plural. The first that fits counts.
_ENDINGS = """
tive>tives eaf>eaves oaf>oaves afe>aves arf>arves rfe>rves rf>rves lf>lves fe>ves ay>ays ey>eys oy>oys quy>quies
uy>uys y>ies eau>eaux bula>bulae dula>bulae lula>bulae nula>bulae vula>bulae hedron>hedra ium>ia seum>seums
eum>ea oum>oa stracum>straca dum>da elum>ela ilum>ila olum>ola ulum>ula llum>lla ylum>yla imum>ima ernum>erna
gnum>gna brum>bra crum>cra terum>tera serum>sera trum>tra antum>anta atum>ata entum>enta etum>eta itum>ita
otum>ota utum>uta ctum>cta ovum>ova trix>trices iasis>iases mesis>meses kinesis>kineses resis>reses
gnosis>gnoses opsis>opses ysis>yses ouse>ouses lause>lauses us>uses ch>ches io>ios sh>shes ss>sses ez>ezzes
iz>izzes tz>tzes zz>zzes ano>anos lo>los to>tos oo>oos o>oes x>xes S>Ses
""".split()
#: Abbreviations, behind which a word begins.
_ABBREVIATIONS = frozenset(
    """
ACK ACL ADSL AES ANSI API ARP ATM BGP BSS CCITT CHAP CIDR CIR CLI CMOS CPE CPU CRC CRT CSMA DCE DEC DES DHCP DMI
DNS DRAM DSL DSLAM DTE EHA EIA EIGRP EOF ESS FCC FCS FDDI FTP GBIC GEPOF HDLC HTML HTTP HTTPS IANA ICMP ID IDF
IDS IEEE IETF IMAP IP IPS ISDN ISP JSON JWT LACP LAN LAPB LAPF LLC MAC MC MDF MIB MPLS MTU NAC NAT NBMA NIC NRZ
NRZI NVRAM OK OSI OSPF OUI PAP PAT PC PCM PDU PIM POP3 POTS PPP PPTP PTT PVST RAM RARP RCP RFC RIP RLL ROM RSTP
RTP SDLC SFD SFP SLARP SLIP SMTP SNA SNAP SNMP SOF SQL SRAM SSH SSID STP SYN TDM TFTP TIA TOFU UDP URI URL USB
UTF8 UTP UUID VC VLAN VLSM VPN W3C WAN WEP WPA WWW
""".split()
)


def pluralize(kind: str) -> str:
    """Returns the plural of a kind in lower case."""
    singular, plurals, rules = _tables()
    word = _last_word(kind)
    small = word.lower()
    if kind in singular:
        return singular[kind].lower()
    if kind in plurals or small in plurals:
        return kind.lower()
    before = kind.removesuffix(word)
    if small in singular:
        return (before + singular[small]).lower()
    for ending, plural in rules:
        if word.endswith(ending):
            return (before + word.removesuffix(ending) + plural).lower()
    return kind.lower() if small.endswith("s") else f"{kind.lower()}s"


@functools.cache
def _tables() -> tuple[dict[str, str], set[str], list[tuple[str, str]]]:
    """Returns the plural of each word, all plurals, and the endings of the plural, in order of precedence."""
    singular: dict[str, str] = {}
    plurals: set[str] = set()
    words: list[tuple[str, str]] = []
    for text in _WORDS:
        word, _, rest = text.lstrip("~=").partition(">")
        plural, _, other = (rest or word).partition("|")
        singular[word] = plural
        if not text.startswith("~"):
            plurals |= {plural, other} - {""}
        if "=" not in text[:2]:
            words.append((word, plural))
    endings = [(ending, plural) for ending, _, plural in (text.partition(">") for text in _ENDINGS)]
    # Later words take precedence. A word with the ending of a plural is one.
    return singular, plurals, [each for pair in (*reversed(words), *endings) for each in ((pair[1], pair[1]), pair)]


def _last_word(kind: str) -> str:
    """Returns the last word of a name in camel case: `Index` of `SearchIndex`, `Address` of `IPAddress`."""
    begin = 0
    for at in range(1, len(kind)):
        if kind[at].isupper() and (not kind[at - 1].isupper() or kind[begin:at].upper() in _ABBREVIATIONS):
            begin = at
    word = kind[begin:]
    return word.upper() if word.upper() in _ABBREVIATIONS else word


__all__ = ["DEVICES", "attribute_name", "file_word", "go_name", "is_json_name", "json_name", "pluralize"]
