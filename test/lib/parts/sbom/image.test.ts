import { copyFileSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync, zstdCompressSync } from 'node:zlib';
import { beforeAll, describe, expect, test } from 'vitest';
import { type Bytes, once } from '../../../../formats/bytes.ts';
import { sbomKind } from '../../../../formats/cyclonedx/kind.ts';
import type { SbomLayer } from '../../../../lib/parts/sbom/index.ts';
import { find, judged, ok, scratch } from '../../../support/judges.ts';
import { type Document, unreadOf } from '../../../support/layers.ts';
import { makeSbom } from '../../../support/make-sbom.ts';

const root = dirname(dirname(dirname(dirname(import.meta.dirname))));
const digest = `sha256:${'0'.repeat(64)}` as const;
const folder = scratch('sbom-image');

/** A Debian system, a program that Go built, and packages of npm, each archived by GNU tar and compressed otherwise. */
let layers: SbomLayer[] = [];
let document: Document;
const needed = ['tar', 'dpkg-query', 'go', 'crane', 'npm'] as const;

async function* pieces(bytes: Uint8Array, size: number): Bytes {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}
const layer = (bytes: Uint8Array, chunk = 65_536): SbomLayer => ({
  mediaType: 'application/vnd.oci.image.layer.v1.tar',
  open: () => pieces(bytes, chunk),
});
const versions = (kind: string): string[] =>
  document.components
    .filter(({ purl }) => purl?.startsWith(`pkg:${kind}/`))
    .map(({ group, name, version }) => `${group ? `${group}/` : ''}${name} ${version}`)
    .sort();
const tars: Record<string, Buffer> = {};

beforeAll(async () => {
  if (needed.some((judge) => find(judge) === undefined)) return;
  const copies: [from: string, to: string][] = [
    ['/var/lib/dpkg/status', 'system/var/lib/dpkg/status'],
    ['/etc/os-release', 'system/usr/lib/os-release'],
    [find('crane')!, 'program/usr/bin/tool'],
  ];
  for (const [from, to] of copies) {
    mkdirSync(dirname(join(folder, to)), { recursive: true });
    copyFileSync(from, join(folder, to));
  }
  mkdirSync(join(folder, 'system/etc'));
  symlinkSync('../usr/lib/os-release', join(folder, 'system/etc/os-release'));
  const pack = async (name: string, ...args: string[]): Promise<void> => {
    await ok('tar', ['-cf', join(folder, `${name}.tar`), ...args]);
    tars[name] = readFileSync(join(folder, `${name}.tar`));
  };
  await pack('system', '-C', join(folder, 'system'), '.');
  await pack('program', '-C', join(folder, 'program'), 'usr');
  await pack(
    'modules',
    '-C',
    root,
    '--transform',
    's,^,srv/app/,',
    'node_modules/zod',
    'node_modules/yaml',
    'node_modules/@iarna',
  );
  layers = [
    layer(gzipSync(tars['system']!, { level: 1 })),
    layer(zstdCompressSync(tars['program']!)),
    layer(tars['modules']!),
  ];
  const { bytes, mediaType } = await makeSbom({ digest, name: 'registry.example.com/web:1.1.0', layers });
  expect(mediaType).toBe('application/vnd.cyclonedx+json');
  expect(sbomKind(bytes)).toEqual({ kind: 'cyclonedx', version: '1.6' });
  document = JSON.parse(Buffer.from(bytes).toString());
});

describe('the document of an image', () => {
  judged('has the packages that dpkg lists, under the name of their system', needed, async () => {
    const format = ['Package', 'Version', 'db:Status-Status'].map((field) => `\${${field}}`).join(' ');
    const listed = await ok('dpkg-query', ['-W', '-f', `${format}\n`]);
    const wanted = [...listed.matchAll(/^(.*) (?!config-files|not-installed)\S+$/gm)].map(([, line]) => line!);
    expect(versions('deb')).toEqual(wanted.sort());
    const id = /^ID=(.*)$/m.exec(readFileSync('/etc/os-release', 'utf8'))![1];
    expect(document.components).toContainEqual(expect.objectContaining({ type: 'operating-system', name: id }));
    expect(document.components.filter(({ purl }) => purl?.startsWith(`pkg:deb/${id}/`))).toHaveLength(wanted.length);
  });

  judged('has the modules of which Go says that a program was built, and its standard library', needed, async () => {
    const lines = (await ok('go', ['version', '-m', find('crane')!])).split('\n');
    const modules = lines.flatMap((line) => /^\t(?:mod|dep|=>)\t(\S+)\t(\S+)/.exec(line)?.slice(1).join(' ') ?? []);
    const library = /: go(\S+)$/.exec(lines[0]!)![1];
    expect(versions('golang')).toEqual([...modules, `stdlib ${library}`].sort());
  });

  judged('has the packages that npm lists', needed, async () => {
    const listed: { name: string; version: string; location: string }[] = JSON.parse(
      await ok('npm', ['query', '*'], { cwd: root }),
    );
    const packed = listed.filter(({ location }) => /^node_modules\/(?:zod|yaml|@iarna\/[^/]+)$/.test(location));
    expect(packed.length).toBeGreaterThan(2);
    expect(versions('npm')).toEqual(packed.map(({ name, version }) => `${name} ${version}`).sort());
    expect(document.metadata.component.name).toBe('registry.example.com/web:1.1.0');
    expect(unreadOf(document)).toEqual([]);
  });

  judged('is the same bytes, however layers are compressed and wherever their chunks end', needed, async () => {
    const { system, program, modules } = tars as Record<string, Buffer>;
    const others = [
      layer(system!, 10_007),
      layer(gzipSync(program!, { level: 1 }), 300_000),
      layer(zstdCompressSync(modules!), 999),
    ];
    const name = 'registry.example.com/web:1.1.0';
    const [first, second] = [
      await makeSbom({ digest, name, layers }),
      await makeSbom({ digest, name, layers: others }),
    ];
    expect(Buffer.from(second.bytes).equals(first.bytes)).toBe(true);
  });

  test('of an image without packages says so, and nothing more', async () => {
    const empty = { mediaType: 'application/vnd.oci.image.layer.v1.tar', open: () => once(Buffer.alloc(1024)) };
    const { bytes } = await makeSbom({ digest, layers: [empty] });
    expect(JSON.parse(Buffer.from(bytes).toString())).toMatchObject({
      components: [],
      metadata: { component: { name: digest } },
    });
  });

  test('takes no more memory for a layer of 1 GiB', async () => {
    const script = fileURLToPath(new URL('./large.ts', import.meta.url));
    const peakOf = async (size: number): Promise<number> => {
      const { names, peak } = JSON.parse(await ok(process.execPath, [script, `${size}`]));
      expect(names).toEqual(['first', 'last']);
      return peak;
    };
    const [small, large] = [await peakOf(64), await peakOf(1024)];
    expect(large - small).toBeLessThan(64 * 1024 * 1024);
    expect(large).toBeLessThan(256 * 1024 * 1024);
  });
});
