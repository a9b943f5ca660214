import { type Sbom, type SbomImage, type SbomOptions, sbomsOf } from '../../lib/parts/sbom/index.ts';

/** Makes the SBOM of one image alone. */
export function makeSbom(image: SbomImage, options: SbomOptions & { signal?: AbortSignal } = {}): Promise<Sbom> {
  return sbomsOf([image], options)(image, options.signal ?? new AbortController().signal);
}
