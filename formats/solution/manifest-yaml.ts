import { stringify } from 'yaml';
import { utf8 } from '../bytes.ts';
import { parseReference } from '../oci/reference.ts';
import type { Definition } from './definition.ts';
import { SOLUTIONS_API } from './solutions-api.ts';

/** How `manifest.yaml` names an image: by a name and a tag, and as one text. */
export interface ImageNaming {
  readonly operator: (reference: string) => { readonly name: string; readonly tag: string | undefined };
  readonly image: (reference: string) => string;
}

const inFull: ImageNaming = {
  operator: (reference) => {
    const { repository, tag } = parseReference(reference);
    return { name: repository, tag };
  },
  image: (reference) => reference,
};

/**
 * Writes `manifest.yaml`, which describes the Solution to MetalK8s and to people. `naming` is how it names images: left
 * out, in full.
 */
export function encodeManifestYaml(definition: Definition, naming: ImageNaming = inFull): Uint8Array {
  const operator = definition.operator === undefined ? undefined : naming.operator(definition.operator);
  return utf8(
    stringify(
      {
        apiVersion: SOLUTIONS_API,
        kind: 'Solution',
        metadata: {
          name: definition.name,
          ...(Object.keys(definition.annotations).length > 0 ? { annotations: definition.annotations } : {}),
        },
        spec: {
          version: definition.version,
          images: definition.images.map((image) => naming.image(image.reference)),
          ...(operator
            ? { operator: { image: { name: operator.name, tag: operator.tag ?? definition.version } } }
            : {}),
          components: definition.components.map(({ name, kind }) => ({ name, kind })),
        },
      },
      { version: '1.1', lineWidth: 0, aliasDuplicateObjects: false },
    ),
  );
}
