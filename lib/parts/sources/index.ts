import { SolpackError } from '../../kernel/events/index.ts';
import { catalog } from './catalog.ts';
import { git } from './git.ts';
import { helmRepository } from './helm-repository.ts';
import { httpsFile } from './https-file.ts';
import type { BroughtSource, ResolvedSource, SourceContext, SourceKind, SourceRequest } from './kind.ts';
import { namedFrom } from './named-by.ts';
import { registryArtifact } from './registry-artifact.ts';

export { parseCatalogAddress } from './catalog-address.ts';
export type {
  BroughtSource,
  ResolvedSource,
  SourceConnections,
  SourceContent,
  SourceContext,
  SourceRequest,
  StoreContext,
} from './kind.ts';
export { unpackedFolder, unpackedImage } from './local-archive.ts';
export { namerAt } from './named-by.ts';
export { openSourceStore, type SourceStore } from './store.ts';

/** Every kind of source of components; the first that takes a request has it. */
export const sourceKinds: readonly SourceKind[] = [catalog, registryArtifact, helmRepository, httpsFile, git];

/** Whether what a definition or a chart names lies elsewhere, and not on this machine. */
export function isElsewhere(path: string): boolean {
  return /^(?:[a-z][a-z0-9+.-]*:\/\/|catalog:|git::|git@)/i.test(path);
}

/**
 * Lists the versions that there are of what a request names: of a chart in a Helm repository those of its index, of
 * what a registry holds its tags. Undefined where nobody lists any: of a file, and of a commit. Throws what registries
 * and servers answer.
 */
export async function sourceVersions(
  request: SourceRequest,
  context: SourceContext,
): Promise<readonly string[] | undefined> {
  return sourceKinds.find((one) => one.takes(request))?.versions?.(request, context);
}

/** What was brought, and what it is now known to be. */
export interface FetchedSource extends BroughtSource {
  readonly resolved: ResolvedSource;
}

/**
 * Brings what a request names: what `locked` says, or what is there now. Throws `component-absent`,
 * `component-invalid`, `lock-mismatch`, `content-mismatch`, and what registries and servers answer.
 */
export async function fetchSource(
  request: SourceRequest,
  locked: ResolvedSource | undefined,
  context: SourceContext,
): Promise<FetchedSource> {
  const kind = sourceKinds.find((one) => one.takes(request));
  // Whether it may be asked for without TLS, each kind decides itself.
  const place = request.address.replace(/^http:/i, 'https:');
  const asked = { ...request, sentBy: namedFrom(place, request.sentBy) };
  if (!kind) {
    throw new SolpackError('component-invalid', request.address, 'is not of a kind that can be fetched', {
      hint: 'write oci://, https://, docker:// or catalog://, or the path of a file or folder',
    });
  }
  const resolved = locked ?? (await kind.resolve(asked, context));
  return { ...(await kind.bring(asked, resolved, context)), resolved };
}
