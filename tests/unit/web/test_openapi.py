"""The OpenAPI document: valid, with a schema for each record, and true of the replies."""

from __future__ import annotations

from typing import Any

import jsonschema
import pytest
from starlette.testclient import TestClient

from kgqa.web.endpoints import ENDPOINTS

REPLIES = (
    ("/api/v1/ask", "/api/v1/ask?q=Does+coffee+cause+insomnia%3F"),
    ("/api/v1/receipt", "/api/v1/receipt?q=Does+coffee+cause+insomnia%3F&do=smoking%3Dabsent"),
    ("/api/v1/type", "/api/v1/type?q=What+causes+death%3F"),
    ("/api/v1/concept/{name}", "/api/v1/concept/smoking?loops=true"),
    ("/api/v1/path", "/api/v1/path?from=smoking&to=death&do=lung+cancer%3Dabsent"),
    ("/api/v1/search", "/api/v1/search?q=cancer"),
    ("/api/v1/stats", "/api/v1/stats"),
    ("/healthz", "/healthz"),
)


@pytest.fixture(scope="module")
def document(client: TestClient) -> dict[str, Any]:
    described: dict[str, Any] = client.get("/openapi.json").json()
    return described


def test_every_endpoint_of_the_api_is_described(document: dict[str, Any]) -> None:
    described = {(path, method) for path, item in document["paths"].items() for method in item}
    served = {
        (endpoint.path.replace(":text", ""), method.lower())
        for endpoint in ENDPOINTS.values()
        if not endpoint.is_page
        for method in endpoint.methods
    }
    assert described == served
    identifiers = [operation["operationId"] for item in document["paths"].values() for operation in item.values()]
    assert len(identifiers) == len(set(identifiers))


@pytest.mark.parametrize(("path", "address"), REPLIES)
def test_a_reply_is_as_described(client: TestClient, document: dict[str, Any], path: str, address: str) -> None:
    schema = document["paths"][path]["get"]["responses"]["200"]["content"]["application/json"]["schema"]
    jsonschema.Draft202012Validator({**schema, "components": document["components"]}).validate(client.get(address).json())


def test_a_problem_is_as_described(client: TestClient, document: dict[str, Any]) -> None:
    schema = {"$ref": "#/components/schemas/ProblemRecord", "components": document["components"]}
    jsonschema.Draft202012Validator(schema).validate(client.get("/api/v1/ask").json())


def test_every_schema_is_one(document: dict[str, Any]) -> None:
    for schema in document["components"]["schemas"].values():
        jsonschema.Draft202012Validator.check_schema(schema)
