import type { Archive, Catalog } from '../archives/index.ts';
import { bytesSource } from '../bytes-source.ts';
import { type Copied, copy } from '../copy.ts';
import { SolpackError } from '../errors.ts';
import type { Flow } from '../flow.ts';
import type { Repository } from '../registries/index.ts';
import { groupsSize, pushGroups } from '../solutions/push-order.ts';
import { differs, registerReferrers } from '../solutions/push-referrers.ts';
import type { Named } from './names.ts';

/** Pushes all that the root of an archive reaches, and the root by its digest. */
export async function pushContent(repository: Repository, archive: Archive, flow: Flow): Promise<Copied> {
  const { catalog } = archive;
  const groups = pushGroups(catalog);
  const total = groupsSize(groups);
  let done = 0;
  // As it was read when the archive was opened, whatever lies in its second place.
  const root = bytesSource(archive.path, catalog.rootBytes);
  const transfers = groups.map((group) =>
    group.map((descriptor) => ({ descriptor, source: descriptor === catalog.root ? root : archive.source })),
  );
  const copied = copy(transfers, repository, {
    signal: flow.signal,
    onBytes: (count) => {
      done += count;
      flow.onEvent({ type: 'progress', step: 'push', done, total });
    },
  });
  return copied.catch((error) => {
    throw explained(error, catalog);
  });
}

/** Many registries refuse an index whose children they lack; what they answer does not say what can be done about that. */
function explained(error: unknown, { images }: Catalog): unknown {
  const sparse = images.find(({ closure }) => closure.absent.length > 0);
  const refused = error instanceof SolpackError && /\bMANIFEST_(?:BLOB_)?(?:UNKNOWN|INVALID)\b/.test(error.message);
  if (!sparse || !refused) return error;
  return new SolpackError(error.code, error.subject, error.message, {
    ...(error.side === undefined ? {} : { side: error.side }),
    cause: error,
    hint: `${sparse.reference} was packed without some of its platforms, and this registry takes no such index; pack it with select = "index"`,
  });
}

/** Gives an image or a chart its own name; what the registry has elsewhere is mounted there. */
export async function pushNamed(
  repository: Repository,
  { source }: Archive,
  { tag, top, groups, referrers }: Named,
  flow: Flow,
): Promise<Copied> {
  flow.onEvent({ type: 'step', step: 'expand', subject: repository.name });
  const transfers = groups.map((group) => group.map((descriptor) => ({ descriptor, source })));
  const copied = await copy(transfers, repository, { signal: flow.signal });
  await registerReferrers(referrers, repository, flow.signal);
  if (tag !== undefined && (await differs(repository, tag, top.descriptor, flow.signal))) {
    await repository.tag(top.descriptor, top.bytes, tag, flow.signal);
  }
  return copied;
}
