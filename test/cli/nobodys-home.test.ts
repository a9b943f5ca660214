import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { writeFiles } from '../support/cli.ts';
import { type Outcome, run, scratch } from '../support/judges.ts';
import { solpackWords } from '../support/under-test.ts';

// A user who is a mere number, as in many containers, or root of a machine without /etc/passwd.

const folder = scratch('nobodys-home');
const user = ['--user', '--map-user=54321', '--map-group=54321'];
const isAllowed = spawnSync('unshare', [...user, 'true']).status === 0;

function asNumber(env: Record<string, string>, ...args: string[]): Promise<Outcome> {
  const settings = Object.entries(env).map(([name, value]) => `${name}=${value}`);
  const bare = [
    'env',
    '-u',
    'HOME',
    '-u',
    'XDG_STATE_HOME',
    '-u',
    'XDG_CONFIG_HOME',
    '-u',
    'DOCKER_CONFIG',
    ...settings,
  ];
  return run('unshare', [...user, ...bare, ...solpackWords, ...args], { cwd: folder });
}

describe('a user that no list of users has', () => {
  const numbered = (name: string, work: () => Promise<void>): void =>
    test(name, async (context) => {
      if (!isAllowed) context.skip('needs user namespaces');
      await work();
    });

  numbered('is told to name the folder where installs are remembered', async () => {
    for (const args of [
      ['trust', 'show'],
      ['install', '-f', 'solutions.yaml', '--key', 'release.pub', '--render', 'never'],
    ]) {
      const { code, stderr } = await asNumber({}, ...args);
      expect(stderr).toMatch(
        /^solpack: --trust-state: is needed, because .*; give it, or set HOME \[usage-invalid\]\n$/,
      );
      expect(code).toBe(2);
    }
  });

  numbered('uses that folder, or one below HOME', async () => {
    const { stdout, code } = await asNumber({}, 'trust', 'show', '--trust-state', join(folder, 'state'));
    expect([code, stdout]).toEqual([0, expect.stringContaining('state')]);
    mkdirSync(join(folder, 'home'));
    const below = await asNumber({ HOME: join(folder, 'home') }, 'trust', 'show');
    expect([below.code, below.stdout]).toEqual([0, expect.stringContaining('home/.local/state/solpack/trust')]);
  });

  numbered('reads registries without logins of its own', async () => {
    writeFiles(folder, { 'none.conf': '' });
    const settings = { CONTAINERS_REGISTRIES_CONF: join(folder, 'none.conf') };
    const { stderr, code } = await asNumber(settings, 'inspect', '127.0.0.1:9/a:1', '--plain-http');
    expect([code, stderr]).toEqual([4, expect.stringContaining('[registry-unreachable]')]);
  });
});
