import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, type TestContext } from 'vitest';
import { removeCgroup } from '../../scripts/node/cgroups.ts';
import { type Running, starts, succeeds } from '../support/cli.ts';
import { ownContainerd } from '../support/containerd.ts';
import { judged, ok, scratch } from '../support/judges.ts';

const folder = scratch('runtimes');
const cwd = folder;
const file = (name: string): string => join(folder, name);
const archives = ['1.0.0.iso', '1.1.0.tar'];
const containerd = ownContainerd(folder);
/** Containers run in it, so that nothing of them is left. */
const cgroup = `solpack-runtimes-${process.pid}`;
/** The server of the example, which says its version and ends. */
const server = ['/bin/server', '--version'] as const;

let serving: Running;
let images: { reference: string; digest: string }[];

beforeAll(async () => {
  cpSync(join(import.meta.dirname, '../../fixtures/guestbook'), file('src'), { recursive: true });
  for (const name of archives) await succeeds(['pack', `src/${name.slice(0, 5)}`, '-o', name], { cwd });
  const inspected = await Promise.all(archives.map((name) => succeeds(['inspect', name, '--json'], { cwd })));
  images = inspected.flatMap((json) => JSON.parse(json).images);
  serving = await starts(['serve', ...archives, '--listen', '127.0.0.1:0'], { cwd });
});
afterAll(async () => {
  await serving?.stop();
  await removeCgroup(cgroup);
});

/** What `--print-config` prints for a runtime, in the place that its first line names, below `etc`. */
async function configured(runtime: string): Promise<string> {
  const listen = serving.first.replace('http://', '');
  const text = await succeeds(['serve', ...archives, '--listen', listen, '--print-config', runtime], { cwd });
  const [, place] = /^# (\/etc\/\S+)\n/.exec(text) ?? [];
  const path = file(`.${place}`);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  return path;
}

function needsRoot(context: TestContext): void {
  if (process.getuid?.() !== 0) context.skip('needs root');
}

describe('with what "serve --print-config" has printed', () => {
  judged('containerd pulls every image by its own name, and runs one', ['containerd'], async (context) => {
    needsRoot(context);
    const { ctr } = await containerd();
    const hosts = dirname(dirname(await configured('containerd')));
    expect(images).toHaveLength(4);
    for (const { reference, digest } of images) {
      await ctr('images', 'pull', '--hosts-dir', hosts, '--snapshotter', 'native', reference);
      expect(await ctr('images', 'list', `name==${reference}`)).toContain(digest);
      const asDigest = `${reference.replace(/:[^:]+$/, '')}@${digest}`;
      await ctr('images', 'pull', '--hosts-dir', hosts, '--snapshotter', 'native', asDigest);
    }
    const own = ['--snapshotter', 'native', '--cgroup', `/${cgroup}/containerd`];
    const run = ['run', '--rm', ...own, images[0]!.reference, 'server'];
    expect(await ctr(...run, ...server)).toMatch(/^\d+\.\d+\.\d+\n$/);
  });

  judged('podman pulls every image by its own name, and runs one', ['podman'], async (context) => {
    needsRoot(context);
    const env = { CONTAINERS_REGISTRIES_CONF: await configured('podman'), HOME: file('home') };
    const own = [
      ...['--root', file('podman/root'), '--runroot', file('podman/run'), '--tmpdir', file('podman/tmp')],
      ...['--storage-driver', 'vfs', '--cgroup-manager', 'cgroupfs', '--events-backend', 'file'],
    ];
    const podman = (...args: string[]): Promise<string> => ok('podman', [...own, ...args], { env });
    for (const { reference, digest } of images) {
      await podman('pull', '-q', reference);
      expect(JSON.parse(await podman('image', 'inspect', reference))[0].RepoDigests.join(' ')).toContain(digest);
    }
    // Where a machine has lower limits than podman's own, even root may not raise them.
    const limits = ['--ulimit', 'nofile=1024:1024', '--ulimit', 'nproc=1024:1024'];
    const [program, ...args] = server;
    const parent = ['--cgroup-parent', `/${cgroup}/podman`];
    const run = ['run', '--rm', '--pull', 'never', '--network', 'none', ...parent, ...limits, '--entrypoint', program];
    expect(await podman(...run, images[0]!.reference, ...args)).toMatch(/^\d+\.\d+\.\d+\n$/);
  });
});
