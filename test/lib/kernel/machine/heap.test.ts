import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';

// In a process of its own, since it is for as long as that runs.
const script = `
const { shrinkHeap } = await import(${JSON.stringify(join(import.meta.dirname, '../../../../lib/kernel/machine/heap.ts'))});
const { getHeapSpaceStatistics } = await import('node:v8');
const young = () => getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space').space_size;
const held = [];
const allocate = () => { for (let n = 0; n < 400_000; n += 1) held.push({ n }); };
allocate();
const grown = young();
shrinkHeap();
const shrunk = young();
allocate();
console.log(JSON.stringify([grown, shrunk, young()]));
`;

test('a heap that was shrunk gives the memory of its young generation back, and takes no more of it', () => {
  const printed = execFileSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' });
  const [grown, shrunk, later] = JSON.parse(printed);
  expect(shrunk).toBeLessThan(grown / 4);
  expect(later).toBeLessThan(grown / 2);
});
