import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from '@iarna/toml';
import { describe, expect, test } from 'vitest';
import { findMirrors, joinMirrors, leaveMirrors, writeMirrors } from '../../../../lib/parts/mirrors/index.ts';
import { scratch } from '../../../support/judges.ts';

const root = scratch('join');
const [one, two] = ['https://10.0.0.1:5000', 'https://10.0.0.2:5000'];
const secret = { ca: 'an authority\n', authorization: 'Basic bm9kZTpzZWNyZXQ=' };
const servers = [one, two].map((url) => ({ url, ...secret }));

const textIn = (path: string, host: string): string => readFileSync(join(path, host, 'hosts.toml'), 'utf8');

/** Everything in a folder, with what it holds, its mode and when it was changed. */
function stateOf(folder: string): unknown[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => {
      const path = join(parentPath, name);
      const { mode, mtimeNs, ino } = statSync(path, { bigint: true });
      return [path, mode, mtimeNs, ino, readFileSync(path, 'utf8')];
    })
    .sort();
}

describe('a joined mirror', () => {
  test('names all servers in their order, each with its authority and the password, and the last one as the server', async () => {
    const path = join(root, 'order');
    await joinMirrors(path, ['a.example'], servers);
    const capabilities = ['pull', 'resolve'];
    const [ca = ''] = readdirSync(join(path, 'a.example')).filter((name) => name.endsWith('.pem'));
    expect(readFileSync(join(path, 'a.example', ca), 'utf8')).toBe(secret.ca);
    const settings = { capabilities, ca, header: { authorization: secret.authorization } };
    expect(parse(textIn(path, 'a.example'))).toEqual({ server: two, ...settings, host: { [one]: settings } });
    const third = { url: 'http://10.0.0.3:5000' };
    await joinMirrors(path, [], [...servers, third]);
    expect(parse(textIn(path, 'a.example'))).toEqual({
      ...{ server: third.url, capabilities },
      host: { [one]: settings, [two]: settings },
    });
  });

  test('is not written again, and a file with a password is never open to others', async () => {
    const path = join(root, 'again');
    const first = await joinMirrors(path, ['b.example', 'a.example:5000'], servers);
    expect(first.written).toEqual(['a.example:5000', 'b.example'].map((host) => join(path, host, 'hosts.toml')));
    expect(first.written.map((file) => statSync(file).mode & 0o777)).toEqual([0o600, 0o600]);
    const before = stateOf(path);
    expect(await joinMirrors(path, ['a.example:5000'], servers)).toEqual({
      ...{ written: [], removed: [] },
      unchanged: first.written,
    });
    expect(stateOf(path)).toEqual(before);
    chmodSync(first.written[0]!, 0o644);
    expect(await findMirrors(path)).toMatchObject([
      { registry: 'a.example:5000', state: 'drifted', reason: expect.stringContaining('password') },
      { registry: 'b.example', state: 'ready' },
    ]);
    expect((await joinMirrors(path, [], servers)).written).toEqual([first.written[0]]);
    expect(statSync(first.written[0]!).mode & 0o777).toBe(0o600);
  });

  test('follows a change of the authority, and leaves no other behind', async () => {
    const path = join(root, 'renewed');
    await joinMirrors(path, ['a.example'], servers);
    const [old] = readdirSync(join(path, 'a.example')).filter((name) => name.endsWith('.pem'));
    await joinMirrors(path, [], [{ url: one, ca: 'another\n' }]);
    const [now, ...more] = readdirSync(join(path, 'a.example')).filter((name) => name.endsWith('.pem'));
    expect([now === old, more]).toEqual([false, []]);
    writeFileSync(join(path, 'a.example', now!), 'damaged');
    await joinMirrors(path, [], [{ url: one, ca: 'another\n' }]);
    expect(readFileSync(join(path, 'a.example', now!), 'utf8')).toBe('another\n');
  });

  test('is good enough for an install from one of its servers, and is refused for another one', async () => {
    const path = join(root, 'install');
    await joinMirrors(path, ['a.example'], servers);
    const { written } = await writeMirrors(path, ['a.example'], two, 'edge');
    expect(written).toEqual([join(path, 'a.example/hosts.toml')]);
    expect(textIn(path, 'a.example')).toContain('# For: edge, join_mirror\n');
    expect(statSync(written[0]!).mode & 0o777).toBe(0o600);
    const before = stateOf(path);
    expect((await writeMirrors(path, ['a.example'], one, 'edge')).written).toEqual([]);
    await expect(writeMirrors(path, ['a.example'], 'https://10.0.0.9', 'edge')).rejects.toMatchObject({
      code: 'mirror-foreign',
      hint: expect.stringContaining('--served-at https://10.0.0.9'),
    });
    expect((await joinMirrors(path, ['a.example'], servers)).written).toEqual([]);
    expect(stateOf(path)).toEqual(before);
  });

  test('takes the place of what an install has written', async () => {
    const path = join(root, 'after-install');
    await writeMirrors(path, ['a.example'], one, 'edge');
    await joinMirrors(path, ['a.example'], servers);
    expect(Object.keys((parse(textIn(path, 'a.example'))['host'] ?? {}) as object)).toEqual([one]);
    expect(textIn(path, 'a.example')).toContain(`server = "${two}"`);
    expect(await leaveMirrors(path)).toMatchObject({ removed: [], written: [join(path, 'a.example/hosts.toml')] });
  });

  test("is never written over what is somebody else's, unless that leads to all servers", async () => {
    const path = join(root, 'foreign');
    mkdirSync(join(path, 'a.example'), { recursive: true });
    const theirs = join(path, 'a.example/hosts.toml');
    writeFileSync(theirs, `[host."${one}"]\n`);
    await expect(joinMirrors(path, ['a.example', 'b.example'], servers)).rejects.toMatchObject({
      code: 'mirror-foreign',
      subject: theirs,
      hint: expect.stringContaining(`[host."${two}"] with`),
    });
    expect(readdirSync(path)).toEqual(['a.example']);
    writeFileSync(theirs, `[host."${one}"]\n[host."${two}"]\n`);
    expect((await joinMirrors(path, ['a.example'], servers)).unchanged).toEqual([theirs]);
  });

  test('stays below its folder, whatever a registry is called', async () => {
    const rejected = joinMirrors(join(root, 'names'), ['../x'], servers);
    await expect(rejected).rejects.toMatchObject({ code: 'path-escapes' });
  });
});

describe('leaving', () => {
  test('removes what was joined, with authorities, and nothing of others', async () => {
    const path = join(root, 'leave');
    await joinMirrors(path, ['a.example', 'b.example', 'c.example'], servers);
    writeFileSync(join(path, 'b.example/ca.crt'), 'theirs');
    const edited = `${textIn(path, 'c.example')}# mine\n`;
    writeFileSync(join(path, 'c.example/hosts.toml'), edited);
    expect((await leaveMirrors(path, ['a.example'])).removed).toEqual([join(path, 'a.example/hosts.toml')]);
    expect((await leaveMirrors(path)).removed).toEqual([join(path, 'b.example/hosts.toml')]);
    expect(readdirSync(path)).toEqual(['b.example', 'c.example']);
    expect(readdirSync(join(path, 'b.example'))).toEqual(['ca.crt']);
    expect(textIn(path, 'c.example')).toBe(edited);
    expect(await leaveMirrors(path)).toEqual({ written: [], unchanged: [], removed: [] });
    expect(await leaveMirrors(join(path, 'absent'))).toEqual({ written: [], unchanged: [], removed: [] });
  });
});

describe('what is found', () => {
  const write = (name: string, text: string): string => {
    const path = join(root, name);
    mkdirSync(join(path, 'a.example'), { recursive: true });
    writeFileSync(join(path, 'a.example/hosts.toml'), text);
    return path;
  };

  test('is each server with its authority and password, in the order in which it is asked', async () => {
    const path = join(root, 'found');
    await joinMirrors(path, ['a.example'], servers);
    const [found] = await findMirrors(path, ['a.example']);
    expect(found).toEqual({ registry: 'a.example', path: join(path, 'a.example/hosts.toml'), state: 'ready', servers });
  });

  test.each([
    ['no TOML', '[host', 'drifted'],
    ['no host', 'server = "https://a.example"\n', 'drifted'],
    ['hosts that only resolve', '[host."https://b"]\ncapabilities = ["resolve"]\n', 'drifted'],
    ['authorities that are absent', '[host."https://b"]\nca = "absent.pem"\n', 'drifted'],
    ["somebody else's host", '[host."https://b"]\n', 'ready'],
  ])('of a file with %s is reported', async (name, text, state) => {
    expect(await findMirrors(write(name, text), ['a.example'])).toMatchObject([{ state }]);
  });

  test('is nothing where there is no folder', async () => {
    expect(await findMirrors(join(root, 'absent'), ['a.example'])).toMatchObject([{ state: 'missing' }]);
    expect(await findMirrors(join(root, 'absent'))).toEqual([]);
  });
});
