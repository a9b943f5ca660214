import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { smallSolution } from '../support/cli.ts';
import { judged, ok, scratch } from '../support/judges.ts';

const folder = scratch('node-versions');
const cwd = folder;
const project = join(import.meta.dirname, '../..');

judged(
  'every command runs on the oldest Node.js that package.json allows, without a warning',
  ['node-oldest', 'bash'],
  async () => {
    const { engines } = JSON.parse(readFileSync(join(project, 'package.json'), 'utf8'));
    const version = (await ok('node-oldest', ['--version'])).trim().slice(1);
    expect(`>=${version.replace(/\.0$/, '')}`).toBe(engines.node);
    await smallSolution(join(folder, 'src'), { keep: true });
    const solpack = async (...args: string[]): Promise<string> => {
      const script = `node-oldest '${join(project, 'cli/bin.js')}' "$@" 2>errors; code=$?; [ ! -s errors ] || { cat errors >&2; exit 99; }; exit $code`;
      return ok('bash', ['-c', script, 'solpack', ...args], { cwd, env: { SOLPACK_PASSPHRASE: 'of a test' } });
    };
    await solpack('keygen', '-o', 'k', '-q');
    await solpack('keygen', '-o', 'second', '-q');
    expect(await solpack('pack', 'src', '-o', 'a.iso', '--sign', 'k.key', '-q', '--workers', '2')).toMatch(
      /^packed hello 1\.0\.0/,
    );
    expect(await solpack('sign', 'a.iso', '--private-key', 'second.key', '-q')).toMatch(/^signed sha256:/);
    expect(await solpack('inspect', 'a.iso', '-q')).toMatch(/^hello 1\.0\.0/);
    expect(await solpack('ls', 'a.iso', 'manifest.yaml', '-q')).toMatch(/manifest\.yaml\n$/);
    expect(await solpack('extract', 'a.iso', '-C', 'out', '-q')).toMatch(/^extracted/);
    expect(await solpack('verify', 'a.iso', '--key', 'k.pub', '-q')).toMatch(/^verified hello 1\.0\.0/);
    const configuration =
      'apiVersion: solutions.metalk8s.scality.com/v1alpha1\nkind: SolutionsConfiguration\nsolutions: [{name: hello, archives: [a.iso]}]\n';
    writeFileSync(join(folder, 's.yaml'), configuration);
    expect(await solpack('install', '-f', 's.yaml', '--key', 'k.pub', '--render', 'rendered', '-q')).toMatch(
      /^rendered hello 1\.0\.0/,
    );
  },
);
