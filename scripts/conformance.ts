// Runs the conformance suite of the OCI distribution specification against "solpack serve": over a signed archive (pull
// and content discovery), and with --store (all four categories). OCI_CONFORMANCE names the suite's program. Ends with
// 1 where anything failed.
import { cpSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type Holdings, holdingsOf } from './conformance/holdings.ts';
import { type Outcome, runSuite } from './conformance/suite.ts';
import { capture, hold } from './demo/cli.ts';
import { cache, root, words } from './home.ts';

const out = join(cache, 'conformance');
const here = { folder: out };

/** Versions of the specification that the suite knows: the last release, and the next one. */
const versions = ['stable', 'dev'] as const;

/** Repositories of the archive; the Solution's is the one with signatures. */
const repositories = ['solutions/guestbook', 'guestbook/web'] as const;

async function main(program: string): Promise<boolean> {
  rmSync(out, { recursive: true, force: true });
  mkdirSync(out, { recursive: true });
  cpSync(join(root, 'fixtures/guestbook/1.1.0'), join(out, 'solution'), { recursive: true });
  await capture(here, 'solpack keygen -o release');
  await capture(here, 'solpack pack solution -o guestbook.iso --locked --sign release.key');
  const outcomes = new Map<string, Outcome>();
  const run = (name: string, url: string, settings: Record<string, string>): void => {
    const folder = join(out, name.replaceAll(/[^a-z0-9]+/g, '-'));
    mkdirSync(folder);
    outcomes.set(name, runSuite(program, url, folder, settings));
  };

  const archive = await hold(here, 'solpack serve guestbook.iso --listen 127.0.0.1:0');
  try {
    for (const repository of repositories) {
      const held = readOnly(repository, await holdingsOf(archive.url, repository));
      for (const version of versions)
        run(`archive ${repository} ${version}`, archive.url, { ...held, OCI_VERSION: version });
    }
  } finally {
    await archive.stop();
  }

  const store = await hold(here, 'solpack serve --store store --open-push --listen 127.0.0.1:0');
  try {
    for (const version of versions) run(`store ${version}`, store.url, { OCI_VERSION: version });
  } finally {
    await store.stop();
  }
  return report(outcomes);
}

/** Returns settings that tell the suite that it cannot push, and what the repository holds. */
function readOnly(repository: string, { tags, manifests, blobs, subjects }: Holdings): Record<string, string> {
  const unable = ['PUSH', ...['BLOBS', 'MANIFESTS', 'TAGS'].flatMap((kind) => [`${kind}_DELETE`, `${kind}_ATOMIC`])];
  return {
    OCI_REPO1: repository,
    ...Object.fromEntries(unable.map((name) => [`OCI_API_${name}`, 'false'])),
    // The suite drops the answers for manifests that it did not push before it looks for this header.
    OCI_API_MANIFESTS_DIGEST_HEADER: 'false',
    OCI_RO_DATA_TAGS: tags.join(' '),
    OCI_RO_DATA_MANIFESTS: manifests.join(' '),
    OCI_RO_DATA_BLOBS: blobs.join(' '),
    OCI_RO_DATA_REFERRERS: subjects.join(' '),
  };
}

function report(outcomes: ReadonlyMap<string, Outcome>): boolean {
  const width = Math.max(...[...outcomes.keys()].map((name) => name.length));
  for (const [name, { pass, fail, error, skip, disabled, failures }] of outcomes) {
    console.log(`${name.padEnd(width)}  ${pass} passed, ${fail + error} failed, ${skip} skipped, ${disabled} disabled`);
    for (const failure of failures) console.log(failure);
  }
  return [...outcomes.values()].every(({ ok }) => ok);
}

const program = process.env['OCI_CONFORMANCE'];
if (program === undefined || program === '') {
  console.error(
    'conformance: OCI_CONFORMANCE has to name the program of the suite; docs/testing.md says how to get it',
  );
  process.exitCode = 1;
} else {
  try {
    process.exitCode = (await main(program)) ? 0 : 1;
  } catch (error) {
    console.error(`conformance: ${words(error)}`);
    process.exitCode = 1;
  }
}
