import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { smallSolution, succeeds } from '../support/cli.ts';
import { solpackHere } from '../support/here.ts';
import { type Outcome, scratch } from '../support/judges.ts';

const cwd = scratch('renamed');
const here = (...args: string[]): Promise<Outcome> => solpackHere(args, { cwd });

beforeAll(async () => {
  await smallSolution(join(cwd, 'hello'));
  await succeeds(['keygen', '-o', 'k'], { cwd });
  await succeeds(['pack', 'hello', '-o', 'hello.iso'], { cwd });
});

test('a name of before goes on, as often as the new one, and a note says that once', async () => {
  const servers = ['--server', 'http://127.0.0.1:1', '--served-at', 'http://127.0.0.1:2', '--server', 'ftp://x'];
  const { stderr } = await here('join-mirror', ...servers, '--quiet');
  expect(stderr.split('\n')).toEqual([
    'note: --server is now --served-at',
    expect.stringMatching(/^solpack: ftp:\/\/x: is not the URL of a registry; .* \[usage-invalid\]$/),
    '',
  ]);
  const json = await here('join-mirror', '--server=http://127.0.0.1:1', '--ca', 'nowhere.pem', '--progress', 'json');
  expect(
    json.stderr
      .split('\n')
      .slice(0, 2)
      .map((line) => JSON.parse(line).message),
  ).toEqual(['--server is now --served-at', '--ca is now --ca-file']);
  expect(json.stderr).toContain('nowhere.pem: no such file');
});

test('no help shows it, and what is lacking is called by its new name', async () => {
  const { stdout } = await here('join-mirror', '--help');
  expect(stdout).toContain('--served-at');
  expect(stdout).not.toMatch(/--server\b|--ca\b(?!-file)/);
  expect((await here('join-mirror')).stderr).toContain("'--served-at <url>' not specified");
});

test('a private key by --key signs, with a note, and so does --private-key without', async () => {
  const before = await here('sign', 'hello.iso', '--key', 'k.key', '--quiet');
  expect([before.code, before.stderr]).toEqual([0, 'note: --key is now --private-key, for a private key\n']);
  const now = await here('sign', 'hello.iso', '--private-key', 'k.key', '--quiet');
  expect([now.code, now.stderr]).toEqual([0, '']);
});

test.each([
  [['--private-key', 'k.key', '--key', 'k.pub'], '--key: is for --signer'],
  [['--private-key', 'k.key', '--signer', 'cat'], '--private-key: contradicts --signer'],
  [['--signer', 'cat'], '--signer: needs the public key of the signer; give --key PUB'],
  [[], '--private-key: is needed to sign'],
])('sign with %j is refused', async (args, words) => {
  const { code, stderr } = await here('sign', 'hello.iso', ...args, '--quiet');
  expect([code, stderr]).toEqual([2, expect.stringContaining(words)]);
});
