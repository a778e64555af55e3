// The flat machine in XState's actor. For each line on standard input it runs for 4 ms and answers with events per second.
const { assign, createActor, createMachine } = require('xstate');

const EVENTS = ['ORDER', 'PAY', 'SERVE', 'RESET'];
const STATES = ['idle', 'ordering', 'preparing', 'served'];
const states = Object.fromEntries(
  STATES.map((state, i) => [state, { on: { [EVENTS[i]]: { target: STATES[(i + 1) % 4], guard: 'ok', actions: 'inc' } } }]),
);
const machine = createMachine(
  { id: 'flat', initial: 'idle', context: { n: 0 }, states },
  { actions: { inc: assign({ n: ({ context }) => context.n + 1 }) }, guards: { ok: ({ context }) => context.n >= 0 } },
);
const actor = createActor(machine).start();

function rate(milliseconds) {
  const begun = process.hrtime.bigint();
  let count = 0;
  let spent = 0;
  while (spent < milliseconds) {
    for (let i = 0; i < 25; i++) for (const type of EVENTS) actor.send({ type });
    count += 100;
    spent = Number(process.hrtime.bigint() - begun) / 1e6;
  }
  return (count / spent) * 1000;
}

rate(500); // until the compiler has had its say
require('readline')
  .createInterface({ input: process.stdin })
  .on('line', () => console.log(Math.round(rate(4))));
