import { chmodSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { smallSolution, succeeds, writeFiles } from '../support/cli.ts';
import { solpackHere } from '../support/here.ts';
import { type Outcome, run, scratch } from '../support/judges.ts';
import { giveAway, NEIGHBOUR, neighbourTest } from '../support/neighbour.ts';

const folder = scratch('profile');
const at = (...names: string[]): string => join(folder, ...names);
const bin = join(import.meta.dirname, '../../cli/bin.js');
const profile = at('etc/profile.toml');
const solpack = (args: readonly string[], env: Record<string, string> = {}, cwd = folder): Promise<Outcome> =>
  solpackHere(args, { cwd, env: { SOLPACK_PROFILE: profile, ...env } });

beforeAll(async () => {
  await smallSolution(at('hello'));
  await succeeds(['keygen', '-o', 'k'], { cwd: folder });
  await succeeds(['keygen', '-o', 'other'], { cwd: folder });
  await succeeds(['pack', 'hello', '-o', 'hello.iso', '--sign', 'k.key'], { cwd: folder });
  const head = 'apiVersion: solutions.metalk8s.scality.com/v1alpha1\nkind: SolutionsConfiguration\n';
  writeFiles(folder, { 'etc/solutions.yaml': `${head}archives: [../hello.iso]\nactive: {hello: latest}\n` });
});

beforeEach(() => writeFiles(folder, { 'etc/profile.toml': 'configuration = "solutions.yaml"\nkeys = ["../k.pub"]\n' }));

describe('a profile', () => {
  neighbourTest('of somebody who is not root is their own, and so is its configuration', async () => {
    const home = at('theirs-home');
    mkdirSync(home);
    chmodSync(folder, 0o755);
    giveAway(home);
    const own = ['--reuid', String(NEIGHBOUR), '--regid', String(NEIGHBOUR), '--clear-groups', process.execPath];
    const theirs = (...args: string[]) => run('setpriv', [...own, bin, ...args], { cwd: folder, env: { HOME: home } });
    if (existsSync('/etc/solpack')) return;
    expect((await theirs('profile', 'set', 'keys', 'k.pub')).stdout).toContain(`profile ${home}/.config/solpack/`);
    expect((await theirs('profile')).stdout).toContain(`${home}/.config/solpack/solutions.yaml  default`);
    const { code, stderr } = await theirs('import', 'hello.iso', '-q');
    expect([code, stderr]).toEqual([0, '']);
    expect(readFileSync(join(home, '.config/solpack/solutions.yaml'), 'utf8')).toContain('hello.iso');
  });

  test('says for commands what no flag says, with paths that are relative to it', async () => {
    const installed = await solpack(['install', '--render', 'out', '--trust-state', 'state', '--quiet']);
    expect([installed.code, installed.stderr]).toEqual([0, '']);
    expect((await solpack(['verify', 'hello.iso', '--quiet'])).stdout).toContain('signed by');
    expect((await solpack(['verify', 'hello.iso', '--quiet', '--no-profile'])).stdout).toContain(
      'intact, not verified',
    );
  });

  test('gives way to a flag, and to one that says something else in its place', async () => {
    const other = await solpack(['verify', 'hello.iso', '--key', 'other.pub', '--quiet']);
    expect([other.code, other.stdout + other.stderr]).toEqual([3, expect.stringContaining('signature-untrusted')]);
    const none = ['install', '--render', 'skipped', '--trust-state', 'state', '--insecure-skip-verify'];
    expect((await solpack(none)).stderr).toContain('as --insecure-skip-verify says');
    const elsewhere = await solpack(['install', '-f', 'absent.yaml', '--render', 'out', '--quiet']);
    expect(elsewhere.stderr).toContain('absent.yaml');
  });

  test('names the cluster as a flag does, and the command that changes it says which one that is', async () => {
    writeFileSync(profile, `kubeconfig = "admin.conf"\n${readFileSync(profile, 'utf8')}`);
    const { stderr } = await solpack([
      'install',
      '--trust-state',
      'state',
      '--served-at',
      'http://127.0.0.1:1',
      '--yes',
    ]);
    expect(stderr).toContain(`note: the cluster is that of ${at('etc/admin.conf')}, as ${profile}:1 says\n`);
    expect(stderr).toContain('[file-missing]');
    expect((await solpack(['rollback', 'default'])).stderr).toContain('admin.conf');
    expect((await solpack(['install', '--render', 'out', '--trust-state', 'state', '--quiet'])).code).toBe(0);
  });

  test('says what is served, unless archives or a store are named', async () => {
    const print = ['serve', '--print-config', 'containerd'];
    const served = await solpack(print);
    expect([served.code, served.stderr]).toEqual([0, '']);
    expect((await solpack([...print, '--no-profile'])).stderr).toContain('nothing to serve');
    writeFileSync(profile, 'configuration = "absent.yaml"\n');
    expect((await solpack(print)).stderr).toContain('absent.yaml');
    for (const own of [['hello.iso'], ['--store', 'store']]) {
      const { code, stderr } = await solpack([...print, ...own]);
      expect([code, stderr]).toEqual([0, '']);
    }
  });

  test('names the servers that a node joins, which those of flags replace, and the folder of mirrors', async () => {
    writeFileSync(profile, '[images]\nserve = "http://127.0.0.1:1"\nhosts-dir = "../certs.d"\n');
    const join = ['join-mirror', '--registry', 'docker.io'];
    expect((await solpack(join)).stderr).toContain('127.0.0.1:1');
    for (const flag of ['--served-at', '--server']) {
      const { stderr } = await solpack([...join, flag, 'http://127.0.0.1:2']);
      expect([stderr.includes('127.0.0.1:2'), stderr.includes('127.0.0.1:1')], stderr).toEqual([true, false]);
    }
    const left = await solpack(['leave-mirror', '--json']);
    expect(JSON.parse(left.stdout).hostsDir).toBe(at('certs.d'));
  });

  test('names the policy of "trust show", and says nothing to the other actions', async () => {
    writeFileSync(profile, 'policy = "absent.toml"\n');
    expect((await solpack(['trust', 'show', '--trust-state', 'state'])).stderr).toContain('absent.toml');
    const signed = await solpack(['trust', 'sign', 'etc/solutions.yaml', '--private-key', 'k.key']);
    expect(signed.stderr).not.toContain('--policy');
  });

  test('says for a support bundle and for an agent what it says for an install', async () => {
    writeFileSync(
      profile,
      'configuration = "solutions.yaml"\n[images]\ncontainerd = "c.sock"\nimage-store = "store"\n',
    );
    const refused = { code: 2, stderr: expect.stringContaining('--containerd: contradicts --image-store') };
    expect(await solpack(['support-bundle', '-o', 'b.tar.gz', '--trust-state', 'state'])).toMatchObject(refused);
    writeFileSync(profile, 'kubeconfig = "admin.conf"\n[images]\nserve = "http://127.0.0.1:1"\n');
    const agent = await solpack(['agent', 'edge', '--key', 'k.pub', '--trust-state', 'state']);
    expect([agent.code, agent.stderr]).toEqual([2, expect.stringContaining(at('etc/admin.conf'))]);
    const printed = await solpack(['agent', 'edge', '--manifests', '--key', 'k.pub']);
    expect([printed.code, printed.stderr]).toEqual([2, expect.stringContaining('needs a place that nodes can pull')]);
  });

  test('is reported with line and column where it says what cannot be', async () => {
    writeFileSync(profile, `${readFileSync(profile, 'utf8')}[install]\n  timeout = "1 parsec"\n`);
    const { code, stderr } = await solpack(['install', '--render', 'out']);
    expect([code, stderr]).toEqual([
      2,
      expect.stringMatching(/etc\/profile\.toml:4:3: install\.timeout: .*\[profile-invalid\]/),
    ]);
  });

  test('that two checks refuse is reported once, and what is no file with advice that fits it', async () => {
    writeFileSync(profile, '[install]\nkeep-generations = 1e99\n');
    const { stderr } = await solpack(['profile']);
    expect(stderr.match(/has to be at most/g)).toHaveLength(1);
    const folderNamed = await solpack(['profile', '--profile', 'etc']);
    expect(folderNamed.stderr).toMatch(/etc: is not a file; name a file, or give --no-profile \[profile-unsafe\]/);
  });

  test('is reported with line and column where what it names cannot be used', async () => {
    writeFileSync(profile, 'configuration = "solutions.yaml"\nkeys = [\n  "../gone.pub",\n]\n');
    const { code, stderr } = await solpack(['verify', 'hello.iso', '--quiet']);
    const place = `${profile}:2:1`;
    expect([code, stderr]).toEqual([2, expect.stringContaining(`gone.pub: no such file or folder; ${place} names it`)]);
    const flag = await solpack(['verify', 'hello.iso', '--quiet', '--key', at('gone.pub')]);
    expect([flag.code, flag.stderr.includes(place)]).toEqual([2, false]);
  });

  test('is that of --profile, of SOLPACK_PROFILE, of the user, and never one of the working directory', async () => {
    mkdirSync(at('home/.config/solpack'), { recursive: true });
    for (const place of ['named.toml', 'home/.config/solpack/profile.toml', 'profile.toml', 'solpack.toml']) {
      writeFileSync(at(place), '');
    }
    const pathOf = async (args: readonly string[], env: Record<string, string>): Promise<string> =>
      JSON.parse((await solpack(['profile', '--json', ...args], env)).stdout).path;
    const home = { HOME: at('home'), XDG_CONFIG_HOME: '' };
    expect(await pathOf(['--profile', 'named.toml'], home)).toBe(at('named.toml'));
    expect(await pathOf([], home)).toBe(profile);
    expect(await pathOf([], { ...home, SOLPACK_PROFILE: '' })).toBe(at('home/.config/solpack/profile.toml'));
    expect(await pathOf([], { HOME: at('nowhere'), SOLPACK_PROFILE: '' })).toBe('/etc/solpack/profile.toml');
    // A relative path in the variable would be one of the working directory.
    for (const relative of [{ XDG_CONFIG_HOME: 'home/.config' }, { XDG_CONFIG_HOME: '', HOME: 'home' }]) {
      const env = { HOME: at('nowhere'), ...relative, SOLPACK_PROFILE: '' };
      expect(await pathOf([], env)).toBe('/etc/solpack/profile.toml');
    }
    const named = await solpack(['verify', 'hello.iso', '--profile', 'absent.toml']);
    expect([named.code, named.stderr]).toEqual([2, expect.stringContaining('[file-missing]')]);
  });

  test('that others may write to, or exchange, is refused by its name', async () => {
    const refused = async (): Promise<string> => (await solpack(['verify', 'hello.iso', '--quiet'])).stderr;
    chmodSync(profile, 0o666);
    expect(await refused()).toMatch(/etc\/profile\.toml: may be written by others.*\[profile-unsafe\]/);
    chmodSync(profile, 0o644);
    chmodSync(at('etc'), 0o777);
    expect(await refused()).toMatch(/etc may be changed by others.*\[profile-unsafe\]/);
    chmodSync(at('etc'), 0o755);
    expect(await refused()).toBe('');
  });

  neighbourTest('of somebody else is refused, also behind a link of theirs', async () => {
    writeFileSync(at('theirs.toml'), '');
    giveAway(at('theirs.toml'));
    const refused = async (name: string): Promise<string> =>
      (await solpack(['verify', 'hello.iso', '--profile', name, '--quiet'])).stderr;
    expect(await refused('theirs.toml')).toMatch(/belongs to user 65534.*\[profile-unsafe\]/);
    mkdirSync(at('shared'), { mode: 0o777 });
    chmodSync(at('shared'), 0o777);
    symlinkSync(profile, at('shared/link.toml'));
    expect(await refused('shared/link.toml')).toMatch(/shared may be changed by others.*\[profile-unsafe\]/);
    symlinkSync(at('shared/link.toml'), at('chain.toml'));
    expect(await refused('chain.toml')).toMatch(/shared may be changed by others.*\[profile-unsafe\]/);
  });
});

describe('solpack profile', () => {
  test('prints what is set, from which line, and what could be', async () => {
    const { stdout } = await solpack(['profile']);
    expect(stdout).toContain(
      `profile ${profile}\n  configuration                solutions.yaml  line 1\n  keys                         ../k.pub        line 2\n`,
    );
    expect(stdout).toMatch(/^ {2}install\.timeout +5m +default$/m);
    expect(stdout).toContain('not set\n  kubeconfig ');
  });

  test('names the flag as the source of what one says, and what that leaves without effect', async () => {
    writeFileSync(profile, `${readFileSync(profile, 'utf8')}[images]\nserve = "http://127.0.0.1:1"\n`);
    const given = [
      '--key',
      'other.pub',
      '--kubeconfig',
      'admin.conf',
      '--registry',
      'http://127.0.0.1:2',
      '--timeout',
      '1m',
    ];
    const { stdout, stderr } = await solpack(['profile', ...given]);
    expect(stderr).toBe('');
    expect(stdout).toMatch(/^ {2}keys +\S+\/other\.pub +flag --key, instead of line 2$/m);
    expect(stdout).toMatch(/^ {2}kubeconfig +\S+\/admin\.conf +flag --kubeconfig$/m);
    expect(stdout).toMatch(/^ {2}images\.serve +http:\/\/127\.0\.0\.1:1 +line 4, without effect beside --registry$/m);
    expect(stdout).toMatch(/^ {2}install\.timeout +1m +flag --timeout$/m);
    const { settings } = JSON.parse((await solpack(['profile', ...given, '--json'])).stdout);
    const sources = Object.fromEntries(settings.map(({ key, source }: Record<string, string>) => [key, source]));
    expect(sources).toMatchObject({
      configuration: 'profile',
      kubeconfig: 'flag',
      keys: 'flag',
      'install.keep-generations': 'default',
    });
    expect(sources['images.hosts-dir']).toBeUndefined();
  });

  test('refuses a flag with a value that no command takes, and one beside "set"', async () => {
    const bad = await solpack(['profile', '--timeout', '1 parsec']);
    expect([bad.code, bad.stderr]).toEqual([2, expect.stringContaining('--timeout')]);
    const set = await solpack(['profile', 'set', 'keys', 'k.pub', '--kubeconfig', 'admin.conf']);
    expect([set.code, set.stderr]).toEqual([2, expect.stringContaining('--kubeconfig: is not for "profile set"')]);
  });

  test('sets one, relative to where it is typed, and makes the file where there is none', async () => {
    const set = await solpack(['profile', 'set', 'keys', 'k.pub, other.pub', '--profile', 'new/profile.toml']);
    expect([set.code, set.stderr]).toEqual([0, '']);
    expect(readFileSync(at('new/profile.toml'), 'utf8')).toBe(
      `#:schema .solpack/schemas/profile.schema.json\nkeys = ["${at('k.pub')}", "${at('other.pub')}"]\n`,
    );
    expect(JSON.parse(readFileSync(at('new/.solpack/schemas/profile.schema.json'), 'utf8'))).toHaveProperty(
      'properties',
    );
    const meant = await solpack(['profile', 'set', 'kubeconfg', 'a']);
    expect(meant.stderr).toContain('did you mean kubeconfig?');
    expect((await solpack(['profile', 'set', 'kubeconfig'])).stderr).toContain('needs a setting and its value');
    expect((await solpack(['profile', 'unset', 'keys', 'a'])).stderr).toContain('needs a setting, and no value');
  });

  test('unsets one, and makes no file for that', async () => {
    expect((await solpack(['profile', 'unset', 'keys'])).stdout).toMatch(/keys +public keys/);
    expect(readFileSync(profile, 'utf8')).toBe('configuration = "solutions.yaml"\n');
    expect((await solpack(['profile', 'unset', 'keys', '--profile', 'none.toml'])).code).toBe(0);
    expect(existsSync(at('none.toml'))).toBe(false);
  });
});
