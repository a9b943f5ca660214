import { mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { releaseMirrors, writeMirrors } from '../../../../lib/parts/mirrors/index.ts';
import { scratch } from '../../../support/judges.ts';

const root = scratch('mirrors');
const mirror = 'http://127.0.0.1:5000';
const other = 'http://127.0.0.1:6000';

function folder(name: string, files: Readonly<Record<string, string>> = {}): string {
  const path = join(root, name);
  mkdirSync(path, { recursive: true });
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(join(path, file, '..'), { recursive: true });
    writeFileSync(join(path, file), text);
  }
  return path;
}

const hostsOf = (path: string, host: string): string => readFileSync(join(path, host, 'hosts.toml'), 'utf8');

describe('mirrors', () => {
  test('are written for each registry, Docker Hub under its own name, in a folder that need not exist', async () => {
    const path = join(root, 'new/certs.d');
    const hosts = ['docker.io', 'registry.example.com', 'localhost:5000', 'docker.io'];
    const files = ['docker.io', 'localhost:5000', 'registry.example.com'].map((host) => join(path, host, 'hosts.toml'));
    expect(await writeMirrors(path, hosts, mirror, 'edge')).toEqual({ written: files, unchanged: [], removed: [] });
    expect(hostsOf(path, 'docker.io')).toContain(`[host."${mirror}"]`);
    expect(hostsOf(path, 'docker.io')).toContain(`server = "${mirror}"`);
  });

  test('that are right already are not written again', async () => {
    const path = folder('again');
    const { written } = await writeMirrors(path, ['a.example'], mirror, 'edge');
    utimesSync(written[0]!, 1, 1);
    expect(await writeMirrors(path, ['a.example'], mirror, 'edge')).toEqual({
      written: [],
      unchanged: written,
      removed: [],
    });
    expect(statSync(written[0]!).mtimeMs).toBe(1000);
  });

  test('are left by a configuration: those that others need, that it needs itself or that were edited stay', async () => {
    const path = folder('left');
    const file = (host: string): string => join(path, host, 'hosts.toml');
    await writeMirrors(path, ['both.example'], mirror, 'lobby');
    await writeMirrors(path, ['alone.example', 'both.example', 'edited.example', 'stays.example'], mirror, 'edge');
    writeFileSync(file('edited.example'), hostsOf(path, 'edited.example').replace('pull', 'pull '));
    const left = await releaseMirrors(path, ['stays.example'], 'edge');
    expect(left.removed).toEqual([file('alone.example')]);
    expect(Object.fromEntries(left.stay.map((one) => [one.path, one.reason]))).toEqual({
      [file('both.example')]: 'other configurations need it: lobby',
      [file('edited.example')]: 'somebody has edited it since solpack wrote it',
      [file('stays.example')]: 'Solutions that stay have images of its registry',
    });
    expect(readdirSync(path).sort()).toEqual(['both.example', 'edited.example', 'stays.example']);
    expect(hostsOf(path, 'both.example')).toContain('# For: lobby\n');
    expect(await releaseMirrors(path, ['stays.example'], 'edge')).toEqual({
      removed: [],
      stay: left.stay.filter((one) => one.path !== file('both.example')),
    });
    expect(await releaseMirrors(join(root, 'never'), [], 'edge')).toEqual({ removed: [], stay: [] });
  });

  test('follow the registry to another address', async () => {
    const path = folder('moved');
    const { written } = await writeMirrors(path, ['a.example'], other, 'edge');
    expect((await writeMirrors(path, ['a.example'], mirror, 'edge')).written).toEqual(written);
    expect(hostsOf(path, 'a.example')).not.toContain(other);
  });

  test('that are needed no longer are removed, with folders that hold nothing else', async () => {
    const path = folder('stale', { 'b.example/ca.crt': 'kept', 'foreign.example/hosts.toml': `[host."${mirror}"]\n` });
    await writeMirrors(path, ['elsewhere.example'], other, 'lobby');
    await writeMirrors(path, ['a.example', 'b.example', 'c.example'], mirror, 'edge');
    const { removed } = await writeMirrors(path, ['c.example'], mirror, 'edge');
    expect([...removed].sort()).toEqual(['a.example', 'b.example'].map((host) => join(path, host, 'hosts.toml')));
    expect(readdirSync(path).sort()).toEqual(['b.example', 'c.example', 'elsewhere.example', 'foreign.example']);
    expect(readdirSync(join(path, 'b.example'))).toEqual(['ca.crt']);
  });

  test('stay as long as one of the configurations that share them needs them', async () => {
    const path = folder('shared');
    const file = (host: string): string => join(path, host, 'hosts.toml');
    await writeMirrors(path, ['a.example', 'b.example'], mirror, 'edge');
    const before = hostsOf(path, 'a.example');
    expect((await writeMirrors(path, ['b.example', 'c.example'], mirror, 'lobby')).written).toEqual([
      file('b.example'),
      file('c.example'),
    ]);
    expect(hostsOf(path, 'a.example')).toBe(before);
    expect((await writeMirrors(path, ['a.example', 'b.example'], mirror, 'edge')).written).toEqual([]);
    expect((await writeMirrors(path, [], mirror, 'edge')).removed).toEqual([file('a.example')]);
    expect(readdirSync(path).sort()).toEqual(['b.example', 'c.example']);
    expect(hostsOf(path, 'b.example')).toBe(hostsOf(path, 'c.example'));
    expect((await writeMirrors(path, [], mirror, 'lobby')).removed).toEqual([file('b.example'), file('c.example')]);
    expect(readdirSync(path)).toEqual([]);
  });

  test('are removed where their configuration has moved to another registry, too', async () => {
    const path = folder('moved-away');
    const { written } = await writeMirrors(path, ['a.example'], other, 'edge');
    expect((await writeMirrors(path, [], mirror, 'edge')).removed).toEqual(written);
  });

  test('never change what others wrote or edited, and nothing is written then', async () => {
    const path = folder('foreign', { 'b.example/hosts.toml': 'server = "https://b.example"\n' });
    await writeMirrors(path, ['c.example'], other, 'edge');
    const edited = `${hostsOf(path, 'c.example')}skip_verify = true\n`;
    writeFileSync(join(path, 'c.example/hosts.toml'), edited);
    await expect(writeMirrors(path, ['a.example', 'b.example', 'c.example'], mirror, 'edge')).rejects.toMatchObject({
      code: 'mirror-foreign',
      subject: join(path, 'b.example/hosts.toml'),
      message: expect.stringContaining('c.example'),
      hint: expect.stringContaining(`[host."${mirror}"] with capabilities = ["pull", "resolve"]`),
    });
    expect(readdirSync(path).sort()).toEqual(['b.example', 'c.example']);
    expect(hostsOf(path, 'c.example')).toBe(edited);
    expect(hostsOf(path, 'b.example')).toBe('server = "https://b.example"\n');
  });

  test('are taken as they are where others wrote what is needed', async () => {
    const text = `[host."${mirror}"]\ncapabilities = ["pull", "resolve"]\n`;
    const path = folder('theirs', { 'b.example/hosts.toml': text });
    expect((await writeMirrors(path, ['b.example'], mirror, 'edge')).written).toEqual([]);
    expect(hostsOf(path, 'b.example')).toBe(text);
  });

  test('lie in the folder with underscores where there is one, because containerd reads that alone', async () => {
    const path = folder('ports', { 'a.example_5000_/ca.crt': '' });
    const { written } = await writeMirrors(path, ['a.example:5000', 'b.example:5000'], mirror, 'edge');
    expect(written).toEqual([join(path, 'a.example_5000_/hosts.toml'), join(path, 'b.example:5000/hosts.toml')]);
  });

  test.each([
    ['a folder', 'a.example', 'outside'],
    ['a file', 'a.example/hosts.toml', 'outside/hosts.toml'],
    ['a link to nothing', 'a.example/hosts.toml', 'nowhere'],
  ])('are not written through %s that leads out', async (name, link, target) => {
    const path = folder(`links-${name}`, { 'keep/ca.crt': '' });
    folder('outside', { 'hosts.toml': 'mine' });
    if (link.includes('/')) mkdirSync(join(path, 'a.example'));
    symlinkSync(join(root, target), join(path, link));
    await expect(writeMirrors(path, ['a.example'], mirror, 'edge')).rejects.toMatchObject({ code: 'path-escapes' });
    expect(readFileSync(join(root, 'outside/hosts.toml'), 'utf8')).toBe('mine');
  });

  test('are not written outside of their folder, whatever a registry is called', async () => {
    await expect(writeMirrors(folder('names'), ['../x'], mirror, 'edge')).rejects.toMatchObject({
      code: 'path-escapes',
    });
  });

  test('tell where they cannot be written', async () => {
    const path = folder('file', { here: '' });
    await expect(writeMirrors(join(path, 'here'), ['a.example'], mirror, 'edge')).rejects.toMatchObject({ exit: 6 });
    const taken = folder('taken', { 'a.example': '' });
    await expect(writeMirrors(taken, ['a.example'], mirror, 'edge')).rejects.toMatchObject({ exit: 6 });
  });
});
