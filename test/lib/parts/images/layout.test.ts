import { mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { hexOf, sha256 } from '../../../../formats/digest.ts';
import { closureOf, Manifests } from '../../../../lib/kernel/content/manifests.ts';
import { openImageSource } from '../../../../lib/parts/images/index.ts';
import { buildImage, layoutFiles, writeLayout } from '../../../support/image.ts';
import { judged, ok, scratch } from '../../../support/judges.ts';
import { imageContext } from '../../../support/sources.ts';
import { packTar } from '../../../support/tar.ts';

const folder = scratch('layouts');
const context = imageContext(folder);
const image = buildImage({ platforms: ['linux/amd64', 'linux/arm64/v8'] });
const single = { ...image, index: image.manifests[0]! };

describe('an OCI layout', () => {
  test('with several images is refused unless one is named', async () => {
    await writeLayout(join(folder, 'two'), [
      { name: 'a', image },
      { name: 'b', image: single },
    ]);
    const { source, name } = await openImageSource('oci:two', context);
    await expect(source.resolve(name)).rejects.toMatchObject({
      code: 'source-invalid',
      subject: join(folder, 'two'),
      hint: expect.stringContaining('a, b'),
    });
    expect((await source.resolve('b'))?.digest).toBe(single.index.digest);
    expect((await source.resolve('@0'))?.digest).toBe(image.index.digest);
  });

  test('whose copy is not complete tells what is missing', async () => {
    await writeLayout(join(folder, 'part'), [{ name: 'a', image }]);
    await rm(join(folder, 'part/blobs/sha256', hexOf(image.manifests[1]!.digest)));
    const { source, name } = await openImageSource('oci:part:a', context);
    const closure = source.resolve(name).then((root) => closureOf(new Manifests(source), root!));
    await expect(closure).rejects.toMatchObject({
      code: 'source-invalid',
      message: expect.stringContaining(hexOf(image.manifests[1]!.digest)),
      hint: expect.stringContaining('--all'),
    });
  });

  test('that is none says what it could be instead', async () => {
    await mkdir(join(folder, 'empty'), { recursive: true });
    await expect(openImageSource('oci:empty', context)).rejects.toMatchObject({
      code: 'source-invalid',
      message: 'is not an OCI image layout: it has no file oci-layout',
      hint: expect.stringContaining('docker-archive:'),
    });
    await writeFile(join(folder, 'file.tar'), packTar(layoutFiles([{ name: 'a', image }])));
    await expect(openImageSource('oci:file.tar', context)).rejects.toMatchObject({
      hint: expect.stringContaining('oci-archive:'),
    });
    await expect(openImageSource('oci-archive:two', context)).rejects.toMatchObject({ code: 'file-unreadable' });
  });

  test('of another version, or whose index is no index, is refused', async () => {
    for (const [file, content] of [
      ['oci-layout', '{"imageLayoutVersion":"2.0.0"}'],
      ['index.json', '{"schemaVersion":2,"config":{},"layers":[]}'],
      ['index.json', ' '.repeat(5 * 2 ** 20)],
    ] as const) {
      await writeLayout(join(folder, 'odd'), [{ name: 'a', image }]);
      await writeFile(join(folder, 'odd', file), content);
      await expect(openImageSource('oci:odd', context)).rejects.toMatchObject({
        code: 'source-invalid',
        subject: join(folder, 'odd'),
      });
    }
  });

  test('in an archive is read through no link', async () => {
    await writeLayout(join(folder, 'linked'), [{ name: 'a', image }]);
    await rm(join(folder, 'linked/index.json'));
    await symlink('/etc/passwd', join(folder, 'linked/index.json'));
    await ok('tar', ['-cf', join(folder, 'linked.tar'), '-C', join(folder, 'linked'), '.']);
    await expect(openImageSource('oci-archive:linked.tar', context)).rejects.toMatchObject({
      message: expect.stringContaining('no file index.json'),
    });
  });
});

describe('an OCI layout made by', () => {
  const opened = async (spec: string) => {
    const { source, name } = await openImageSource(spec, context);
    const root = await source.resolve(name);
    const closure = await closureOf(new Manifests(source), root!);
    await source.close();
    return { root: root!, closure };
  };

  judged('skopeo, as a folder, an archive and a dir:, has the digests that skopeo says', ['skopeo'], async () => {
    await writeLayout(join(folder, 'in'), [{ name: 'v1', image }]);
    for (const transport of ['oci', 'oci-archive', 'dir']) {
      const path = join(folder, `skopeo-${transport}`);
      const target = `${transport}:${path}${transport === 'dir' ? '' : ':example.com/web:v1'}`;
      await ok('skopeo', ['--insecure-policy', 'copy', '--all', `oci:${folder}/in:v1`, target]);
      const { root, closure } = await opened(target);
      expect(root.digest).toBe(sha256(await ok('skopeo', ['inspect', '--raw', target])));
      expect(root.digest).toBe(image.index.digest);
      expect(closure.manifests.length).toBe(3);
      expect(closure.blobs.length).toBe(5);
    }
  });

  judged('umoci holds the image that umoci tagged', ['umoci', 'skopeo'], async () => {
    const path = join(folder, 'umoci');
    await ok('umoci', ['init', '--layout', path]);
    await ok('umoci', ['new', '--image', `${path}:fresh`]);
    await ok('umoci', ['tag', '--image', `${path}:fresh`, 'again']);
    const { root } = await opened(`oci:${path}:again`);
    expect(root.digest).toBe(sha256(await ok('skopeo', ['inspect', '--raw', `oci:${path}:fresh`])));
  });

  judged('bsdtar and GNU tar out of a folder is read in every format', ['bsdtar', 'tar'], async () => {
    await writeLayout(join(folder, 'plain'), [{ name: 'v1', image }]);
    for (const [program, format] of [
      ['tar', 'gnu'],
      ['tar', 'posix'],
      ['bsdtar', 'ustar'],
      ['bsdtar', 'pax'],
    ] as const) {
      const path = join(folder, `${program}-${format}.tar`);
      await ok(program, [`--format=${format}`, '-cf', path, '-C', join(folder, 'plain'), '.']);
      expect((await opened(`oci-archive:${path}`)).root.digest).toBe(image.index.digest);
    }
  });
});
