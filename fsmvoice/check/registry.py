"""Every rule of `fsmvoice check`, by its id."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from fsmvoice.check import (
    alexa,
    hearing,
    lengths,
    options,
    refusing,
    screens,
    slots,
    speech,
    structure,
    translations,
)
from fsmvoice.check.rule import Rule
from fsmvoice.check.silences import UNUSED, WRONG

RULES: Mapping[str, Rule] = MappingProxyType(
    {
        found.id: found
        for found in (
            speech.silent_state,
            lengths.long_reply,
            options.many_options,
            speech.markup,
            speech.spoken_id,
            options.one_label,
            hearing.heard_as_another,
            speech.after_question,
            refusing.no_reason,
            structure.no_way_out,
            refusing.unconfirmed,
            refusing.not_read_back,
            options.two_answers,
            hearing.few_samples,
            refusing.undescribed_text,
            hearing.near_homophones,
            refusing.hashed_tool,
            slots.raw_value,
            translations.translation,
            screens.screen_words,
            hearing.leads_nowhere,
            options.no_verb,
            options.nothing_changes,
            slots.empty_slot,
            structure.unreachable,
            structure.dead_event,
            structure.goes_round,
            structure.taken_behind,
            structure.raised_for_nobody,
            structure.never_taken,
            alexa.undescribed_tool,
            alexa.same_tools,
            alexa.refused_model,
            alexa.refused_addon,
            WRONG,
            UNUSED,
        )
    }
)
