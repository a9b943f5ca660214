import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { packHere } from './flow.ts';
import { buildImage, type NamedImage, writeLayout } from './image.ts';

/** What every image of a Solution of many is: an index of two platforms, or a single manifest. */
export type Shape = 'indexes' | 'manifests';

/** Writes the definition and the images of a Solution of 200 small images into `folder`, and packs it. */
export async function packMany(folder: string, shape: Shape, outputs: readonly string[]): Promise<void> {
  const platforms = shape === 'indexes' ? ['linux/amd64', 'linux/arm64'] : ['linux/amd64'];
  const images = Array.from({ length: 200 }, (_, number): NamedImage => {
    const image = buildImage({ platforms, seed: `${shape} ${number}` });
    const name = `registry.example.com/team/app-${number}:1.0.${number}`;
    return { name, image: shape === 'indexes' ? image : { ...image, index: image.manifests[0]! } };
  });
  await writeLayout(join(folder, 'images'), images);
  const entries = images.map(({ name }) => `[[images]]\nreference = "${name}"\nsource = "oci:images:${name}"\n`);
  writeFileSync(join(folder, 'solution.toml'), `name = "many"\nversion = "1.0.0"\n\n${entries.join('\n')}`);
  for (const output of outputs) await packHere(join(folder, 'solution.toml'), output);
}
