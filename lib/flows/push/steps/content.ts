import type { Digest } from '../../../../formats/digest.ts';
import type { Descriptor } from '../../../../formats/oci/descriptor.ts';
import { bytesSource, type Copied, copy } from '../../../kernel/content/index.ts';
import { byteMeter, type Flow, pool, SolpackError } from '../../../kernel/events/index.ts';
import type { StepKind } from '../../../kernel/plan/index.ts';
import { type Archive, type Catalog, incompleteError } from '../../../parts/archives/index.ts';
import type { Repository } from '../../../parts/registries/index.ts';
import { groupsSize, pushGroups, registerReferrers } from '../../../shared/solutions/registries/index.ts';
import { copied, type PushMeans, type PushRead, repositoryName } from '../plan-types.ts';

type Inputs = { readonly repository: string; readonly root: Digest };

/** Pushes all that the root of an archive reaches, the root by its digest, and lists what refers to images. */
export const pushContentStep: StepKind<PushRead, PushMeans, Inputs, Copied> = {
  kind: 'push',
  takes: [],
  gives: copied,
  event: 'push',
  plan: ({ archive, target }) => {
    const repository = repositoryName(target);
    return [{ subject: repository, inputs: { repository, root: archive.catalog.root.digest } }];
  },
  run: async (_, { means: { archive, registries, target }, flow }) => {
    const repository = registries.open(target);
    const content = await copyAll(repository, archive, flow);
    await registerReferrers(archive.catalog.referrers, repository, flow.signal);
    return content;
  },
};

async function copyAll(repository: Repository, archive: Archive, flow: Flow): Promise<Copied> {
  const { catalog } = archive;
  await requireThere(repository, archive, flow.signal);
  const groups = pushGroups(catalog);
  // As it was read when the archive was opened, whatever lies in its second place.
  const root = bytesSource(archive.path, catalog.rootBytes);
  const transfers = groups.map((group) =>
    group.map((descriptor) => ({ descriptor, source: descriptor === catalog.root ? root : archive.source })),
  );
  const { onBytes } = byteMeter(flow, 'push', groupsSize(groups));
  return copy(transfers, repository, { signal: flow.signal, onBytes }).catch((error) => {
    throw explained(error, catalog);
  });
}

/** Throws `archive-incomplete` where what a delta lacks is not in the repository either. */
async function requireThere(repository: Repository, archive: Archive, signal: AbortSignal): Promise<void> {
  const { path, catalog, lacks = [], source } = archive;
  const lacking: Descriptor[] = [];
  await pool(lacks, { signal }, async (descriptor, inner) => {
    const isThere = await repository.has(descriptor, inner);
    if (!isThere && !(await repository.adopt?.(descriptor, source, inner))) lacking.push(descriptor);
  });
  if (lacking.length > 0) throw incompleteError(path, lacking, catalog.selection?.bases ?? []);
}

/**
 * Many registries refuse an index whose children they lack; what they answer does not say what can be done about that.
 */
function explained(error: unknown, { images }: Catalog): unknown {
  const sparse = images.find(({ closure }) => closure.absent.length > 0);
  const refused = error instanceof SolpackError && /\bMANIFEST_(?:BLOB_)?(?:UNKNOWN|INVALID)\b/.test(error.message);
  if (!sparse || !refused) return error;
  return new SolpackError(error.code, error.subject, error.message, {
    ...(error.side === undefined ? {} : { side: error.side }),
    cause: error,
    hint: `${sparse.reference} was packed without some of its platforms, and this registry accepts no such index; pack it with select = "index"`,
  });
}
