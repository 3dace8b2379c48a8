"""What expressions are made of: the forms of each kind of value, and its literals."""

from __future__ import annotations

import re
from dataclasses import dataclass

#: What an expression may be made of, by the kind of its value. `{int}` is an expression of that kind; behind `@int` a
#: new variable of it is known. A word at the end of a line in brackets names what an implementation may not have.
_FORMS = """
bool    !{bool}
bool    ({bool} && {bool})
bool    ({bool} || {bool})
bool    ({int} == {int})
bool    ({int} < {int})
bool    (dyn({int}) >= {uint})
bool    ({double} > dyn({int}))
bool    ({uint} <= {uint})
bool    ({double} != {double})
bool    ({double} < {double})
bool    ({string} == {string})
bool    ({string} < {string})
bool    ({bytes} == {bytes})
bool    ({bytes} < {bytes})
bool    ({bool} == {bool})
bool    ({ints} == {ints})
bool    ({ints} == [])
bool    ({map} == {})
bool    ({texts} != {texts})
bool    ({map} == {map})
bool    ({time} < {time})
bool    ({span} >= {span})
bool    ({time} == {time})
bool    ({dyn} == {dyn})
bool    ({dyn} != {dyn})
bool    ({dyn} < {dyn})
bool    ({int} in {ints})
bool    ({string} in {texts})
bool    ({string} in {map})
bool    ({dyn} in {dyns})
bool    {string}.contains({string})
bool    {string}.startsWith({string})
bool    {string}.endsWith({string})
bool    {string}.matches('^[a-c]*$')
bool    {string}.matches({string})
bool    {ints}.all(@int, {bool})
bool    {ints}.exists(@int, {bool})
bool    {texts}.exists_one(@string, {bool})
bool    {map}.all(@string, {bool})
bool    {map}.exists(@string, {bool})
bool    {dyns}.all(@dyn, {bool})
bool    has({map}.a)
bool    has({record}.b.c)
bool    bool(t)
bool    {opt}.hasValue()                              [optionals]
bool    ({opt} == {opt})                              [optionals]
bool    (type({dyn}) == type({dyn}))
int     ({int} + {int})
int     ({int} - {int})
int     ({int} * {int})
int     ({int} / {int})
int     ({int} % {int})
int     -({int})
int     int({uint})
int     int({double})
int     int(t)
int     int({time})
int     size({string})
int     size({bytes})
int     {ints}.size()
int     {texts}.size()
int     {map}.size()
int     {map}.filter(@string, {bool}).size()
int     {ints}[{int}]
int     {map}[{string}]
int     {map}.a
int     {time}.getFullYear()
int     {time}.getMonth()
int     {time}.getDayOfYear()
int     {time}.getDayOfWeek()
int     {time}.getDate()
int     {time}.getHours('Europe/Berlin')
int     {time}.getMinutes('+05:30')
int     {span}.getHours()
int     {span}.getMinutes()
int     {span}.getSeconds()
int     {string}.indexOf({string})                    [strings]
int     {string}.lastIndexOf({string})                [strings]
int     {opt}.orValue({int})                          [optionals]
int     {opt}.value()                                 [optionals]
uint    ({uint} + {uint})
uint    ({uint} - {uint})
uint    ({uint} * {uint})
uint    ({uint} / {uint})
uint    ({uint} % {uint})
uint    uint({int})
uint    uint({double})
uint    uint(t)
double  ({double} + {double})
double  ({double} - {double})
double  ({double} * {double})
double  ({double} / {double})
double  -({double})
double  double({int})
double  double({uint})
double  double(t)
string  ({string} + {string})
string  string({int})
string  string({uint})
string  string({bool})
string  string({bytes})
string  string({time})
string  {texts}[{int}]
string  {string}.charAt({int})                        [strings]
string  {string}.substring({int})                     [strings]
string  {string}.substring({int}, {int})              [strings]
string  {string}.lowerAscii()                         [strings]
string  {string}.upperAscii()                         [strings]
string  {string}.trim()                               [strings]
string  {string}.replace({string}, {string})          [strings]
string  {string}.replace({string}, {string}, {int})   [strings]
string  {texts}.join({string})                        [strings]
bytes   ({bytes} + {bytes})
bytes   bytes({string})
ints    ({ints} + {ints})
ints    ([] + {ints})
ints    [{int}, {int}]
ints    {ints}.filter(@int, {bool})
ints    {ints}.map(@int, {int})
ints    {ints}.map(@int, {bool}, {int})
ints    {texts}.map(@string, {int})
ints    [?{opt}, {int}]                               [optionals]
texts   ({texts} + {texts})
texts   [{string}, {string}]
texts   {texts}.filter(@string, {bool})
texts   {ints}.map(@int, {string})
texts   {string}.split(',')                           [strings]
texts   {string}.split('a', {int})                    [strings]
map     {'a': {int}, 'b': {int}}
map     {'a': {int}, ?'b': {opt}}                     [optionals]
time    ({time} + {span})
time    ({time} - {span})
time    timestamp({int})
time    timestamp(t)
span    ({span} + {span})
span    ({time} - {time})
span    duration(t)
dyn     dyn({int})
dyn     dyn({uint})
dyn     dyn({double})
dyn     dyn({string})
dyn     dyn({bytes})
dyn     dyn({bool})
dyn     dyn({ints})
dyn     dyn({map})
dyn     dyn({time})
dyn     dyn({span})
dyn     dyn(null)
dyn     ({dyn} + {dyn})
dyn     ({dyn} * {dyn})
dyn     {dyn}[{dyn}]
dyn     {dyn}.a
dyn     {dyns}[{int}]
dyn     {record}.b.c
dyn     {record}.d
dyns    [{dyn}, {dyn}]
dyns    dyn({texts})
dyns    {dyns}.map(@dyn, {dyn})
dyns    {dyns}.filter(@dyn, {bool})
record  {'b': dyn({map}), 'd': {dyn}}
record  {'b': dyn({'c': {dyn}})}
opt     optional.of({int})                            [optionals]
opt     optional.ofNonZeroValue({int})                [optionals]
opt     optional.none()                               [optionals]
opt     {map}.?a                                      [optionals]
opt     {map}[?{string}]                              [optionals]
opt     {ints}[?{int}]                                [optionals]
opt     {opt}.or({opt})                               [optionals]
opt     {opt}.optMap(@int, {int})                     [optionals]
opt     {opt}.optFlatMap(@int, {opt})                 [optionals]
"""

#: The simplest expressions of each kind. None is `[]`: it has no type until one is guessed for a loop over it, and
#: implementations guess differently.
LITERALS = {
    "bool": "true false",
    "int": "0 1 2 -1 7 100 -3 9223372036854775807 (-9223372036854775808) 1000000007",
    "uint": "0u 1u 2u 7u 18446744073709551615u 1000000007u",
    "double": "0.0 1.0 2.5 -0.5 -3.0 1e3 1e300 9007199254740993.0",
    "string": "'' 'a' 'b' 'ab' 'abc' 'A' 'é' '😀' 'true' '12' '-7' '1.5' '1h' '-90s' '2020-02-29T12:30:15Z' 'a,b'",
    "bytes": "b'' b'a' b'ab' b'\\xff' b'\\303\\251'",
    "ints": "[1] [3,1,2] [0,0]",
    "texts": "['a'] ['b','a','ab'] ['']",
    "map": "{'a':1} {'b':2,'a':0}",
    "time": "timestamp('2020-02-29T12:30:15Z') timestamp('1969-12-31T23:59:59.5Z') timestamp('2021-03-28T01:30:00Z')",
    "span": "duration('0s') duration('90m') duration('-1.5s') duration('250ms')",
    "dyn": "dyn(1) dyn('a') dyn(1u) dyn(1.0) dyn(true) dyn(null)",
    "dyns": "[dyn(1),dyn(1.0)] [dyn('a'),dyn(2u)] [dyn(null)]",
    "record": "{'b':dyn({'c':1}),'d':dyn(2)} {'b':dyn({}),'d':dyn('x')}",
    "opt": "optional.of(1) optional.none()",
}

PLACE = re.compile(r"\{(\w+)\}|@(\w+)")


@dataclass(frozen=True, slots=True)
class Form:
    kind: str
    text: str
    needs: str

    def simplest(self) -> str:
        """With the first literal at each place."""
        return PLACE.sub(lambda match: "v" if match[2] else LITERALS[match[1]].split(" ")[0], self.text)


def _forms() -> list[Form]:
    found = []
    for line in _FORMS.strip().splitlines():
        kind, text = line.split(None, 1)
        text, _, needs = text.partition("   [") if "   [" in text else (text, "", "")
        found.append(Form(kind, text.strip(), needs.rstrip("]")))
    return found


FORMS = _forms()
