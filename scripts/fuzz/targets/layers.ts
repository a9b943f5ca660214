import { gzipSync, zstdCompressSync } from 'node:zlib';
import { type SbomImage, sbomsOf } from '../../../lib/parts/sbom/index.ts';
import { goProgram, osRelease, packageFiles } from '../package-files.ts';
import { parsers, streamed } from '../parser.ts';
import type { Random } from '../random.ts';
import { damagedTar, type Member, tarOf } from '../tar-members.ts';
import { checkMessage, must } from '../violation.ts';

const members: readonly Member[] = [
  { name: 'etc/os-release', type: '2', link: '../usr/lib/os-release' },
  { name: 'usr/lib/os-release', body: osRelease },
  ...Object.entries(packageFiles).map(([name, body]) => ({ name, body })),
  { name: 'bin/program', body: goProgram() },
  { name: 'bin/same', type: '1', link: 'bin/program' },
  { name: 'bin/silent', body: '\x7fELF silent' },
  { name: 'app/.wh.old' },
  { name: 'opt/.wh..wh..opq' },
  { name: 'app/lib.jar', body: 'PK' },
];
const below = tarOf([{ name: 'app/old', body: 'x' }, ...members.slice(1, 4)]);
const limits = { total: 16 * 1024 * 1024, free: 4 * 1024 * 1024, entries: 10_000, kept: 4 * 1024 * 1024 };
const mediaType = 'application/vnd.oci.image.layer.v1.tar+gzip';
const digest = `sha256:${'0'.repeat(64)}` as const;

/** Layers of images, of which SBOMs are made. */
export const layers = parsers('layers', 30, '', {
  layer: {
    samples: [tarOf(members)],
    damage: damagedTar(members),
    wraps: [(bytes) => bytes, (bytes) => gzipSync(bytes, { level: 1 }), (bytes) => zstdCompressSync(bytes)],
    read,
  },
});

async function read(bytes: Buffer, random: Random): Promise<string> {
  const open = () => streamed(bytes, random);
  const lowest = { mediaType, open: () => streamed(below, random) };
  const image: SbomImage = { digest, layers: [lowest, { mediaType, open }] };
  const sbom = await sbomsOf([image], { limits })(image, new AbortController().signal);
  const { metadata } = JSON.parse(Buffer.from(sbom.bytes).toString());
  const unread: string[] = metadata.properties.map(({ value }: { value: string }) => value);
  unread.forEach(checkMessage);
  must(metadata.component.name === digest, 'the document is about something else');
  return unread.some((line) => line.startsWith('layer 2')) ? 'not read' : 'read';
}
