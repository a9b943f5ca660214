import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { run } from '../support/judges.ts';

const folder = join(import.meta.dirname, '../../scripts');
const scripts = readdirSync(folder, { withFileTypes: true })
  .filter((entry) => entry.isFile() && entry.name.endsWith('.ts') && entry.name !== 'home.ts')
  .filter(({ name }) => readFileSync(join(folder, name), 'utf8').includes('argumentsOf('))
  .map(({ name }) => name);

test('there are scripts that take options', () => {
  expect(scripts.length).toBeGreaterThan(5);
});

test.each(scripts)('%s says in one line which option it does not know', async (script) => {
  const { code, stdout, stderr } = await run(process.execPath, [join(folder, script), '--nonsense']);
  expect([code, stdout, stderr]).toEqual([
    2,
    '',
    expect.stringMatching(/^[\w:]+: Unknown option '--nonsense'[^\n]*\n$/),
  ]);
});
