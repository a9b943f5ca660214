import { describe, expect, test } from 'vitest';
import { type Bytes, once } from '../../../../formats/bytes.ts';
import { mediaTypes } from '../../../../formats/oci/descriptor.ts';
import { type SbomImage, type SbomLayer, sbomsOf } from '../../../../lib/parts/sbom/index.ts';
import { makeSbom } from '../../../support/make-sbom.ts';
import { packTar } from '../../../support/tar.ts';

const { signal } = new AbortController();

/** A layer with one package of npm for each name, and how often it was opened. */
function packages(names: readonly string[], more: readonly [string, string][] = []): SbomLayer & { opened: number } {
  const files = names.map((name): [string, Buffer] => [
    `app/node_modules/${name}/package.json`,
    Buffer.from(JSON.stringify({ name, version: '1.0.0' })),
  ]);
  const bytes = packTar(
    new Map([...files, ...more.map(([path, text]): [string, Buffer] => [path, Buffer.from(text)])]),
  );
  const layer = {
    mediaType: mediaTypes.layer,
    digest: names.join(' '),
    opened: 0,
    open: (): Bytes => {
      layer.opened += 1;
      return once(bytes);
    },
  };
  return layer;
}

const image = (digit: string, ...layers: SbomLayer[]): SbomImage => ({ digest: `sha256:${digit.repeat(64)}`, layers });

describe('SBOMs of several images', () => {
  test('are those that each image alone has, and layers in common from the lowest on are read once', async () => {
    const base = packages(['one', 'two']);
    const middle = packages(['three'], [['app/node_modules/.wh.two', '']]);
    const top = packages(['four'], [['app/node_modules/.wh.one', '']]);
    const images = [
      image('1', base, middle, top),
      image('2', base, middle),
      image('3', base),
      image('4', middle, base),
      image('5', base, packages(['two'], [['app/.wh..wh..opq', '']]), middle),
      image('6'),
    ];
    const make = sbomsOf(images);
    const together = await Promise.all(images.map((one) => make(one, signal)));
    expect([base.opened, middle.opened, top.opened]).toEqual([2, 3, 1]);
    const alone = await Promise.all(images.map((one) => makeSbom(one)));
    expect(together.map(({ bytes }) => Buffer.from(bytes).toString())).toEqual(
      alone.map(({ bytes }) => Buffer.from(bytes).toString()),
    );
  });

  test('count what each image may keep for that image alone', async () => {
    const base = packages(['one', 'two']);
    const images = ['1', '2', '3'].map((digit) => image(digit, base, packages([`own-${digit}`])));
    const make = sbomsOf(images, { limits: { entries: 3 } });
    for (const one of images) expect(Buffer.from((await make(one, signal)).bytes).toString()).toContain('own-');
  });

  test('of a layer that cannot be had all end with the reason', async () => {
    const broken: SbomLayer = {
      mediaType: mediaTypes.layer,
      digest: 'broken',
      // biome-ignore lint/correctness/useYield: it fails before its first byte.
      open: async function* () {
        throw new Error('it is gone');
      },
    };
    const images = [image('1', broken), image('2', broken, packages(['one']))];
    const make = sbomsOf(images);
    for (const one of images) await expect(make(one, signal)).rejects.toThrow('it is gone');
  });
});
