import { spawnSync } from 'node:child_process';
import { root } from './home.ts';
import { changeHere } from './lanes/changed.ts';
import { chooseHeavy } from './lanes/choose.ts';
import { close, forgetCounts, keepCounts, type LaneCounts, readCounts, sumOf } from './lanes/counts.ts';
import { heavyFiles } from './lanes/heavy-files.ts';

// The gate: node scripts/check.ts [--static]. Each static step counts as one check. Without --static the tests follow;
// then those that start a control plane; then, where a Kubernetes node can be started, the life of a Solution on one; then the heavy files that the change is
// worth, as far as ten minutes go. What failed is named once more at the end. The last line is always "N passed, N
// failed", and the counts are kept in .cache/counts.

/** How long the heavy files may take that the change is worth, in seconds, and how many run at the same time. */
const HEAVY = { seconds: 600, workers: 2 };

const steps: readonly (readonly [name: string, ...command: string[]])[] = [
  ['types', 'node_modules/typescript/bin/tsc', '--noEmit'],
  ['lint and format', 'node_modules/@biomejs/biome/bin/biome', 'ci', '--colors=off'],
  ['dead code', 'node_modules/knip/bin/knip.js', '--no-progress'],
  ['used by tests alone', 'node_modules/knip/bin/knip.js', '--no-progress', '--production'],
  ['docs in step', 'scripts/docs.ts', '--check'],
];

process.exitCode = main(process.argv.includes('--static'));

function main(onlyStatic: boolean): number {
  forgetCounts();
  const begun = performance.now();
  const parts = [timed('static checks', staticChecks)];
  if (!onlyStatic) {
    parts.push(timed('tests', () => lane('tests', 'npm', ['test'], ['formats', 'lib', 'test'])));
    parts.push(timed('a control plane', () => lane('a control plane', 'npm', ['run', 'test:cluster'], ['cluster'])));
    const node = nodeIsPossible();
    if (node) parts.push(timed('a node', () => lane('a node', 'npm', ['run', 'test:node'], ['node'])));
    parts.push(timed('heavy files', () => heavy(node)));
  }
  console.log(`the gate took ${minutes(begun)} minutes`);
  return close(sumOf(parts));
}

function staticChecks(): LaneCounts {
  const failures = steps
    .filter(([name, ...command]) => !passes(name, command))
    .map(([name]) => `${name}: see what it printed above`);
  const counts = { passed: steps.length - failures.length, failed: failures.length, failures };
  keepCounts('static', counts);
  return counts;
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
  const { status } = spawnSync(process.execPath, ['scripts/run.mjs', 'node'], { cwd: root, stdio: 'inherit' });
  if (status !== 0) console.log('left out: the tests on a Kubernetes node (npm run test:node), for the reason above');
  return status === 0;
}

function heavy(node: boolean): LaneCounts {
  const { since, files } = changeHere();
  const { chosen, left } = chooseHeavy(files, heavyFiles, HEAVY.seconds, HEAVY.workers);
  const here = chosen.filter((file) => node || !file.startsWith('test/node/'));
  console.log(
    `since ${since}, ${files.length} files changed: ${here.length} of ${Object.keys(heavyFiles).length} heavy files run`,
  );
  if (left.length > 0) console.log(`left to "npm run test:heavy":\n${left.map((file) => `  ${file}`).join('\n')}`);
  const byKernel = here.filter((file) => file.startsWith('test/kernel/'));
  const others = here.filter((file) => !byKernel.includes(file));
  return sumOf([filesOf('test:files', others, ['heavy', 'node-heavy']), filesOf('test:kernel', byKernel, ['kernel'])]);
}

function filesOf(task: string, files: readonly string[], lanes: readonly string[]): LaneCounts {
  if (files.length === 0) return sumOf([]);
  return lane('heavy files', process.execPath, ['scripts/run.mjs', task, ...files], lanes);
}

function lane(name: string, program: string, args: readonly string[], lanes: readonly string[]): LaneCounts {
  const { status } = spawnSync(program, args, { cwd: root, stdio: 'inherit' });
  return readCounts(name, lanes, status);
}

function timed(name: string, work: () => LaneCounts): LaneCounts {
  const begun = performance.now();
  const counts = work();
  console.log(`${name}: ${minutes(begun)} minutes`);
  return counts;
}

function minutes(begun: number): string {
  return ((performance.now() - begun) / 60_000).toFixed(1);
}
