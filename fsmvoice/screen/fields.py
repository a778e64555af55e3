"""Adding the titles of a form's fields and choices to the schema of its action."""

from __future__ import annotations

from typing import Any

from fsmvoice.model.payload import json_value
from fsmvoice.model.shapes import is_list
from fsmvoice.voice.offers import Offer
from fsmvoice.voice.phrases.phrases import Phrases
from fsmvoice.voice.values import spoken, words
from fsmvoice.voice.wording import Wording


def titled(offer: Offer, wording: Wording, phrases: Phrases) -> dict[str, Any]:
    """The schema of an offer with a `title` for each field.

    Choices whose labels differ from their values are written as `oneOf`, with a `const` and a `title` each.
    """
    schema = offer.schema()
    for name, field in schema["properties"].items():
        parameter = offer.payload.parameters.get(name)
        if parameter is None:
            continue
        named = {"title": wording.name(parameter), **field}
        choices = (offer.accepted or {}).get(name) or parameter.choices or ()
        listed = field.get("enum")
        if is_list(listed):
            called = [(json_value(one), spoken(wording.prepared(name, one), phrases)) for one in choices]
            known = [next((label for own, label in called if own == value), None) for value in listed]
            if any(label and label != words(str(value)) for value, label in zip(listed, known, strict=True)):
                del named["enum"]
                named["oneOf"] = [
                    {"const": value, "title": label or str(value)} for value, label in zip(listed, known, strict=True)
                ]
        schema["properties"][name] = named
    return schema
