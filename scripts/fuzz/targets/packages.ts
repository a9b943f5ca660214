import { go } from '../../../formats/packages/go.ts';
import { packageKinds } from '../../../formats/packages/index.ts';
import type { PackageKind } from '../../../formats/packages/kind.ts';
import { parseOsRelease } from '../../../formats/packages/os-release.ts';
import { purlOf } from '../../../formats/packages/purl.ts';
import { goProgram, osRelease, packageFiles } from '../package-files.ts';
import { type Parser, parsers, streamed } from '../parser.ts';
import { must } from '../violation.ts';

const distribution = { id: 'debian', version: '13' };

/** Files in images that describe packages. */
export const packages = parsers(
  'packages',
  220,
  'Package:¦Version: 1¦Status: install ok installed¦P:x¦V:1¦License: MIT¦Name: x¦\n\n¦\n ¦ID=x¦="',
  {
    ...Object.fromEntries(packageKinds.flatMap((kind) => (kind === go ? [] : [[kind.name, parserOf(kind)]]))),
    go: { samples: [goProgram()], read: (bytes, random) => tell(go, streamed(bytes, random), 'program') },
    'os-release': {
      samples: [osRelease],
      read: (bytes) => {
        const found = parseOsRelease(bytes);
        if (found) must(/^[a-z0-9._-]+$/.test(found.id), 'a system has a name that is none');
        return undefined;
      },
    },
  },
);

function parserOf(kind: PackageKind): Parser {
  const files = Object.entries(packageFiles).filter(([path]) => kind.wants(path));
  return {
    samples: files.map(([, content]) => content),
    read: (bytes, random) => tell(kind, streamed(bytes, random), files[0]![0]),
  };
}

async function tell(kind: PackageKind, body: AsyncIterable<Uint8Array>, path: string): Promise<void> {
  const found = await kind.read(body, path);
  for (const one of found.packages) {
    must(one.name !== '' && one.name.length <= 1024, 'a package has no name, or one that is too long');
    must(/^pkg:[a-z]+\/[\x21-\x7e]*$/.test(purlOf(one, distribution)), 'a package URL has what none may have');
  }
}
