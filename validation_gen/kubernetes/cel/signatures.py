"""Signatures of the functions and operators of expressions, as tables in upstream's order.

A line has a name, the name of an overload, its signature, and (after `@`) the minor release of Kubernetes from which
new expressions may use it, and after two dots the last such release. A signature that begins with a type and a dot is a
method's. Capital letters are type parameters. The order matters where several overloads fit an argument of unknown
type.
"""

from __future__ import annotations

_COMPARISONS = """
{op} {id}_bool                (bool, bool) -> bool
{op} {id}_int64               (int, int) -> bool
{op} {id}_int64_double        (int, double) -> bool
{op} {id}_int64_uint64        (int, uint) -> bool
{op} {id}_uint64              (uint, uint) -> bool
{op} {id}_uint64_double       (uint, double) -> bool
{op} {id}_uint64_int64        (uint, int) -> bool
{op} {id}_double              (double, double) -> bool
{op} {id}_double_int64        (double, int) -> bool
{op} {id}_double_uint64       (double, uint) -> bool
{op} {id}_string              (string, string) -> bool
{op} {id}_bytes               (bytes, bytes) -> bool
{op} {id}_timestamp           (timestamp, timestamp) -> bool
{op} {id}_duration            (duration, duration) -> bool
"""

_LANGUAGE = """
_?_:_ conditional             (bool, A, A) -> A
_&&_ logical_and              (bool, bool) -> bool
_||_ logical_or               (bool, bool) -> bool
!_ logical_not                (bool) -> bool
@not_strictly_false not_strictly_false (bool) -> bool
_==_ equals                   (A, A) -> bool
_!=_ not_equals               (A, A) -> bool

_+_ add_bytes                 (bytes, bytes) -> bytes
_+_ add_double                (double, double) -> double
_+_ add_duration_duration     (duration, duration) -> duration
_+_ add_duration_timestamp    (duration, timestamp) -> timestamp
_+_ add_timestamp_duration    (timestamp, duration) -> timestamp
_+_ add_int64                 (int, int) -> int
_+_ add_list                  (list(A), list(A)) -> list(A)
_+_ add_string                (string, string) -> string
_+_ add_uint64                (uint, uint) -> uint
_/_ divide_double             (double, double) -> double
_/_ divide_int64              (int, int) -> int
_/_ divide_uint64             (uint, uint) -> uint
_%_ modulo_int64              (int, int) -> int
_%_ modulo_uint64             (uint, uint) -> uint
_*_ multiply_double           (double, double) -> double
_*_ multiply_int64            (int, int) -> int
_*_ multiply_uint64           (uint, uint) -> uint
-_ negate_double              (double) -> double
-_ negate_int64               (int) -> int
_-_ subtract_double           (double, double) -> double
_-_ subtract_duration_duration (duration, duration) -> duration
_-_ subtract_int64            (int, int) -> int
_-_ subtract_timestamp_duration (timestamp, duration) -> timestamp
_-_ subtract_timestamp_timestamp (timestamp, timestamp) -> duration
_-_ subtract_uint64           (uint, uint) -> uint

_[_] index_list               (list(A), int) -> A
_[_] index_map                (map(A, B), A) -> B
@in in_list                   (A, list(A)) -> bool
@in in_map                    (A, map(A, B)) -> bool
size size_bytes               (bytes) -> int
size bytes_size               bytes.() -> int
size size_list                (list(A)) -> int
size list_size                list(A).() -> int
size size_map                 (map(A, B)) -> int
size map_size                 map(A, B).() -> int
size size_string              (string) -> int
size string_size              string.() -> int

type type                     (A) -> type(A)
bool bool_to_bool             (bool) -> bool
bool string_to_bool           (string) -> bool
bytes bytes_to_bytes          (bytes) -> bytes
bytes string_to_bytes         (string) -> bytes
double double_to_double       (double) -> double
double int64_to_double        (int) -> double
double string_to_double       (string) -> double
double uint64_to_double       (uint) -> double
duration duration_to_duration (duration) -> duration
duration int64_to_duration    (int) -> duration                                    @..36
duration string_to_duration   (string) -> duration
dyn to_dyn                    (A) -> dyn
int int64_to_int64            (int) -> int
int double_to_int64           (double) -> int
int duration_to_int64         (duration) -> int
int string_to_int64           (string) -> int
int timestamp_to_int64        (timestamp) -> int
int uint64_to_int64           (uint) -> int
string string_to_string       (string) -> string
string bool_to_string         (bool) -> string
string bytes_to_string        (bytes) -> string
string double_to_string       (double) -> string
string duration_to_string     (duration) -> string
string int64_to_string        (int) -> string
string timestamp_to_string    (timestamp) -> string
string uint64_to_string       (uint) -> string
timestamp timestamp_to_timestamp (timestamp) -> timestamp
timestamp int64_to_timestamp  (int) -> timestamp
timestamp string_to_timestamp (string) -> timestamp
uint uint64_to_uint64         (uint) -> uint
uint double_to_uint64         (double) -> uint
uint int64_to_uint64          (int) -> uint
uint string_to_uint64         (string) -> uint

contains contains_string      string.(string) -> bool
endsWith ends_with_string     string.(string) -> bool
startsWith starts_with_string string.(string) -> bool
matches matches               (string, string) -> bool
matches matches_string        string.(string) -> bool
"""

_TIME = """
{name} timestamp_to_{id}      timestamp.() -> int
{name} timestamp_to_{id}_{tz} timestamp.(string) -> int
"""
TIMES = {
    "getFullYear": "year",
    "getMonth": "month",
    "getDayOfYear": "day_of_year",
    "getDayOfMonth": "day_of_month",
    "getDate": "day_of_month_1_based",
    "getDayOfWeek": "day_of_week",
    "getHours": "hours",
    "getMinutes": "minutes",
    "getSeconds": "seconds",
    "getMilliseconds": "milliseconds",
}
#: Parts that durations have, too.
CLOCK_PARTS = ("getHours", "getMinutes", "getSeconds", "getMilliseconds")

_OPTIONALS = """
optional.of optional_of       (V) -> optional(V)                                   @28
optional.ofNonZeroValue optional_ofNonZeroValue (V) -> optional(V)                 @28
optional.none optional_none   () -> optional(V)                                    @28
value optional_value          optional(V).() -> V                                  @28
hasValue optional_hasValue    optional(V).() -> bool                               @28
or optional_or_optional       optional(V).(optional(V)) -> optional(V)             @28
orValue optional_orValue_value optional(V).(V) -> V                                @28
_?._ select_optional_field    (dyn, string) -> optional(V)                         @28
_[?_] list_optindex_optional_int (list(V), int) -> optional(V)                     @28
_[?_] optional_list_optindex_optional_int (optional(list(V)), int) -> optional(V)  @28
_[?_] map_optindex_optional_value (map(K, V), K) -> optional(V)                    @28
_[?_] optional_map_optindex_optional_value (optional(map(K, V)), K) -> optional(V) @28
_[_] optional_list_index_int  (optional(list(V)), int) -> optional(V)              @28
_[_] optional_map_index_value (optional(map(K, V)), K) -> optional(V)              @28
last list_last                list(V).() -> optional(V)                            @28
first list_first              list(V).() -> optional(V)                            @28
optional.unwrap optional_unwrap (list(optional(V))) -> list(V)                     @28
unwrapOpt optional_unwrapOpt  list(optional(V)).() -> list(V)                      @28
"""

_KUBERNETES = """
url string_to_url             (string) -> URL
getScheme url_get_scheme      URL.() -> string
getHost url_get_host          URL.() -> string
getHostname url_get_hostname  URL.() -> string
getPort url_get_port          URL.() -> string
getEscapedPath url_get_escaped_path URL.() -> string
getQuery url_get_query        URL.() -> map(string, list(string))
isURL is_url_string           (string) -> bool
find string_find_string       string.(string) -> string
findAll string_find_all_string string.(string) -> list(string)
findAll string_find_all_string_int string.(string, int) -> list(string)
indexOf list_a_index_of_int   list(A).(A) -> int
lastIndexOf list_a_last_index_of_int list(A).(A) -> int

quantity string_to_quantity   (string) -> Quantity                                 @28
isQuantity is_quantity_string (string) -> bool                                     @28
sign quantity_sign            (Quantity) -> int                                    @28
isGreaterThan quantity_is_greater_than Quantity.(Quantity) -> bool                 @28
isLessThan quantity_is_less_than Quantity.(Quantity) -> bool                       @28
compareTo quantity_compare_to Quantity.(Quantity) -> int                           @28
asApproximateFloat quantity_get_float Quantity.() -> double                        @28
asInteger quantity_get_int    Quantity.() -> int                                   @28
isInteger quantity_is_integer Quantity.() -> bool                                  @28
add quantity_add              Quantity.(Quantity) -> Quantity                      @28
add quantity_add_int          Quantity.(int) -> Quantity                           @28
sub quantity_sub              Quantity.(Quantity) -> Quantity                      @28
sub quantity_sub_int          Quantity.(int) -> Quantity                           @28
"""

_STRINGS = """
charAt string_char_at_int     string.(int) -> string
indexOf string_index_of_string string.(string) -> int
indexOf string_index_of_string_int string.(string, int) -> int
lastIndexOf string_last_index_of_string string.(string) -> int
lastIndexOf string_last_index_of_string_int string.(string, int) -> int
lowerAscii string_lower_ascii string.() -> string
replace string_replace_string_string string.(string, string) -> string
replace string_replace_string_string_int string.(string, string, int) -> string
split string_split_string     string.(string) -> list(string)
split string_split_string_int string.(string, int) -> list(string)
substring string_substring_int string.(int) -> string
substring string_substring_int_int string.(int, int) -> string
trim string_trim              string.() -> string
upperAscii string_upper_ascii string.() -> string
format string_format          string.(list(dyn)) -> string                         @29
strings.quote strings_quote   (string) -> string                                   @29
join list_join                list(string).() -> string
join list_join_string         list(string).(string) -> string
"""

_LATER = """
sets.contains list_sets_contains_list (list(T), list(T)) -> bool                   @29
sets.equivalent list_sets_equivalent_list (list(T), list(T)) -> bool               @29
sets.intersects list_sets_intersects_list (list(T), list(T)) -> bool               @29

ip string_to_ip               (string) -> IP                                       @30
family ip_family              IP.() -> int                                         @30
ip.isCanonical ip_is_canonical (string) -> bool                                    @30
isUnspecified ip_is_unspecified IP.() -> bool                                      @30
isLoopback ip_is_loopback     IP.() -> bool                                        @30
isLinkLocalMulticast ip_is_link_local_multicast IP.() -> bool                      @30
isLinkLocalUnicast ip_is_link_local_unicast IP.() -> bool                          @30
isGlobalUnicast ip_is_global_unicast IP.() -> bool                                 @30
isIP is_ip                    (string) -> bool                                     @30
string ip_to_string           (IP) -> string                                       @30
cidr string_to_cidr           (string) -> CIDR                                     @30
containsIP cidr_contains_ip_string CIDR.(string) -> bool                           @30
containsIP cidr_contains_ip_ip CIDR.(IP) -> bool                                   @30
containsCIDR cidr_contains_cidr_string CIDR.(string) -> bool                       @30
containsCIDR cidr_contains_cidr CIDR.(CIDR) -> bool                                @30
ip cidr_ip                    CIDR.() -> IP                                        @30
prefixLength cidr_prefix_length CIDR.() -> int                                     @30
masked cidr_masked            CIDR.() -> CIDR                                      @30
isCIDR is_cidr                (string) -> bool                                     @30
string cidr_to_string         (CIDR) -> string                                     @30

validate format-validate      Format.(string) -> optional(list(string))            @31
format.named format-named     (string) -> optional(Format)                         @31
{formats}
cel.@mapInsert @mapInsert_map_key_value (map(K, V), K, V) -> map(K, V)             @32
cel.@mapInsert @mapInsert_map_map (map(K, V), map(K, V)) -> map(K, V)              @32

semver string_to_semver       (string) -> Semver                                   @33
semver string_bool_to_semver  (string, bool) -> Semver                             @33
isSemver is_semver_string     (string) -> bool                                     @33
isSemver is_semver_string_bool (string, bool) -> bool                              @33
isGreaterThan semver_is_greater_than Semver.(Semver) -> bool                       @33
isLessThan semver_is_less_than Semver.(Semver) -> bool                             @33
compareTo semver_compare_to   Semver.(Semver) -> int                               @33
major semver_major            Semver.() -> int                                     @33
minor semver_minor            Semver.() -> int                                     @33
patch semver_patch            Semver.() -> int                                     @33

slice list_slice              list(T).(int, int) -> list(T)                        @34
flatten list_flatten          list(list(T)).() -> list(T)                          @34
flatten list_flatten_int      list(dyn).(int) -> list(dyn)                         @34
lists.range lists_range       (int) -> list(int)                                   @34
reverse list_reverse          list(T).() -> list(T)                                @34
distinct list_distinct        list(T).() -> list(T)                                @34
includes list_includes_dyn_dyn dyn.(dyn) -> bool                                   @37
"""

_AUTHORIZER = """
path authorizer_path          Authorizer.(string) -> PathCheck                     @27
group authorizer_group        Authorizer.(string) -> GroupCheck                    @27
serviceAccount authorizer_serviceaccount Authorizer.(string, string) -> Authorizer @27
resource groupcheck_resource  GroupCheck.(string) -> ResourceCheck                 @27
subresource resourcecheck_subresource ResourceCheck.(string) -> ResourceCheck      @27
namespace resourcecheck_namespace ResourceCheck.(string) -> ResourceCheck          @27
name resourcecheck_name       ResourceCheck.(string) -> ResourceCheck              @27
check pathcheck_check         PathCheck.(string) -> Decision                       @27
check resourcecheck_check     ResourceCheck.(string) -> Decision                   @27
errored decision_errored      Decision.() -> bool                                  @27
error decision_error          Decision.() -> string                                @27
allowed decision_allowed      Decision.() -> bool                                  @27
reason decision_reason        Decision.() -> string                                @27
fieldSelector authorizer_fieldselector ResourceCheck.(string) -> ResourceCheck     @31
labelSelector authorizer_labelselector ResourceCheck.(string) -> ResourceCheck     @31
"""

FORMATS = (
    "dns1123Label dns1123Subdomain dns1035Label qualifiedName dns1123LabelPrefix dns1123SubdomainPrefix "
    "dns1035LabelPrefix labelValue uri uuid byte date datetime"
).split()
#: Types of items that have an order, and their names in overloads that sort.
COMPARABLE = "int uint double bool duration timestamp string bytes".split()
SORTABLE = "int uint double bool google.protobuf.Duration google.protobuf.Timestamp string bytes".split()
_SUMMABLE = "int uint double duration".split()

#: Functions whose calls cost 1, whatever they are called with, but for those of URLs.
ACCESSORS = (
    "serviceAccount path group resource subresource namespace name allowed reason error errored masked prefixLength "
    "family isUnspecified isLoopback isLinkLocalMulticast isLinkLocalUnicast isGlobalUnicast sign asInteger isInteger "
    "asApproximateFloat isGreaterThan isLessThan compareTo add sub major minor patch format.named"
).split()
URL_PARTS = "getScheme getHostname getHost getPort getEscapedPath getQuery".split()
#: Functions that visit the items of a list.
SCANS = "isSorted sum max min indexOf lastIndexOf includes".split()
#: Functions that read a text once.
PARSERS = "cidr isIP isCIDR quantity isQuantity semver isSemver ip".split()
TRANSFORMS = "url lowerAscii upperAscii substring trim".split()


# Only mutations have these; rules have them in no release.
_PATCHES = """
jsonpatch.escapeKey string_jsonpatch_escapeKey_string (string) -> string           @99
"""


def tables() -> list[str]:
    """Returns all lines, in texts of one or more."""
    comparisons = {"_<_": "less", "_<=_": "less_equals", "_>_": "greater", "_>=_": "greater_equals"}
    found = [_LANGUAGE, *(_COMPARISONS.format(op=op, id=id) for op, id in comparisons.items())]
    for name, id in TIMES.items():
        found.append(_TIME.format(name=name, id=id, tz="tz" if id == "seconds" else "with_tz"))
        if name in CLOCK_PARTS:
            found.append(f"{name} duration_to_{id} duration.() -> int")
    found += [f"isSorted list_{t}_is_sorted_bool list({t}).() -> bool" for t in COMPARABLE]
    found += [f"sum list_{t}_sum_{t} list({t}).() -> {t}" for t in _SUMMABLE]
    for name in ("max", "min"):
        found += [f"{name} list_{t}_{name}_{t} list({t}).() -> {t}" for t in COMPARABLE]
    found += [_KUBERNETES, _AUTHORIZER, _OPTIONALS, _STRINGS, _PATCHES]
    formats = "\n".join(f"format.{name} format.{name} () -> Format @31" for name in FORMATS)
    found.append(_LATER.replace("{formats}", formats))
    for t, named in zip(COMPARABLE, SORTABLE, strict=True):
        found.append(f"sort list_{named}_sort list({t}).() -> list({t}) @34")
        sorts = f"list_{named}_sortByAssociatedKeys list(T).(list({t})) -> list(T) @34"
        found.append(f"@sortByAssociatedKeys {sorts}")
    return found
