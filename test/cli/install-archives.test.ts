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

/** What a person is asked, and says. */
interface Person {
  readonly says: string;
  readonly asked: string[];
}

function install(args: readonly string[], person?: Person): Promise<Outcome> {
  const kubeconfig = plane().kubeconfig;
  const said = `configuration = "etc/solutions.yaml"\nkubeconfig = "${kubeconfig}"\nkeys = ["k.pub"]\n[images]\nimage-store = "store"\n`;
  writeFiles(folder, { 'profile.toml': said });
  const ask = async (question: string): Promise<string> => {
    person?.asked.push(question);
    return person?.says ?? '';
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
    expect(declined.stderr).toMatch(/Namespace\/hello[\s\S]*nothing was changed\n$/);
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
    expect(readFileSync(configuration, 'utf8')).toContain('activeVersion: "1.1.0"');
    const person: Person = { says: 'y', asked: [] };
    const again = await install([], person);
    expect([again.code, person.asked.length]).toEqual([0, 1]);
    expect(again.stdout).toContain('already there hello 1.1.0');
    const named = await install(['-f', configuration]);
    expect([named.code, named.stdout]).toEqual([0, expect.stringContaining('already there hello 1.1.0')]);
  },
);

test('without a cluster nobody is asked', async () => {
  const args = ['install', 'hello-1.0.0.iso', '-f', 'own.yaml', '--key', 'k.pub', '--render', 'out', '--no-profile'];
  const { code } = await solpackHere([...args, '--trust-state', at('other')], { cwd: folder });
  expect([code, existsSync(at('out/hello'))]).toEqual([0, true]);
  expect(readFileSync(at('own.yaml'), 'utf8')).toContain('activeVersion: "1.0.0"');
});
