import { verified } from '../../../formats/digest.ts';
import type { Renderable } from '../../shared/rendering/index.ts';
import type { Content } from './content.ts';
import { type Inputs, metadataOf } from './root.ts';

/**
 * Makes the inputs of a pack something to render, before there is an archive of them. `path` is that of the definition.
 */
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
    files: (component, { signal }) => {
      const { files } = inputs.components.find(({ metadata }) => metadata.name === component)!;
      return files.map(({ path, mode, descriptor }) => ({
        path,
        mode,
        size: descriptor.size,
        open: () => verified(content.open(descriptor, { signal }), descriptor),
      }));
    },
  };
}
