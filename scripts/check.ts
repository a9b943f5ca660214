import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { cache, root } from './home.ts';

// The gate: node scripts/check.ts [--static]. Each static step counts as one check; without --static the tests follow,
// where a Kubernetes node can be started those that need one, and those that the Linux kernel judges.
// What failed is named once more at the end. The last line is always "N passed, N failed", and the counts are kept in
// .cache/counts.

const steps: readonly (readonly [name: string, ...command: string[]])[] = [
  ['types', 'node_modules/typescript/bin/tsc', '--noEmit'],
  ['lint and format', 'node_modules/@biomejs/biome/bin/biome', 'ci', '--colors=off'],
  ['dead code', 'node_modules/knip/bin/knip.js', '--no-progress'],
  ['used by tests alone', 'node_modules/knip/bin/knip.js', '--no-progress', '--production'],
  ['docs in step', 'scripts/docs.ts', '--check'],
];

const counts = join(cache, 'counts');

process.exitCode = main(process.argv.includes('--static'));

function main(onlyStatic: boolean): number {
  mkdirSync(counts, { recursive: true });
  const results = steps.map(([name, ...command]) => passes(name, command));
  let passed = results.filter(Boolean).length;
  let failed = results.length - passed;
  const failures = steps.flatMap(([name], index) => (results[index] ? [] : [`${name}: see what it printed above`]));
  writeFileSync(join(counts, 'static.json'), `${JSON.stringify({ passed, failed, failures })}\n`);
  if (!onlyStatic) {
    for (const lane of ['test', ...(nodeIsPossible() ? ['node'] : []), 'kernel']) {
      const tests = test(lane);
      passed += tests.passed;
      failed += tests.failed;
      failures.push(...tests.failures);
    }
  }
  if (failures.length > 0) console.log(`failed:\n${failures.map((line) => `  ${line}`).join('\n')}`);
  console.log(`${passed} passed, ${failed} failed`);
  return failed > 0 ? 1 : 0;
}

/** Runs one step. Prints that it passed, or everything it printed. */
function passes(name: string, command: readonly string[]): boolean {
  const { status, stdout, stderr } = spawnSync(process.execPath, command, { cwd: root, encoding: 'utf8' });
  console.log(`${status === 0 ? 'ok    ' : 'failed'} ${name}`);
  if (status !== 0) console.log(`${stdout}${stderr}`.trimEnd());
  return status === 0;
}

/** Gets what a Kubernetes node is made of. Returns false, and says why, where that is not possible. */
function nodeIsPossible(): boolean {
  const possible =
    spawnSync(process.execPath, ['scripts/run.mjs', 'node'], { cwd: root, stdio: 'inherit' }).status === 0;
  if (!possible) console.log('left out: the tests on a Kubernetes node (npm run test:node), for the reason above');
  return possible;
}

/** Runs the tests of one lane. A run that fails without counting a failure counts as one failure. */
function test(lane: string): { passed: number; failed: number; failures: readonly string[] } {
  const file = join(counts, `${lane}.json`);
  const task = lane === 'test' ? 'test' : `test:${lane}`;
  rmSync(file, { force: true });
  const { status } = spawnSync(process.execPath, ['scripts/run.mjs', task], { cwd: root, stdio: 'inherit' });
  let tests = { passed: 0, failed: 0, failures: [] };
  try {
    tests = JSON.parse(readFileSync(file, 'utf8'));
  } catch {}
  if (status === 0 || tests.failed > 0) return tests;
  return { ...tests, failed: 1, failures: [`${lane}: ended with ${status} and counted no failure`] };
}
