import { existsSync, readdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { blobPath } from '../../../../formats/oci/layout.ts';
import type { PackRequest } from '../../../../lib/flows/pack/index.ts';
import { smallSolution, writeFiles } from '../../../support/cli.ts';
import { packHere } from '../../../support/flow.ts';
import { judged, ok, scratch } from '../../../support/judges.ts';
import { noise } from '../../../support/registry.ts';

const folder = scratch('parallel');
const definition = join(folder, 'solution.toml');
let layer: string;

beforeAll(async () => {
  const { web } = await smallSolution(folder);
  const digest = [...web.blobs].find(([, bytes]) => bytes[0] === 0x1f)![0];
  layer = join(folder, 'images', blobPath(digest));
  // A file that takes several reads, one that is zeros, and one without a byte.
  const map = (name: string, data: string): string =>
    `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: ${name}\ndata:\n  d: ${data}\n`;
  writeFiles(folder, {
    // A ConfigMap has a mebibyte at most.
    'web/large.yaml': ['one', 'two', 'three']
      .map((name) => map(name, Buffer.from(noise(name, 500_000)).toString('base64')))
      .join('---\n'),
    'web/small.yaml': map('small', 'x'),
  });
});

async function packed(name: string, more: Partial<PackRequest> = {}): Promise<Buffer> {
  await packHere(definition, join(folder, name), more);
  const bytes = readFileSync(join(folder, name));
  rmSync(join(folder, name));
  return bytes;
}

function leftovers(): string[] {
  return readdirSync(folder).filter((name) => /partial|\.(iso|tar)$/.test(name));
}

describe.each(['iso', 'tar'])('an archive (%s)', (extension) => {
  test('has the same bytes whatever number of threads fills it, and leaves nothing beside it', async () => {
    const alone = await packed(`a.${extension}`, { workers: 0 });
    for (const workers of [undefined, 1, 2, 5]) {
      expect((await packed(`a.${extension}`, { workers })).equals(alone)).toBe(true);
    }
    expect((await packed(`a.${extension}`, { workers: 2, sync: false })).equals(alone)).toBe(true);
    expect(leftovers()).toEqual([]);
  });

  test('is refused with the same words by threads and without them where content is damaged', async () => {
    const good = readFileSync(layer);
    const words = async (workers: number): Promise<string> =>
      packed(`b.${extension}`, { workers }).then(String, ({ code, side, subject, message, hint }) =>
        JSON.stringify({ code, side, subject, message, hint }),
      );
    for (const spoil of [
      () => writeFileSync(layer, Buffer.from(good).fill(7, 20, 30)),
      () => writeFileSync(layer, Buffer.concat([good, good])),
      () => truncateSync(layer, good.length - 1),
      () => rmSync(layer),
    ]) {
      spoil();
      const told = await words(2);
      expect(told).toMatch(/"code":"(content-mismatch|source-invalid)","side":"source"/);
      expect(await words(0)).toBe(told);
      writeFileSync(layer, good);
    }
    expect(leftovers()).toEqual([]);
  });
});

test('an archive in the making takes no room for zeros', async () => {
  const path = join(folder, 'sparse.iso');
  await packHere(definition, path, { workers: 2 });
  const { size, blocks } = statSync(path);
  // The system area and the padding are 83 sectors more than nothing.
  expect(blocks * 512).toBeLessThan(size - 150 * 2048);
  rmSync(path);
});

judged('threads read every kind of source where it lies', ['skopeo'], async () => {
  const reference = 'registry.example.com/hello/job:1.0.0';
  const from = `oci:${join(folder, 'images')}:${reference}`;
  const targets = {
    dir: `dir:${join(folder, 'as-dir')}`,
    'oci-archive': `oci-archive:${join(folder, 'as-oci.tar')}:${reference}`,
    'docker-archive': `docker-archive:${join(folder, 'as-docker.tar')}:${reference}`,
  };
  for (const [kind, target] of Object.entries(targets)) {
    await ok('skopeo', [
      'copy',
      '-q',
      ...(kind === 'docker-archive' ? ['--override-arch', 'amd64'] : ['--all']),
      from,
      target,
    ]);
    const source = target.replace(folder, '..');
    const toml = `name = "x"\nversion = "1.0.0"\n[[images]]\nreference = "${reference}"\nsource = "${source}"\n`;
    writeFiles(folder, { [`${kind}/solution.toml`]: toml });
    const bytes = async (workers: number): Promise<Buffer> => {
      const path = join(folder, `${kind}/x.iso`);
      await packHere(join(folder, kind, 'solution.toml'), path, { workers });
      return readFileSync(path);
    };
    expect((await bytes(2)).equals(await bytes(0))).toBe(true);
    expect(existsSync(join(folder, `${kind}/x.iso.partial`))).toBe(false);
  }
});
