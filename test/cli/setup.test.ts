import { cpSync, existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { jsonSchemas } from '../../cli/view/json.ts';
import { smallSolution, succeeds } from '../support/cli.ts';
import { solpackHere } from '../support/here.ts';
import { writePrograms } from '../support/installer.ts';
import { type Outcome, run, scratch } from '../support/judges.ts';
import { withOwnSystem } from '../support/own-system.ts';

const folder = scratch('cli-setup');
const at = (...names: string[]): string => join(folder, ...names);
const bin = join(import.meta.dirname, '../../cli/bin.js');
let keyId: string;

beforeAll(async () => {
  keyId = JSON.parse(await succeeds(['keygen', '-o', 'release', '--json'], { cwd: folder })).keyId;
  await smallSolution(at('hello'));
  writePrograms(at('programs'));
  cpSync(at('release.pub'), at('programs/release.pub'));
});

/** Answers what is asked, one answer after the other. */
async function answering(args: readonly string[], answers: readonly string[]): Promise<Outcome & { asked: string[] }> {
  const left = [...answers];
  const asked: string[] = [];
  const ask = async (question: string): Promise<string> => {
    asked.push(question);
    return left.shift() ?? '';
  };
  const env = { SOLPACK_PROFILE: at('never/profile.toml') };
  return { ...(await solpackHere(['setup', ...args, '--quiet'], { cwd: folder, env, ask })), asked };
}

describe('setup on a terminal', () => {
  test('takes a key whose last eight digits are those on paper, whose end it does not show, and asks once', async () => {
    const { code, stderr, asked } = await answering(['release.pub'], [keyId.slice(-8).toUpperCase(), 'n']);
    expect(asked).toEqual([expect.stringMatching(/^If your paper has all of these, .*last eight/), 'Do this? [y/N] ']);
    expect([code, stderr]).toEqual([2, expect.stringContaining('nothing was changed')]);
    expect(stderr).toContain(at('never/release.pub'));
    expect(stderr).toContain(keyId.slice(0, 4));
    expect(stderr.replaceAll(' ', '')).not.toContain(keyId.slice(-8));
    expect(existsSync(at('never'))).toBe(false);
  });

  test('finds the key that an archive carries with its installer', async () => {
    const keep = ['--with-installer', '--installer-from', 'programs'];
    await succeeds(['pack', 'hello', '-o', 'hello.iso', ...keep], { cwd: folder });
    const { code, stderr, asked } = await answering(['hello.iso'], [keyId.slice(-8), 'n']);
    expect([code, asked.length, stderr]).toEqual([2, 2, expect.stringContaining(at('never/release.pub'))]);
    await succeeds(['pack', 'hello', '-o', 'bare.iso'], { cwd: folder });
    expect((await answering(['bare.iso'], [])).stderr).toContain('bare.iso: includes no public key');
  });

  test('that is ended at a question says that nothing was changed', async () => {
    for (const answers of [[], [keyId.slice(-8)]]) {
      const stop = new AbortController();
      const ask = async (): Promise<string> => {
        const answer = answers.shift();
        if (answer !== undefined) return answer;
        stop.abort();
        throw stop.signal.reason;
      };
      const env = { SOLPACK_PROFILE: at('never/profile.toml') };
      const ended = await solpackHere(['setup', 'release.pub', '-q'], { cwd: folder, env, ask, signal: stop.signal });
      expect([ended.code, ended.stderr]).toEqual([130, expect.stringMatching(/interrupted; nothing was changed\n$/)]);
      expect(existsSync(at('never'))).toBe(false);
    }
  });

  test('takes no other key', async () => {
    const { code, stderr, asked } = await answering(['release.pub'], ['00000000', 'y']);
    expect([code, stderr, asked.length]).toEqual([3, expect.stringContaining('[not-trusted]'), 1]);
    expect(existsSync(at('never'))).toBe(false);
  });
});

describe('setup', () => {
  test('without a terminal and --yes does nothing, and says so', async () => {
    const { code, stderr } = await solpackHere(['setup', '--key', 'release.pub'], { cwd: folder });
    expect([code, stderr]).toEqual([2, expect.stringMatching(/no terminal; .*--yes.* \[usage-invalid\]/)]);
  });

  test('refuses two keys of one name, of which one alone would be trusted, and takes the same one twice', async () => {
    mkdirSync(at('other'));
    await succeeds(['keygen', '-o', 'other/release'], { cwd: folder });
    const env = { SOLPACK_PROFILE: at('never/profile.toml') };
    const plan = ['setup', '--plan', '--key', 'release.pub', '--key'];
    const two = await solpackHere([...plan, 'other/release.pub'], { cwd: folder, env });
    expect([two.code, two.stderr]).toEqual([2, expect.stringContaining('names two keys that are called release.pub')]);
    const same = await solpackHere([...plan, 'release.pub'], { cwd: folder, env });
    expect([same.code, same.stdout.match(/public key/g)]).toEqual([0, ['public key']]);
  });

  test.each([
    [['--plan', '--key', 'release.pub', '--policy', 'p'], '--policy'],
    [['--plan', '--key', 'release.key'], 'key-invalid'],
  ])('refuses %j', async (args, word) => {
    const { code, stderr } = await solpackHere(['setup', ...args], { cwd: folder });
    expect([code, stderr]).toEqual([2, expect.stringContaining(word)]);
  });

  const k3s = `mkdir -p /etc/rancher/k3s /var/lib/rancher/k3s/agent
printf 'apiVersion: v1\\nkind: Config\\nclusters: [{name: c, cluster: {server: "https://127.0.0.1:1"}}]\\nusers: [{name: u, user: {token: t}}]\\ncontexts: [{name: x, context: {cluster: c, user: u}}]\\ncurrent-context: x\\n' > /etc/rancher/k3s/k3s.yaml`;
  const solpack = `${process.execPath} ${bin}`;

  test('of k3s puts images into its folder, says so as JSON, and is taken back without a trace', async (context) => {
    if (process.getuid?.() !== 0) context.skip('needs root');
    const steps = [
      `${solpack} setup --plan --key release.pub --json -q`,
      'ls -A /etc/solpack 2>/dev/null || true',
      `${solpack} setup --yes --key release.pub --json -q`,
      `${solpack} setup --yes --json -q`,
      `${solpack} profile --json -q`,
      `${solpack} setup --undo --json -q 2>/dev/null || test $? -eq 2`,
      `${solpack} setup --undo --plan --json -q`,
      `${solpack} setup --undo --yes --json -q`,
      'ls -d /etc/solpack /var/lib/solpack 2>/dev/null || true',
    ];
    const ended = await run('unshare', withOwnSystem(k3s, steps.join('\n')), { cwd: folder });
    expect([ended.code, ended.stderr]).toEqual([0, '']);
    const [planned, done, again, profile, unanswered, foreseen, undone, ...rest] = ended.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(rest).toEqual([]);
    expect(unanswered.error).toMatchObject({ code: 'usage-invalid', hint: expect.stringContaining('--yes') });
    for (const result of [planned, done, again, foreseen, undone])
      expect(jsonSchemas.setup.strict().parse(result)).toEqual(result);
    const states = ({ steps }: { steps: { state: string }[] }): string[] => [
      ...new Set(steps.map(({ state }) => state)),
    ];
    expect(done.images.chosen).toEqual({ way: 'image-folder', distribution: 'k3s' });
    expect([states(planned)[0], states(done)[0], states(again), states(foreseen), states(undone)]).toEqual([
      'to do',
      'done',
      ['there'],
      ['to take back'],
      ['taken back'],
    ]);
    const settings = Object.fromEntries(
      profile.settings.map(({ key, value }: { key: string; value: unknown }) => [key, value]),
    );
    expect(settings).toMatchObject({
      configuration: '/etc/solpack/solutions.yaml',
      kubeconfig: '/etc/rancher/k3s/k3s.yaml',
      keys: ['/etc/solpack/release.pub'],
      'images.image-folder': 'k3s',
    });
  });

  test('of k3s with a registry tells k3s of it, and adds nothing to a file of somebody else', async (context) => {
    if (process.getuid?.() !== 0) context.skip('needs root');
    const file = '/etc/rancher/k3s/registries.yaml';
    const setup = `${solpack} setup --yes --key release.pub -q --registry http://10.0.0.5:5000`;
    const steps = `${setup}
cat ${file}
${setup}
${solpack} setup --undo --yes -q
ls ${file} 2>/dev/null || echo gone
echo 'mirrors: {docker.io: }' >${file}
${setup} || echo refused
ls -A /etc/solpack /var/lib/solpack 2>/dev/null || echo untouched`;
    const { stdout, stderr } = await run('unshare', withOwnSystem(k3s, steps), { cwd: folder });
    expect(stdout).toContain(`k3s reads ${file} once it was restarted: systemctl restart k3s`);
    expect(stdout).toContain('"10.0.0.5:5000":');
    expect(stdout).toMatch(/nothing to do: everything is set up[\s\S]*\ngone\nrefused\nuntouched\n$/);
    expect(stderr).toMatch(/registries\.yaml: exists, .*; add below "mirrors" in it: .*\[output-exists\]/);
  });

  test('that finds something of somebody else in the place of its unit changes nothing', async (context) => {
    if (process.getuid?.() !== 0) context.skip('needs root');
    const unit = '/etc/systemd/system/solpack-serve.service';
    const setup = `${solpack} setup --yes --key release.pub -q --serve || ls -A /etc/solpack /var/lib/solpack 2>/dev/null || echo untouched`;
    const steps = `mkdir -p /run/systemd/system
echo '[Unit]' >${unit}
${setup}
cat ${unit}
ln -sf /dev/null ${unit}
${setup}
readlink ${unit}
rm ${unit}`;
    const { stdout, stderr } = await run('unshare', withOwnSystem(k3s, steps), { cwd: folder });
    expect(stdout).toBe('untouched\n[Unit]\nuntouched\n/dev/null\n');
    expect(stderr.match(/solpack-serve\.service: exists, .*\[output-exists\]/g)).toHaveLength(2);
  });

  test('whose /etc may not be written says so, and leaves nothing that is not taken back', async (context) => {
    if (process.getuid?.() !== 0) context.skip('needs root');
    const steps = `mount -o remount,bind,ro /etc
${solpack} setup --yes --key release.pub -q || echo refused
${solpack} setup --undo --yes -q
ls -A /var/lib
mount -o remount,bind,rw /etc
${solpack} setup --yes --key release.pub -q
mount -o remount,bind,ro /etc
${solpack} setup --undo --yes -q || echo kept
mount -o remount,bind,rw /etc
${solpack} setup --undo --yes -q
ls -Ad /etc/solpack /var/lib/solpack 2>/dev/null || echo gone`;
    const { stdout, stderr } = await run('unshare', withOwnSystem(k3s, steps), { cwd: folder });
    expect(stdout).toMatch(/^refused\n[\s\S]*\nkept\n[\s\S]*\ngone\n$/);
    expect(stderr).toMatch(/read-only file system.*\[output-unwritable\]/);
  });

  test('lists helm and kubectl of the archive that is named, and of one in the folder', async (context) => {
    if (process.getuid?.() !== 0) context.skip('needs root');
    const keep = ['--with-installer', '--installer-from', 'programs'];
    mkdirSync(at('stick'));
    await succeeds(['pack', 'hello', '-o', 'stick/hello.iso', ...keep], { cwd: folder });
    const plan = `PATH=/none ${solpack} setup --plan --key ${at('release.pub')} -q`;
    const steps = `${plan} stick/hello.iso\ncd stick\n${plan} --json`;
    const { stdout, stderr } = await run('unshare', withOwnSystem(k3s, steps), { cwd: folder });
    expect(stderr).toBe('');
    const platform = process.arch === 'arm64' ? 'linux-arm64' : 'linux-amd64';
    expect(stdout).toMatch(
      new RegExp(`^  helm +bin/${platform}/helm in \\S+/stick/hello\\.iso, which installs use from there$`, 'm'),
    );
    const { machine } = JSON.parse(stdout.trim().split('\n').at(-1)!);
    expect(machine.programs).toContainEqual({
      name: 'kubectl',
      medium: { archive: at('stick/hello.iso'), path: `bin/${platform}/kubectl` },
    });
  });

  test('that is to undo asks on a terminal, and does nothing before yes', async (context) => {
    if (process.getuid?.() !== 0) context.skip('needs root');
    const answered = (word: string): string =>
      `echo ${word} | NO_COLOR=1 script -qec '${solpack} setup --undo -q' /dev/null`;
    const steps = `${solpack} setup --yes --key release.pub -q >/dev/null
${answered('n')} || test $? -eq 2
ls /etc/solpack/release.pub
${answered('y')}
ls -A /etc/solpack /var/lib/solpack 2>/dev/null || echo gone
${solpack} setup --undo --yes -q`;
    const { code, stdout } = await run('unshare', withOwnSystem(k3s, steps), { cwd: folder });
    expect([code, stdout]).toEqual([
      0,
      expect.stringMatching(/to take back +\S+\/release\.pub[\s\S]*Take this back\? \[y\/N\] /),
    ]);
    expect(stdout).toMatch(/nothing was changed\r?\n\/etc\/solpack\/release\.pub\n[\s\S]*taken back [\s\S]*\ngone\n/);
    expect(stdout).toMatch(/nothing to take back: "solpack setup" has done nothing here\n$/);
  });

  const kubeadm = `mkdir -p /etc/kubernetes /var/lib/kubelet
touch /etc/kubernetes/kubelet.conf
echo 'KUBELET_KUBEADM_ARGS="--container-runtime-endpoint=unix:///run/containerd/containerd.sock"' > /var/lib/kubelet/kubeadm-flags.env
mkdir -p /run/bin; printf '#!/bin/sh\\n' > /run/bin/podman; chmod +x /run/bin/podman`;

  test('of a node whose containerd is stopped says so, and proposes no other store', async (context) => {
    if (process.getuid?.() !== 0) context.skip('needs root');
    const setup = `PATH=/run/bin:$PATH ${solpack} setup --yes --key release.pub -q`;
    const { code, stderr } = await run('unshare', withOwnSystem(kubeadm, setup), { cwd: folder });
    expect([code, stderr]).toEqual([
      2,
      expect.stringMatching(
        /finds that containerd, .* does not run: .*; systemctl start containerd, .*\[usage-invalid\]/,
      ),
    ]);
    const asked = await run('unshare', withOwnSystem(kubeadm, `${setup} --registry https://r.example.com`), {
      cwd: folder,
    });
    expect([asked.code, asked.stdout]).toEqual([
      0,
      expect.stringContaining('does not run; systemctl start containerd'),
    ]);
  });

  test('of a node asks for a key', async (context) => {
    if (process.getuid?.() !== 0) context.skip('needs root');
    const { code, stderr } = await run('unshare', withOwnSystem(k3s, `${solpack} setup --yes -q`), { cwd: folder });
    expect([code, stderr]).toEqual([3, expect.stringContaining('[trust-required]')]);
    const look = await run('unshare', withOwnSystem(k3s, `${solpack} setup --plan`), { cwd: folder });
    expect([look.code, look.stderr]).toEqual([
      0,
      expect.stringContaining('note: setup: names no key and no policy yet'),
    ]);
    expect(look.stdout).toContain('images are put into the folder of k3s');
  });
});
