import { join } from 'node:path';
import { expect, test } from 'vitest';
import { pluginWords } from '../../cli/kubectl-plugin.ts';
import { writeFiles } from '../support/cli.ts';
import { run, scratch } from '../support/judges.ts';
import { solpackNamed } from '../support/kubectl-plugin.ts';

const home = scratch('kubectl-plugin');
const words = (argv: readonly string[], env: Readonly<Record<string, string>> = {}): readonly string[] =>
  pluginWords({ argv, env: { HOME: join(home, 'nobody'), ...env }, cwd: '/work' });

test('the words of the plugin are about approvals, with the kubeconfig that kubectl uses', () => {
  writeFiles(home, { '.kube/config': '' });
  expect(words(['plan', 'edge'])).toEqual(['approval', 'plan', 'edge']);
  expect(words(['status'], { HOME: home })).toEqual(['approval', 'status', '--kubeconfig', join(home, '.kube/config')]);
  expect(words(['deny'], { KUBECONFIG: 'a.conf', HOME: home })).toEqual([
    ...['approval', 'deny', '--kubeconfig', '/work/a.conf'],
  ]);
});

test('a kubeconfig that is given wins, and several files, which only kubectl merges, are none', () => {
  const env = { KUBECONFIG: 'a.conf:b.conf' };
  expect(words(['approve', '--kubeconfig=c.conf'], env)).toEqual(['approval', 'approve', '--kubeconfig=c.conf']);
  expect(words(['approve'], env)).toEqual(['approval', 'approve']);
});

test('any other word is a command of solpack', () => {
  expect(words(['history', 'edge'], { KUBECONFIG: 'a.conf' })).toEqual(['history', 'edge']);
  expect(words([])).toEqual([]);
});

test('a link of that name is the plugin, and no other link is one', async () => {
  for (const name of ['kubectl-solpack', 'other']) solpackNamed(name, join(home, 'bin'));
  const env = { KUBECONFIG: join(home, 'none.conf') };
  const plugin = await run(join(home, 'bin/kubectl-solpack'), ['plan'], { env });
  expect([plugin.code, plugin.stderr]).toEqual([2, expect.stringContaining('none.conf')]);
  const other = await run(join(home, 'bin/other'), ['plan'], { env });
  expect([other.code, other.stderr]).toEqual([2, expect.stringContaining("unknown command 'plan'")]);
});
