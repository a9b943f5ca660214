import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { smallSolution, succeeds, writeFiles } from '../support/cli.ts';
import { controlPlaneTest, sharedControlPlane } from '../support/control-plane.ts';
import { solpackHere } from '../support/here.ts';
import { type Outcome, scratch } from '../support/judges.ts';

const folder = scratch('install-archives');
const at = (...names: string[]): string => join(folder, ...names);
const plane = sharedControlPlane();
const profile = at('profile.toml');
const configuration = at('etc/solutions.yaml');

beforeAll(async () => {
  await succeeds(['keygen', '-o', 'k'], { cwd: folder });
  for (const version of ['1.0.0', '1.1.0']) {
    await smallSolution(at(version), { version });
    // No Pod runs where there is no node.
    writeFiles(at(version), { 'web/pod.yaml': `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: web-${version}}\n` });
    await succeeds(['pack', version, '-o', `hello-${version}.iso`, '--sign', 'k.key'], { cwd: folder });
  }
});

/** What a person is asked, and says: the last answer again and again. */
interface Person {
  readonly says: string | readonly string[];
  readonly asked: string[];
}

function install(args: readonly string[], person?: Person): Promise<Outcome> {
  const kubeconfig = plane().kubeconfig;
  const said = `configuration = "etc/solutions.yaml"\nkubeconfig = "${kubeconfig}"\nkeys = ["k.pub"]\n[images]\nimage-store = "store"\n`;
  writeFiles(folder, { 'profile.toml': said });
  const ask = async (question: string): Promise<string> => {
    const answers = [person?.says ?? ''].flat();
    const at = person === undefined ? 0 : person.asked.push(question) - 1;
    return answers[Math.min(at, answers.length - 1)]!;
  };
  const env = { SOLPACK_PROFILE: profile };
  const all = ['install', ...args, '--trust-state', at('state')];
  return solpackHere(all, { cwd: folder, env, ...(person ? { ask } : {}) });
}

controlPlaneTest(
  'archives that are named are installed once somebody says so, and nothing is done before',
  async () => {
    const nobody = await install(['hello-1.0.0.iso']);
    expect([nobody.code, nobody.stderr]).toEqual([
      2,
      expect.stringMatching(/there is no terminal; give --yes.*\[usage-invalid\]/),
    ]);
    const planned = await install(['hello-1.0.0.iso', '--plan']);
    expect([planned.code, planned.stdout]).toEqual([0, expect.stringContaining('create')]);
    const doubtful: Person = { says: '', asked: [] };
    const declined = await install(['hello-1.0.0.iso'], doubtful);
    expect([declined.code, declined.stdout, doubtful.asked]).toEqual([2, '', ['Install? [y/N] ']]);
    expect(declined.stderr).toMatch(/hello +1\.0\.0, new +2 images[\s\S]*to create[\s\S]*nothing was changed\n$/);
    expect(existsSync(configuration)).toBe(false);
    const sure: Person = { says: 'yes', asked: [] };
    const installed = await install(['hello-1.0.0.iso'], sure);
    expect([installed.code, installed.stdout]).toEqual([0, expect.stringContaining('installed hello 1.0.0')]);
    expect(readFileSync(configuration, 'utf8')).toContain('activeVersion: "1.0.0"');
  },
);

controlPlaneTest(
  'the next archive is activated, --yes asks nobody, and install alone goes by the profile',
  async () => {
    const next = await install(['hello-1.1.0.iso', '--yes']);
    expect([next.code, next.stdout]).toEqual([0, expect.stringContaining('installed hello 1.1.0')]);
    // What was done to find out what goes is not done again.
    for (const step of [/^render +manifests web$/gm, /^verify /gm])
      expect(next.stderr.match(step), next.stderr).toHaveLength(1);
    expect(readFileSync(configuration, 'utf8')).toContain('activeVersion: "1.1.0"');
    const person: Person = { says: 'n', asked: [] };
    const again = await install([], person);
    // There is nothing to agree to.
    expect([again.code, person.asked]).toEqual([0, []]);
    expect(again.stdout).toContain('already there hello 1.1.0');
    const named = await install(['-f', configuration]);
    expect([named.code, named.stdout]).toEqual([0, expect.stringContaining('already there hello 1.1.0')]);
  },
);

controlPlaneTest('a downgrade is asked for by name, and a script has to give the name', async () => {
  const refused = await install(['hello-1.0.0.iso', '--yes']);
  expect([refused.code, refused.stderr]).toEqual([
    2,
    expect.stringMatching(
      /install: hello would go down from 1\.1\.0 to 1\.0\.0, an older release; nothing was changed.*--allow-removal hello \[removal-unnamed\]/,
    ),
  ]);
  expect(readFileSync(configuration, 'utf8')).toContain('activeVersion: "1.1.0"');
  expect(refused.stderr).not.toContain('nothing refuses the downgrade');
  const wrong: Person = { says: 'y', asked: [] };
  expect((await install(['hello-1.0.0.iso'], wrong)).code).toBe(2);
  expect(wrong.asked).toEqual(['Install? [y/N] ', 'To confirm that this is removed, type the name hello: ']);
  expect(readFileSync(configuration, 'utf8')).toContain('activeVersion: "1.1.0"');
  const sure: Person = { says: ['y', 'hello'], asked: [] };
  const down = await install(['hello-1.0.0.iso'], sure);
  expect([down.code, down.stdout]).toEqual([0, expect.stringContaining('installed hello 1.0.0')]);
  expect(down.stderr).toMatch(/hello goes down from 1\.1\.0 to 1\.0\.0[\s\S]*the last one took \d+ s/);
  // Once before the question, and not once more when it is carried out.
  expect(down.stderr.match(/is in the configuration already/g)).toHaveLength(1);
  const allowed = await install(['hello-1.1.0.iso', '--yes', '--allow-removal', 'hello']);
  expect(allowed.code).toBe(0);
});

controlPlaneTest('data and a whole Solution go only where they are named', async () => {
  await smallSolution(at('1.2.0'), { version: '1.2.0' });
  writeFiles(at('1.2.0'), { 'web/pod.yaml': 'apiVersion: v1\nkind: Namespace\nmetadata: {name: extra}\n' });
  await succeeds(['pack', '1.2.0', '-o', 'hello-1.2.0.iso', '--sign', 'k.key'], { cwd: folder });
  await smallSolution(at('1.3.0'), { version: '1.3.0' });
  writeFiles(at('1.3.0'), { 'web/pod.yaml': `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: web}\n` });
  await succeeds(['pack', '1.3.0', '-o', 'hello-1.3.0.iso', '--sign', 'k.key'], { cwd: folder });
  expect((await install(['hello-1.2.0.iso', '--yes'])).code).toBe(0);
  const refused = await install(['hello-1.3.0.iso', '--yes']);
  expect([refused.code, refused.stderr]).toEqual([
    2,
    expect.stringMatching(/Namespace\/extra of hello would be removed, with the data in it; nothing was changed/),
  ]);
  expect((await install(['hello-1.3.0.iso', '--yes', '--allow-removal', 'hello'])).code).toBe(0);
  await succeeds(['deactivate', 'hello', '-f', configuration]);
  const gone = await install(['--yes']);
  expect([gone.code, gone.stderr]).toEqual([
    2,
    expect.stringMatching(/hello 1\.3\.0 would be removed; nothing was changed/),
  ]);
  const planned = await install(['--plan', '--json']);
  expect(JSON.parse(planned.stdout).removals).toEqual([
    { solution: 'hello', kind: 'solution', version: '1.3.0', objects: ['Namespace/hello'] },
  ]);
  const named = await install(['--yes', '--allow-removal', 'hello']);
  expect([named.code, named.stdout]).toEqual([0, expect.stringContaining('removed')]);
});

test('objects that cannot be written to their folder leave the configuration as it was', async () => {
  writeFiles(folder, { 'no-folder': '' });
  const args = ['install', 'hello-1.0.0.iso', '-f', 'unwritten.yaml', '--key', 'k.pub', '--render', 'no-folder/out'];
  const refused = await solpackHere([...args, '--no-profile', '--trust-state', at('unwritten')], { cwd: folder });
  expect([refused.code, refused.stderr]).toEqual([6, expect.stringContaining('[output-unwritable]')]);
  expect(existsSync(at('unwritten.yaml'))).toBe(false);
});

test('without a cluster nobody is asked', async () => {
  const args = ['install', 'hello-1.0.0.iso', '-f', 'own.yaml', '--key', 'k.pub', '--render', 'out', '--no-profile'];
  const { code } = await solpackHere([...args, '--trust-state', at('other')], { cwd: folder });
  expect([code, existsSync(at('out/hello'))]).toEqual([0, true]);
  expect(readFileSync(at('own.yaml'), 'utf8')).toContain('activeVersion: "1.0.0"');
});

test('without a cluster, an older release than the configuration activates has to be named', async () => {
  const trust = ['--key', 'k.pub', '--trust-state', at('third')];
  const rendering = (archive: string, ...more: string[]): Promise<Outcome> =>
    solpackHere(['install', archive, '-f', 'down.yaml', ...trust, '--no-profile', ...more], { cwd: folder });
  const render = ['--render', 'down'];
  expect((await rendering('hello-1.1.0.iso', ...render)).code).toBe(0);
  const sentence =
    /hello would go down from 1\.1\.0 to 1\.0\.0, an older release; nothing was changed.*--allow-removal hello \[removal-unnamed\]/;
  for (const goal of [render, ['--images-only', '--image-store', at('down-store')]]) {
    const { code, stderr } = await rendering('hello-1.0.0.iso', ...goal);
    expect([code, stderr]).toEqual([2, expect.stringMatching(sentence)]);
  }
  expect(readFileSync(at('down.yaml'), 'utf8')).toContain('activeVersion: "1.1.0"');
  const planned = await rendering('hello-1.0.0.iso', ...render, '--plan', '--json');
  expect(JSON.parse(planned.stdout).removals).toEqual([
    { solution: 'hello', kind: 'downgrade', version: '1.1.0', to: '1.0.0', objects: [] },
  ]);
  expect((await rendering('hello-1.0.0.iso', ...render, '--allow-removal', 'hello')).code).toBe(0);
  expect(readFileSync(at('down.yaml'), 'utf8')).toContain('activeVersion: "1.0.0"');
  // What was latest is the newest that is there.
  writeFiles(folder, { 'down.yaml': readFileSync(at('down.yaml'), 'utf8').replace('"1.0.0"', 'latest') });
  expect((await rendering('hello-1.0.0.iso', ...render)).stderr).toMatch(sentence);
});

test.each([
  ['a cluster', [], /has no cluster to install into.*"solpack setup"/],
  [
    'a place for images',
    ['--kubeconfig', 'none.conf'],
    /needs a place that nodes can pull images from.*"solpack setup"/,
  ],
  ['a place for images alone', ['--images-only'], /needs a place that nodes can pull images from.*"solpack setup"/],
])('without %s nothing begins, and the refusal names the command that finds it', async (_, more, words) => {
  const args = ['install', 'hello-1.0.0.iso', '-f', 'nowhere.yaml', '--key', 'k.pub', '--no-profile', '--yes', ...more];
  const { code, stdout, stderr } = await solpackHere(args, { cwd: folder });
  expect([code, stdout, stderr]).toEqual([2, '', expect.stringMatching(words)]);
  expect([stderr.trim().split('\n').length, existsSync(at('nowhere.yaml'))]).toEqual([1, false]);
});
