import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { extract } from 'tar';
import { platforms } from './executable/platforms.ts';
import { runtimeOf } from './executable/runtime.ts';
import { argumentsOf, cache, releaseFolder, replaceFolder, root, words } from './home.ts';
import { heavyParts } from './lanes/parts.ts';
import { lackingIn, recordOf } from './lanes/record.ts';
import { buildAll } from './release/artifacts.ts';
import { describeRelease } from './release/describe.ts';
import { commitHere } from './release/git.ts';
import { imageParts } from './release/image-parts.ts';
import { bundledParts, encodeReleaseBom, nodeParts, type Part } from './release/sbom.ts';
import { releaseSigner } from './release/sign.ts';
import { nextVersion, releasedFiles, releasedSource } from './release/source.ts';
import { dayOf } from './reproducible/changelog.ts';

// Makes everything that a release consists of (docs/release.md):
//   node scripts/release.ts [--dry-run | --rebuild] [-o FOLDER] [--key FILE [--passphrase-file FILE | --signer COMMAND]] [--date 2026-01-31]
// With --dry-run, this checkout stays as it is. Otherwise its version and its changelog become those of the release.
// Both ask for a green heavy run of the commit. --rebuild asks for none: it builds what was released already, for a
// comparison. The same commit gives the same bytes, wherever this runs.

const { values } = argumentsOf('release', {
  options: {
    'dry-run': { type: 'boolean', default: false },
    rebuild: { type: 'boolean', default: false },
    output: { type: 'string', short: 'o', default: releaseFolder },
    key: { type: 'string' },
    'passphrase-file': { type: 'string' },
    signer: { type: 'string' },
    date: { type: 'string' },
  },
});

mkdirSync(cache, { recursive: true });
const work = mkdtempSync(join(cache, 'releasing-'));
try {
  await main();
} catch (error) {
  console.error(`release: ${words(error)}`);
  process.exitCode = 1;
} finally {
  rmSync(work, { recursive: true, force: true });
}

async function main(): Promise<void> {
  const dry = values['dry-run'] || values.rebuild;
  const version = nextVersion();
  const commit = commitHere();
  if (!dry && !commit?.clean) throw new Error('files here are not as the commit has them: commit them first');
  if (!dry && values.key === undefined) throw new Error('a release is signed: name the key with --key');
  const lacking = lackingIn(commit?.clean ? recordOf(commit.id) : {}, Object.keys(heavyParts));
  if (lacking.length > 0 && !values.rebuild) {
    const what = commit?.clean ? `commit ${commit.id.slice(0, 12)}` : 'files that no commit has';
    throw new Error(`the heavy tests are not green for ${what}: ${lacking.join('; ')}; run "npm run test:heavy" first`);
  }
  const date = dateOf(commit?.date);
  const { key } = values;
  const options = { passphraseFile: values['passphrase-file'], signer: values.signer };
  // A key that cannot be opened is found before everything is built.
  const signer = key === undefined ? undefined : await releaseSigner({ key, ...options });
  await replaceFolder(values.output, async (fresh) => {
    const source = join(work, 'source');
    releasedSource(source, version, date);
    const { names, notices } = buildAll(source, version, fresh, work);
    await writeBoms(fresh, names, version, notices);
    await describeRelease(fresh, { version, day: dayOf(date), commit }, signer);
  });
  if (!dry) for (const [path, text] of releasedFiles(version, date)) writeFileSync(join(root, path), text);
  if (!commit?.clean) console.log('release: the provenance names no commit, since files here are not as one has them');
  if (!signer) console.log('release: nothing is signed; --key names the key');
  console.log(`${version} of ${dayOf(date)} is in ${values.output}`);
}

/** The day of the release: what is asked for, or else that of the commit. */
function dateOf(committed: Date | undefined): Date {
  const asked = values.date ?? process.env['SOURCE_DATE_EPOCH'];
  if (asked === undefined) {
    if (committed) return committed;
    throw new Error('this is not a repository of git: give the day with --date 2026-01-31');
  }
  const date = new Date(/^\d{4}-\d\d-\d\d$/.test(asked) ? asked : 1000 * Number(asked));
  if (Number.isNaN(date.getTime())) throw new Error(`${asked} is not a date such as 2026-01-31`);
  return date;
}

async function writeBoms(folder: string, names: readonly string[], version: string, notices: string): Promise<void> {
  const bundled = bundledParts(notices);
  const native = platforms.find(({ name }) => name === `${process.platform}-${process.arch}`)!;
  const { program } = await runtimeOf(native, work);
  const node = nodeParts(
    JSON.parse(execFileSync(program, ['-p', 'JSON.stringify(process.versions)'], { encoding: 'utf8' })),
  );
  const write = (name: string, parts: readonly Part[], label = name): void =>
    writeFileSync(join(folder, `${label}.cdx.json`), encodeReleaseBom(join(folder, name), version, parts));
  for (const name of names) {
    if (name.endsWith('.tgz')) write(name, bundled);
    else if (!name.endsWith('.oci.tar')) write(name, [...bundled, ...node]);
    else {
      const layout = join(work, 'layout');
      mkdirSync(layout);
      await extract({ file: join(folder, name), cwd: layout });
      for (const { debian } of platforms) {
        const found = await imageParts(layout, debian.architecture);
        write(name, [...bundled, ...node, ...found], `${name}.${debian.architecture}`);
      }
    }
  }
}
