import { FormatError } from '../../../formats/error.ts';
import { annotations, type Descriptor } from '../../../formats/oci/descriptor.ts';
import type { Manifest } from '../../../formats/oci/manifest.ts';
import { solutionAnnotations } from '../../../formats/solution/metadata.ts';
import type { Fetched, Manifests } from '../../kernel/content/index.ts';
import type { CatalogFile } from './catalog.ts';

/** A manifest that names files, and no images. */
export type Artifact = Fetched & { readonly value: Manifest };

/** Reads an artifact that a root names. Throws `FormatError` `solution-invalid` for an index. */
export async function artifactOf(entry: Descriptor, reader: Manifests, signal?: AbortSignal): Promise<Artifact> {
  const fetched = await reader.fetch(entry, signal);
  if (fetched.value.kind !== 'manifest') throw new FormatError('solution-invalid', `${entry.digest} is not a manifest`);
  return { ...fetched, value: fetched.value };
}

/** Returns the file that a layer of an artifact is; its path may be any. Throws `FormatError` `solution-invalid`. */
export function fileOf(layer: Descriptor): CatalogFile {
  const path = layer.annotations?.[annotations.title];
  if (path === undefined) throw new FormatError('solution-invalid', `layer ${layer.digest} has no path`);
  const mode = layer.annotations?.[solutionAnnotations.mode] === '0755' ? 0o755 : 0o644;
  return { path, descriptor: layer, mode };
}
