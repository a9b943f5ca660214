import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { release } from 'node:os';
import { join } from 'node:path';
import { beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { roomFound as judgedDisk } from '../../../../lib/flows/doctor/checks/disk.ts';
import { remember } from '../../../../lib/parts/trust/memory.ts';
import { smallSolution, succeeds, writeFiles } from '../../../support/cli.ts';
import { head } from '../../../support/configurations.ts';
import { foundBy } from '../../../support/doctor.ts';
import { testFlow } from '../../../support/flow.ts';
import { writePrograms } from '../../../support/installer.ts';
import { find, judged, scratch } from '../../../support/judges.ts';

const top = scratch('doctor-machine');
const packed = join(top, 'packed');
let folder: string;
let count = 0;
const at = (...names: string[]): string => join(folder, ...names);
const hint = expect.any(String);

/** Two of a Solution that asks for kubectl; one of them brings it, and was made in 2100. */
beforeAll(async () => {
  await smallSolution(join(packed, 'hello'));
  writeFiles(packed, { 'hello/web/kustomization.yaml': 'resources: [pod.yaml]\n' });
  const toml = join(packed, 'hello/solution.toml');
  const text = readFileSync(toml, 'utf8');
  writeFileSync(toml, text.replace('kind = "manifests"\npath = "web"', 'kind = "kustomize"\npath = "web"'));
  writePrograms(join(packed, 'programs'));
  await succeeds(['pack', 'hello', '-o', 'bare.iso'], { cwd: packed, env: { SOURCE_DATE_EPOCH: '1700000000' } });
  await succeeds(['pack', 'hello', '-o', 'full.iso', '--with-installer', '--installer-from', 'programs'], {
    cwd: packed,
    env: { SOURCE_DATE_EPOCH: '4102444800' },
  });
});

beforeEach(() => {
  count += 1;
  folder = join(top, String(count));
  mkdirSync(at('etc'), { recursive: true });
  mkdirSync(at('bin'));
});

const configure = (...archives: string[]): void =>
  writeFileSync(
    at('etc/solutions.yaml'),
    `${head}archives: ${JSON.stringify(archives.map((one) => join(packed, one)))}\n`,
  );

/** A flow that finds the programs of this machine's `bin` alone. */
const flow = (programs: Readonly<Record<string, string>> = {}): ReturnType<typeof testFlow> => {
  for (const [name, script] of Object.entries(programs)) {
    writeFileSync(at('bin', name), `#!/bin/sh\n${script}\n`);
    chmodSync(at('bin', name), 0o755);
  }
  return { ...testFlow(), host: { path: [at('bin')], temp: folder } };
};

describe('programs', () => {
  const programs = (profile = '', purposes: ('pack' | 'install')[] = ['install'], own = flow()) =>
    foundBy('program', folder, profile, { purposes }, own);

  judged('are found with their versions', ['helm', 'kubectl'], async () => {
    const versions = await foundBy('program', folder, '', { purposes: ['pack'] }, testFlow());
    expect(versions.slice(0, 2)).toMatchObject([
      { state: 'ok', subject: 'helm', message: expect.stringMatching(/^v[34]\.\d+/) },
      { state: 'ok', subject: 'kubectl', message: expect.stringContaining(find('kubectl')!) },
    ]);
  });

  test('that are not there are told of, as nobody knows whether something needs them', async () => {
    for (const purposes of [['pack'], ['install']] as const) {
      const found = await programs('', [...purposes]);
      expect(found.slice(0, 2)).toMatchObject([
        { state: 'warns', subject: 'helm', hint },
        { state: 'warns', subject: 'kubectl', hint },
      ]);
    }
  });

  test('that an archive needs fail, unless it brings them', async () => {
    configure('bare.iso');
    expect(await programs()).toMatchObject([
      { state: 'ok', subject: 'helm', message: expect.stringContaining('no archive of the configuration needs it') },
      { state: 'fails', subject: 'kubectl', message: expect.stringContaining('hello 1.0.0 needs it'), hint },
    ]);
    configure('full.iso');
    expect((await programs())[1]).toMatchObject({ state: 'ok', message: `comes with ${join(packed, 'full.iso')}` });
  });

  test('of the way for images fail where they are not there', async () => {
    expect((await programs('[images]\nimage-store = "/store"\n')).at(-1)).toMatchObject({
      ...{ state: 'fails', subject: 'skopeo', hint },
    });
    expect((await programs('[images]\ncontainerd = "/run/c.sock"\n')).at(-1)).toMatchObject({
      ...{ state: 'fails', subject: 'ctr', hint },
    });
  });

  test('that are too old, or cannot be run, fail', async () => {
    const own = flow({ helm: 'echo v2.17.0+ga690bad', kubectl: 'exit 1', git: 'echo no number' });
    expect(await programs('', ['pack'], own)).toMatchObject([
      { state: 'fails', message: expect.stringContaining('is v2.17.0+ga690bad, but at least 3 is needed'), hint },
      { state: 'fails', message: expect.stringContaining('cannot be run: ended with 1'), hint },
      { state: 'ok', message: expect.stringContaining('of an unknown version') },
    ]);
    writeFileSync(at('bin/helm'), '#!/nowhere/at/all\n');
    expect((await programs('', ['pack'], own))[0]).toMatchObject({ state: 'fails', hint });
  });
});

describe('rights', () => {
  test('are there for folders that can be written, or made', async () => {
    const found = await foundBy('rights', folder, '[images]\nhosts-dir = "/etc/not/there/yet"\n', {
      folder: at('etc'),
    });
    if (process.getuid?.() !== 0) return;
    expect(found.map(({ state }) => state)).toEqual(found.map(() => 'ok'));
  });

  test('lack where a file is in the way', async () => {
    writeFileSync(at('state'), '');
    const found = await foundBy('rights', folder, '');
    expect(found.filter(({ state }) => state === 'fails')).toMatchObject([
      {
        subject: at('state/trust'),
        message: expect.stringContaining('is not a folder'),
        hint: `move ${at('state')} away`,
      },
    ]);
  });

  test('to the socket of containerd are there where somebody listens at it', async () => {
    const socket = at('c.sock');
    const profile = `[images]\ncontainerd = "${socket}"\n`;
    const last = async (): Promise<unknown> => (await foundBy('rights', folder, profile)).at(-1);
    expect(await last()).toMatchObject({ state: 'fails', subject: socket, hint: 'systemctl restart containerd' });
    const server = createServer();
    onTestFinished(() => void server.close());
    await new Promise<void>((listening) => server.listen(socket, listening));
    expect(await last()).toMatchObject({ state: 'ok', subject: socket });
  });
});

describe('a disk', () => {
  const GIB = 2 ** 30;
  const judgedBy = (free: number, more: object = {}, coming = 0): unknown =>
    judgedDisk({ path: '/srv', what: 'archives', coming }, { free, isOutOfFiles: false, ...more });

  test('is good with room, and told of where that is scarce, or no file may have 4 GiB', () => {
    expect(judgedBy(2 * GIB)).toMatchObject({ state: 'ok', message: '2.0 GiB are free for archives' });
    expect(judgedBy(GIB / 2)).toMatchObject({ state: 'warns', hint });
    expect(judgedBy(GIB / 32)).toMatchObject({
      state: 'fails',
      message: '32.0 MiB are free for archives: remove what takes most space',
      hint,
    });
    expect(judgedBy(64 * GIB, { largest: 2 ** 32 - 1 })).toMatchObject({
      ...{ state: 'warns', message: expect.stringContaining('FAT32'), hint: expect.stringContaining('exFAT') },
    });
    expect(judgedBy(2 * GIB, {}, 3 * GIB)).toMatchObject({
      state: 'warns',
      message: expect.stringContaining('3.0 GiB'),
    });
    expect(judgedBy(2 * GIB, { isOutOfFiles: true })).toMatchObject({ state: 'fails', hint });
    expect(judgedDisk({ path: '/srv', what: 'archives' }, undefined)).toMatchObject({ state: 'unknown' });
  });

  test('is looked at where archives, images and temporary files are written', async () => {
    const profile = '[images]\nimage-folder = "k3s"\n';
    const found = await foundBy('disk', folder, profile, { purposes: ['pack', 'install'] });
    expect(found.map(({ subject }) => subject)).toEqual([folder, '/var/lib/rancher/k3s/agent/images', at('state')]);
  });
});

describe('the clock', () => {
  const clock = (seconds: number) => foundBy('clock', folder, '', { clock: seconds });

  test('is compared with the newest archive', async () => {
    expect(await clock(1_800_000_000)).toMatchObject([{ state: 'skipped' }]);
    configure('bare.iso');
    expect(await clock(1_800_000_000)).toMatchObject([{ state: 'ok' }]);
    configure('bare.iso', 'full.iso');
    expect(await clock(1_800_000_000)).toMatchObject([
      {
        state: 'fails',
        subject: '2027-01-15T08:00:00Z',
        message: `the clock lags behind: ${join(packed, 'full.iso')} is of 2100-01-01T00:00:00Z`,
        hint: expect.stringContaining('date -u -s "2100-01-01T00:00:00Z"'),
      },
    ]);
  });

  test('is compared with what was installed here', async () => {
    await remember(at('state/trust'), [{ name: 'shop', sequence: 1, created: 1_750_000_000 }]);
    expect(await clock(1_800_000_000)).toMatchObject([{ state: 'ok' }]);
    expect(await clock(1_740_000_000)).toMatchObject([{ state: 'fails', message: expect.stringContaining('of shop') }]);
    writeFileSync(at('state/trust/memory.json'), '{}');
    expect(await clock(1_800_000_000)).toMatchObject([{ state: 'fails', hint }]);
  });
});

describe('iso9660', () => {
  const iso = (files: Readonly<Record<string, string>>, own = flow()) => {
    writeFiles(folder, files);
    return foundBy('iso9660', folder, '', {}, own);
  };

  test('is told of where neither the kernel nor a program reads it', async () => {
    const files = { 'root/proc/filesystems': 'nodev\ttmpfs\n\text4\n' };
    expect(await iso(files)).toMatchObject([{ state: 'warns', hint: expect.stringContaining('modprobe isofs') }]);
    expect(await iso(files, flow({ fuseiso: '' }))).toMatchObject([{ state: 'warns' }]);
  });

  test.each([
    ['by the kernel', { 'root/proc/filesystems': 'nodev\ttmpfs\n\tiso9660\n' }],
    ['by a module', { [`root/lib/modules/${release()}/modules.dep`]: 'kernel/fs/isofs/isofs.ko.xz: kernel/x.ko\n' }],
    ['by a part of the kernel', { [`root/lib/modules/${release()}/modules.builtin`]: 'kernel/fs/isofs/isofs.ko\n' }],
    ['by fuseiso', { 'root/dev/fuse': '' }],
  ])('is read %s', async (_, files) => {
    expect(await iso(files, flow({ fuseiso: '' }))).toMatchObject([{ state: 'ok' }]);
  });
});

describe('systemd', () => {
  const own = '[images]\nserve = "http://127.0.0.1:1"\n';
  const runs = { 'root/run/systemd/system/.keep': '' };
  const unit = { ...runs, 'root/etc/systemd/system/solpack-serve.service': '' };
  const systemd = (profile: string, files: Readonly<Record<string, string>>, systemctl = 'exit 0') => {
    writeFiles(folder, files);
    return foundBy('systemd', folder, profile, {}, flow({ systemctl }));
  };

  test('is needed by the "serve" of this machine alone', async () => {
    expect(await systemd('', {})).toMatchObject([{ state: 'ok', message: expect.stringContaining('does not run') }]);
    expect(await systemd(own, {})).toMatchObject([{ state: 'warns', hint }]);
    expect(await systemd('', runs)).toMatchObject([{ state: 'ok', message: 'runs' }]);
    expect(await systemd(own, runs)).toMatchObject([{ state: 'warns', hint: 'solpack setup --serve' }]);
  });

  test('keeps the service running, or does not', async () => {
    expect(await systemd(own, unit)).toMatchObject([{ state: 'ok' }]);
    expect(await systemd(own, unit, '[ "$1" != is-active ]')).toMatchObject([
      { state: 'fails', hint: 'systemctl start solpack-serve.service' },
    ]);
    expect(await systemd(own, unit, '[ "$1" != is-enabled ]')).toMatchObject([
      { state: 'warns', hint: 'systemctl enable solpack-serve.service' },
    ]);
  });
});
