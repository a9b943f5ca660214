import { parseReference } from '../../../formats/oci/reference.ts';
import { type MirrorText, mirrorText, type Runtime, reachable } from '../../parts/mirrors/index.ts';

export type { Runtime } from '../../parts/mirrors/index.ts';

/** Writes the configuration that makes a runtime pull images of these references from the registry at `url`. */
export function mirrorTexts(runtime: Runtime, references: readonly string[], url: string): MirrorText {
  const hosts = new Set(references.map((reference) => parseReference(reference).registry));
  return mirrorText(runtime, [...hosts].sort(), reachable(url));
}
