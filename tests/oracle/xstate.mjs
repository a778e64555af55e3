// Run machines in XState itself, all of them in this one process, and write down what it does.
// usage: node xstate.mjs FOLDER-WITH-NODE_MODULES < in.jsonl > out.jsonl
// in:  {"id", "machine", "events"} - the oracle's names are given functions; out: {"id", "steps": [record, ...]}
//      ("bounded": an endless loop is an error, and promises are settled before each record; "mends": names of MENDS)
// in:  {"id", "machine", "version": 4 | 5, "events": [type, ...]} - every name is given a stub that does nothing or
//      says no ("exported": as an import brings it); out: {"id", "values": [after start, after each event], "definition"}
// in:  {"id", "machine", "older": true, "events"} - XState 4; the oracle's names; out: {"id", "steps": [{"value", "status",
//      "log": [action, ...]}, ...]}
// out: {"id", "error"} where XState refuses or fails
import { createRequire } from "node:module";
import { createInterface } from "node:readline";
import { mended } from "./mended.mjs";

const require = createRequire(`${process.argv[2]}/`);
const xstate = require("xstate");
const xstate4 = require("xstate4");
const { createActor, createMachine, SimulatedClock, assign, raise, stateIn } = xstate;

const quiet = () => {};
const MOST_SERVICES = 50;
const has = (object, key) => object != null && Object.hasOwn(object, key);

const libraries = new Map([["", xstate]]);

function library(mends = []) {
  const key = mends.join();
  if (!libraries.has(key)) libraries.set(key, mended(require, mends));
  return libraries.get(key);
}

function implementations({ raise, assign, and, or, not, stateIn, enqueueActions, fromCallback, fromPromise }, log) {
  const known = {
    choose: enqueueActions(({ enqueue, check }, params) => {
      for (const action of check(params.guard) ? params.actions : params.else.actions) enqueue(action);
    }),
    raise: raise((_, params) => params.event),
    assign: assign(({ context }, { key, op, value }) => ({ [key]: op === "inc" ? context[key] + value : value })),
    assignFromEvent: assign(({ event }, { key, field }) => ({ [key]: event[field] ?? null })),
  };
  const logged = (name) => ({ context, event }) => log.push([name, event.type, structuredClone(context)]);
  const actions = new Proxy(known, {
    get: (target, name) => (typeof name === "string" && !has(target, name) ? logged(name) : target[name]),
    has: () => true,
  });
  const checks = {
    g_true: () => true,
    g_false: () => false,
    ctx_truthy: ({ context }, { key }) => Boolean(context[key]),
    ctx_gte: ({ context }, { key, value }) => context[key] >= value,
    ev_eq: ({ event }, { field, value }) => event[field] === value,
  };
  const parts = (name) => name.slice(name.indexOf(":") + 1).split("+");
  const kinds = {
    in: (name) => stateIn(`#${name.slice(3)}`),
    not: (name) => not(name.slice(4)),
    and: (name) => and(parts(name)),
    or: (name) => or(parts(name)),
  };
  const guards = new Proxy(checks, {
    get: (target, name) => {
      const kind = String(name).split(":")[0];
      return String(name).includes(":") ? kinds[kind](name) : target[name];
    },
    has: () => true,
  });
  // What is started again and again for ever is left waiting, and said to be so.
  const begun = () => ++log.begun <= MOST_SERVICES;
  const actors = {
    s_never: fromCallback(() => {}),
    s_send: fromCallback(({ sendBack }) => void (begun() && sendBack({ type: "B", v: 1 }))),
    s_out: fromPromise(() => (begun() ? Promise.resolve(7) : new Promise(quiet))),
    s_twice: fromPromise(({ input }) => (begun() ? Promise.resolve(2 * input.x) : new Promise(quiet))),
    s_err: fromPromise(() => (begun() ? Promise.reject(new Error("failed")) : new Promise(quiet))),
  };
  const delays = { short: 20, "by k": ({ context }) => 10 * (1 + (context.k ?? 0)) };
  return { actions, guards, actors, delays };
}

function record(snapshot, log) {
  const history = {};
  for (const [id, nodes] of Object.entries(snapshot.historyValue ?? {})) history[id] = nodes.map((node) => node.id).sort();
  return {
    value: snapshot.value,
    status: snapshot.status,
    output: snapshot.output ?? null,
    context: structuredClone(snapshot.context),
    tags: [...snapshot.tags].sort(),
    history,
    log: log.splice(0),
  };
}

async function run({ machine, events, bounded, mends }) {
  const used = library(mends);
  const log = Object.assign([], { begun: 0 });
  const clock = new used.SimulatedClock();
  const config = bounded ? { ...machine, options: { maxIterations: 100 } } : machine;
  const actor = used.createActor(used.createMachine(config, implementations(used, log)), { clock, logger: quiet });
  let failure;
  actor.subscribe({ error: (error) => (failure = error) });
  const settled = async () => {
    if (bounded) await new Promise((resolve) => setImmediate(resolve));
    if (bounded && failure !== undefined) throw failure;
    if (log.begun > MOST_SERVICES) throw new Error("services are started without end");
    return record(actor.getSnapshot(), log);
  };
  actor.start();
  const steps = [await settled()];
  for (const event of events) {
    if (has(event, "advance")) clock.increment(event.advance);
    else actor.send(event);
    steps.push(await settled());
  }
  return { steps };
}

// Version 4 of XState, with the oracle's names and guards whose parameters stand beside their type.
function older({ machine, events }) {
  const log = [];
  const guards = {
    g_true: () => true,
    g_false: () => false,
    ev_eq: (_, event, { cond }) => event[cond.field] === cond.value,
  };
  const actions = new Proxy({}, {
    get: (_, name) => (own(name) ? undefined : () => void log.push(name)),
    has: (_, name) => !own(name),
  });
  const made = xstate4.createMachine({ ...machine, predictableActionArguments: true }, { actions, guards });
  const raised = made.resolveRaisedTransition;
  let count = 0;
  made.resolveRaisedTransition = (...given) => {
    if (++count > 200) throw new Error("it does not come to rest");
    return raised.apply(made, given);
  };
  const clock = new SimulatedClock();
  const actor = xstate4.interpret(made, { clock, logger: quiet });
  const steps = [];
  const record = () => {
    count = 0;
    steps.push({ value: actor.state.value, status: actor.state.done ? "done" : "active", log: log.splice(0) });
  };
  actor.start();
  record();
  for (const event of events) {
    if (has(event, "advance")) clock.increment(event.advance);
    else if (!actor.state.done) actor.send(event);
    record();
  }
  actor.stop();
  return { steps };
}

// What an export wrote in place of code, as code again. Guards say no, services never end, actions do nothing.
function revived(value, version) {
  const made = version === 4 ? xstate4.actions : xstate;
  const list = (items) => items.map((item) => revived(item, version));
  if (Array.isArray(value)) return list(value);
  if (value === null || typeof value !== "object") return value;
  if (has(value, "__fn") || has(value, "__ref")) return () => undefined;
  if (typeof value.type === "string" && value.type.startsWith("xstate.") && has(value, "args")) {
    const kind = value.type.slice("xstate.".length);
    const make = kind === "createAction" ? undefined : made[kind];
    return typeof make === "function" ? make(...list(value.args)) : () => undefined;
  }
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, revived(item, version)]));
}

const own = (name) => typeof name !== "string" || name.startsWith("xstate.");

function always(value) {
  return new Proxy({}, { get: (_, name) => (own(name) ? undefined : value), has: (_, name) => !own(name) });
}

function stubs() {
  return { actions: always(() => {}), guards: always(() => false), delays: always(1000) };
}

// For an exported machine: what an import brings along is there, and a name that begins with "not" says yes.
function imported() {
  const brought = { raise: raise((_, params) => params.event), assign: assign((_, params) => params) };
  const guard = (name) => (name.startsWith("in:") ? stateIn(name.slice(3)) : () => name.startsWith("not "));
  return {
    actions: new Proxy(brought, {
      get: (_, name) => (own(name) ? undefined : (brought[name] ?? (() => {}))),
      has: (_, name) => !own(name),
    }),
    guards: new Proxy({}, { get: (_, name) => (own(name) ? undefined : guard(name)), has: (_, name) => !own(name) }),
    delays: always(1000),
  };
}

function services(machine, forever) {
  // Services written in place are not in the document; one that never ends stands for each.
  const visit = (state) => {
    for (const service of [state?.invoke ?? []].flat()) {
      if (typeof service === "object" && typeof service.src !== "string") service.src = forever;
    }
    for (const child of Object.values(state?.states ?? {})) visit(child);
  };
  visit(machine);
  return machine;
}

const still = { setTimeout: () => 0, clearTimeout: () => {} };

function walk({ machine, version, events, exported }) {
  const values = [];
  if (version === 4) {
    const forever = () => () => {};
    const config = services(revived(machine, 4), forever);
    const made = xstate4.createMachine(config, { ...stubs(), services: always(forever), activities: always(() => {}) });
    const actor = xstate4.interpret(made, { clock: still, logger: quiet });
    actor.start();
    values.push(actor.state.value);
    for (const type of events) {
      if (!actor.state.done) actor.send({ type });
      values.push(actor.state.value);
    }
    actor.stop();
    return { values, definition: JSON.parse(JSON.stringify(made)) };
  }
  const forever = xstate.fromCallback(() => {});
  const config = exported ? machine : services(revived(machine, 5), forever);
  if (typeof config.context === "function") config.context = {};
  const made = createMachine(config, { ...(exported ? imported() : stubs()), actors: always(forever) });
  const actor = createActor(made, { clock: new SimulatedClock(), logger: quiet });
  let failure;
  actor.subscribe({ error: (error) => (failure = error) });
  actor.start();
  values.push(actor.getSnapshot().value);
  for (const type of events) {
    actor.send({ type });
    values.push(actor.getSnapshot().value);
  }
  actor.stop();
  if (failure !== undefined) throw failure;
  return { values, definition: JSON.parse(JSON.stringify(made)) };
}

console.log = console.warn = console.error = quiet;
for await (const line of createInterface({ input: process.stdin })) {
  const job = JSON.parse(line);
  let result;
  try {
    result = job.older ? older(job) : has(job, "version") ? walk(job) : await run(job);
  } catch (error) {
    result = { error: String(error?.message ?? error) };
  }
  process.stdout.write(`${JSON.stringify({ id: job.id, ...result })}\n`);
}
