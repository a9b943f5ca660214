import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Outcome, run, type ShellOptions } from './judges.ts';
import { solpackWith } from './under-test.ts';

/** What a run of solpack took, beside what it said. */
export interface Measured extends Outcome {
  /** Memory that it had at most, in bytes. */
  readonly peak: number;
  /** Time of processors in seconds, as a machine takes that is not busy with anything else. */
  readonly cpu: number;
}

const yardstick = join(import.meta.dirname, 'yardstick.ts');

/** Runs solpack as a user does, in a process of its own, and measures it. */
export async function measured(args: readonly string[], options: ShellOptions = {}): Promise<Measured> {
  const folder = mkdtempSync(join(tmpdir(), 'solpack-measured-'));
  const usage = join(folder, 'usage.json');
  const hook = join(folder, 'hook.mjs');
  writeFileSync(
    hook,
    // Linux counts in maxRSS what the process had that it was forked from.
    `import { readFileSync, writeFileSync } from 'node:fs';
import { asIfQuiet, processorSeconds } from ${JSON.stringify(yardstick)};
process.on('exit', () => {
  const { maxRSS } = process.resourceUsage();
  const [, own] = process.platform === 'linux' ? /VmHWM:\\s+(\\d+) kB/.exec(readFileSync('/proc/self/status', 'utf8')) : [];
  const peak = 1024 * Number(own ?? maxRSS);
  writeFileSync(${JSON.stringify(usage)}, JSON.stringify({ peak, cpu: asIfQuiet(processorSeconds()) }));
});`,
  );
  try {
    const [program, ...words] = solpackWith('--import', hook);
    const outcome = await run(program, [...words, ...args], options);
    return { ...outcome, ...JSON.parse(readFileSync(usage, 'utf8')) };
  } finally {
    rmSync(folder, { recursive: true });
  }
}
