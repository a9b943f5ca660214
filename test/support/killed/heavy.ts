import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { succeeds, writeFiles } from '../cli.ts';
import { buildImage, writeLayout } from '../image.ts';
import { noise } from '../registry.ts';

/** About how many bytes each large layer has. */
export const LAYER = 1_000_000;
/** How many images there are, each with one large layer and small ones. */
export const IMAGES = 8;

/**
 * Packs a Solution of `IMAGES` images into `heavy.iso` below `folder`, signed, with its key and its configuration
 * `heavy.yaml`.
 */
export async function packHeavy(folder: string): Promise<void> {
  const names = Array.from({ length: IMAGES }, (_, at) => `registry.example.com/heavy/part-${at}:1.0.0`);
  const images = names.map((name) => {
    const bulk = Buffer.from(noise(name, (LAYER * 3) / 4)).toString('base64');
    return { name, image: buildImage({ platforms: ['linux/amd64'], seed: name, files: { bulk } }) };
  });
  await writeLayout(join(folder, 'images'), images);
  writeFiles(folder, {
    'solution.toml': `name = "heavy"
version = "1.0.0"
sequence = 1

[[components]]
name = "base"
kind = "manifests"
path = "base.yaml"
${names.map((name) => `\n[[images]]\nreference = "${name}"\nsource = "oci:images:${name}"\n`).join('')}`,
    'base.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: heavy, namespace: default}\n',
  });
  await succeeds(['keygen', '-o', 'k'], { cwd: folder });
  await succeeds(['pack', '.', '-o', 'heavy.iso', '--sign', 'k.key'], { cwd: folder });
  writeFileSync(
    join(folder, 'heavy.yaml'),
    `apiVersion: solutions.metalk8s.scality.com/v1alpha1
kind: SolutionsConfiguration
metadata: {name: heavy}
solutions: [{name: heavy, archives: [heavy.iso]}]
`,
  );
}
