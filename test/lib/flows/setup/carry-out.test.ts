import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { PROFILE_HEAD } from '../../../../formats/profile/edit.ts';
import type { SetupAction } from '../../../../lib/flows/setup/action.ts';
import { carryOutSetup } from '../../../../lib/flows/setup/carry-out.ts';
import { planSetup, type SetupRequest } from '../../../../lib/flows/setup/plan.ts';
import { planUndo, undoSetup } from '../../../../lib/flows/setup/undo.ts';
import { serveUnit } from '../../../../lib/flows/setup/unit.ts';
import { writeFiles } from '../../../support/cli.ts';
import { testFlow } from '../../../support/flow.ts';
import { judged, run, scratch } from '../../../support/judges.ts';

const folder = scratch('setup-carry-out');
const flow = testFlow();
let root: string;
let count = 0;
const at = (path: string): string => join(root, path);
const read = (path: string): string => readFileSync(at(path), 'utf8');
const record = (): string => at('state/setup.json');

beforeEach(() => {
  count += 1;
  root = join(folder, String(count));
  mkdirSync(root, { recursive: true });
});

const asked = (more: Partial<SetupRequest> = {}): SetupRequest => ({
  profile: at('etc/solpack/profile.toml'),
  configuration: at('etc/solpack/solutions.yaml'),
  kubeconfig: '/etc/kubernetes/admin.conf',
  trust: { kind: 'keys', files: [{ name: 'release.pub', text: 'a key\n' }] },
  images: { way: 'containerd', socket: '/run/containerd/containerd.sock' },
  program: ['/usr/bin/solpack'],
  copies: [],
  ...more,
});
const carryOut = (actions: readonly SetupAction[], plan = false): ReturnType<typeof carryOutSetup> =>
  carryOutSetup(actions, { record: record(), plan }, flow);
const statesOf = (steps: readonly { state: string }[]): string[] => [...new Set(steps.map(({ state }) => state))];

describe('setup', () => {
  test('writes what a machine needs, once, and takes back exactly that', async () => {
    const actions = planSetup(asked());
    expect(statesOf(await carryOut(actions, true))).toEqual(['to do', 'there']);
    expect(existsSync(at('etc'))).toBe(false);
    await carryOut(actions);
    expect(read('etc/solpack/profile.toml')).toBe(
      `${PROFILE_HEAD}configuration = ${JSON.stringify(at('etc/solpack/solutions.yaml'))}\nkubeconfig = "/etc/kubernetes/admin.conf"\nkeys = [${JSON.stringify(at('etc/solpack/release.pub'))}]\n\n[images]\ncontainerd = "/run/containerd/containerd.sock"\n`,
    );
    expect(read('etc/solpack/release.pub')).toBe('a key\n');
    expect(read('etc/solpack/solutions.yaml')).toMatch(
      /^# yaml-language-server: \$schema=\.solpack\/schemas\/configuration\./,
    );
    for (const format of ['profile', 'configuration']) {
      const schema = JSON.parse(read(`etc/solpack/.solpack/schemas/${format}.schema.json`));
      expect(schema).toHaveProperty('properties');
    }
    const before = read('state/setup.json');
    expect(statesOf(await carryOut(actions))).toEqual(['there']);
    expect(read('state/setup.json')).toBe(before);
    expect(statesOf(await undoSetup(record(), flow))).toEqual(['taken back']);
    expect([existsSync(at('etc')), existsSync(at('state'))]).toEqual([false, false]);
    expect(await undoSetup(record(), flow)).toEqual([]);
  });

  test('removes the folders that its record has made for itself, and no other one', async () => {
    mkdirSync(at('home'));
    const deep = at('home/.local/state/solpack/setup.json');
    await carryOutSetup(planSetup(asked()), { record: deep, plan: false }, flow);
    await undoSetup(deep, flow);
    expect(readdirSync(at('home'))).toEqual([]);
    expect(existsSync(at('etc'))).toBe(false);
  });

  test('leaves what a profile says besides, its comments and its mode, and brings back what it said', async () => {
    const profile =
      '# ours\nkubeconfig = "/root/own.conf" # mine\n\n[images]\nserve = "http://127.0.0.1:5000"\n\n[install]\ntimeout = "10m"\n';
    writeFiles(root, { 'etc/solpack/profile.toml': profile });
    chmodSync(at('etc/solpack/profile.toml'), 0o600);
    await carryOut(planSetup(asked()));
    const after = read('etc/solpack/profile.toml');
    expect(after).toContain('# ours\nkubeconfig = "/etc/kubernetes/admin.conf" # mine\n');
    expect(after).toContain('containerd = ');
    expect(after).not.toContain('serve = ');
    expect(statSync(at('etc/solpack/profile.toml')).mode & 0o777).toBe(0o600);
    await undoSetup(record(), flow);
    expect(read('etc/solpack/profile.toml')).toBe(profile);
  });

  test('keeps what somebody has changed since', async () => {
    await carryOut(planSetup(asked()));
    writeFileSync(at('etc/solpack/solutions.yaml'), 'kind: SolutionsConfiguration\n');
    const profile = read('etc/solpack/profile.toml').replace('admin.conf', 'other.conf');
    writeFileSync(at('etc/solpack/profile.toml'), profile);
    const foreseen = await planUndo(record());
    const steps = await undoSetup(record(), flow);
    expect(foreseen.map((step) => ({ ...step, state: step.state.replace('to take back', 'taken back') }))).toEqual(
      steps,
    );
    const kept = steps.filter(({ state }) => state === 'kept').map(({ what }) => what);
    expect(kept).toEqual(['kubeconfig', 'file', 'folder', 'folder']);
    expect(read('etc/solpack/solutions.yaml')).toBe('kind: SolutionsConfiguration\n');
    expect(read('etc/solpack/profile.toml')).toBe(`${PROFILE_HEAD}kubeconfig = "/etc/kubernetes/other.conf"\n`);
  });

  test('replaces no file of somebody else, and does nothing then', async () => {
    writeFiles(root, { 'etc/solpack/release.pub': 'another key\n' });
    await expect(carryOut(planSetup(asked()))).rejects.toMatchObject({ code: 'output-exists' });
    expect([existsSync(at('etc/solpack/profile.toml')), existsSync(at('state'))]).toEqual([false, false]);
  });

  test('replaces no link, wherever it leads, and takes none back', async () => {
    const unit = { kind: 'file', path: at('etc/solpack-serve.service'), text: 'unit\n', what: 'service' } as const;
    writeFiles(root, { 'etc/.keep': '', 'other/unit': 'unit\n' });
    for (const target of ['/dev/null', '/nowhere/unit', at('etc')]) {
      symlinkSync(target, unit.path);
      await expect(carryOut([unit])).rejects.toMatchObject({
        code: target === at('etc') ? 'file-unreadable' : 'output-exists',
      });
      expect(readlinkSync(unit.path)).toBe(target);
      unlinkSync(unit.path);
    }
    await carryOut([unit]);
    unlinkSync(unit.path);
    symlinkSync(at('other/unit'), unit.path);
    expect(statesOf(await undoSetup(record(), flow))).toEqual(['kept']);
    expect(readlinkSync(unit.path)).toBe(at('other/unit'));
  });

  test('of a profile behind a link changes what it leads to, and leaves the link', async () => {
    writeFiles(root, { 'etc/solpack/.keep': '', 'srv/profile.toml': '# ours\n' });
    symlinkSync(at('srv/profile.toml'), at('etc/solpack/profile.toml'));
    await carryOut(planSetup(asked()));
    expect(read('srv/profile.toml')).toContain('containerd = ');
    await undoSetup(record(), flow);
    expect(readlinkSync(at('etc/solpack/profile.toml'))).toBe(at('srv/profile.toml'));
    expect(read('srv/profile.toml')).toBe('# ours\n');
  });

  test('goes to another way for images, and back to what was there first', async () => {
    await carryOut(planSetup(asked()));
    await carryOut(planSetup(asked({ images: { way: 'registry', address: 'https://registry.example.com' } })));
    expect(read('etc/solpack/profile.toml')).toContain('[images]\nregistry = "https://registry.example.com"\n');
    expect(read('etc/solpack/profile.toml')).not.toContain('containerd');
    await undoSetup(record(), flow);
    expect(existsSync(at('etc'))).toBe(false);
  });

  test('takes back what was noted and not done, wherever it was killed', async () => {
    const actions = planSetup(asked());
    for (let done = 0; done <= actions.length; done += 1) {
      await carryOut(actions.slice(0, done));
      expect(statesOf(await undoSetup(record(), flow)).filter((state) => state !== 'taken back')).toEqual([]);
      expect(existsSync(at('etc'))).toBe(false);
    }
    await carryOut(actions);
    expect((await planUndo(record())).map(({ state }) => state)).not.toContain('kept');
    expect(existsSync(at('etc'))).toBe(true);
    const noted = read('state/setup.json');
    await undoSetup(record(), flow);
    writeFiles(root, { 'state/setup.json': noted });
    await undoSetup(record(), flow);
    expect([existsSync(at('etc')), existsSync(at('state'))]).toEqual([false, false]);
  });

  test('leaves a policy where it is, beside the keys that it names', async () => {
    writeFiles(root, { 'etc/solpack/profile.toml': 'keys = ["/k.pub"]\n' });
    const trust = { kind: 'policy', path: '/srv/trust.toml' } as const;
    const hostsDir = at('certs.d');
    const actions = planSetup(asked({ trust, images: { way: 'serve', address: 'http://127.0.0.1:5000', hostsDir } }));
    const unit = actions.find((action) => action.kind === 'file' && action.path.endsWith('/solpack-serve.service'));
    expect(unit).toMatchObject({ text: expect.stringContaining(' --policy /srv/trust.toml --listen 127.0.0.1:5000 ') });
    await carryOut(actions.filter(({ kind }) => kind === 'setting'));
    expect(read('etc/solpack/profile.toml')).toContain('policy = "/srv/trust.toml"\n');
    expect(read('etc/solpack/profile.toml')).not.toContain('keys = ');
    await undoSetup(record(), flow);
    expect(read('etc/solpack/profile.toml')).toBe('keys = ["/k.pub"]\n');
  });

  test('adds a store to those that there are, and takes it out again', async () => {
    const storage =
      '[storage]\ndriver = "overlay"\n\n[storage.options]\n# ours\nadditionalimagestores = [\n  "/srv/images",\n]\n';
    writeFiles(root, { 'storage.conf': storage });
    const path = at('storage.conf');
    const key = 'storage.options.additionalimagestores';
    const action = { kind: 'setting', path, key, member: '/var/lib/solpack/images' } as const;
    await carryOut([action]);
    expect(read('storage.conf')).toContain('additionalimagestores = ["/srv/images", "/var/lib/solpack/images"]\n');
    expect(statesOf(await carryOut([action]))).toEqual(['there']);
    await undoSetup(record(), flow);
    expect(read('storage.conf')).toBe(storage);
  });

  test('takes back what a file began with that it made, and leaves what somebody has added', async () => {
    const store = planSetup(asked({ images: { way: 'image-store', folder: at('images') } })).find(
      (one) => one.kind === 'setting' && one.key.startsWith('storage.'),
    )!;
    const action = { ...store, path: at('storage.conf') } as typeof store;
    await carryOut([action]);
    await undoSetup(record(), flow);
    expect(existsSync(at('storage.conf'))).toBe(false);
    await carryOut([action]);
    writeFileSync(at('storage.conf'), `# ours\n${read('storage.conf')}`);
    await undoSetup(record(), flow);
    expect(read('storage.conf')).toMatch(/^# ours\n\[storage\]/);
  });

  test('copies a program as it is, and removes the copy', async () => {
    writeFiles(root, { 'stick/solpack': 'program', 'bin/.keep': '' });
    const action = { kind: 'program', from: at('stick/solpack'), path: at('bin/solpack') } as const;
    await carryOut([action]);
    expect([read('bin/solpack'), statSync(at('bin/solpack')).mode & 0o777]).toEqual(['program', 0o755]);
    await undoSetup(record(), flow);
    expect(existsSync(at('bin/solpack'))).toBe(false);
    writeFiles(root, { 'bin/solpack': 'of somebody else' });
    await expect(carryOut([action])).rejects.toMatchObject({ code: 'output-exists' });
    expect(read('bin/solpack')).toBe('of somebody else');
  });

  test.each(['{', '{}', '{"schemaVersion":1,"done":[{"kind":"file","path":"etc/passwd","digest":""}]}'])(
    'takes nothing back by a record that it has not written: %s',
    async (text) => {
      writeFiles(root, { 'state/setup.json': text });
      await expect(undoSetup(record(), flow)).rejects.toMatchObject({ code: 'file-unreadable' });
    },
  );
});

judged('the unit of serve is one that systemd accepts, whatever its paths are', ['systemd-analyze'], async () => {
  const program = [process.execPath, '/media/a stick/100%/$HOME "x"\\/bin.js', 'a\nExecStartPre=/bin/false'];
  const text = serveUnit({
    program,
    configuration: '/etc/solpack/solutions.yaml',
    trust: ['--key', '/k'],
    listen: 'h:1',
  });
  writeFiles(root, { 'solpack-serve.service': text });
  const { code, stderr } = await run('systemd-analyze', ['verify', '--man=no', at('solpack-serve.service')]);
  expect([code, stderr]).toEqual([0, '']);
  expect(text).toContain(String.raw`"/media/a stick/100%%/$$HOME \"x\"\\/bin.js" "a\x0aExecStartPre=/bin/false" serve`);
});
