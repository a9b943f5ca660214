import { cpSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, type TestContext } from 'vitest';
import { solpack, succeeds } from '../support/cli.ts';
import { ownContainerd } from '../support/containerd.ts';
import { judged, ok, run, scratch } from '../support/judges.ts';

const folder = scratch('image-places');
const cwd = folder;
const containerd = ownContainerd(folder);
const head =
  'apiVersion: solutions.metalk8s.scality.com/v1alpha1\nkind: SolutionsConfiguration\nmetadata: {name: edge}\n';

let images: { reference: string; digest: string }[];

beforeAll(async () => {
  cpSync(join(import.meta.dirname, '../../fixtures/guestbook'), join(folder, 'src'), { recursive: true });
  await succeeds(['keygen', '-o', 'release'], { cwd });
  for (const version of ['1.0.0', '1.1.0']) {
    await succeeds(['pack', `src/${version}`, '-o', `${version}.iso`, '--sign', 'release.key'], { cwd });
    writeFileSync(
      join(folder, `${version}.yaml`),
      `${head}solutions: [{name: guestbook, archives: [${version}.iso]}]\n`,
    );
  }
  writeFileSync(join(folder, 'none.yaml'), `${head}solutions: []\n`);
  images = JSON.parse(await succeeds(['inspect', '1.0.0.iso', '--json'], { cwd })).images;
});

function needsRoot(context: TestContext): void {
  if (process.getuid?.() !== 0) context.skip('needs root');
}

function install(configuration: string, ...place: string[]): Promise<string> {
  const trust = ['--key', 'release.pub', '--trust-state', join(folder, 'state'), '--allow-downgrade'];
  return succeeds(['install', '-f', configuration, ...trust, ...place, '--images-only', '--json'], { cwd });
}

const byDigest = ({ reference, digest }: { reference: string; digest: string }): string =>
  `${reference.slice(0, reference.lastIndexOf(':'))}@${digest}`;

describe('containerd', () => {
  judged('has what was imported by tag and by digest, whole and pinned', ['containerd'], async (context) => {
    needsRoot(context);
    const { ctr, address } = await containerd();
    const place = ['--containerd', address];
    expect(JSON.parse(await install('1.0.0.yaml', ...place)).registry).toBe(`containerd:${address}`);
    for (const image of images) {
      for (const name of [image.reference, byDigest(image)]) {
        const listed = await ctr('images', 'list', `name==${name}`);
        expect(listed).toContain(image.digest);
        expect(listed).toContain('io.cri-containerd.pinned=pinned');
        expect(await ctr('images', 'check', `name==${name}`)).toContain(' complete ');
      }
    }
    expect(JSON.parse(await install('1.0.0.yaml', ...place))).toMatchObject({ moved: 0, present: images.length });
  });

  judged('loses what nobody needs, and nothing of others', ['containerd'], async (context) => {
    needsRoot(context);
    const { ctr, address } = await containerd();
    const place = ['--containerd', address];
    await install('1.0.0.yaml', ...place);
    await ctr('images', 'tag', images[0]!.reference, 'registry.example.com/mine:1');
    await install('1.1.0.yaml', ...place);
    expect(await ctr('images', 'list', '-q')).toContain(images[0]!.reference);
    await install('none.yaml', ...place);
    expect((await ctr('images', 'list', '-q')).trim()).toBe('registry.example.com/mine:1');
    await install('1.0.0.yaml', ...place);
    await ctr('images', 'label', images[0]!.reference, 'io.cri-containerd.pinned=', 'solpack.for.edge=');
    await install('1.0.0.yaml', ...place);
    await install('none.yaml', ...place);
    // What had no label of solpack's was somebody else's: it stays, unpinned as it was.
    expect((await ctr('images', 'list', '-q')).trim().split('\n')).toEqual(
      [images[0]!.reference, 'registry.example.com/mine:1'].sort(),
    );
    expect(await ctr('images', 'list', `name==${images[0]!.reference}`)).not.toContain('pinned');
  });

  judged(
    'is left without a name that nobody asked for, wherever an import was killed',
    ['containerd'],
    async (context) => {
      needsRoot(context);
      const { ctr, address } = await containerd();
      for (const name of (await ctr('images', 'list', '-q')).trim().split('\n')) await ctr('images', 'rm', name);
      const args = ['install', '-f', '1.0.0.yaml', '--insecure-skip-verify', '--images-only', '--containerd', address];
      const killed = await run(
        'timeout',
        ['-s', 'KILL', '0.9', process.execPath, join(import.meta.dirname, '../../cli/bin.js'), ...args],
        { cwd },
      );
      expect([128, 137, 0]).toContain(killed.code);
      await install('1.0.0.yaml', '--containerd', address);
      await install('none.yaml', '--containerd', address);
      expect(await ctr('images', 'list', '-q')).not.toContain('guestbook');
      expect(await ctr('images', 'list', '-q')).not.toContain('solpack.invalid');
    },
  );

  judged('takes the files that k3s imports, and what export writes', ['containerd'], async (context) => {
    needsRoot(context);
    const { ctr } = await containerd();
    const images = join(folder, 'k3s/agent/images');
    mkdirSync(images, { recursive: true });
    const { images: named } = JSON.parse(await install('1.1.0.yaml', '--image-folder', `k3s:${images}`));
    const files = (await ok('ls', [images])).trim().split('\n');
    const local = (await ctr('images', 'import', '--help')).includes('--local') ? ['--local'] : [];
    // As k3s does it, one file after the other as they are sorted.
    for (const file of files)
      await ctr('images', 'import', ...local, '--all-platforms', '--no-unpack', join(images, file));
    const listed = await ctr('images', 'list', '-q');
    for (const { reference, target } of named) {
      expect(listed).toContain(reference);
      expect(listed).toContain(byDigest({ reference, digest: target.split('@')[1] }));
    }
    await succeeds(['export', '1.0.0.iso', '-o', 'all.tar'], { cwd });
    await ctr('images', 'import', ...local, '--all-platforms', '--no-unpack', join(folder, 'all.tar'));
    expect(await ctr('images', 'list', '-q')).toContain('registry.example.com/guestbook/web:1.0.0');
  });
});

describe('podman', () => {
  const podman = (...args: string[]): Promise<string> => {
    const own = [
      '--root',
      join(folder, 'podman/root'),
      '--runroot',
      join(folder, 'podman/run'),
      '--tmpdir',
      join(folder, 'podman/tmp'),
    ];
    return ok(
      'podman',
      [
        ...own,
        '--storage-driver',
        'overlay',
        '--storage-opt',
        'overlay.skip_mount_home=true',
        '--cgroup-manager',
        'cgroupfs',
        '--events-backend',
        'file',
        ...args,
      ],
      {
        env: { HOME: folder },
      },
    );
  };

  judged(
    'runs what is in an additional store, by tag and by digest, and cannot change it',
    ['podman', 'skopeo'],
    async (context) => {
      needsRoot(context);
      const store = join(folder, 'store');
      await install('1.0.0.yaml', '--image-store', store);
      const driver = ['--storage-opt', `additionalimagestore=${store}`];
      const [image] = images;
      const limits = ['--ulimit', 'nofile=1024:1024', '--ulimit', 'nproc=1024:1024', '--network', 'none'];
      for (const name of [image!.reference, byDigest(image!), `${image!.reference}@${image!.digest}`]) {
        const args = ['run', '--rm', '--pull', 'never', ...limits, '--entrypoint', '/bin/server', name, '--version'];
        expect(await podman(...driver, ...args)).toMatch(/^\d+\.\d+\.\d+\n$/);
      }
      expect(await podman(...driver, 'images', '--format', '{{.Digest}} {{.ReadOnly}}')).toContain(
        `${image!.digest} true`,
      );
      expect(JSON.parse(await install('1.0.0.yaml', '--image-store', store)).moved).toBe(0);
      await install('none.yaml', '--image-store', store);
      expect((await podman(...driver, 'images', '-q')).trim()).toBe('');
    },
  );

  judged(
    'loads what export writes, in both forms, and skopeo knows it by its digest',
    ['podman', 'skopeo'],
    async (context) => {
      needsRoot(context);
      const [image] = images;
      await succeeds(['export', '1.0.0.iso', '--image', image!.reference, '-o', 'one.tar'], { cwd });
      await succeeds(['export', '1.0.0.iso', '--format', 'docker-archive', '-o', 'docker.tar'], { cwd });
      expect(await ok('skopeo', ['inspect', '--raw', `oci-archive:one.tar:${image!.reference}`], { cwd })).toContain(
        '"manifests"',
      );
      expect(await podman('load', '-q', '-i', join(folder, 'docker.tar'))).toContain(image!.reference);
      expect(await podman('images', '--format', '{{.Repository}}:{{.Tag}}')).toContain(images[1]!.reference);
      expect(await podman('load', '-q', '-i', join(folder, 'one.tar'))).toContain(image!.reference);
      const absent = await solpack(['export', '1.0.0.iso', '--image', 'nginx', '-o', 'x.tar'], { cwd });
      expect([absent.code, absent.stderr, existsSync(join(folder, 'x.tar'))]).toEqual([
        2,
        expect.stringContaining('[image-absent]'),
        false,
      ]);
    },
  );
});
