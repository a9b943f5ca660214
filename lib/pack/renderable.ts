import * as fs from 'node:fs/promises';
import { dirname } from 'node:path';
import { verified } from '../../formats/digest.ts';
import { inside } from '../paths.ts';
import { writeFile } from '../pending-file.ts';
import type { Renderable } from '../rendering/renderable.ts';
import { unwritable } from '../system-errors.ts';
import type { Content } from './content.ts';
import { type Inputs, metadataOf } from './root.ts';

/** Makes the inputs of a pack something to render, before there is an archive of them. `path` is that of the definition. */
export function renderableInputs(path: string, inputs: Inputs, content: Content): Renderable {
  return {
    path,
    metadata: metadataOf(inputs),
    root: undefined,
    images: inputs.images.map(({ definition: { reference }, descriptor, closure }) => ({
      reference,
      descriptor,
      closure,
    })),
    unpack: async (component, folder, { signal }) => {
      const { files } = inputs.components.find(({ metadata }) => metadata.name === component)!;
      for (const file of files) {
        const full = inside(folder, file.path);
        try {
          await fs.mkdir(dirname(full), { recursive: true });
          await writeFile(full, verified(content.open(file.descriptor, { signal }), file.descriptor), file.mode);
        } catch (error) {
          throw unwritable(full, error);
        }
      }
    },
  };
}
