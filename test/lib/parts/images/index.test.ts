import { describe, expect, test } from 'vitest';
import { openImageSource } from '../../../../lib/parts/images/index.ts';
import { imageContext } from '../../../support/sources.ts';

const context = imageContext('/');
const hintOf = async (spec: string): Promise<string> => {
  const error = await openImageSource(spec, context).catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ code: 'source-invalid', subject: spec, exit: 2 });
  return (error as { hint: string }).hint;
};

describe('an image source without a transport that is known', () => {
  test('gets the nearest one proposed, and all of them', async () => {
    expect(await hintOf('oci-archve:x.tar')).toBe(
      'did you mean oci-archive:? The transports are docker://, oci:, oci-archive:, docker-archive:, dir:, solpack:, containerd:, docker-daemon:',
    );
  });

  test('gets docker:// proposed where it is a reference', async () => {
    expect(await hintOf('nginx:1.27')).toMatch(
      /^write docker:\/\/nginx:1\.27 for an image in a registry, or oci:nginx:1\.27/,
    );
    expect(await hintOf('registry.example.com/web@sha256:12')).toMatch(/^write oci:/);
    expect(await hintOf('registry.example.com:5000/web')).toMatch(/^write docker:\/\/registry/);
  });

  test('gets a folder proposed where it is a path', async () => {
    expect(await hintOf('./images/web')).toMatch(/^write oci:\.\/images\/web for a folder/);
    expect(await hintOf('C:\\images')).toMatch(/^write oci:C:\\images for a folder/);
  });
});
