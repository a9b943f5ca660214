import { copyFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { generateKey, loadPrivateKey } from '../../lib/parts/trust/index.ts';
import { smallSolution, starts, writeFiles } from '../support/cli.ts';
import { packHere } from '../support/flow.ts';
import { solpackHere } from '../support/here.ts';
import { type Outcome, scratch } from '../support/judges.ts';

// The steps of an install, and somebody who writes to the archive between two of them, in place.

const folder = scratch('install-meanwhile');
const cwd = folder;
const at = (name: string): string => join(folder, name);

beforeAll(async () => {
  const { privatePem, publicPem } = generateKey('ed25519');
  writeFiles(folder, {
    'k.key': privatePem,
    'k.pub': publicPem,
    'solutions.yaml': `apiVersion: solutions.metalk8s.scality.com/v1alpha1
kind: SolutionsConfiguration
solutions: [{name: hello, archives: [now.iso]}]
`,
  });
  const sign = await loadPrivateKey(at('k.key'));
  await smallSolution(at('good'));
  await smallSolution(at('evil'), { seed: 'evil' });
  await packHere(at('good/solution.toml'), at('good.iso'), { sign });
  await packHere(at('evil/solution.toml'), at('evil.iso'));
});

/** Installs `now.iso`; `meddle` happens when it says that a step begins. */
function installing(step: string, args: readonly string[], meddle: () => void): Promise<Outcome> {
  let left = true;
  const onText = (text: string): void => {
    if (left && text.startsWith(step)) meddle();
    left &&= !text.startsWith(step);
  };
  const common = ['install', '-f', 'solutions.yaml', '--key', 'k.pub', '--trust-state', 'state', '--progress', 'lines'];
  return solpackHere([...common, ...args], { cwd, onText });
}

/** Writes over `now.iso` without another file taking its place. */
const become = (name: string): void => writeFileSync(at('now.iso'), readFileSync(at(name)), { flag: 'r+' });

test('an archive that becomes a trusted one before it is verified is not installed as what it was', async () => {
  copyFileSync(at('evil.iso'), at('now.iso'));
  const { code, stderr } = await installing('verify', ['--render', 'rendered'], () => become('good.iso'));
  expect([code, stderr]).toEqual([3, expect.stringContaining('[not-trusted]')]);
  expect(existsSync(at('rendered'))).toBe(false);
});

test('an archive that becomes another one after it was verified is not pushed', async () => {
  copyFileSync(at('good.iso'), at('now.iso'));
  await using serving = await starts(['serve', '--store', 'store', '--open-push', '--listen', '127.0.0.1:0'], { cwd });
  const args = ['--images-only', '--registry', serving.first];
  const { code, stderr } = await installing('load', args, () => become('evil.iso'));
  expect([code, stderr]).toEqual([1, expect.stringContaining('[content-mismatch]')]);
  const tags = await fetch(`${serving.first}/v2/hello/web/tags/list`);
  expect(await tags.text()).not.toContain('1.0.0');
  copyFileSync(at('good.iso'), at('now.iso'));
  expect(await installing('load', args, () => undefined)).toMatchObject({ code: 0 });
});
