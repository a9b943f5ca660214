import { mkdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Grants } from '../../../../../formats/solution/grants.ts';
import { archivesNamed, placeName } from '../../../../../lib/shared/solutions/media/index.ts';
import { openFilesAt } from '../../../../../lib/shared/solutions/media/open-medium.ts';
import { clusterOrigin } from '../../../../../lib/shared/solutions/origin/cluster.ts';
import { testFlow } from '../../../../support/flow.ts';
import { scratch } from '../../../../support/judges.ts';

const folder = scratch('origin');
const noGrants: Grants = { folders: [], variables: [], addresses: [], registries: [], withheld: [] };
const at = (...names: string[]): string => join(folder, ...names);
const allowed = at('allowed');
const origin = clusterOrigin(
  { ...noGrants, folders: [allowed, at('also')], withheld: [at('allowed/auth.json')], variables: ['PW'] },
  { PW: 'known', PATH: '/bin' },
);
const text = async (path: string): Promise<string> => Buffer.from(await origin.readFile(path, 1024)).toString();
const refused = { code: 'configuration-bounds', exit: 3 };

mkdirSync(at('allowed/inner'), { recursive: true });
mkdirSync(at('also'));
mkdirSync(at('outside'));
for (const path of [
  'allowed/a.iso',
  'allowed/inner/b',
  'also/c',
  'outside/d',
  'allowed/auth.json',
  'allowed/link.iso',
]) {
  writeFileSync(at(path), path);
}

describe('a document from a cluster', () => {
  test('reads files below folders that are allowed, as kubelet mounts them too: behind links that stay within', async () => {
    symlinkSync('..data/values', at('allowed/values'));
    symlinkSync('..2026', at('allowed/..data'));
    mkdirSync(at('allowed/..2026'));
    writeFileSync(at('allowed/..2026/values'), 'as mounted');
    symlinkSync(at('also/c'), at('allowed/absolute'));
    expect(await text(at('allowed/inner/b'))).toBe('allowed/inner/b');
    expect(await text(at('allowed/values'))).toBe('as mounted');
    expect(await text(at('allowed/absolute'))).toBe('also/c');
  });

  test('reads nothing behind a link that leads out, be it there or not', async () => {
    symlinkSync('../outside/d', at('allowed/out'));
    symlinkSync('../outside', at('allowed/out-folder'));
    symlinkSync('../outside/nothing', at('allowed/out-nowhere'));
    symlinkSync('/proc/self/environ', at('allowed/environ'));
    for (const name of ['out', 'out-folder/d', 'out-nowhere', 'environ']) {
      await expect(text(at('allowed', name))).rejects.toMatchObject(refused);
    }
  });

  test('does not hear whether there is a file where it may not look', async () => {
    const tried = [at('outside/d'), at('outside/nothing')].map((path) => text(path).catch((error) => error.message));
    const [there, missing] = await Promise.all(tried);
    expect(there).toBe(missing);
    expect(await origin.isThere(at('outside/d'))).toBe(false);
    for (const entry of [
      '../outside/d',
      '../outside/nothing',
      '../outside/*',
      '../outside',
      '/etc/pass*',
      '/*/passwd',
    ]) {
      await expect(archivesNamed(entry, { base: allowed, origin })).rejects.toMatchObject(refused);
    }
  });

  test('does not read what its reader has its own credentials in', async () => {
    symlinkSync('auth.json', at('allowed/innocent'));
    for (const name of ['auth.json', 'innocent']) {
      await expect(text(at('allowed', name))).rejects.toMatchObject(refused);
    }
  });

  test('never reads what the kernel tells, or the account of a Pod, though all be allowed', async () => {
    const all = clusterOrigin({ ...noGrants, folders: ['/'] });
    for (const path of ['/proc/self/environ', '/var/run/secrets/kubernetes.io/serviceaccount/token', '/sys/kernel']) {
      await expect(all.readFile(path, 1024)).rejects.toMatchObject(refused);
    }
    symlinkSync('/proc/self', at('process'));
    await expect(all.readFile(at('process/environ'), 1024)).rejects.toMatchObject(refused);
  });

  test('reads the variables that are allowed', () => {
    expect(origin.variable('PW')).toBe('known');
    expect(() => origin.variable('PATH')).toThrow(expect.objectContaining(refused));
    expect(() => origin.variable('UNSET')).toThrow(expect.objectContaining(refused));
  });

  test('names archives by file, by pattern and by folder', async () => {
    const names = async (entry: string): Promise<string[]> =>
      (await archivesNamed(entry, { base: allowed, origin })).places.map(placeName);
    expect(await names('a.iso')).toEqual([at('allowed/a.iso')]);
    expect(await names('*.iso')).toEqual([at('allowed/a.iso'), at('allowed/link.iso')]);
    expect(await names('.')).toEqual([at('allowed/a.iso'), at('allowed/link.iso')]);
    expect(await names('in*r/?')).toEqual([at('allowed/inner/b')]);
  });

  test('opens nothing else in the place of an archive that it named', async () => {
    const [place] = (await archivesNamed('link.iso', { base: allowed, origin })).places;
    renameSync(at('allowed/link.iso'), at('allowed/moved'));
    symlinkSync('/etc/passwd', at('allowed/link.iso'));
    await expect(openFilesAt(place!, testFlow())).rejects.toMatchObject(refused);
  });

  test('asks no server that is not allowed', async () => {
    for (const entry of [
      'http://127.0.0.1:1/',
      'https://example.com/a.iso',
      'oci://localhost:1/a:1',
      'a.example/b:1',
    ]) {
      const connect = (): never => expect.fail('was asked');
      await expect(archivesNamed(entry, { base: allowed, origin, connect })).rejects.toMatchObject(refused);
    }
  });
});
