import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { jsonSchemas } from '../../cli/view/json.ts';
import { smallSolution, solpack, succeeds } from '../support/cli.ts';
import { faulty } from '../support/faults.ts';
import { judged, ok, scratch } from '../support/judges.ts';
import { dockerRegistry } from '../support/registry.ts';

const folder = scratch('sign-registry');
const cwd = folder;
const old = dockerRegistry(folder);
const current = dockerRegistry(folder, { program: 'registry' });

beforeAll(async () => {
  await smallSolution(folder);
  for (const key of ['a', 'b']) await succeeds(['keygen', '-o', key, '--type', 'ed25519'], { cwd });
  await succeeds(['pack', '.', '-o', 'hello.iso'], { cwd });
});

/** Signs, and tells what was said of it. */
async function signed(reference: string, key: string, ...more: string[]): Promise<Record<string, unknown>> {
  const told = await succeeds(['sign', reference, '--private-key', key, '--json', '-q', ...more], { cwd });
  return jsonSchemas.sign.strict().parse(JSON.parse(told));
}

/** The exit code of a command, and the last line of what it said. */
async function refused(...args: string[]): Promise<{ code: number; said: string }> {
  const { code, stderr } = await solpack([...args, '-q'], { cwd });
  return { code, said: stderr };
}

describe.each([
  ['docker-registry', old],
  ['registry', current],
] as const)('a Solution in %s', (judge, registry) => {
  /** Pushes the archive, which nobody has signed, and returns the reference that it has then. */
  async function pushed(repository: string): Promise<string> {
    const { host } = await registry();
    await succeeds(['push', 'hello.iso', `${host}/${repository}`], { cwd });
    return `${host}/${repository}:1.0.0`;
  }

  judged('is signed where it is, by several, and comes back as the archive that they signed', [judge], async () => {
    const reference = await pushed('signed/hello');
    expect((await refused('verify', reference, '--key', 'a.pub')).code).toBe(3);
    const first = await signed(reference, 'a.key');
    expect(first).toMatchObject({ slot: 0, already: false, attested: expect.arrayContaining(['provenance']) });
    expect(await signed(reference, 'b.key', '--verify')).toMatchObject({ slot: 1, already: false, attested: [] });
    for (const key of ['a.pub', 'b.pub']) await succeeds(['verify', reference, '--key', key], { cwd });
    await succeeds(['pull', reference, '-o', `${judge}.iso`], { cwd });
    await succeeds(['pack', '.', '-o', `${judge}-here.iso`, '--sign', 'a.key'], { cwd });
    await succeeds(['sign', `${judge}-here.iso`, '--private-key', 'b.key'], { cwd });
    expect(readFileSync(join(cwd, `${judge}.iso`)).equals(readFileSync(join(cwd, `${judge}-here.iso`)))).toBe(true);
  });

  judged('that a key has signed is reported so, and left alone', [judge, 'oras'], async () => {
    const reference = await pushed('again/hello');
    const { referrer } = await signed(reference, 'a.key');
    const listed = (): Promise<string> => ok('oras', ['discover', '--plain-http', '--format', 'json', reference]);
    const before = await listed();
    expect(before).toContain(String(referrer));
    expect(await signed(reference, 'a.key')).toMatchObject({ already: true, referrer, attested: [] });
    expect(await listed()).toBe(before);
    const human = await succeeds(['sign', reference, '--private-key', 'a.key', '-q'], { cwd });
    expect(human).toContain(`${reference}, as ${referrer}; nothing was changed`);
  });

  judged('gets no signature where it goes to a file', [judge], async () => {
    const reference = await pushed('detached/hello');
    await signed(reference, 'a.key', '-o', `${judge}.sigstore.json`);
    expect((await refused('verify', reference, '--key', 'a.pub')).code).toBe(3);
    await succeeds(['verify', reference, '--key', 'a.pub', '--bundle', `${judge}.sigstore.json`], { cwd });
  });

  judged('is not signed where its content is another, once that is looked at', [judge], async () => {
    const reference = await pushed('damaged/hello');
    const { host } = await registry();
    const proxy = await faulty(host, ({ method, url }) =>
      method === 'GET' && url.includes('/blobs/') ? { body: (bytes) => bytes.map((byte) => byte ^ 1) } : undefined,
    );
    const through = reference.replace(host, proxy.host);
    const { code, said } = await refused('sign', through, '--private-key', 'a.key', '--verify');
    expect([code, said]).toEqual([
      expect.any(Number),
      expect.stringMatching(/\[(?:verification-failed|archive-invalid)\]\n$/),
    ]);
    expect(proxy.seen.filter(({ method }) => method !== 'GET' && method !== 'HEAD')).toEqual([]);
  });

  judged('has to be one, and to be there', [judge], async () => {
    const { host } = await registry();
    const absent = await refused('sign', `${host}/absent/hello:1.0.0`, '--private-key', 'a.key');
    expect(absent).toEqual({ code: expect.any(Number), said: expect.stringMatching(/\[solution-absent\]\n$/) });
    await ok('oras', ['push', '--plain-http', `${host}/other/thing:1`, 'a.pub'], { cwd });
    const other = await refused('sign', `${host}/other/thing:1`, '--private-key', 'a.key');
    expect(other).toEqual({ code: 2, said: expect.stringMatching(/\[archive-invalid\]\n$/) });
  });
});

test('options for registries are refused for an archive', async () => {
  const { code, said } = await refused('sign', 'hello.iso', '--private-key', 'a.key', '--plain-http');
  expect([code, said]).toEqual([2, expect.stringMatching(/--plain-http: is for Solutions in registries/)]);
});
