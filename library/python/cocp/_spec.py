"""Specs as mappings of Python, and the lines of a spec that mistakes are in."""
from __future__ import annotations

import json
import re
from typing import Any, Mapping

PLAIN_KEY = re.compile(r"[A-Za-z_][A-Za-z_0-9.]*\Z")
NOT_A_TEXT = ("true", "false", "yes", "no", "on", "off", "null")       # which YAML may take for something else


def key_of(key: Any) -> str:
    key = str(key)
    return key if PLAIN_KEY.match(key) and key.lower() not in NOT_A_TEXT else json.dumps(key, ensure_ascii=False)


def flow_of(value: Any) -> str:
    """A value in one line. Texts are quoted, so that none is read as something else."""
    if hasattr(value, "tolist"):                    # of numpy
        value = value.tolist()
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False)
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{key_of(key)}: {flow_of(each)}" for key, each in value.items()) + "}"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(map(flow_of, value)) + "]"
    return repr(value)


def text_of_spec(spec: Mapping[str, Any], indent: str = "") -> str:
    """The spec as YAML: a line for each key, and lists in one."""
    lines = []
    for key, value in spec.items():
        if isinstance(value, Mapping) and value:
            lines += [f"{indent}{key_of(key)}:", text_of_spec(value, indent + "  ").rstrip("\n")]
        else:
            lines.append(f"{indent}{key_of(key)}: {flow_of(value)}")
    return "\n".join(lines) + "\n"


def quote(text: str, line: int, column: int) -> str:
    """The line of a text with a mark below the column, both from 1; "" where there is no such line."""
    lines = text.splitlines()
    if not 1 <= line <= len(lines) or column < 1:
        return ""
    number, shown = f"{line:5d} | ", lines[line - 1].replace("\t", " ")
    return f"{number}{shown}\n{' ' * (len(number) + min(column, len(shown) + 1) - 1)}^"
