"""The arguments of a request, read by the rules of its endpoint; what does not fit them is a problem with a remedy."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterable, Mapping, Sequence
from http import HTTPStatus
from typing import Any
from urllib.parse import parse_qsl

from kgqa.web.endpoints import MOST_SETTINGS, Endpoint, ParameterKind, ParameterRule
from kgqa.web.http_messages import JSON, WebProblem, WebRequest

FORM = "application/x-www-form-urlencoded"
_PLAIN = "text/plain"
_ADDED_BY_OTHERS = re.compile(r"utm_.*|mc_.*|fbclid|gclid|ref")
"""What other sites add to the addresses of pages that they link to."""
_FLAGS = {"1": True, "true": True, "yes": True, "": True, "0": False, "false": False, "no": False}


def read_arguments(endpoint: Endpoint, request: WebRequest) -> dict[str, Any]:
    """Return the arguments of a request by the names of the rules, and the values of its path; raises `WebProblem`."""
    values: dict[str, list[object]] = {}
    body = _body_values(endpoint, request) if request.body else {}
    in_query = [rule.name for rule in endpoint.rules if not rule.only_body]
    in_body = {rule.in_body or rule.name: rule.name for rule in endpoint.rules}
    in_body |= {rule.name: rule.name for rule in endpoint.rules}
    for name, value in request.query:
        if name in in_query:
            values.setdefault(name, []).append(value)
        elif not (endpoint.is_page and _ADDED_BY_OTHERS.fullmatch(name)):
            raise _unknown_parameter(name, in_query)
    for name, items in body.items():
        if name in in_body:
            values.setdefault(in_body[name], []).extend(items)
        elif not endpoint.is_page:
            raise _unknown_parameter(name, in_body)
    arguments: dict[str, Any] = {rule.name: _argument(rule, values.get(rule.name, ()), endpoint) for rule in endpoint.rules}
    return arguments | {name: value for name, value in request.path.items() if value or name not in arguments}


def _unknown_parameter(name: str, names: Iterable[str]) -> WebProblem:
    there = ", ".join(names) or "none"
    return WebProblem(HTTPStatus.BAD_REQUEST, f"no parameter '{name}'; there are: {there}", "/openapi.json")


def _body_values(endpoint: Endpoint, request: WebRequest) -> Mapping[str, Sequence[object]]:
    """Return the fields of a body: of a JSON object, of a form, or the one text of an endpoint that takes a text alone."""
    try:
        text = request.body.decode()
    except UnicodeDecodeError:
        raise WebProblem(HTTPStatus.BAD_REQUEST, "the body is not UTF-8", "send it as UTF-8") from None
    if request.media_type == FORM:
        fields: dict[str, list[object]] = {}
        try:
            for name, value in parse_qsl(text, keep_blank_values=True, max_num_fields=4 * MOST_SETTINGS):
                fields.setdefault(name, []).append(value)
        except ValueError:
            raise WebProblem(HTTPStatus.BAD_REQUEST, "the form has too many fields") from None
        return fields
    if request.media_type == _PLAIN and [rule.name for rule in endpoint.rules] == ["text"]:
        return {"text": [text]}
    if request.media_type not in (JSON, ""):
        fact = f"a body of type '{request.media_type[:80]}' is not read"
        raise WebProblem(HTTPStatus.UNSUPPORTED_MEDIA_TYPE, fact, f"send {JSON}")
    return {name: value if isinstance(value, list) else [value] for name, value in parse_object(text).items()}


def parse_object(text: str) -> dict[str, Any]:
    """Return the JSON object that a text is; raises `WebProblem`."""
    try:
        record = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise WebProblem(HTTPStatus.BAD_REQUEST, f"the body is not JSON: {error}", '{"question": "..."}') from None
    if not isinstance(record, dict):
        raise WebProblem(HTTPStatus.BAD_REQUEST, "the body is not a JSON object", '{"question": "..."}')
    return record


def _argument(rule: ParameterRule, values: Sequence[object], endpoint: Endpoint) -> Any:
    """Return the value of a parameter; raises `WebProblem` where it is none of its kind or out of bounds."""
    given = [value for value in values if value is not None]
    if rule.kind is ParameterKind.TEXTS:
        texts = [_text(rule, value) for value in given if value != ""]
        if len(texts) > MOST_SETTINGS:
            raise _invalid(rule, f"has {len(texts)} values, at most {MOST_SETTINGS} are read")
        return texts
    if len(given) > 1:
        raise _invalid(rule, "is given more than once")
    if not given or (given[0] == "" and (endpoint.is_page or rule.kind is not ParameterKind.TEXT)):
        if rule.required:
            raise _invalid(rule, "is missing")
        return False if rule.kind is ParameterKind.FLAG else rule.default
    value = given[0]
    if rule.kind is ParameterKind.TEXT:
        return _text(rule, value)
    if rule.kind is ParameterKind.FLAG:
        return _flag(rule, value)
    return _number(rule, value)


def _text(rule: ParameterRule, value: object) -> str:
    if not isinstance(value, str):
        raise _invalid(rule, "is not a text")
    if len(value) > rule.most:
        problem = _invalid(rule, f"has {len(value):,} characters, at most {rule.most:,} are read")
        problem.status = HTTPStatus.REQUEST_ENTITY_TOO_LARGE
        raise problem
    if rule.choices and value not in rule.choices:
        raise _invalid(rule, f"is none of {', '.join(rule.choices)}")
    return value


def _flag(rule: ParameterRule, value: object) -> bool:
    flag = value if isinstance(value, bool) else _FLAGS.get(value.lower()) if isinstance(value, str) else None
    if flag is None:
        raise _invalid(rule, "is neither true nor false")
    return flag


def _number(rule: ParameterRule, value: object) -> float:
    """Return a number within the bounds of a rule: a share is from 0 to 1."""
    is_share = rule.kind is ParameterKind.SHARE
    kind, low, most = (float, 0, 1) if is_share else (int, rule.low, rule.most)
    try:
        number = kind(value) if isinstance(value, str | kind) and not isinstance(value, bool) else math.nan
        if is_share and type(value) is int:
            number = float(value)
    except ValueError:
        number = math.nan
    if not low <= number <= most:
        raise _invalid(rule, f"is not {'a number' if is_share else 'a whole number'} from {low} to {most}")
    return number


def _invalid(rule: ParameterRule, why: str) -> WebProblem:
    return WebProblem(HTTPStatus.BAD_REQUEST, f"parameter '{rule.name}' {why}", f"{rule.name}: {rule.text}")
