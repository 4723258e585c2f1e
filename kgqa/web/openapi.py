"""The OpenAPI 3.1 document of the server: paths of the table of endpoints, schemas of the typed dictionaries of the records."""

from __future__ import annotations

import re
from typing import Any

from kgqa import __version__
from kgqa.record_schema import component_schemas
from kgqa.web.endpoints import ENDPOINTS, FORMATS, Endpoint, ParameterKind, ParameterRule
from kgqa.web.http_messages import JSON, NDJSON, PROBLEM_JSON


def openapi_document() -> dict[str, Any]:
    """Return the description of every endpoint that replies with a record."""
    paths: dict[str, Any] = {}
    for name, endpoint in ENDPOINTS.items():
        if not endpoint.is_page:
            operations = {method.lower(): _operation(name, endpoint, method) for method in endpoint.methods}
            paths[re.sub(r":text\}", "}", endpoint.path)] = operations
    info = {
        "title": "kgqa",
        "version": __version__,
        "description": "Answers to causal questions over a graph of cause-effect claims, with the evidence for and against.",
        "license": {"name": "Apache-2.0", "identifier": "Apache-2.0"},
    }
    components = {"schemas": component_schemas(), "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}}}
    return {"openapi": "3.1.0", "info": info, "paths": paths, "components": components, "security": [{}, {"token": []}]}


def _operation(name: str, endpoint: Endpoint, method: str) -> dict[str, Any]:
    schema = {"type": "object"} if endpoint.record == "object" else {"$ref": f"#/components/schemas/{endpoint.record}"}
    media = NDJSON if name == "batch" else JSON
    formats = {kind: {"schema": {"type": "object" if "json" in kind else "string"}} for kind in FORMATS.values()}
    content = {**(formats if endpoint.table else {}), media: {"schema": schema}}
    in_path = [
        {"name": part, "in": "path", "required": True, "schema": {"type": "string"}}
        for part in re.findall(r"\{(\w+)", endpoint.path)
    ]
    operation: dict[str, Any] = {
        "operationId": name if method == "GET" or len(endpoint.methods) == 1 else f"{name}_{method.lower()}",
        "summary": endpoint.line,
        "parameters": in_path,
        "responses": {
            "200": {"description": "the record", "content": content},
            "default": {
                "description": "a problem, with a remedy",
                "content": {PROBLEM_JSON: {"schema": {"$ref": "#/components/schemas/ProblemRecord"}}},
            },
        },
    }
    if method == "GET":
        in_query = (rule for rule in endpoint.rules if not rule.only_body)
        operation["parameters"] = [*in_path, *map(_query_parameter, in_query)]
    elif name == "batch":
        operation["requestBody"] = {"required": True, "content": {NDJSON: {"schema": {"type": "string"}}}}
    else:
        fields = {rule.in_body or rule.name: value_schema(rule) for rule in endpoint.rules}
        required = [rule.in_body or rule.name for rule in endpoint.rules if rule.required]
        body = {"type": "object", "properties": fields, "required": required, "additionalProperties": False}
        operation["requestBody"] = {"required": True, "content": {JSON: {"schema": body}}}
    return operation


def _query_parameter(rule: ParameterRule) -> dict[str, Any]:
    schema = value_schema(rule)
    text = schema.pop("description")
    return {"name": rule.name, "in": "query", "description": text, "required": rule.required, "schema": schema}


def value_schema(rule: ParameterRule) -> dict[str, Any]:
    """Return the schema of the values of a parameter."""
    schema: dict[str, Any] = {"type": rule.kind.value, "description": rule.text}
    if rule.kind is ParameterKind.TEXT:
        schema |= {"enum": list(rule.choices)} if rule.choices else {"maxLength": rule.most}
    elif rule.kind is ParameterKind.TEXTS:
        schema["items"] = {"type": "string", "maxLength": rule.most}
    elif rule.kind is ParameterKind.SHARE:
        schema |= {"minimum": 0, "maximum": 1}
    elif rule.kind is ParameterKind.WHOLE:
        schema |= {"minimum": rule.low, "maximum": rule.most, "default": rule.default}
    return schema
