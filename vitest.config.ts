import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

const onNode = 'test/node/**/*.test.ts';
const byKernel = 'test/kernel/**/*.test.ts';

export default defineConfig({
  // Node.js 22 has no `using` declarations, which tests are free to use.
  oxc: { target: 'es2024' },
  test: {
    // What is waited for comes at once on an idle machine, and late on a busy one.
    expect: { poll: { timeout: 20_000 } },
    setupFiles: ['./test/support/count-programs.ts'],
    reporters: [['default', { summary: false }], './test/support/reporter.ts'],
    coverage: { include: ['cli/**', 'lib/**', 'formats/**'] },
    projects: [
      {
        extends: true,
        test: {
          name: 'test',
          include: ['test/**/*.test.ts'],
          exclude: [onNode, byKernel],
          // Tests wait for the programs that they start: one core is not left idle for what watches them.
          maxWorkers: Math.max(2, availableParallelism() - 1),
          testTimeout: 30_000,
          hookTimeout: 120_000,
        },
      },
      {
        extends: true,
        // Each file starts a node of its own. They wait more than they work: two cores are enough for two of them.
        test: { name: 'node', include: [onNode], maxWorkers: 2, testTimeout: 120_000, hookTimeout: 180_000 },
      },
      {
        extends: true,
        // Each file starts a virtual machine, whose processor is emulated.
        test: { name: 'kernel', include: [byKernel], fileParallelism: false, hookTimeout: 600_000 },
      },
    ],
  },
});
