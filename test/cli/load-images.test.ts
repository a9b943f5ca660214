import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { jsonSchemas } from '../../cli/view/json.ts';
import { parseDocuments } from '../../formats/manifest/documents.ts';
import { plant, plugin } from '../lib/parts/components/support.ts';
import { smallSolution, solpack, starts, succeeds } from '../support/cli.ts';
import { scratch } from '../support/judges.ts';

const folder = scratch('load-images');
const cwd = folder;
const held = 'registry.example.com/hello/web:1.0.0';
let digest = '';

/** A plugin that prints a Pod of this image. */
const podOf = (image: string) =>
  plugin(
    `cat <<'END'\napiVersion: v1\nkind: Pod\nmetadata: {name: web}\nspec: {containers: [{name: web, image: ${image}}]}\nEND`,
  );

beforeAll(async () => {
  plant(folder, {
    'held.d/010-web/plugin': podOf(held),
    'other.d/010-web/plugin': podOf('registry.example.com/other:1'),
  });
  await succeeds(['keygen', '-o', 'k'], { cwd });
  await succeeds(['keygen', '-o', 'stranger'], { cwd });
  await smallSolution(join(folder, 'hello'));
  await succeeds(['pack', 'hello', '-o', 'hello.iso', '--sign', 'k.key', '--quiet'], { cwd });
  const { images } = JSON.parse(await succeeds(['inspect', 'hello.iso', '--json'], { cwd })) as {
    images: { digest: string }[];
  };
  digest = images[0]!.digest;
});

const args = (tree: string, to: string, ...more: readonly string[]): string[] => [
  'load',
  tree,
  '--render',
  to,
  ...more,
  '--images',
  'hello.iso',
];

const loads = async (tree: string, to: string, ...more: readonly string[]) => {
  const printed = await succeeds([...args(tree, to, '--key', 'k.pub', ...more), '--json', '--quiet'], { cwd });
  const result = jsonSchemas.load.strict().parse(JSON.parse(printed));
  const [pod] = parseDocuments(readFileSync(result.files[0]!, 'utf8'), to) as unknown as [
    { spec: { containers: [{ image: string }] } },
  ];
  return { result, image: pod.spec.containers[0].image };
};

const refused = async (words: readonly string[]): Promise<[number | null, string]> => {
  const { code, stderr } = await solpack([...words, '--quiet'], { cwd });
  return [code, stderr];
};

describe('load with archives of images', () => {
  test('pins what they hold by its digest, and moves nothing', async () => {
    const { result, image } = await loads('held.d', 'pinned');
    expect(image).toBe(`${held}@${digest}`);
    expect(result).toMatchObject({
      images: [{ reference: held, held: true, certainty: 'certain', places: [{ component: 'web' }] }],
      archives: [
        {
          archive: join(folder, 'hello.iso'),
          name: 'hello',
          version: '1.0.0',
          signers: [expect.stringMatching(/^[0-9a-f]{64}$/)],
        },
      ],
    });
    expect(result.registry).toBeUndefined();
  });

  test('refuses an image that none of them holds, or goes on and tells of it', async () => {
    expect(await refused(args('other.d', 'missing', '--key', 'k.pub'))).toEqual([
      5,
      expect.stringMatching(
        /hello\.iso: images are used but not in the archive: registry\.example\.com\/other:1 \(component web\).*\[image-missing\]/,
      ),
    ]);
    expect(existsSync(join(folder, 'missing'))).toBe(false);
    const { result, image } = await loads('other.d', 'allowed', '--allow-missing-images');
    expect(image).toBe('registry.example.com/other:1');
    expect(result.images).toMatchObject([{ held: false }]);
  });

  test('pushes them to a registry, and names them as they are there', async () => {
    await using registry = await starts(['serve', '--store', 'store', '--open-push', '--listen', '127.0.0.1:0'], {
      cwd,
    });
    const { result, image } = await loads('held.d', 'pushed', '--registry', `${registry.first}/edge`);
    const { host } = new URL(registry.first);
    expect(image).toBe(`${host}/edge/hello/web:1.0.0@${digest}`);
    expect(result.registry).toBe(`${registry.first}/edge`);
    expect((await fetch(`${registry.first}/v2/edge/hello/web/manifests/${digest}`)).status).toBe(200);
  });

  test('asks a running serve, and leaves names to mirrors', async () => {
    await using serving = await starts(['serve', 'hello.iso', '--key', 'k.pub', '--listen', '127.0.0.1:0'], { cwd });
    const { image } = await loads('held.d', 'served', '--served-at', serving.first);
    expect(image).toBe(`${new URL(serving.first).host}/registry.example.com/hello/web:1.0.0@${digest}`);
    const mirrored = await loads('held.d', 'mirrored', '--served-at', serving.first, '--hosts-dir', 'certs.d');
    expect(mirrored.image).toBe(`${held}@${digest}`);
    expect(readdirSync(join(folder, 'certs.d'))).toEqual(['registry.example.com']);
  });

  test('uses nothing of an archive that nobody trusted has signed', async () => {
    expect(await refused(args('held.d', 'stranger', '--key', 'stranger.pub'))).toEqual([
      3,
      expect.stringContaining('[not-trusted]'),
    ]);
    expect(await refused(args('held.d', 'nobody'))).toEqual([3, expect.stringContaining('[trust-required]')]);
    for (const name of ['stranger', 'nobody']) expect(existsSync(join(folder, name))).toBe(false);
  });

  test('refuses two archives that hold different images of one name', async () => {
    await smallSolution(join(folder, 'twin'), { seed: 'another' });
    await succeeds(['pack', 'twin', '-o', 'twin.iso', '--sign', 'k.key', '--quiet'], { cwd });
    const both = ['load', 'held.d', '--render', 'twins', '--key', 'k.pub', '--images', 'hello.iso', 'twin.iso'];
    expect(await refused(both)).toEqual([2, expect.stringContaining('holds another image as')]);
  });

  test.each([[['--registry', 'http://127.0.0.1:1']], [['--key', 'k.pub']], [['--allow-missing-images']]])(
    'refuses %j without archives',
    async (words) => {
      expect(await refused(['load', 'held.d', '--render', 'x', ...words])).toEqual([
        2,
        expect.stringContaining('is for the archives of --images'),
      ]);
    },
  );
});
