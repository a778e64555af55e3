from fsmvoice import create_fsm_actor, load, to_xstate

DOOR = """{
  "id": "door",
  "initial": "closed",
  "states": {
    "closed": {"on": {"OPEN": {"target": "open", "cond": "unlocked"}}},
    "open": {"onEntry": {"__fn": "ring"}, "on": {"CLOSE": "closed"}}
  }
}"""

imported = load(DOOR)
for note in imported.notes:
    print(note)
# $: read as XState version 4
# $.states.open.onEntry: a function; give it as the action 'ring'

door = create_fsm_actor(imported, guards={"unlocked": lambda: True}, actions={"ring": lambda: print("Ding.")})
print(door.send_sync("OPEN").state)  # open

machine = to_xstate(imported.config)
print(machine["states"]["closed"]["on"])  # {'OPEN': {'target': 'open', 'guard': 'unlocked'}}
