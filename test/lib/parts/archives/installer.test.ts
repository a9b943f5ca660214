import { expect, test } from 'vitest';
import { sha256 } from '../../../../formats/digest.ts';
import { annotations, type Descriptor } from '../../../../formats/oci/descriptor.ts';
import { solutionAnnotations, solutionTypes } from '../../../../formats/solution/metadata.ts';
import { inMemoryRoot } from './root.ts';

/** A layer at a path; what it holds is never read. */
function layer(path: string | undefined, mode?: string): Descriptor {
  const notes = {
    ...(path === undefined ? {} : { [annotations.title]: path }),
    ...(mode === undefined ? {} : { [solutionAnnotations.mode]: mode }),
  };
  const bytes = Buffer.from(`${path} ${mode}`);
  return { mediaType: solutionTypes.file, digest: sha256(bytes), size: bytes.length, annotations: notes };
}

const helm = layer('bin/linux-amd64/helm', '0755');
const key = layer('bin/release.pub');
const refusal = (words: RegExp) => ({ code: 'solution-invalid', message: expect.stringMatching(words) });

test('an installer is one more artifact of the root, whose programs are files of the archive', async () => {
  const catalog = await inMemoryRoot([], [[helm, key]]);
  expect(catalog.installer.map(({ path, mode }) => [path, mode])).toEqual([
    ['bin/linux-amd64/helm', 0o755],
    ['bin/release.pub', 0o644],
  ]);
  expect(catalog.files).toEqual(catalog.installer);
  expect(catalog.contents.map(({ digest }) => digest)).toEqual(expect.arrayContaining([helm.digest, key.digest]));
  expect((await inMemoryRoot([])).installer).toEqual([]);
});

test('what a referrer of an image has for its type is no installer', async () => {
  const catalog = inMemoryRoot([], [[helm]], { [solutionAnnotations.subject]: sha256(Buffer.from('an image')) });
  await expect(catalog).rejects.toMatchObject(refusal(/^the referrer sha256:/));
});

test.each([
  ['two installers', [[helm], [key]], /names more than one installer/],
  ['a program twice', [[helm, { ...layer('bin/linux-amd64/helm', '0755'), size: 1 }]], /helm" is there twice/],
  [
    'a path that leads out',
    [[layer('bin/../../helm', '0755')]],
    /"bin\/\.\.\/\.\.\/helm" is not an allowed path of an installer/,
  ],
  [
    'a path that leads to a program by a detour',
    [[layer('bin/./linux-amd64/helm', '0755')]],
    /is not an allowed path of an/,
  ],
  ['a platform that is none', [[layer('bin/linux-x64/helm', '0755')]], /is not an allowed path of an installer/],
  ['another program', [[layer('bin/linux-amd64/bash', '0755')]], /is not an allowed path of an installer/],
  ['a file elsewhere', [[layer('components/a/b')]], /is not an allowed path of an installer/],
  ['a file without a path', [[layer(undefined)]], /has no path/],
  ['a program that is not executable', [[layer('bin/linux-amd64/helm')]], /is a program that is not executable/],
  ['a key that may be executed', [[layer('bin/release.pub', '0755')]], /is not a program, but is executable/],
])('a root with %s is refused', async (_, installers, words) => {
  await expect(inMemoryRoot([], installers)).rejects.toMatchObject(refusal(words));
});

test('a file of the solution artifact cannot pass for a program', async () => {
  await expect(inMemoryRoot([helm])).rejects.toMatchObject(refusal(/"bin\/linux-amd64\/helm" is not an allowed path/));
});

test('programs lie behind the files of components, and before the layers of images', async () => {
  const files = ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => layer(`components/${name}/file`));
  const catalog = await inMemoryRoot(files, [[helm, key]]);
  const order = catalog.contents.map(({ digest }) => digest);
  const last = Math.max(...files.map(({ digest }) => order.indexOf(digest)));
  expect(Math.min(order.indexOf(helm.digest), order.indexOf(key.digest))).toBeGreaterThan(last);
});
