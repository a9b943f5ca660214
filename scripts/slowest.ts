import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type FileDuration, slowestLines } from '../test/support/durations.ts';
import { cache } from './home.ts';

// Prints the slowest test files of the last run of each lane, and their slowest tests: node scripts/slowest.ts.

const folder = join(cache, 'counts');
const lanes = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.json')) : [];
const runs = lanes.sort().flatMap((name) => {
  const { files = [] }: { files?: readonly FileDuration[] } = JSON.parse(readFileSync(join(folder, name), 'utf8'));
  return files.length === 0 ? [] : [{ lane: name.slice(0, -'.json'.length), files }];
});

if (runs.length === 0) console.log('no test run is recorded in .cache/counts; run npm test first');
for (const { lane, files } of runs) {
  console.log(`${lane}: ${slowestLines(files).join('\n')}`);
  const tests = files.flatMap(({ file, slowTests = [] }) => slowTests.map((test) => ({ ...test, file })));
  const slowest = tests.sort((a, b) => b.duration - a.duration).slice(0, 20);
  if (slowest.length > 0) console.log('slowest tests:');
  for (const { file, name, duration } of slowest) {
    console.log(`  ${(duration / 1000).toFixed(1).padStart(7)} s  ${file} > ${name}`);
  }
}
