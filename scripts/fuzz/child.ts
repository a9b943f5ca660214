import { openSync, writeSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { executionsOf, type Found } from './executions.ts';
import { keep } from './keep.ts';
import { MEMORY_LIMIT, type Message, type Order } from './orders.ts';

// One process of the fuzzer: runs every `step`th execution, and tells the parent how it goes. It first writes the
// number of the execution into `marker`, where the parent finds it when this process ends or hangs.

const order: Order = JSON.parse(process.argv[2]!);

await main();
process.disconnect();

async function main(): Promise<void> {
  const executions = await executionsOf(order.targets);
  const marker = openSync(order.marker, 'w');
  let outcomes: Record<string, number> = {};
  let lastReport = performance.now();
  const tell = (): void => {
    send({ kind: 'progress', outcomes });
    outcomes = {};
    lastReport = performance.now();
  };
  for (let execution = order.first; execution < order.end; execution += order.step) {
    writeSync(marker, String(execution).padStart(16), 0);
    const ended = await executions.run(order.seed, execution);
    const peak = process.resourceUsage().maxRSS * 1024;
    if (peak > MEMORY_LIMIT && execution !== order.first) {
      tell();
      // A new process repeats this execution, and shows whether it alone takes so much memory.
      send({ kind: 'end', peak: 0, next: execution });
      return;
    }
    const name = `${ended.target} ${'outcome' in ended ? ended.outcome : 'FOUND'}`;
    outcomes[name] = (outcomes[name] ?? 0) + 1;
    if ('why' in ended) report(execution, ended);
    if (peak > MEMORY_LIMIT) {
      tell();
      // A peak stays with its process: the parent starts another one.
      report(execution, {
        ...executions.input(order.seed, execution),
        why: `it takes more than ${MEMORY_LIMIT} bytes`,
      });
      return;
    }
    // What has ended is only released after this.
    await setImmediate();
    if (performance.now() - lastReport > 500) tell();
  }
  tell();
  send({ kind: 'end', peak: process.resourceUsage().maxRSS * 1024 });
}

function report(execution: number, found: Found): void {
  const path = keep(order.folder, order.seed, execution, found);
  send({ kind: 'found', execution, sample: found.sample, why: found.why, path });
}

function send(message: Message): void {
  process.send!(message);
}
