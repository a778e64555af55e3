"""Makes the handles of sessions that callers open."""

from __future__ import annotations

from collections.abc import Sequence

from fsmvoice.sessions.keys import CallContext, new_handle
from fsmvoice.sessions.sealing import Keys, seal

_PURPOSE = "fsmvoice session"


def handles_for(keys: Keys, caller: CallContext, machine_id: str, request_id: str | None) -> Sequence[str]:
    """The handle for a new session, followed by those that the same request would have got from earlier keys.

    An identified caller gets the same handle for the same request id; only this server can compute it. An anonymous
    caller gets a new one each time: of two strangers who both send "1", neither may open the other's session.
    """
    if caller.principal is not None:
        known = ("principal", caller.principal)
    elif caller.session_id is not None:
        known = ("connection", caller.session_id)
    else:
        return (new_handle(),)
    if request_id is None:
        return (new_handle(),)
    made = [seal(key, _PURPOSE, *known, machine_id, request_id) for key in (keys.seal_key, *keys.opening_keys)]
    return tuple(dict.fromkeys(made))
