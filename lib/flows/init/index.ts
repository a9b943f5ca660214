import { basename, join } from 'node:path';
import { utf8 } from '../../../formats/bytes.ts';
import { parseDefinition } from '../../../formats/solution/definition.ts';
import { newDefinition } from '../../../formats/solution/new-definition.ts';
import { type Flow, SolpackError } from '../../kernel/events/index.ts';
import { keepSchema, writeNew } from '../../kernel/files/index.ts';
import { asLabel } from './found.ts';
import { lookThrough } from './look.ts';

/** What a new definition names. */
export interface InitResult {
  /** The definition. */
  readonly path: string;
  readonly name: string;
  readonly components: readonly { readonly name: string; readonly kind: string; readonly path: string }[];
  readonly images: readonly { readonly reference: string; readonly source: string }[];
  /** Files and folders that it does not name, and why. */
  readonly left: readonly { readonly path: string; readonly reason: string }[];
}

/**
 * Writes a `solution.toml` into the folder `folder`, and its schema for editors beside it. It names the charts,
 * manifests, kustomizations, bundles, plugins and archives of images in the folder. Throws `output-exists` if there is
 * one, `file-missing` if the folder has none of these.
 */
export async function init(folder: string, flow: Flow): Promise<InitResult> {
  const path = join(folder, 'solution.toml');
  flow.onEvent({ type: 'step', step: 'look', subject: folder });
  const found = await lookThrough(folder, flow);
  const { components, images, left } = found;
  if (components.length + images.length === 0) {
    throw new SolpackError(
      'file-missing',
      folder,
      'has no charts, manifests, kustomizations, bundles, plugins or images',
      {
        hint: 'put them there, or name the folder that has them',
      },
    );
  }
  const name = asLabel(basename(folder));
  const bytes = utf8(newDefinition({ name, components, images, left }));
  parseDefinition(bytes);
  await writeNew(path, bytes, 0o644);
  await keepSchema(path, bytes, flow);
  return {
    path,
    name,
    components: components.map((one) => ({ name: one.name, kind: one.kind, path: one.path })),
    images: images.map(({ reference, source }) => ({ reference, source })),
    left,
  };
}
