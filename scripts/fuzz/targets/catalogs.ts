import { chooseBundle } from '../../../formats/catalog/choose.ts';
import { catalogDocuments } from '../../../formats/catalog/documents.ts';
import { parseIndexIgnore } from '../../../formats/catalog/ignore.ts';
import { CatalogReader } from '../../../formats/catalog/read.ts';
import { encodeLock, parseLock } from '../../../formats/solution/lock.ts';
import { parsers, streamed } from '../parser.ts';
import type { Random } from '../random.ts';
import { must } from '../violation.ts';

const documents = [
  { schema: 'olm.package', name: 'op', defaultChannel: 'stable' },
  {
    schema: 'olm.channel',
    package: 'op',
    name: 'stable',
    entries: [
      { name: 'op.v1.0.0' },
      { name: 'op.v1.1.0', replaces: 'op.v1.0.0', skips: ['op.v1.0.1'], skipRange: '>=1.0.0 <1.1.0' },
    ],
  },
  ...['1.0.0', '1.1.0'].map((version) => ({
    schema: 'olm.bundle',
    package: 'op',
    name: `op.v${version}`,
    image: `registry.example.com/op:${version}`,
    properties: [{ type: 'olm.package', value: { packageName: 'op', version } }],
  })),
  {
    schema: 'olm.deprecations',
    package: 'op',
    entries: [{ reference: { schema: 'olm.bundle', name: 'op.v1.0.0' }, message: 'old' }],
  },
];
const json = documents.map((one) => JSON.stringify(one, null, 2)).join('\n');
const yaml = documents.map((one) => `---\n${JSON.stringify(one)}\n`).join('');

async function read(bytes: Buffer, random: Random): Promise<string | undefined> {
  const reader = new CatalogReader(random.once(2) ? 'op' : undefined);
  for await (const document of catalogDocuments(streamed(bytes, random))) reader.add(document, 'catalog');
  const found = reader.package('op');
  if (found === undefined) return 'none';
  const chosen = chooseBundle(found, { channel: undefined, range: random.once(2) ? undefined : '>=1.0.0-0' });
  if ('absent' in chosen) return 'none';
  const { version, upgrade } = chosen;
  const digest = `sha256:${'0'.repeat(64)}` as const;
  const source = {
    address: 'catalog:a//op',
    version,
    digest,
    upgrade: { ...upgrade, skips: [...(upgrade.skips ?? [])] },
  };
  const lock = { lockVersion: 1, created: 0, root: digest, images: [], components: [], sources: [source] } as const;
  const again = parseLock(encodeLock({ ...lock, images: [], components: [], sources: [source] }));
  must(again.sources?.[0]?.version === version, 'a lock has another version');
  return undefined;
}

/** File-based catalogs of operators. */
export const catalogs = parsers(
  'catalogs',
  10,
  '---¦schema:¦olm.package¦olm.channel¦olm.bundle¦entries:¦replaces:¦skips:¦skipRange:¦null¦{}¦[]¦""¦v¦||¦>=¦**¦!¦[^',
  {
    json: { samples: [json], read },
    yaml: { samples: [yaml], read },
    ignore: {
      samples: ['*.md\n!a/**/b\n/c/\n[a-c].y?ml\n\\#d\n'],
      read: (bytes) => {
        const isIgnored = parseIndexIgnore(
          new Map([
            ['', bytes.toString()],
            ['a', bytes.toString()],
          ]),
        );
        for (const path of ['a/b/c.yaml', 'README.md', 'a/x/b']) isIgnored(path);
      },
    },
  },
);
