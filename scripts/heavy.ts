import { spawnSync } from 'node:child_process';
import { argumentsOf, root } from './home.ts';
import { close, forgetCounts, type LaneCounts, readCounts, sumOf } from './lanes/counts.ts';
import { heavyParts, type Part } from './lanes/parts.ts';
import { lackingIn, record, recordOf } from './lanes/record.ts';
import { commitHere } from './release/git.ts';

// All that is exhaustive: node scripts/heavy.ts [--again] [PART …]. Parts that were green for this commit are not run
// again without --again. What each part came to is kept in .cache/heavy/<commit>.json, and a release asks for all of
// them.

const { values, positionals } = argumentsOf('test:heavy', {
  allowPositionals: true,
  options: { again: { type: 'boolean', default: false } },
});

process.exitCode = main(positionals.length > 0 ? positionals : Object.keys(heavyParts));

function main(names: readonly string[]): number {
  const unknown = names.find((name) => !Object.hasOwn(heavyParts, name));
  if (unknown !== undefined) {
    console.error(`test:heavy: no part is called ${unknown}; the parts are ${Object.keys(heavyParts).join(', ')}`);
    return 2;
  }
  const commit = commitHere();
  const kept = commit?.clean ? recordOf(commit.id) : {};
  if (!commit?.clean) console.log('test:heavy: files here are not as a commit has them, so nothing is recorded');
  const counts = names.map((name) => {
    const before = kept[name];
    if (before && lackingIn(kept, [name]).length === 0 && !values.again) {
      console.log(`${name} was green for this commit: ${before.passed} passed`);
      return before;
    }
    const now = run(name, heavyParts[name]!);
    // Whoever edits files meanwhile has tested something else than the commit.
    if (commit?.clean && commitHere()?.clean && commitHere()?.id === commit.id) record(commit.id, name, now);
    return now;
  });
  return close(sumOf(counts));
}

function run(name: string, { task, args = [], lanes }: Part): LaneCounts {
  console.log(`\n${name}: node scripts/run.mjs ${[task, ...args].join(' ')}`);
  // Two parts may run the same lane: what one has counted is not what the next one did.
  forgetCounts();
  const env = { ...process.env, SOLPACK_EXHAUSTIVE: '1', SOLPACK_REQUIRE_TOOLS: '1' };
  const { status } = spawnSync(process.execPath, ['scripts/run.mjs', task, ...args], {
    cwd: root,
    stdio: 'inherit',
    env,
  });
  if (lanes) return readCounts(name, lanes, status);
  const failures = status === 0 ? [] : [`${name}: ended with ${status}`];
  return { passed: status === 0 ? 1 : 0, failed: failures.length, failures };
}
