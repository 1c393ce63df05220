# SPDX-License-Identifier: MIT
"""Validates JSON against the part of JSON Schema (2020-12) that heddle's own
schema uses; a keyword it does not know is an error, so that nothing is
overlooked."""
import re

KNOWN = {"$schema", "$id", "$defs", "$ref", "title", "description", "type",
         "properties", "required", "additionalProperties", "items", "enum",
         "const", "oneOf", "minimum", "maximum", "pattern", "minItems", "allOf",
         "if", "then"}
TYPES = {"object": dict, "array": list, "string": str, "boolean": bool,
         "null": type(None)}


def is_type(value, name):
    if name == "number":
        return isinstance(value, (int, float)) and not isinstance(value, bool)
    if name == "integer":
        return isinstance(value, int) and not isinstance(value, bool)
    return isinstance(value, TYPES[name])


def problems(value, schema, root=None, path="$"):
    """A list of sentences, empty when `value` is as `schema` says."""
    root = root or schema
    if schema is True:
        return []
    if schema is False:
        return [f"{path} must not be there"]
    unknown = set(schema) - KNOWN
    if unknown:
        raise ValueError(f"keywords that are not known: {unknown}")
    found = []
    if "$ref" in schema:
        target = root
        for part in schema["$ref"].lstrip("#/").split("/"):
            target = target[part]
        found += problems(value, target, root, path)
    if "type" in schema:
        names = schema["type"]
        names = names if isinstance(names, list) else [names]
        if not any(is_type(value, name) for name in names):
            return found + [f"{path} is {value!r:.60}, not {' or '.join(names)}"]
    if "const" in schema and value != schema["const"]:
        found.append(f"{path} is {value!r:.60}, not {schema['const']!r}")
    if "enum" in schema and value not in schema["enum"]:
        found.append(f"{path} is {value!r:.60}, none of {schema['enum']}")
    if "minimum" in schema and is_type(value, "number") and \
            value < schema["minimum"]:
        found.append(f"{path} is {value}, less than {schema['minimum']}")
    if "maximum" in schema and is_type(value, "number") and \
            value > schema["maximum"]:
        found.append(f"{path} is {value}, more than {schema['maximum']}")
    if "pattern" in schema and isinstance(value, str) and \
            not re.search(schema["pattern"], value):
        found.append(f"{path} is {value!r}, does not match {schema['pattern']}")
    for part in schema.get("allOf", []):
        found += problems(value, part, root, path)
    if "if" in schema and not problems(value, schema["if"], root, path):
        found += problems(value, schema.get("then", True), root, path)
    if "oneOf" in schema:
        tried = [problems(value, s, root, path) for s in schema["oneOf"]]
        if sum(not t for t in tried) != 1:
            best = min(tried, key=len)
            found += best or [f"{path} is of two kinds at once"]
    if isinstance(value, dict):
        found += object_problems(value, schema, root, path)
    if isinstance(value, list):
        if len(value) < schema.get("minItems", 0):
            found.append(f"{path} has {len(value)} items")
        for i, item in enumerate(value):
            found += problems(item, schema.get("items", True), root,
                              f"{path}[{i}]")
    return found


def object_problems(value, schema, root, path):
    found = [f"{path}.{key} is missing"
             for key in schema.get("required", []) if key not in value]
    known = schema.get("properties", {})
    for key, item in value.items():
        rest = schema.get("additionalProperties", True)
        found += problems(item, known.get(key, rest), root, f"{path}.{key}")
    return found
