import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { smallSolution, succeeds, writeFiles } from '../../../support/cli.ts';
import { head } from '../../../support/configurations.ts';
import { examined, foundBy } from '../../../support/doctor.ts';
import { scratch } from '../../../support/judges.ts';

const top = scratch('doctor-profile');
const packed = join(top, 'packed');
let folder: string;
let count = 0;

beforeAll(async () => {
  await smallSolution(join(packed, 'hello'));
  await succeeds(['keygen', '-o', 'k'], { cwd: packed });
  await succeeds(['pack', 'hello', '-o', 'hello.iso'], { cwd: packed });
});

beforeEach(() => {
  count += 1;
  folder = join(top, String(count));
  mkdirSync(join(folder, 'etc'), { recursive: true });
});

describe('what a machine is there for', () => {
  test.each([
    ['packs', '', {}, ['pack']],
    ['packs, where its profile has keys alone', 'keys = ["k.pub"]\n', {}, ['pack']],
    ['installs, where its profile has a cluster', 'kubeconfig = "admin.conf"\n', {}, ['install']],
    ['installs, where it has Kubernetes', '', { 'root/etc/rancher/k3s/k3s.yaml': '' }, ['install']],
    ['serves too, if it serves itself', '[images]\nserve = "http://127.0.0.1:1"\n', {}, ['serve', 'install']],
    ['does not, if another one serves', '[images]\nserve = "http://other.invalid:1"\n', {}, ['install']],
  ])('is reported by its profile and its Kubernetes: it %s', async (_, profile, files, purposes) => {
    writeFiles(folder, files);
    expect((await examined(folder, profile, { purposes: undefined })).purposes).toEqual(purposes);
  });
});

describe('the profile', () => {
  test('is good where nobody else may change it, and else is refused, and nothing else fails by it', async () => {
    expect(await foundBy('profile', folder, '')).toMatchObject([{ state: 'ok' }]);
    chmodSync(join(folder, 'etc'), 0o777);
    const { checks, purposes } = await examined(folder, 'keys = ["absent.pub"]\n', { purposes: undefined });
    expect(purposes).toEqual(['install']);
    expect(checks.filter(({ state }) => state === 'fails')).toMatchObject([
      { code: 'profile', message: expect.stringContaining('may be changed by others'), hint: expect.any(String) },
    ]);
  });

  test('that is no profile fails at its position', async () => {
    const [finding] = await foundBy('profile', folder, 'kubeconfg = 1\n');
    expect(finding).toMatchObject({ state: 'fails', message: expect.stringContaining('profile.toml:1:1') });
  });

  test('that is not there is needed by nobody who packs, and fails where it was named', async () => {
    expect(await foundBy('profile', folder, undefined, { purposes: ['pack'] })).toEqual([]);
    expect(await foundBy('profile', folder, undefined)).toMatchObject([
      { state: 'skipped', hint: expect.stringContaining('solpack setup') },
    ]);
    const named = { path: join(folder, 'absent.toml'), named: true };
    expect(await foundBy('profile', folder, undefined, { profile: named })).toMatchObject([{ state: 'fails' }]);
  });
});

describe('trust', () => {
  const hint = expect.any(String);

  test('is good where keys and policies can be read, and fails where they cannot', async () => {
    expect(await foundBy('trust', folder, `keys = ["${packed}/k.pub"]\n`)).toMatchObject([{ state: 'ok' }]);
    expect(await foundBy('trust', folder, `keys = ["${packed}/k.key", "absent.pub"]\n`)).toMatchObject([
      { state: 'fails', message: expect.stringContaining('private key'), hint },
      { state: 'fails', subject: join(folder, 'etc/absent.pub'), hint },
    ]);
    expect(await foundBy('trust', folder, 'policy = "profile.toml"\n')).toMatchObject([{ state: 'fails', hint }]);
  });

  test('has to be said for an install', async () => {
    expect(await foundBy('trust', folder, '')).toMatchObject([{ state: 'fails', hint }]);
    expect(await foundBy('trust', folder, '', { purposes: ['serve'] })).toEqual([]);
  });
});

describe('the configuration', () => {
  const write = (text: string): void => writeFileSync(join(folder, 'etc/solutions.yaml'), head + text);

  test('is good where its archives can be opened, and tells of each that cannot', async () => {
    write(`archives: [${packed}/hello.iso]\n`);
    expect(await foundBy('configuration', folder, '')).toMatchObject([
      { state: 'ok', message: expect.stringContaining('1 of 1 archives') },
    ]);
    writeFileSync(join(folder, 'etc/broken.iso'), 'nothing');
    write(`archives: [${packed}/hello.iso, broken.iso, gone.iso, "https://127.0.0.1:1/remote.iso"]\n`);
    expect(await foundBy('configuration', folder, '')).toMatchObject([
      { state: 'ok', message: expect.stringMatching(/1 of 3 archives .*, 1 on servers that were not asked/) },
      { state: 'fails', subject: join(folder, 'etc/broken.iso'), hint: expect.any(String) },
      { state: 'fails', subject: join(folder, 'etc/gone.iso'), hint: expect.any(String) },
    ]);
  });

  test('fails where it cannot be read, once, and may be made by an install', async () => {
    expect(await foundBy('configuration', folder, '')).toMatchObject([{ state: 'skipped' }]);
    write('archives: 3\n');
    const { checks } = await examined(
      folder,
      `keys = ["${packed}/k.pub"]\n[images]\nregistry = "http://127.0.0.1:1"\n`,
    );
    const failed = checks.filter(({ state }) => state === 'fails').map(({ code }) => code);
    expect(failed).toEqual(['configuration', 'registry']);
  });
});

describe('the way for images', () => {
  test('is one, and fails where there is none, or more than one', async () => {
    expect(await foundBy('images', folder, '')).toMatchObject([{ state: 'fails', hint: 'solpack setup' }]);
    const one = '[images]\nimage-store = "/var/lib/images"\n';
    expect(await foundBy('images', folder, one)).toMatchObject([{ state: 'ok' }]);
    expect(await foundBy('images', folder, `${one}image-folder = "k3s"\n`)).toMatchObject([
      { state: 'fails', message: expect.stringContaining('images.image-folder, images.image-store') },
    ]);
    expect(await foundBy('images', folder, undefined)).toEqual([]);
  });

  test('of mirrors fails where containerd looks for them elsewhere, and says where', async () => {
    const server = createServer();
    onTestFinished(() => void server.close());
    const socket = join(folder, 'root/run/containerd/containerd.sock');
    const config = (path: string): void =>
      writeFiles(folder, {
        'root/run/containerd/.keep': '',
        'root/etc/containerd/config.toml': `version = 3\n[plugins."io.containerd.cri.v1.images".registry]\n${path}`,
      });
    config('');
    await new Promise<void>((listening) => server.listen(socket, listening));
    const profile = '[images]\nregistry = "http://127.0.0.1:1"\nhosts-dir = "/etc/containerd/certs.d"\n';
    expect(await foundBy('images', folder, profile)).toMatchObject([{ state: 'ok' }, { state: 'warns' }]);
    config('config_path = "/etc/elsewhere"\n');
    expect(await foundBy('images', folder, profile)).toMatchObject([
      { state: 'ok' },
      { state: 'fails', hint: 'solpack profile set images.hosts-dir /etc/elsewhere' },
    ]);
    config('config_path = "/etc/containerd/certs.d"\n');
    expect(await foundBy('images', folder, profile)).toMatchObject([{ state: 'ok' }, { state: 'ok' }]);
  });
});
