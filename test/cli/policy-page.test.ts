import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { expect } from 'vitest';
import { loadPolicy } from '../../lib/parts/trust/policy.ts';
import { smallSolution } from '../support/cli.ts';
import { judged, run, scratch } from '../support/judges.ts';
import { solpackQuoted } from '../support/under-test.ts';

const folder = scratch('policy-page');
const root = join(import.meta.dirname, '../..');
const [script] = [...readFileSync(join(root, 'docs/trust.md'), 'utf8').matchAll(/```bash\n([\s\S]*?)```/g)].map(
  (match) => match[1]!,
);

judged('the policy of docs/trust.md is made and followed as the page says', ['bash', 'openssl'], async () => {
  const definition = join(folder, 'guestbook/solution.toml');
  await smallSolution(join(folder, 'guestbook'), { name: 'guestbook' });
  writeFileSync(definition, readFileSync(definition, 'utf8').replace('\n\n', '\nsequence = 1\n\n'));
  const bin = join(folder, 'bin');
  mkdirSync(bin);
  const start = `#!/bin/sh\nexec ${solpackQuoted} "$@"\n`;
  writeFileSync(join(bin, 'solpack'), start, { mode: 0o755 });
  const env = { PATH: `${bin}${delimiter}${process.env['PATH']}` };
  const { code, stdout, stderr } = await run('bash', ['-e', '-o', 'pipefail', '-c', script!], { cwd: folder, env });
  expect([code, stderr]).toEqual([0, expect.anything()]);
  expect(stdout).toMatch(/^not trusted guestbook.*threshold-unmet.*^verified guestbook/ms);
  const { version, rules, keys } = await loadPolicy(join(folder, 'trust.toml'));
  expect([version, keys.size]).toEqual([1, 2]);
  expect(rules).toMatchObject([{ match: 'guestbook', threshold: 2, minSequence: 1 }]);
});
