#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Checks sample files against a schema: those in good/ must pass, those in bad/ must not.

Usage: check_schema.py SCHEMA FOLDER. Ends with 77 when the Python packages are missing.
"""
import json
import pathlib
import sys

try:
    import jsonschema
    import yaml
except ImportError:
    sys.exit(77)


def main() -> int:
    schema = json.loads(pathlib.Path(sys.argv[1]).read_text(encoding="utf-8"))
    jsonschema.Draft7Validator.check_schema(schema)
    validator = jsonschema.Draft7Validator(schema)
    wrong = 0
    for kind in ("good", "bad"):
        files = sorted((pathlib.Path(sys.argv[2]) / kind).glob("*.yaml"))
        wrong += not files
        for path in files:
            errors = list(validator.iter_errors(yaml.safe_load(path.read_text(encoding="utf-8"))))
            if bool(errors) != (kind == "bad"):
                wrong += 1
                print(f"{path}: {errors[0].message if errors else 'passes, but must not'}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
