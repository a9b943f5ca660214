import { copyFileSync, linkSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { delta, merge } from '../../../../lib/flows/delta/index.ts';
import { exportImages } from '../../../../lib/flows/export/index.ts';
import { signArchive } from '../../../../lib/flows/sign/index.ts';
import { makeSupportBundle } from '../../../../lib/flows/support-bundle/index.ts';
import { loadPrivateKey } from '../../../../lib/parts/trust/index.ts';
import { smallSolution, succeeds } from '../../../support/cli.ts';
import { packHere, testFlow } from '../../../support/flow.ts';
import { scratch } from '../../../support/judges.ts';

const folder = scratch('not-an-input');
const at = (name: string): string => join(folder, name);
const lost = {
  code: 'usage-invalid',
  message: expect.stringMatching(/^is .*, which is read for it and would be lost$/),
};
const images = { images: [], form: 'oci-archive', architecture: 'amd64' } as const;

beforeAll(async () => {
  await smallSolution(at('hello'));
  await packHere(at('hello/solution.toml'), at('hello.iso'));
  await succeeds(['keygen', '-o', 'release'], { cwd: folder });
  for (const name of ['given.iso', 'other.iso']) copyFileSync(at('hello.iso'), at(name));
  symlinkSync('given.iso', at('linked.iso'));
  linkSync(at('given.iso'), at('second.iso'));
  writeFileSync(at('run.log'), '');
});

describe('what a program has written', () => {
  test.each(['given.iso', 'linked.iso', 'second.iso'])('is no archive that it is made of: %s', async (name) => {
    const output = at(name);
    const [given, other] = [at('given.iso'), at('other.iso')];
    const signer = await loadPrivateKey(at('release.key'), async () => undefined as never);
    for (const make of [
      () => delta({ bases: [given], archive: other, output }, testFlow()),
      () => delta({ bases: [other], archive: given, output }, testFlow()),
      () => merge({ bases: [given], archive: other, output }, testFlow()),
      () => exportImages({ archive: given, output, ...images }, testFlow()),
      () => signArchive({ archive: given, signer, output, verify: false }, testFlow()),
      () => packHere(at('hello/solution.toml'), output, { bases: [given] }),
    ]) {
      await expect(make()).rejects.toMatchObject(lost);
    }
    expect(readFileSync(given).equals(readFileSync(at('hello.iso')))).toBe(true);
  });

  test.each(['hello/solution.toml', 'hello/solution.lock'])('is no file of the definition: %s', async (name) => {
    const before = readFileSync(at(name));
    await expect(packHere(at('hello/solution.toml'), at(name), { format: 'tar' })).rejects.toMatchObject(lost);
    expect(readFileSync(at(name)).equals(before)).toBe(true);
  });

  test('may be an archive of an earlier run', async () => {
    await packHere(at('hello/solution.toml'), at('again.iso'));
    await packHere(at('hello/solution.toml'), at('again.iso'));
    expect(readFileSync(at('again.iso')).equals(readFileSync(at('hello.iso')))).toBe(true);
  });

  test('is no log that goes into a support bundle', async () => {
    const request = { output: at('run.log'), logs: [at('run.log')], configuration: undefined, time: 0 };
    await expect(makeSupportBundle(request as never, testFlow())).rejects.toMatchObject(lost);
  });
});
