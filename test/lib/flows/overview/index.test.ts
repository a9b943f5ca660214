import { copyFileSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { overview } from '../../../../lib/flows/overview/index.ts';
import { SolpackError } from '../../../../lib/kernel/events/errors.ts';
import { smallSolution, succeeds, writeFiles } from '../../../support/cli.ts';
import { writeRelease } from '../../../support/deltas.ts';
import { testFlow } from '../../../support/flow.ts';
import { scratch } from '../../../support/judges.ts';

const folder = scratch('overview');
const at = (...names: string[]): string => join(folder, ...names);

beforeAll(async () => {
  mkdirSync(at('stick'));
  for (const version of ['1.0.0', '1.1.0']) {
    await smallSolution(at(version), { version });
    await succeeds(['pack', version, '-o', `stick/hello-${version}.iso`], { cwd: folder });
  }
});

describe('an overview', () => {
  test('has the highest version of each Solution in the folder, and passes over what is not an archive', async () => {
    writeFiles(folder, { 'stick/other.iso': 'no archive', 'stick/notes.txt': '' });
    const found = await overview({ folder: at('stick'), root: at('machine') }, testFlow());
    expect(found).toEqual({
      kubernetes: 'none',
      archives: [{ name: 'hello', version: '1.1.0', path: at('stick/hello-1.1.0.iso'), isNew: true }],
      unfinished: [],
    });
  });

  test('names the whole archive of a version, and not a delta, which may lack something', async () => {
    mkdirSync(at('both'));
    await writeRelease(at('first'), '1.0.0', { app: 'app' });
    await writeRelease(at('second'), '1.1.0', { app: 'app' });
    await succeeds(['pack', 'first', '-o', 'first.iso'], { cwd: folder });
    await succeeds(['pack', 'second', '-o', 'both/shop.iso'], { cwd: folder });
    await succeeds(['delta', 'first.iso', 'both/shop.iso', '-o', 'both/delta.iso'], { cwd: folder });
    const { archives } = await overview({ folder: at('both'), root: at('machine') }, testFlow());
    expect(archives.map(({ path }) => path)).toEqual([at('both/shop.iso')]);
  });

  test('has the definition of the folder, also where that cannot be read', async () => {
    const look = (): ReturnType<typeof overview> => overview({ folder: at('1.0.0'), root: at('machine') }, testFlow());
    const path = at('1.0.0/solution.toml');
    expect((await look()).definition).toEqual({ path, name: 'hello', version: '1.0.0' });
    const text = readFileSync(path, 'utf8');
    writeFiles(folder, { '1.0.0/solution.toml': 'name = ' });
    expect((await look()).definition).toEqual({ path });
    writeFiles(folder, { '1.0.0/solution.toml': text });
  });

  test('has what was begun and not ended, by pack with its journal, and by pull', async () => {
    writeFiles(folder, {
      'begun/a.iso.partial': '',
      'begun/a.iso.partial.journal': '',
      'begun/b.iso.partial': '',
      'begun/browser.zip.partial': '',
    });
    const { unfinished } = await overview({ folder: at('begun'), root: at('machine') }, testFlow());
    expect(unfinished).toEqual([
      { path: at('begun/a.iso'), by: 'pack' },
      { path: at('begun/b.iso'), by: 'pull' },
    ]);
  });

  test('tells which Kubernetes there is, and opens what is a disk of files', async () => {
    writeFiles(at('node'), {
      'etc/rancher/k3s/k3s.yaml': '',
      'sys/block/loop0/loop/backing_file': '',
      'sys/block/loop0/size': '8\n',
      'sys/block/sda/removable': '0\n',
      'sys/block/sda/size': '8\n',
      'sys/block/sr0/removable': '1\n',
      'sys/block/sr0/size': '0\n',
      'dev/.keep': '',
    });
    copyFileSync(at('stick/hello-1.0.0.iso'), at('node/dev/loop0'));
    const { kubernetes, archives } = await overview({ folder: at('begun'), root: at('node') }, testFlow());
    expect([kubernetes, archives.map(({ path }) => path)]).toEqual(['k3s', [at('node/dev/loop0')]]);
  });

  test('finds an archive on a medium, however many other files lie in the folder', async () => {
    writeFiles(at('full'), Object.fromEntries(Array.from({ length: 300 }, (_, at) => [`${at}.tar`, ''])));
    const { archives } = await overview({ folder: at('full'), root: at('node') }, testFlow());
    expect(archives.map(({ path }) => path)).toEqual([at('node/dev/loop0')]);
  });

  test('says why a cluster did not tell, and is not ended by that', async () => {
    const error = new SolpackError('file-missing', 'admin.conf', 'is not there');
    const cluster = () => Promise.reject(error);
    const { silent, installed } = await overview({ folder: at('begun'), root: at('machine'), cluster }, testFlow());
    expect([silent, installed]).toEqual([{ error }, undefined]);
  });
});
