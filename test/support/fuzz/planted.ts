import { mkdirSync, openSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { Message, Order } from '../../../scripts/fuzz/orders.ts';

// In the place of scripts/fuzz/child.ts: a process of the fuzzer whose third execution never ends, whose sixth ends the
// process, whose eighth has a fault, and which is full once it gets to the seventh as its second one or later.

const order: Order = JSON.parse(process.argv[2]!);
const send = (message: Message): void => void process.send!(message);
const marker = openSync(order.marker, 'w');

let full: { readonly next?: number } = {};

for (let execution = order.first; execution < order.end; execution += order.step) {
  writeSync(marker, String(execution).padStart(16), 0);
  if (execution === 3) for (;;);
  if (execution === 6) throw new Error('planted');
  if (execution === 7 && execution !== order.first) {
    full = { next: execution };
    break;
  }
  send({ kind: 'progress', outcomes: { fine: 1 } });
  if (execution !== 8) continue;
  mkdirSync(order.folder, { recursive: true });
  const path = join(order.folder, 'input');
  writeFileSync(path, 'x');
  send({ kind: 'found', execution, sample: 'planted', why: 'a fault', path });
}
send({ kind: 'end', peak: process.resourceUsage().maxRSS * 1024, ...full });
process.disconnect();
