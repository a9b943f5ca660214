import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { jsonSchemas } from '../../cli/view/json.ts';
import { smallSolution } from '../support/cli.ts';
import { solpackHere } from '../support/here.ts';
import { elsewhere, folderOf, here, writePrograms } from '../support/installer.ts';
import { judged, ok, run, scratch } from '../support/judges.ts';
import { dockerRegistry, referrersRegistry } from '../support/registry.ts';

const folder = scratch('cli-installer');
const cwd = folder;
/** Each of these packs or renders several times. */
const SLOW = 120_000;
const registry = dockerRegistry(folder);
const at = (name: string): string => join(folder, name);
const paths = [here, elsewhere]
  .flatMap((platform) => ['helm', 'kubectl', 'solpack'].map((name) => `bin/${folderOf(platform)}/${name}`))
  .concat('bin/release.pub')
  .sort();
/** The file of the folder of programs that travels under a path. */
const given = (path: string): Buffer => readFileSync(at(path.replace(/^bin/, 'programs')));

/** Runs solpack in this process; it has to end well. */
async function succeeds(args: readonly string[], options: { readonly cwd: string }): Promise<string> {
  const { code, stdout, stderr } = await solpackHere(args, options);
  if (code !== 0) throw new Error(`solpack ${args.join(' ')} ended with ${code}:\n${stderr}`);
  return stdout;
}

beforeAll(async () => {
  await smallSolution(at('src'));
  writePrograms(at('programs'));
  await succeeds(['keygen', '-o', 'release'], { cwd });
  await ok('cp', ['release.pub', 'programs'], { cwd });
  for (const extension of ['iso', 'tar']) {
    const asked = ['--with-installer', '--installer-from', 'programs', '--sign', 'release.key'];
    await succeeds(['pack', 'src', '-o', `a.${extension}`, ...asked], { cwd });
  }
}, SLOW);

describe('what travels in bin/', () => {
  test('is shown by inspect, in words and as JSON', async () => {
    const shown = jsonSchemas.inspect
      .strict()
      .parse(JSON.parse(await succeeds(['inspect', 'a.iso', '--json'], { cwd })));
    expect(shown.installer?.map(({ path }) => path)).toEqual(paths);
    for (const archive of ['a.iso', 'a.tar']) {
      const words = await succeeds(['inspect', archive], { cwd });
      for (const path of paths) expect(words).toContain(path);
    }
  });

  test('is listed and extracted as the files that they were, and has no other place in a tar than its blobs', async () => {
    const listed = await succeeds(['ls', 'a.iso', 'bin'], { cwd });
    for (const path of paths) expect(listed).toContain(path);
    await succeeds(['extract', 'a.iso', 'bin', '-C', 'out'], { cwd });
    for (const path of paths) expect(readFileSync(at(`out/${path}`)).equals(given(path)), path).toBe(true);
    const modes = await ok('stat', ['-c', '%a', ...paths.map((path) => at(`out/${path}`))], { cwd });
    expect(modes.trim().split('\n')).toEqual(paths.map((path) => (path.endsWith('.pub') ? '644' : '755')));
    expect(await run(at(`out/bin/${folderOf(here)}/solpack`), [])).toMatchObject({ code: 0 });
    expect(await succeeds(['ls', 'a.tar'], { cwd })).not.toContain('bin/');
  });

  test(
    'is signed: a byte of it that changes is found, as is a file that is added to an extracted archive',
    async () => {
      for (const archive of ['a.iso', 'a.tar']) {
        const bytes = readFileSync(at(archive));
        bytes[bytes.indexOf(given(paths[0]!)) + 130]! ^= 1;
        await ok('cp', [archive, `changed-${archive}`], { cwd });
        await ok('dd', [`of=changed-${archive}`, 'conv=notrunc', 'status=none'], { cwd, input: bytes });
        const { code, stdout } = await solpackHere(['verify', `changed-${archive}`, '--key', 'release.pub'], { cwd });
        expect([code, stdout]).toEqual([1, expect.stringContaining('blob-mismatch')]);
      }
      await succeeds(['extract', 'a.iso', '-C', 'whole'], { cwd });
      expect(await succeeds(['verify', 'whole', '--key', 'release.pub'], { cwd })).toContain('verified hello');
      await ok('cp', [`whole/${paths[0]}`, `whole/bin/${folderOf(here)}/kustomize`], { cwd });
      const { code, stdout } = await solpackHere(['verify', 'whole', '--key', 'release.pub'], { cwd });
      expect([code, stdout]).toEqual([1, expect.stringContaining('kustomize')]);
    },
    SLOW,
  );

  test(
    'is compared by diff',
    async () => {
      writePrograms(at('newer'), ' of the next release');
      const asked = ['--with-installer', here, '--installer-from', 'newer'];
      await succeeds(['pack', 'src', '-o', 'b.iso', ...asked], { cwd });
      const { code, stdout } = await solpackHere(['diff', 'a.iso', 'b.iso', '--json'], { cwd });
      const { installer, objects, same } = jsonSchemas.diff.strict().parse(JSON.parse(stdout));
      expect([code, same, objects.changed]).toEqual([1, false, []]);
      expect(installer.changed.map(({ path }) => path)).toEqual(paths.filter((path) => path.includes(folderOf(here))));
      expect(installer.removed).toEqual(paths.filter((path) => !path.includes(folderOf(here))));
      expect((await solpackHere(['diff', 'a.iso', 'b.iso'], { cwd })).stdout).toMatch(/installer:\n\s+- bin\//);
      await succeeds(['diff', 'a.iso', 'a.tar'], { cwd });
      // A definition does not say what travels with it.
      await succeeds(['diff', 'src', 'a.iso'], { cwd });
    },
    SLOW,
  );

  judged('comes back byte for byte from a registry', ['docker-registry'], async () => {
    const { host } = await registry();
    await succeeds(['push', 'a.iso', `${host}/hello:1.0.0`, '--plain-http'], { cwd });
    expect(await succeeds(['ls', `${host}/hello:1.0.0`, 'bin', '--plain-http'], { cwd })).toContain(paths[0]);
    const inspected = await succeeds(['inspect', `${host}/hello:1.0.0`, '--plain-http'], { cwd });
    expect(inspected).toContain(paths[0]);
    await succeeds(['pull', `${host}/hello:1.0.0`, '-o', 'back.iso', '--plain-http'], { cwd });
    expect(readFileSync(at('back.iso')).equals(readFileSync(at('a.iso')))).toBe(true);
  });

  judged('is an artifact of its own, which oras pulls as files', ['oras', 'referrers-registry'], async () => {
    await using server = await referrersRegistry();
    const { host } = new URL(server.first);
    await succeeds(['push', 'a.tar', `${host}/hello:1.0.0`, '--plain-http'], { cwd });
    const root = await ok('oras', ['manifest', 'fetch', '--plain-http', `${host}/hello:1.0.0`], { cwd });
    const type = 'application/vnd.solpack.solution.installer.v1+json';
    const entry = JSON.parse(root).manifests.find((one: { artifactType?: string }) => one.artifactType === type);
    await ok('oras', ['pull', '--plain-http', '-o', 'pulled', `${host}/hello@${entry.digest}`], { cwd });
    for (const path of paths) expect(readFileSync(at(`pulled/${path}`)).equals(given(path)), path).toBe(true);
  });
});

describe('the same archive', () => {
  test('is made with the same programs, wherever they are, and no other one is without the flag', async () => {
    await ok('cp', ['-r', 'src', 'elsewhere'], { cwd });
    await ok('cp', ['-r', 'programs', 'moved'], { cwd });
    await ok('chmod', ['-R', 'a+rX,a-x+X', 'moved'], { cwd });
    const asked = ['--with-installer', 'linux/arm64,linux/amd64', '--installer-from', 'moved', '--sign', 'release.key'];
    await succeeds(['pack', 'elsewhere', '-o', 'c.iso', ...asked], { cwd });
    expect(readFileSync(at('c.iso')).equals(readFileSync(at('a.iso')))).toBe(true);
  });
});

describe('pack', () => {
  test('takes what follows --with-installer for the definition, where that is no platform and exists', async () => {
    await succeeds(['pack', '-o', 'd.iso', '--installer-from', 'programs', '--with-installer', 'src'], { cwd });
    const { installer } = JSON.parse(await succeeds(['inspect', 'd.iso', '--json'], { cwd }));
    expect(installer).toHaveLength(paths.length);
  });

  test.each([
    [['--with-installer', 'linux/x86_64', '--installer-from', 'programs'], /"linux\/x86_64" is not a platform/],
    [['--with-installer', 'linux/amd64,', '--installer-from', 'programs'], /"" is not a platform/],
    [['--installer-from', 'programs'], /--installer-from: has no effect without --with-installer/],
    [['--with-installer', '--installer-from', 'nowhere'], /nowhere: there is no such folder/],
    [['--with-installer', elsewhere], /needed for linux\/a/],
    [['--with-installer'], /not a single executable that an archive could include/],
  ])('refuses %j in one line', async (args, words) => {
    const { code, stderr } = await solpackHere(['pack', 'src', '-q', '-o', 'never.iso', ...args], { cwd });
    expect([code, stderr.trim().split('\n')]).toEqual([2, [expect.stringMatching(words)]]);
  });
});
