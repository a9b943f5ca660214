import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { collect } from '../../../../formats/bytes.ts';
import { verified } from '../../../../formats/digest.ts';
import { parseReference } from '../../../../formats/oci/reference.ts';
import type { NamedSource } from '../../../../lib/kernel/content/model.ts';
import {
  openReference,
  openRegistries,
  type Registries,
  type RegistryOptions,
  readLocations,
  writableTarget,
} from '../../../../lib/parts/registries/index.ts';
import { faulty } from '../../../support/faults.ts';
import { judged, scratch } from '../../../support/judges.ts';
import { dockerRegistry, sampleImage } from '../../../support/registry.ts';
import { connect, downloads, push, waits } from './faults.ts';

const folder = scratch('locations');
const upstream = dockerRegistry(folder);
const mirror = dockerRegistry(folder);
const image = sampleImage('mirrored', 500_000);
let files = 0;

/** The configuration of these texts: a file, and a folder of more. */
async function configured(text: string, ...more: readonly string[]) {
  files += 1;
  const path = join(folder, `${files}.conf`);
  const drops = join(folder, `${files}.conf.d`);
  mkdirSync(drops);
  writeFileSync(path, text);
  for (const [index, content] of more.entries()) writeFileSync(join(drops, `${index}.conf`), content);
  writeFileSync(join(drops, 'ignored.txt'), '[[');
  return readLocations(
    [join(folder, 'absent.conf'), path, join(folder, 'never.conf')],
    [drops, join(folder, 'absent')],
  );
}

describe('readLocations', () => {
  test('the longest prefix decides, and more files override by prefix', async () => {
    const rule = (prefix: string, location: string): string =>
      `[[registry]]\nprefix="${prefix}"\nlocation="${location}"\n`;
    const locations = await configured(
      rule('a.example', 'short.example') + rule('a.example/team', 'long.example') + rule('b.example', 'old.example'),
      rule('b.example', 'new.example'),
    );
    const place = (registry: string, repository: string) =>
      locations.placesOf({ registry, repository }).map((at) => `${at.registry}/${at.repository}`);
    expect(place('a.example', 'team/web')).toEqual(['long.example/web']);
    expect(place('a.example', 'teams/web')).toEqual(['short.example/teams/web']);
    expect(place('b.example', 'web')).toEqual(['new.example/web']);
    expect(place('c.example', 'web')).toEqual(['c.example/web']);
  });

  test('what is blocked is denied, what is not a repository refused, and so is a damaged file', async () => {
    const locations = await configured(
      '[[registry]]\nlocation="a.example"\nblocked=true\n[[registry]]\nprefix="b.example/x"\nlocation="b"',
    );
    const hub = { registry: 'a.example', repository: 'web' };
    expect(() => locations.placesOf(hub)).toThrow(expect.objectContaining({ code: 'registry-denied' }));
    const bare = { registry: 'b.example', repository: 'x' };
    expect(() => locations.placesOf(bare)).toThrow(expect.objectContaining({ code: 'registries-invalid' }));
    await expect(configured('[[registry')).rejects.toMatchObject({
      code: 'registries-invalid',
      subject: expect.stringMatching(/\.conf$/),
    });
  });
});

describe('writableTarget', () => {
  test('is the own place of a repository, and none of its mirrors', async () => {
    const text =
      '[[registry]]\nprefix="a.example"\nlocation="127.0.0.1:1/x"\n[[registry.mirror]]\nlocation="m.example"\n';
    const locations = await configured(text);
    const registries = openRegistries();
    const target = (reference: string, options: RegistryOptions) =>
      writableTarget(registries, parseReference(reference), options);
    const here = { scheme: 'http', registry: '127.0.0.1:1', repository: 'x/web' };
    expect(await target('a.example/web:1', { locations })).toEqual(here);
    const there = { registry: 'b.example', repository: 'web' };
    expect(await target('b.example/web:1', { locations })).toEqual({ scheme: 'https', ...there });
    expect(await target('b.example/web:1', { plainHttp: true })).toEqual({ scheme: 'http', ...there });
    const certificates = async (): Promise<{ ca: string[] }> => ({ ca: ['of this host'] });
    expect(await target('127.0.0.1:1/x/web', { certificates })).toEqual({ ...here, scheme: 'https' });
    registries.close();
  });
});

describe('a reference', () => {
  const reference = parseReference('registry.test/team/web:1');
  const told: string[] = [];

  /** Opens the reference where `conf` says that it is. */
  async function opened(conf: string): Promise<{ registries: Registries; source: NamedSource }> {
    told.length = 0;
    const options = {
      timing: waits().timing,
      locations: await configured(conf),
      onWarning: (message: string) => void told.push(message),
    };
    const registries = openRegistries(options);
    return { registries, source: await openReference(registries, reference, options) };
  }

  function conf(own: string, mirrors: readonly string[], more = ''): string {
    const list = mirrors.map((at) => `[[registry.mirror]]\nlocation="${at}"\n`).join('');
    return `[[registry]]\nprefix="registry.test/team"\nlocation="${own}"\n${more}${list}`;
  }

  async function filled(): Promise<{ own: string; near: string }> {
    const [own, near] = [(await upstream()).host, (await mirror()).host];
    const origin = await connect(own, 'origin/web');
    const copy = await connect(near, 'copy/web');
    await Promise.all([push(image, origin, '1'), push(image, copy, '1')]);
    await Promise.all([origin.close(), copy.close()]);
    return { own, near };
  }

  const read = (source: NamedSource): Promise<Uint8Array> =>
    collect(verified(source.open(image.layer), image.layer), image.layer.size);

  judged('comes from its mirror', ['docker-registry'], async () => {
    const { near } = await filled();
    const { registries, source } = await opened(conf('127.0.0.1:1/origin', [`${near}/copy`]));
    expect(await source.resolve('1')).toEqual(image.root);
    expect(Buffer.compare(await read(source), image.bytesOf(image.layer))).toBe(0);
    expect(told).toEqual([]);
    registries.close();
  });

  judged('comes from its own place where mirrors fail or lack it, which is reported', ['docker-registry'], async () => {
    const { own, near } = await filled();
    const { registries, source } = await opened(conf(`${own}/origin`, ['127.0.0.1:1/x', `${near}/nothing`]));
    expect(await source.resolve('1')).toEqual(image.root);
    expect(Buffer.compare(await read(source), image.bytesOf(image.layer))).toBe(0);
    expect(told[0]).toMatch(/^127\.0\.0\.1:1\/x\/web: HEAD .* the connection is refused$/);
    // A mirror that cannot be reached is asked once.
    expect(told.filter((message) => message.startsWith('127.0.0.1:1'))).toHaveLength(1);
    registries.close();
  });

  judged('that breaks off at a mirror goes on at its own place', ['docker-registry'], async () => {
    const { own, near } = await filled();
    const half = await faulty(near, (seen) =>
      downloads(seen) ? { cut: 'answer', after: seen.headers.range ? 0 : 200_000 } : undefined,
    );
    const rest = await faulty(own, () => undefined);
    const { registries, source } = await opened(conf(`${rest.host}/origin`, [`${half.host}/copy`]));
    expect(Buffer.compare(await read(source), image.bytesOf(image.layer))).toBe(0);
    expect(rest.received(downloads)).toBeLessThan(image.layer.size);
    expect(rest.received(downloads)).toBeGreaterThan(0);
    registries.close();
  });

  judged('with a tag does not ask mirrors for digests alone', ['docker-registry'], async () => {
    const { own, near } = await filled();
    const watched = await faulty(near, () => undefined);
    const { registries, source } = await opened(
      conf(`${own}/origin`, [`${watched.host}/copy`], 'mirror-by-digest-only=true\n'),
    );
    expect(await source.resolve('1')).toEqual(image.root);
    expect(watched.seen).toHaveLength(0);
    expect(await source.resolve(image.root.digest)).toEqual(image.root);
    await read(source);
    expect(watched.seen).toHaveLength(2);
    registries.close();
  });
});
