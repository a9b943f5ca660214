import type { Digest } from '../../../formats/digest.ts';
import { formatReference, parseReference } from '../../../formats/oci/reference.ts';
import { isHigherVersion } from '../../../formats/solution/version-tag.ts';
import type { PreparedInputs, ReadInputs } from '../pack/index.ts';
import type { LockedVersion } from './keep-higher.ts';
import { lockedSource } from './locked-source.ts';
import type { NewerInput, NewerInputs } from './newer-input.ts';

/** A component or an image, with the version that it has and the one that it gets. */
export interface UpdatedInput {
  readonly kind: 'component' | 'image';
  /** The name of the component, or the reference that the image has; of a new one, the reference that it gets. */
  readonly name: string;
  /**
   * `raised`: it gets a higher version. `replaced`: it gets another version that is not higher, or of which nobody can
   * tell. `moved`: its version stays, and stands for other content now. `added`: the lock has not named it. `removed`:
   * an image that components have stopped to name.
   */
  readonly change: 'raised' | 'replaced' | 'moved' | 'added' | 'removed' | 'none';
  /** The version or the tag that it has now; left out where it has none. */
  readonly from?: string;
  /** The version or the tag that it has afterwards; left out where it has none. */
  readonly to?: string;
  readonly fromDigest?: Digest;
  readonly toDigest?: Digest;
  /** A newer version that the bounds keep out. */
  readonly beyond?: string;
  /** Why it stays, or what decides about it. */
  readonly reason?: string;
}

/** What was resolved before and afterwards. */
export interface BothInputs {
  readonly read: ReadInputs;
  readonly now: PreparedInputs['inputs'];
  readonly finding: NewerInputs;
  /** The images that replace others, by the reference that they had. */
  readonly replaced: ReadonlyMap<string, string>;
  /** What the lock keeps because its source has nothing higher, with the reason. */
  readonly kept: ReadonlyMap<LockedVersion, string>;
}

/** Reports what becomes of each component and image that was looked up, and of each one that follows. */
export function resultsOf(both: BothInputs): UpdatedInput[] {
  return [...componentResults(both), ...imageResults(both)];
}

function componentResults({ read, now, finding, kept }: BothInputs): UpdatedInput[] {
  return read.definition.components.flatMap((component) => {
    const found = finding.components.get(component.name);
    const after = now.components.find(({ metadata }) => metadata.name === component.name);
    const { path } = now.definition.components.find(({ name }) => name === component.name)!;
    const own = after?.sources.find(({ address }) => address === path);
    const before = lockedSource(read.before, component);
    const parts = (after?.sources ?? []).flatMap((source) => {
      const earlier = lockedSource(read.before, {
        path: source.address,
        version: source.range,
        channel: source.channel,
      });
      const stays = earlier && kept.get(earlier);
      if (source === own || (earlier?.digest === source.digest && stays === undefined)) return [];
      const [from, to] = [earlier?.version, source.version];
      const digests = { fromDigest: earlier?.digest, toDigest: source.digest };
      const reason = ['its part', source.address, ...(stays === undefined ? [] : [stays])].join(' ');
      return [inputOf('component', component.name, { edits: [], isRenewed: true, from, to, reason }, digests)];
    });
    const isLocked = own === undefined || before !== undefined;
    if (found === undefined && isLocked) return parts;
    const { edits = [], isRenewed = false, from, beyond } = found ?? {};
    const reason = (before && kept.get(before)) ?? found?.reason;
    const to = found?.to ?? (isRenewed || !isLocked ? own?.version : undefined);
    const digests = { fromDigest: before?.digest, toDigest: own?.digest };
    return [inputOf('component', component.name, { edits, isRenewed, from, to, beyond, reason }, digests), ...parts];
  });
}

function imageResults({ read, now, finding, replaced }: BothInputs): UpdatedInput[] {
  const digests = new Map(now.images.map(({ definition, published }) => [definition.reference, published.digest]));
  const locked = new Map(read.before?.images.map(({ reference, digest }) => [reference, digest]));
  const known = new Set<string>();
  const listed = read.definition.images.flatMap(({ reference }): UpdatedInput[] => {
    const found = finding.images.get(reference);
    const parts = parseReference(reference);
    const raised = found?.to === undefined ? undefined : formatReference({ ...parts, tag: found.to });
    const after = replaced.get(raised ?? reference) ?? raised ?? reference;
    known.add(after);
    const fromDigest = locked.get(reference);
    if (!digests.has(after))
      return [{ kind: 'image', name: reference, change: 'removed', ...(fromDigest ? { fromDigest } : {}) }];
    const { edits = [], isRenewed = true, from = parts.tag, reason, beyond } = found ?? {};
    const to = after === reference ? undefined : parseReference(after).tag;
    if (found === undefined && to === undefined && fromDigest !== undefined) return [];
    return [
      inputOf(
        'image',
        reference,
        { edits, isRenewed, from, to, reason, beyond },
        { fromDigest, toDigest: digests.get(after) },
      ),
    ];
  });
  const added = [...digests].flatMap(([name, toDigest]): UpdatedInput[] =>
    known.has(name) ? [] : [{ kind: 'image', name, change: 'added', toDigest }],
  );
  return [...listed, ...added];
}

function inputOf(
  kind: UpdatedInput['kind'],
  name: string,
  { from, to, beyond, reason }: NewerInput,
  { fromDigest, toDigest }: { readonly fromDigest: Digest | undefined; readonly toDigest: Digest | undefined },
): UpdatedInput {
  const isAdded =
    fromDigest === undefined && toDigest !== undefined && (to === undefined || from === undefined || to === from);
  const isMoved = fromDigest !== undefined && toDigest !== undefined && fromDigest !== toDigest;
  const isOther = to !== undefined && from !== undefined && to !== from;
  const other = isOther && isHigherVersion(to, from) ? 'raised' : 'replaced';
  const change = isAdded ? 'added' : isOther ? other : isMoved ? 'moved' : 'none';
  const fields = { from: isAdded ? undefined : from, to: to ?? from, fromDigest, toDigest, beyond, reason };
  const there = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
  return { kind, name, change, ...there };
}
