import { FormatError } from '../error.ts';
import { isImageName } from '../manifest/reference-form.ts';
import { parseYaml } from '../manifest/yaml.ts';
import { isRecord } from '../record.ts';
import type { ChartMetadata } from './metadata.ts';

/** An image that a chart says it uses, and where `Chart.yaml` says so. */
export interface AnnotatedImage {
  readonly reference: string;
  readonly path: string;
}

/** Lists of `{ name, image }` in YAML: Helm's own convention, and that of Artifact Hub ("Supported annotations"). */
const names = ['helm.sh/images', 'artifacthub.io/images'] as const;

/**
 * Lists the images that the annotations of a chart name, each once. What is no such list, and what is not an image, is
 * passed over.
 */
export function annotatedImages({ annotations }: ChartMetadata): AnnotatedImage[] {
  if (!isRecord(annotations)) return [];
  const found = new Map<string, AnnotatedImage>();
  for (const name of names) {
    for (const [at, entry] of listIn(annotations[name]).entries()) {
      const reference = isRecord(entry) ? entry['image'] : undefined;
      if (typeof reference !== 'string' || found.has(reference)) continue;
      if (!isImageName(reference, { named: true }, () => false)) continue;
      found.set(reference, { reference, path: `Chart.yaml.annotations.${name}.${at}` });
    }
  }
  return [...found.values()];
}

function listIn(text: unknown): readonly unknown[] {
  if (typeof text !== 'string') return [];
  try {
    const [document] = parseYaml(text, 'an annotation');
    return Array.isArray(document?.value) ? document.value : [];
  } catch (error) {
    if (error instanceof FormatError) return [];
    throw error;
  }
}
