#!/usr/bin/env python3
"""Checks the document of the API and answers of a coordinator with validators of others.

usage: openapi_check.py DOCUMENT ANSWERS

ANSWERS is JSON: [{"name": "GET /v1/jobs 200", "body": "[]"}]. An object of an answer may have no member that the document
does not name. Prints what is wrong and exits with 1, or the number of answers. Exits with 3 where the validators are missing.
"""
import json
import pathlib
import sys

# Where scripts/install-dependencies puts what Debian has no package of.
sys.path.append(str(pathlib.Path(__file__).resolve().parents[2] / ".build" / "python"))
try:
    import jsonschema
    import openapi_spec_validator
except ImportError as missing:
    print(missing)
    sys.exit(3)


def closed(schema):
    """The schema, with every object closed that names its members."""
    if isinstance(schema, list):
        return [closed(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    result = {key: closed(value) for key, value in schema.items()}
    if schema.get("type") == "object" and isinstance(schema.get("properties"), dict):
        result.setdefault("additionalProperties", False)
    return result


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    document = json.load(open(sys.argv[1]))
    openapi_spec_validator.validate(document)
    schemas = closed(document["components"]["schemas"])
    answers = json.load(open(sys.argv[2]))
    wrong = 0
    for answer in answers:
        method, path, status = answer["name"].split(" ")
        responses = document["paths"][path][method.lower()]["responses"]
        response = responses.get(status, responses["default"])
        if "$ref" in response:
            response = document["components"]["responses"][response["$ref"].split("/")[-1]]
        schema = closed(next(iter(response["content"].values()))["schema"])
        validator = jsonschema.Draft202012Validator(
            {**schema, "components": {"schemas": schemas}},
            format_checker=jsonschema.Draft202012Validator.FORMAT_CHECKER,
        )
        for error in validator.iter_errors(json.loads(answer["body"])):
            wrong += 1
            print(f"{answer['name']}: {error.json_path}: {error.message}")
    if wrong:
        sys.exit(1)
    print(f"{len(answers)} answers are as the document says")


main()
