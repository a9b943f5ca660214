import { defineConfig } from 'vitest/config';

const onNode = 'test/node/**/*.test.ts';

export default defineConfig({
  // Node.js 22 has no `using` declarations, which tests are free to use.
  oxc: { target: 'es2024' },
  test: {
    reporters: [['default', { summary: false }], './test/support/reporter.ts'],
    coverage: { include: ['cli/**', 'lib/**', 'formats/**'] },
    projects: [
      {
        extends: true,
        test: {
          name: 'test',
          include: ['test/**/*.test.ts'],
          exclude: [onNode],
          testTimeout: 30_000,
          hookTimeout: 120_000,
        },
      },
      {
        extends: true,
        // Each file starts a node of its own, which two cores are just enough for.
        test: { name: 'node', include: [onNode], fileParallelism: false, testTimeout: 120_000, hookTimeout: 180_000 },
      },
    ],
  },
});
