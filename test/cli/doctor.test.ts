import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { jsonSchemas } from '../../cli/view/json.ts';
import { smallSolution, succeeds, writeFiles } from '../support/cli.ts';
import { head } from '../support/configurations.ts';
import { solpackHere } from '../support/here.ts';
import { type Outcome, ok, run, scratch } from '../support/judges.ts';
import { NEIGHBOUR, neighbourTest } from '../support/neighbour.ts';
import { withOwnSystem } from '../support/own-system.ts';

const folder = scratch('cli-doctor');
const at = (...names: string[]): string => join(folder, ...names);
const solpack = `${process.execPath} ${join(import.meta.dirname, '../../cli/bin.js')}`;
const doctor = (args: readonly string[], env: Record<string, string> = {}): Promise<Outcome> =>
  solpackHere(['doctor', ...args], { cwd: folder, env: { SOLPACK_PROFILE: at('etc/profile.toml'), ...env } });

/** What was found, as JSON, which has to be as its schema says. */
function checksIn(line: string): {
  ok: boolean;
  checks: { code: string; state: string; subject: string; hint?: string }[];
} {
  const parsed = JSON.parse(line);
  expect(jsonSchemas.doctor.strict().parse(parsed)).toEqual(parsed);
  return parsed;
}

beforeAll(async () => {
  await smallSolution(at('hello'));
  await succeeds(['keygen', '-o', 'k'], { cwd: folder });
  const env = { SOURCE_DATE_EPOCH: '4102444800' };
  await succeeds(['pack', 'hello', '-o', 'hello.iso', '--sign', 'k.key'], { cwd: folder, env });
  writeFiles(folder, {
    'etc/solutions.yaml': `${head}archives: [../hello.iso]\n`,
    'etc/profile.toml': 'configuration = "solutions.yaml"\nkeys = ["../k.pub"]\n[images]\nimage-store = "../store"\n',
  });
});

describe('solpack doctor', () => {
  test('prints one line a check, and ends with 0 where nothing fails', async () => {
    const { code, stdout, stderr } = await doctor(['--for', 'pack', '--no-profile']);
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(/^checked for pack\n/);
    expect(stdout).toMatch(/^(ok|warns) {2,7}program {2}helm: /m);
    expect(stdout).toContain(`disk     ${folder}: `);
    expect(stdout).toMatch(/\nnothing fails[^\n]*\n$/);
  });

  test('says what mends what fails, and ends with 1', async () => {
    const { code, stdout } = await doctor([]);
    expect(code).toBe(1);
    expect(stdout).toMatch(/^checked for install\n/);
    expect(stdout).toMatch(
      /^fails {4}clock .*: the clock lags behind: .*hello\.iso is of 2100-01-01T00:00:00Z\n {9}do: date -u -s /m,
    );
    expect(stdout).toMatch(/\d+ of \d+ checks? fails?\b.*\n$/);
    const said = checksIn((await doctor(['--json'])).stdout);
    expect([said.ok, said.checks.find(({ code: one }) => one === 'clock')?.state]).toEqual([false, 'fails']);
  });

  test('goes by the profile that is named, and by none where that is asked for', async () => {
    expect((await doctor(['--profile', 'absent.toml'])).stdout).toContain('there is no such profile');
    const { checks } = checksIn((await doctor(['--no-profile', '--for', 'install', '--json'])).stdout);
    expect(checks.map(({ code }) => code)).not.toContain('profile');
  });

  test('refuses another purpose', async () => {
    const { code, stderr } = await doctor(['--for', 'instal']);
    expect([code, stderr]).toEqual([2, expect.stringContaining('did you mean install?')]);
  });

  test('of a profile for Pods fails where this is none', async () => {
    writeFileSync(at('pod.toml'), 'kubeconfig = "in-cluster"\n');
    const { checks } = checksIn((await doctor(['--profile', 'pod.toml', '--json'])).stdout);
    expect(checks.find(({ code }) => code === 'cluster')).toMatchObject({ state: 'fails', hint: expect.any(String) });
  });

  test('looks at real disks: small ones, full ones, and those that can only be read', async (context) => {
    if (process.getuid?.() !== 0) context.skip('needs root');
    const script = `set -e
cd "$1"
mkdir small inodes
mount -t tmpfs -o size=16m own small
mount -t tmpfs -o size=2g,nr_inodes=1 own inodes
cd small; ${solpack} doctor --for pack --no-profile --json -q || true
cd ../inodes; ${solpack} doctor --for pack --no-profile --json -q || true
mount -o remount,ro ../small
cd ../small; ${solpack} doctor --for pack --no-profile --json -q || true
`;
    const words = ['-m', '--propagation', 'private', 'sh', '-c', script, 'sh', folder];
    const [small, full, readOnly, ...rest] = (await ok('unshare', words)).trim().split('\n').map(checksIn);
    expect(rest).toEqual([]);
    const failing = (said: typeof small): unknown[] =>
      said!.checks.flatMap(({ code, state, hint = '' }) => (state === 'fails' ? [[code, hint]] : []));
    expect(failing(small)).toEqual([['disk', expect.stringMatching(/^du -x -d 1 .* \| sort -n/)]]);
    expect(failing(full)).toEqual([['disk', expect.stringMatching(/^du -x --inodes|^du -x -d 1/)]]);
    expect(failing(readOnly)).toContainEqual(['rights', `mount -o remount,rw ${at('small')}`]);
  });

  test('of a machine that setup has set up finds its cluster, and that nobody answers there', async (context) => {
    if (process.getuid?.() !== 0) context.skip('needs root');
    const k3s = `mkdir -p /etc/rancher/k3s /var/lib/rancher/k3s/agent
printf 'apiVersion: v1\\nkind: Config\\nclusters: [{name: c, cluster: {server: "https://127.0.0.1:1"}}]\\nusers: [{name: u, user: {token: t}}]\\ncontexts: [{name: x, context: {cluster: c, user: u}}]\\ncurrent-context: x\\n' > /etc/rancher/k3s/k3s.yaml`;
    const steps = [
      `${solpack} doctor --json -q || true`,
      `${solpack} setup --yes --key k.pub -q >/dev/null`,
      `find /etc /var/lib /run -newer k.pub -type f | sort > before`,
      `${solpack} doctor --json -q || true`,
      `find /etc /var/lib /run -newer k.pub -type f | sort | cmp - before`,
    ];
    const ended = await run('unshare', withOwnSystem(k3s, steps.join('\n')), { cwd: folder });
    expect([ended.code, ended.stderr]).toEqual([0, '']);
    const [before, after] = ended.stdout.trim().split('\n').map(checksIn);
    const statesOf = (said: typeof before): Record<string, string> =>
      Object.fromEntries(said!.checks.map(({ code, state }) => [code, state]));
    expect(statesOf(before)).toMatchObject({ profile: 'skipped', cluster: 'fails' });
    const states = { profile: 'ok', trust: 'ok', configuration: 'ok', images: 'ok', rights: 'ok', cluster: 'fails' };
    expect(statesOf(after)).toMatchObject(states);
    expect(after!.checks.filter(({ state }) => state === 'fails')).toHaveLength(1);
  });

  neighbourTest('tells somebody who is not root what only root may write to', async () => {
    chmodSync(folder, 0o755);
    mkdirSync(at('roots'), { mode: 0o755 });
    writeFileSync(at('theirs.toml'), `[images]\nregistry = "http://127.0.0.1:1"\nhosts-dir = "${at('roots')}"\n`);
    const own = ['--reuid', String(NEIGHBOUR), '--regid', String(NEIGHBOUR), '--clear-groups'];
    const words = [...own, ...solpack.split(' '), 'doctor', '--profile', at('theirs.toml'), '--json', '-q'];
    const { code, stdout } = await run('setpriv', words, { cwd: '/', env: { HOME: '/nonexistent' } });
    expect(code).toBe(1);
    const { checks } = checksIn(stdout);
    expect(checks).toContainEqual(
      expect.objectContaining({
        ...{ code: 'rights', state: 'fails', subject: at('roots') },
        hint: expect.stringContaining('run solpack as root'),
      }),
    );
  });
});
