"""Validates result files against results/schema.json, and the schema against a complete file.

validate.py SCHEMA FILE...             each file is valid
validate.py SCHEMA --complete FILE     it has every member that the schema names, and no other,
                                       and is refused with any of them spoilt
Ends with 77 (skipped) where Python has no jsonschema.
"""
import json
import sys

try:
    import jsonschema
except ImportError:
    print("skipped: Python has no jsonschema")
    sys.exit(77)

ADDED = "^later"  # what the example adds to stand for a later version


def resolved(schema, root):
    while "$ref" in schema:
        target = root
        for step in schema["$ref"][2:].split("/"):
            target = target[step]
        schema = target
    return schema


def objects(value, schema, root, path="file"):
    """Every object of the file with its schema, and where it stands."""
    schema = resolved(schema, root)
    if isinstance(value, dict):
        yield value, schema, path
        for name, below in schema.get("properties", {}).items():
            if name in value:
                yield from objects(value[name], below, root, f"{path}.{name}")
    elif isinstance(value, list):
        for i, item in enumerate(value):
            yield from objects(item, schema.get("items", {}), root, f"{path}[{i}]")


def disagreements(value, schema):
    for members, described, path in objects(value, schema, schema):
        names = set(described.get("properties", {}))
        if not names:
            continue
        written = {name for name in members if not name.startswith(ADDED[1:])}
        for name in written - names:
            yield f"{path}.{name} is written but not in the schema"
        for name in names - written:
            yield f"{path}.{name} is in the schema but not written"


def spoilt(value, schema):
    """The place of one member after the other while it is of a type that no member has."""
    for members, described, path in objects(value, schema, schema):
        for name in described.get("properties", {}):
            if name in members:
                kept = members[name]
                members[name] = [{"spoilt": []}, "spoilt"]
                yield f"{path}.{name}"
                members[name] = kept


def main():
    schema = json.load(open(sys.argv[1], encoding="utf-8"))
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema)
    complete = "--complete" in sys.argv
    mistakes = []
    for name in (a for a in sys.argv[2:] if not a.startswith("--")):
        value = json.load(open(name, encoding="utf-8"))
        for error in validator.iter_errors(value):
            mistakes.append(f"{name}: {error.json_path}: {error.message}")
        if complete:
            mistakes += disagreements(value, schema)
            mistakes += [f"accepted although {place} is spoilt"
                         for place in spoilt(value, schema) if validator.is_valid(value)]
    for mistake in mistakes:
        print(mistake)
    return 1 if mistakes else 0


if __name__ == "__main__":
    sys.exit(main())
