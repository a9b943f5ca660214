import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { licensesOfBuilt } from './executable/built.ts';
import { executableName, type Platform, platforms } from './executable/platforms.ts';
import { argumentsOf, bin, executables, imageFolder, replaceFolder, root, words } from './home.ts';
import { imageOf, type LayerContent, type PlatformContent } from './image/assemble.ts';
import { libraryMembers, pinLibraries } from './image/libraries.ts';
import { builtTools } from './image/tools.ts';
import { writeOciArchive } from './images/archives.ts';
import type { Member } from './images/tar.ts';
import { readJson } from './package/notices.ts';
import { sourceDate } from './reproducible/date.ts';

// Puts the executables, the libraries that they need, helm and kubectl into an image for each platform, all in one
// oci-archive:
//   node scripts/build-image.ts [-o FOLDER] [--executables FOLDER] [--tools linux-arm64=FOLDER]... [--pin-libraries]
// helm and kubectl come from .cache/bin for the pinned ones' platform. For others Go builds the same versions, of what
// image/tools/go.sum pins: two minutes, once for a machine. Or they come from the folder of --tools.
// The same sources give the same bytes. The date is that of the version in CHANGELOG.md, or SOURCE_DATE_EPOCH.

const { values } = argumentsOf('build:image', {
  options: {
    output: { type: 'string', short: 'o', default: imageFolder },
    executables: { type: 'string', default: executables },
    tools: { type: 'string', multiple: true, default: [] },
    'pin-libraries': { type: 'boolean', default: false },
  },
});

/** Where helm and kubectl are, by platform; of those that are not here, Go builds them. */
const tools = new Map<string, string>([
  ['linux-x64', bin],
  ...values.tools.map((pair): [string, string] => [
    pair.slice(0, pair.indexOf('=')),
    pair.slice(pair.indexOf('=') + 1),
  ]),
]);

try {
  if (values['pin-libraries']) await pinLibraries(platforms);
  await replaceFolder(values.output, build);
} catch (error) {
  console.error(`build:image: ${words(error)}`);
  process.exitCode = 1;
}

async function build(folder: string): Promise<void> {
  const { version } = readJson(join(root, 'package.json'));
  const licenses = await licensesOfBuilt(values.executables);
  const contents: PlatformContent[] = [];
  for (const platform of platforms) contents.push(await contentOf(platform, licenses));
  const name = `solpack-${version}.oci.tar`;
  writeOciArchive(join(folder, name), imageOf(version, sourceDate(version), contents));
  console.log(join(values.output, name));
}

async function contentOf(platform: Platform, licenses: string): Promise<PlatformContent> {
  const executable = readFileSync(join(values.executables, executableName(platform)));
  const solpack: LayerContent = {
    title: 'solpack',
    members: [
      { path: 'tmp', mode: 0o1777 },
      { path: 'usr/bin/solpack', bytes: executable, mode: 0o755 },
      { path: 'usr/share/doc/solpack/copyright', bytes: Buffer.from(licenses) },
      { path: 'work', mode: 0o1777 },
    ],
  };
  const libraries = { title: 'libraries of Debian', members: await libraryMembers(platform) };
  const programs = { title: 'helm and kubectl', members: await toolMembers(platform) };
  return { architecture: platform.debian.architecture, layers: [libraries, programs, solpack] };
}

async function toolMembers(platform: Platform): Promise<Member[]> {
  const folder =
    tools.get(platform.name) ?? (await builtTools(platform, (what) => console.error(`build:image: ${what}`)));
  return ['helm', 'kubectl'].flatMap((program) => {
    const path = join(folder, program);
    if (!existsSync(path)) throw new Error(`${path} is missing; "npm run setup" brings it for linux-x64`);
    return [{ path: `usr/bin/${program}`, bytes: readFileSync(path), mode: 0o755 }];
  });
}
