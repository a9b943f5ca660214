import { readFileSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect } from 'vitest';
import { sha256 } from '../../formats/digest.ts';
import { imageOf, type PlatformContent } from '../../scripts/image/assemble.ts';
import { writeOciArchive } from '../../scripts/images/archives.ts';
import { solpack, writeFiles } from '../support/cli.ts';
import { judged, ok, scratch } from '../support/judges.ts';

const folder = scratch('image');
const archive = join(folder, 'solpack.oci.tar');
const date = new Date('2026-01-31T00:00:00Z');

/** What the image is for an architecture, with a small program of this machine in the place of solpack. */
function contentFor(architecture: string, libraries: readonly string[], echo: Uint8Array): PlatformContent {
  const files = libraries.map((path) => ({
    path: path.slice(1),
    bytes: readFileSync(realpathSync(path)),
    mode: 0o755,
  }));
  const solpack = [
    { path: 'work', mode: 0o1777 },
    { path: 'usr/bin/solpack', bytes: echo, mode: 0o755 },
  ];
  return {
    architecture,
    layers: [
      { title: 'libraries', members: files },
      { title: 'solpack', members: solpack },
    ],
  };
}

function make(path: string, contents: readonly PlatformContent[]): void {
  writeOciArchive(path, imageOf('1.2.3', date, contents));
}

beforeAll(async () => {
  const echo = realpathSync('/bin/echo');
  const libraries = (await ok('ldd', [echo])).match(/\/\S+/g) ?? [];
  const contents = ['amd64', 'arm64'].map((architecture) => contentFor(architecture, libraries, readFileSync(echo)));
  make(archive, contents);
  make(
    join(folder, 'again.oci.tar'),
    contents.map((one) => ({
      ...one,
      layers: one.layers.map((layer) => ({ ...layer, members: layer.members.toReversed() })),
    })),
  );
});

describe('the image', () => {
  judged('is the same bytes, in whatever order its files were found', ['skopeo'], () => {
    expect(sha256(readFileSync(join(folder, 'again.oci.tar')))).toBe(sha256(readFileSync(archive)));
  });

  judged('says to skopeo what it is, for both platforms', ['skopeo'], async () => {
    const index = JSON.parse(await ok('skopeo', ['inspect', '--raw', `oci-archive:${archive}`]));
    expect(index.manifests.map(({ platform }: { platform: object }) => platform)).toEqual([
      { architecture: 'amd64', os: 'linux' },
      { architecture: 'arm64', os: 'linux' },
    ]);
    for (const architecture of ['amd64', 'arm64']) {
      const flags = ['--override-arch', architecture, `oci-archive:${archive}:solpack:1.2.3`];
      const told = JSON.parse(await ok('skopeo', ['inspect', ...flags]));
      expect(told).toMatchObject({ Architecture: architecture, Created: '2026-01-31T00:00:00Z' });
      expect(told.Labels).toEqual(index.annotations);
      expect(told.Labels['org.opencontainers.image.version']).toBe('1.2.3');
    }
  });

  judged(
    'is unpacked by umoci, and its program runs by its libraries, as a user without a name',
    ['skopeo', 'umoci'],
    async (context) => {
      if (process.geteuid?.() !== 0) return context.skip('needs root');
      const layout = join(folder, 'layout');
      await ok('skopeo', ['copy', '-q', '--override-arch', 'amd64', `oci-archive:${archive}`, `oci:${layout}:one`]);
      await ok('umoci', ['unpack', '--image', `${layout}:one`, join(folder, 'bundle')]);
      const { process: started } = JSON.parse(readFileSync(join(folder, 'bundle/config.json'), 'utf8'));
      expect(started).toMatchObject({ args: ['/usr/bin/solpack'], cwd: '/work', user: { uid: 65532, gid: 65532 } });
      const { uid, gid } = started.user;
      const enter = [`--userspec=${uid}:${gid}`, join(folder, 'bundle/rootfs'), ...started.args, 'is here'];
      expect(await ok('chroot', enter)).toBe('is here\n');
    },
  );

  judged('can be packed as an image of a Solution', ['skopeo', 'kubectl'], async () => {
    const reference = 'registry.example.com/solpack:1.2.3';
    writeFiles(join(folder, 'src'), {
      'solution.toml': `name = "tool"\nversion = "1.0.0"\n[[images]]\nreference = "${reference}"\nsource = "oci-archive:../solpack.oci.tar"\n[[components]]\nname = "pod"\nkind = "manifests"\npath = "pod"\n`,
      'pod/pod.yaml': `apiVersion: v1\nkind: Pod\nmetadata: { name: tool, namespace: default }\nspec: { containers: [{ name: tool, image: "${reference}" }] }\n`,
    });
    const packed = await solpack(['pack', 'src', '-o', 'tool.iso', '--strict', '--quiet'], { cwd: folder });
    expect([packed.code, packed.stderr]).toEqual([0, '']);
    expect((await solpack(['verify', 'tool.iso', '--quiet'], { cwd: folder })).code).toBe(0);
  });

  judged('runs by podman, without a network and with a root that is read-only', ['podman'], async (context) => {
    if (process.geteuid?.() !== 0) return context.skip('needs root');
    const place = (name: string): string => join(folder, 'podman', name);
    const own = [
      ...['--root', place('root'), '--runroot', place('run'), '--tmpdir', place('tmp'), '--storage-driver', 'vfs'],
      ...['--cgroup-manager', 'cgroupfs', '--events-backend', 'file'],
    ];
    expect(await ok('podman', [...own, 'load', '-q', '-i', archive])).toContain('solpack:1.2.3');
    // Where a machine has lower limits than podman's own, even root may not raise them.
    const limits = ['--ulimit', 'nofile=1024:1024', '--ulimit', 'nproc=1024:1024', '--network', 'none', '--read-only'];
    expect(await ok('podman', [...own, 'run', '--rm', ...limits, 'localhost/solpack:1.2.3', 'is here'])).toBe(
      'is here\n',
    );
  });
});
