import { defineConfig } from 'vitest/config';

export default defineConfig({
  // Node.js 22 has no `using` declarations, which tests are free to use.
  oxc: { target: 'es2024' },
  test: {
    include: ['test/**/*.test.ts'],
    testTimeout: 30_000,
    hookTimeout: 120_000,
    reporters: [['default', { summary: false }], './test/support/reporter.ts'],
    coverage: { include: ['cli/**', 'lib/**', 'formats/**'] },
  },
});
