import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { writeFiles } from './cli.ts';
import { buildImage, writeLayout } from './image.ts';

/** Text that compresses to about half of its `length`, the same for the same seed. */
function noise(seed: string, length: number): string {
  let text = '';
  for (let at = 0; text.length < length; at += 1) text += createHash('sha256').update(`${seed} ${at}`).digest('hex');
  return text.slice(0, length);
}

/** Images of a release: what each is made of. An image of the same text has the same layers in every release. */
export type ReleaseImages = Readonly<Record<string, string>>;

/** Writes the definition of a release of `shop` into `folder`, with its images beside it. */
export async function writeRelease(folder: string, version: string, images: ReleaseImages): Promise<void> {
  const built = Object.entries(images).map(([name, text]) => ({
    name: `registry.example.com/shop/${name}:${version}`,
    image: buildImage({ seed: version, files: { [`srv/${name}`]: noise(text, 20_000) } }),
  }));
  await writeLayout(join(folder, 'images'), built);
  const tables = built.map(
    ({ name }) => `\n[[images]]\nreference = "${name}"\nsource = "oci:images:${name}"\nkeep = true\n`,
  );
  writeFiles(folder, {
    'solution.toml': `name = "shop"\nversion = "${version}"\noperator = "${built[0]!.name}"\n${tables.join('')}\n[[components]]\nname = "web"\nkind = "manifests"\npath = "web"\n`,
    'web/a.yaml': `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: web\ndata:\n  version: "${version}"\n`,
  });
}
