import { generateKeyPairSync } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { collect } from '../../../../formats/bytes.ts';
import { sha256 } from '../../../../formats/digest.ts';
import { parseLock } from '../../../../formats/solution/lock.ts';
import { check } from '../../../../lib/flows/pack/check.ts';
import type { PackResult } from '../../../../lib/flows/pack/index.ts';
import type { InstallerRequest } from '../../../../lib/flows/pack/installer-programs.ts';
import { smallSolution } from '../../../support/cli.ts';
import { elfMachines, tinyElf } from '../../../support/elf.ts';
import { packHere, testFlow } from '../../../support/flow.ts';
import { elsewhere, folderOf, here, writePrograms } from '../../../support/installer.ts';
import { scratch } from '../../../support/judges.ts';
import { withArchive } from '../../../support/packing.ts';

const folder = scratch('installer');
const programs = join(folder, 'programs');
const definition = join(folder, 'src/solution.toml');
const [own, other] = [folderOf(here), folderOf(elsewhere)];

beforeAll(() => smallSolution(join(folder, 'src')));

beforeEach(() => {
  rmSync(programs, { recursive: true, force: true });
  rmSync(join(folder, 'src/solution.lock'), { force: true });
  writePrograms(programs);
});

const packed = (asked: Partial<InstallerRequest>, more = {}, output = 'a.iso'): Promise<PackResult> => {
  const installer = { platforms: undefined, folder: programs, executable: undefined, ...asked };
  return packHere(definition, join(folder, output), { installer, ...more });
};
const pathsOf = (output: string): Promise<string[]> =>
  withArchive(join(folder, output), ({ catalog }) => catalog.installer.map(({ path }) => path));
const lock = () => parseLock(readFileSync(join(folder, 'src/solution.lock')));
const put = (path: string, bytes: Uint8Array | string): void => writeFileSync(join(programs, path), bytes);

describe('an installer', () => {
  test('has all programs of the folder, or those of the platforms that were asked for', async () => {
    const all = [own, other]
      .flatMap((name) => ['helm', 'kubectl', 'solpack'].map((one) => `bin/${name}/${one}`))
      .sort();
    expect((await packed({})).installer).toEqual([here, elsewhere].sort());
    expect(await pathsOf('a.iso')).toEqual(all);
    expect((await packed({ platforms: [elsewhere, elsewhere] }, {}, 'b.iso')).installer).toEqual([elsewhere]);
    expect(await pathsOf('b.iso')).toEqual(all.filter((path) => path.includes(other)));
  });

  test('stands in the lock by its digests, and in the provenance', async () => {
    await packed({ platforms: [here] });
    const bytes = readFileSync(join(programs, own, 'solpack'));
    expect(lock().installer).toContainEqual({ path: `bin/${own}/solpack`, digest: sha256(bytes) });
    const predicate = await withArchive(join(folder, 'a.iso'), async ({ catalog, source }) => {
      const { descriptor } = catalog.attestations.find(({ name }) => name === 'provenance')!;
      return JSON.parse(Buffer.from(await collect(source.open(descriptor), 2 ** 20)).toString());
    });
    const dependencies = predicate.buildDefinition.resolvedDependencies;
    expect(dependencies).toContainEqual({
      name: `bin/${own}/solpack`,
      digest: { sha256: sha256(bytes).slice('sha256:'.length) },
    });
  });

  test('has other bytes refused by a locked pack, which names them, and is renewed by a plain one', async () => {
    const { root } = await packed({});
    expect((await packed({}, { lock: 'locked' })).root).toBe(root);
    put(`${own}/helm`, tinyElf('another helm', { machine: elfMachines[own.endsWith('amd64') ? 'amd64' : 'arm64'] }));
    const refusal = (words: RegExp) => ({ code: 'lock-mismatch', message: expect.stringMatching(words) });
    const change = new RegExp(`^bin/${own}/helm is sha256:[0-9a-f]{64}, but the lock has sha256:[0-9a-f]{64}$`);
    await expect(packed({}, { lock: 'locked' })).rejects.toMatchObject(refusal(change));
    await expect(packed({ platforms: [here] }, { lock: 'locked' })).rejects.toMatchObject(
      refusal(new RegExp(`bin/${other}/helm is only in the lock`)),
    );
    const without = packHere(definition, join(folder, 'a.iso'), { lock: 'locked' });
    await expect(without).rejects.toMatchObject(refusal(/has an installer, and --with-installer was not given/));
    const renewed = await packed({});
    expect(renewed.root).not.toBe(root);
    expect((await packed({}, { lock: 'locked' })).root).toBe(renewed.root);
    await packHere(definition, join(folder, 'a.iso'));
    await expect(packed({}, { lock: 'locked' })).rejects.toMatchObject(
      refusal(/has no installer, and --with-installer was given/),
    );
  });

  test('leaves the archive as it was, but for what it adds', async () => {
    const before = await packHere(definition, join(folder, 'plain.iso'));
    await packed({});
    const again = await packHere(definition, join(folder, 'again.iso'));
    expect(again).toEqual({ ...before, path: again.path });
    expect(readFileSync(join(folder, 'again.iso')).equals(readFileSync(join(folder, 'plain.iso')))).toBe(true);
    expect(readFileSync(join(folder, 'src/solution.lock'), 'utf8')).not.toContain('installer');
  });

  test('takes solpack as the build of executables names it, and for this machine what is here', async () => {
    const executable = join(folder, 'solpack-of-mine');
    writeFileSync(executable, readFileSync(join(programs, own, 'solpack')));
    rmSync(join(programs, own), { recursive: true });
    const build = { 'linux-amd64': 'solpack-linux-x64', 'linux-arm64': 'solpack-linux-arm64' }[other]!;
    put(build, readFileSync(join(programs, other, 'solpack')));
    rmSync(join(programs, other, 'solpack'));
    await packed({ platforms: [elsewhere] });
    expect(lock().installer).toContainEqual({
      path: `bin/${other}/solpack`,
      digest: sha256(readFileSync(join(programs, build))),
    });
    mkdirSync(join(folder, 'path'), { recursive: true });
    for (const name of ['helm', 'kubectl']) {
      writeFileSync(join(folder, 'path', name), readFileSync(executable), { mode: 0o755 });
    }
    const flow = { ...testFlow(), host: { path: [join(folder, 'path')], temp: folder } };
    const request = {
      definition,
      created: undefined,
      lock: 'use' as const,
      connect: () => Promise.reject(new Error()),
    };
    const installer = { platforms: [here], folder: undefined, executable };
    // `check` does all that `pack` does before it writes.
    await expect(check({ ...request, installer }, flow)).resolves.toMatchObject({ ok: true });
    const nothing = { ...installer, executable: undefined };
    await expect(check({ ...request, installer: nothing }, flow)).rejects.toMatchObject({
      code: 'file-missing',
      subject: `${own}/solpack`,
      message: expect.stringContaining('not a single executable'),
    });
    rmSync(join(folder, 'path/helm'));
    await expect(check({ ...request, installer }, flow)).rejects.toMatchObject({
      code: 'tool-missing',
      subject: 'helm',
    });
  });
});

describe('public keys beside the programs', () => {
  const pem = (namedCurve: string): string =>
    generateKeyPairSync('ec', { namedCurve }).publicKey.export({ type: 'spki', format: 'pem' }) as string;

  test('travel too, in the one form that their fingerprints are of', async () => {
    const key = pem('prime256v1');
    put('release.pub', `some words\n${key}`);
    await packed({});
    expect(await pathsOf('a.iso')).toContain('bin/release.pub');
    expect(lock().installer).toContainEqual({ path: 'bin/release.pub', digest: sha256(Buffer.from(key)) });
  });

  test('are refused where archives are not signed with such keys, or have no such names', async () => {
    put('release.pub', pem('secp384r1'));
    await expect(packed({})).rejects.toMatchObject({ code: 'key-invalid', subject: join(programs, 'release.pub') });
    rmSync(join(programs, 'release.pub'));
    put('Release.pub', pem('prime256v1'));
    await expect(packed({})).rejects.toMatchObject({
      code: 'installer-invalid',
      subject: join(programs, 'Release.pub'),
    });
    rmSync(join(programs, 'Release.pub'));
    for (let at = 0; at < 17; at += 1) put(`${at}.pub`, pem('prime256v1'));
    await expect(packed({})).rejects.toMatchObject({ code: 'installer-invalid', subject: programs });
  });
});

describe('a pack is refused', () => {
  const at = (name: string): string => join(programs, own, name);

  test.each([
    [
      'a program of another machine',
      () => put(`${own}/helm`, readFileSync(join(programs, other, 'helm'))),
      /^is a program for/,
    ],
    ['a script', () => put(`${own}/helm`, '#!/bin/sh\nexec helm.real "$@"\n'), /^is not an ELF program$/],
    ['an empty file', () => put(`${own}/helm`, ''), /^is empty$/],
  ])('for %s, by its name', async (_, change, words) => {
    change();
    const refusal = { code: 'installer-invalid', subject: at('helm'), message: expect.stringMatching(words) };
    await expect(packed({})).rejects.toMatchObject(refusal);
  });

  test('for a program that is missing, is a folder, or is a link to nothing', async () => {
    rmSync(join(programs, other, 'kubectl'));
    const missing = join(programs, other, 'kubectl');
    await expect(packed({})).rejects.toMatchObject({ code: 'file-missing', subject: missing });
    symlinkSync('nowhere', missing);
    await expect(packed({})).rejects.toMatchObject({ code: 'file-missing', subject: missing });
    rmSync(missing);
    mkdirSync(missing);
    await expect(packed({})).rejects.toMatchObject({ code: 'file-unreadable', subject: missing });
  });

  test('for a platform by another name, and for a folder that is not there', async () => {
    for (const platform of ['linux/x86_64', 'linux-amd64', 'windows/amd64', '', 'linux/amd64/../..', 'toString']) {
      await expect(packed({ platforms: [platform] })).rejects.toMatchObject({
        code: 'usage-invalid',
        subject: '--with-installer',
        message: expect.stringContaining(JSON.stringify(platform)),
      });
    }
    const folderless = packed({ folder: join(folder, 'nowhere') });
    await expect(folderless).rejects.toMatchObject({ code: 'file-missing', subject: join(folder, 'nowhere') });
  });
});
