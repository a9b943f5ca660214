import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { debName, debOfSolpack } from './deb/solpack.ts';
import { licensesOfBuilt } from './executable/built.ts';
import { executableName, platforms } from './executable/platforms.ts';
import { argumentsOf, debs, executables, replaceFolder, root, words } from './home.ts';
import { readJson } from './package/notices.ts';
import { sourceDate } from './reproducible/date.ts';

// Puts the executables, man pages and what shells read into a Debian package for each platform:
//   node scripts/build-deb.ts [-o FOLDER] [--executables FOLDER]
// The same sources give the same bytes. The date is that of the version in CHANGELOG.md, or SOURCE_DATE_EPOCH.

const { values } = argumentsOf('build:deb', {
  options: {
    output: { type: 'string', short: 'o', default: debs },
    executables: { type: 'string', default: executables },
  },
});

try {
  await replaceFolder(values.output, build);
} catch (error) {
  console.error(`build:deb: ${words(error)}`);
  process.exitCode = 1;
}

async function build(folder: string): Promise<void> {
  const { version } = readJson(join(root, 'package.json'));
  const licenses = await licensesOfBuilt(values.executables);
  for (const platform of platforms) {
    const executable = readFileSync(join(values.executables, executableName(platform)));
    const deb = await debOfSolpack({ platform, version, date: sourceDate(version), executable, licenses });
    writeFileSync(join(folder, debName(version, platform)), deb);
    console.log(join(values.output, debName(version, platform)));
  }
}
