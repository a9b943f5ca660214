import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { smallSolution, solpack, starts } from './cli.ts';
import type { Words } from './under-test.ts';

/** `ada`, whose password is `secret`. */
const users =
  'ada:$6$abcdefgh$ltjgWl6579NluT/Vi1nwEvcil.G5Nbc4NiXZaNGStk8PSwGfQv72N2CKPPrVACtLtip/cZ/1GM/O6IND4WQhG.\n';

/**
 * Has a form of solpack do, in a folder of its own, what takes it into each of its parts: threads, those of `serve`,
 * programs, errors. `source` is the form that it is compared with. Where an emulated processor takes seconds for each
 * command, `all` is false, and half of them have to do.
 */
export async function tried(form: Words, source: Words, cwd: string, all: boolean): Promise<void> {
  mkdirSync(cwd, { recursive: true });
  await smallSolution(join(cwd, 'src'));
  const succeeds = async (runner: Words, ...args: string[]): Promise<string> => {
    // Where compiled code is not taken, an executable says so.
    const env = { SOLPACK_DEBUG: 'compiled', SOLPACK_PASSPHRASE: 'of a test' };
    const { code, stdout, stderr } = await solpack([...args, '--quiet'], { cwd, env }, runner);
    expect([args[0], code, stderr]).toEqual([args[0], 0, '']);
    return stdout;
  };
  await succeeds(source, 'keygen', '-o', 'k');
  for (const [runner, name] of [
    [source, 'b.iso'],
    [form, 'a.iso'],
  ] as const) {
    expect(await succeeds(runner, 'pack', 'src', '-o', name, '--workers', '2')).toMatch(/^packed hello 1\.0\.0/);
  }
  expect(readFileSync(join(cwd, 'a.iso')).equals(readFileSync(join(cwd, 'b.iso')))).toBe(true);
  await succeeds(source, 'sign', 'a.iso', '--private-key', 'k.key');
  expect(await succeeds(form, 'verify', 'a.iso', '--key', 'k.pub')).toMatch(/^verified hello 1\.0\.0/);
  if (all) {
    await succeeds(form, 'sign', 'b.iso', '--private-key', 'k.key');
    expect(await succeeds(form, 'inspect', 'b.iso')).toMatch(/^hello 1\.0\.0/);
    await installs((...args) => succeeds(form, ...args), cwd);
  }
  const refused = await solpack(['verify', 'absent.iso'], { cwd }, form);
  expect([refused.code, refused.stderr]).toEqual([
    2,
    expect.stringMatching(/^solpack: .*absent\.iso.*\[file-missing\]\n$/),
  ]);
  await serves(form, cwd);
}

async function installs(succeeds: (...args: string[]) => Promise<string>, cwd: string): Promise<void> {
  const configuration =
    'apiVersion: solutions.metalk8s.scality.com/v1alpha1\nkind: SolutionsConfiguration\nsolutions: [{name: hello, archives: [a.iso]}]\n';
  writeFileSync(join(cwd, 's.yaml'), configuration);
  const install = ['install', '-f', 's.yaml', '--key', 'k.pub', '--render', 'rendered', '--trust-state', 'state'];
  expect(await succeeds(...install)).toMatch(/^rendered hello 1\.0\.0/);
}

async function serves(form: Words, cwd: string): Promise<void> {
  writeFileSync(join(cwd, 'users'), users);
  await using serving = await starts(
    ['serve', 'a.iso', '--listen', '127.0.0.1:0', '--htpasswd', 'users'],
    { cwd },
    form,
  );
  const statusFor = async (password: string): Promise<number> => {
    const authorization = `Basic ${Buffer.from(`ada:${password}`).toString('base64')}`;
    return (await fetch(`${serving.first}/v2/hello/web/tags/list`, { headers: { authorization } })).status;
  };
  expect([await statusFor('secret'), await statusFor('wrong')]).toEqual([200, 401]);
}
