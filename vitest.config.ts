import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { clusterFiles } from './scripts/lanes/cluster-files.ts';
import { heavyFiles } from './scripts/lanes/heavy-files.ts';

const formats = 'test/formats/**/*.test.ts';
const lib = 'test/lib/**/*.test.ts';
const onNode = 'test/node/**/*.test.ts';
const byKernel = 'test/kernel/**/*.test.ts';
const heavy = Object.keys(heavyFiles);
const heavyHere = heavy.filter((file) => !/^test\/(node|kernel)\//.test(file));
const elsewhere = [...clusterFiles, ...heavyHere];
const heavyOnNode = heavy.filter((file) => file.startsWith('test/node/'));

// How busy the machine is says nothing about a test: these limits only end one that hangs.
const patience = { testTimeout: 600_000, hookTimeout: 600_000 };
// Tests wait for the programs that they start: with one worker for each core, a third of the cores is idle.
const here = { maxWorkers: availableParallelism() * 2, ...patience };
// Each file starts a node of its own. They wait more than they work: two cores are enough for two of them.
// Projects with other numbers of workers run one after the other, and Vitest wants their order.
const withNode = { maxWorkers: 2, sequence: { groupOrder: 1 }, ...patience };

export default defineConfig({
  // Node.js 22 has no `using` declarations, which tests are free to use.
  oxc: { target: 'es2024' },
  test: {
    setupFiles: ['./test/support/count-programs.ts'],
    reporters: [['default', { summary: false }], './test/support/reporter.ts'],
    coverage: { include: ['cli/**', 'lib/**', 'formats/**'] },
    projects: [
      {
        extends: true,
        test: {
          name: 'test',
          include: ['test/**/*.test.ts'],
          exclude: [formats, lib, onNode, byKernel, ...elsewhere],
          ...here,
        },
      },
      // Files of these share their modules, which keep nothing for the next file: to load them takes half a second a file.
      { extends: true, test: { name: 'formats', include: [formats], exclude: elsewhere, isolate: false, ...here } },
      { extends: true, test: { name: 'lib', include: [lib], exclude: elsewhere, isolate: false, ...here } },
      { extends: true, test: { name: 'cluster', include: [...clusterFiles], ...here } },
      { extends: true, test: { name: 'heavy', include: heavyHere, ...here } },
      { extends: true, test: { name: 'node', include: [onNode], exclude: heavyOnNode, ...withNode } },
      { extends: true, test: { name: 'node-heavy', include: heavyOnNode, ...withNode } },
      {
        extends: true,
        // Each file starts a virtual machine, whose processor is emulated.
        test: {
          name: 'kernel',
          include: [byKernel],
          fileParallelism: false,
          sequence: { groupOrder: 2 },
          ...patience,
        },
      },
    ],
  },
});
