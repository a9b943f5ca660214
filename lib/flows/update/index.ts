import * as fs from 'node:fs/promises';
import { text, utf8 } from '../../../formats/bytes.ts';
import { parseToml } from '../../../formats/document/toml.ts';
import { formatReference, readReference } from '../../../formats/oci/reference.ts';
import { encodeLock } from '../../../formats/solution/lock.ts';
import { type Flow, lend, SolpackError } from '../../kernel/events/index.ts';
import { ownPath } from '../../kernel/files/index.ts';
import { compareSolutions, type DiffResult } from '../diff/index.ts';
import {
  checkDefinitionBytes,
  definedBy,
  type InputsRequest,
  type PreparedInputs,
  prepareRead,
  proveClosed,
  type ReadInputs,
  readInputs,
  renderableInputs,
  requireWritableLock,
  rootOf,
} from '../pack/index.ts';
import { askUpstreams } from './ask-upstreams.ts';
import type { Earlier } from './earlier.ts';
import { followImages } from './follow-images.ts';
import { keepingHigher, type LockedVersion } from './keep-higher.ts';
import type { EarlierUse, RawDefinition } from './newer-input.ts';
import { openWith } from './open-with.ts';
import type { UpdateRequest } from './request.ts';
import { resultsOf, type UpdatedInput } from './results.ts';
import { writeTogether } from './write-together.ts';

export type {
  /** What to raise. */
  UpdateRequest,
} from './request.ts';
export type {
  /** A component or an image, with the version that it has and the one that it gets. */
  UpdatedInput,
} from './results.ts';

/** What is newer. */
export interface UpdateResult {
  /** Path of the definition. */
  readonly definition: string;
  /** Whether nothing is newer. */
  readonly same: boolean;
  /** Components first, each in the order of the definition. */
  readonly inputs: readonly UpdatedInput[];
  /** The files that were written. */
  readonly written: readonly string[];
  /** What differs; left out if nothing is newer, and if what the lock names can no longer be fetched. */
  readonly diff?: DiffResult;
}

/**
 * Raises the versions of components and images in a definition and its lock to the newest that the bounds allow, and
 * compares the Solution with what it was. Writes nothing unless the result is closed. Throws what looking up,
 * fetching and rendering throw, `usage-invalid`, `solution-open`, `output-unwritable`.
 */
export async function updateDefinition(request: UpdateRequest, flow: Flow): Promise<UpdateResult> {
  const read = await readInputs(request);
  const names = request.follow ? new Set<string>() : namesOf(read, request.only);
  if (!request.plan) await requireWritableLock(read.lockFile, undefined);
  const raw = parseToml(text(read.bytes, 'toml-invalid'), 'toml-invalid') as RawDefinition;
  const asked: InputsRequest = {
    ...request,
    lock: 'use',
    metalk8s: read.before?.metalk8s === true,
    keepSources: request.plan !== true,
  };
  return lend(await resolveEarlier(read, asked, flow), async ({ prepared: old }) => {
    const earlier = { read, raw, prepared: old };
    const finding = await askUpstreams(earlier, { names, use: await useOf(earlier, request, flow) }, request, flow);
    const renewed = [finding.components, finding.images].flatMap((found) =>
      [...found].flatMap(([name, { isRenewed }]) => (isRenewed ? [name] : [])),
    );
    const kept = new Map<LockedVersion, string>();
    const mode = { update: renewed, keeps: keepingHigher(kept) };
    const followed = await followImages(earlier, finding, { request, mode }, flow);
    const now = { ...read, ...(await checkDefinitionBytes(request.definition, utf8(followed.text))) };
    return lend(await prepareRead(now, { ...asked, lock: mode }, flow), (prepared) => {
      const inputs = resultsOf({ read, now: prepared.inputs, finding, replaced: followed.replaced, kept });
      return conclude(earlier, { prepared, inputs, edited: followed.text }, asked, request, flow);
    });
  });
}

/** What the definition becomes. */
interface Raised {
  readonly prepared: PreparedInputs;
  readonly inputs: readonly UpdatedInput[];
  /** The text of the definition. */
  readonly edited: string;
}

async function conclude(
  { read, prepared: old }: Earlier,
  { prepared, inputs, edited }: Raised,
  asked: InputsRequest,
  { definition, plan }: UpdateRequest,
  flow: Flow,
): Promise<UpdateResult> {
  const isFollowed = edited !== text(read.bytes, 'toml-invalid');
  const same = read.before !== undefined && !isFollowed && inputs.every(({ change }) => change === 'none');
  if (same) return { definition, same, inputs, written: [] };
  const { lock } = await rootOf(prepared, asked, flow).catch((error) => {
    throw openWith(error, inputs);
  });
  const quiet = { ...flow, onEvent: () => undefined };
  const from = old && renderableInputs(definition, old.inputs, old.content);
  const to = renderableInputs(definition, prepared.inputs, prepared.content);
  const diff = from && (await compareSolutions(from, to, undefined, quiet));
  const written = plan ? [] : await write(read, edited, encodeLock(lock), definition);
  if (read.before?.installer !== undefined) {
    const message = 'names no installer any longer: the next "solpack pack --with-installer" adds it again';
    flow.onEvent({ type: 'notice', subject: read.lockFile, message });
  }
  return { definition, same, inputs, written, ...(diff ? { diff } : {}) };
}

/** Writes what has changed of the definition and the lock. Returns the paths, as the user knows them. */
async function write(read: ReadInputs, edited: string, lock: Uint8Array, definition: string): Promise<string[]> {
  const isEdited = edited !== text(read.bytes, 'toml-invalid');
  const real = await ownPath(definition);
  const { mode } = await fs.stat(real);
  await writeTogether([
    ...(isEdited ? [{ path: real, before: read.bytes, bytes: utf8(edited), mode: mode & 0o777 }] : []),
    { path: read.lockFile, before: undefined, bytes: lock, mode: 0o644 },
  ]);
  return [...(isEdited ? [definition] : []), read.lockFile];
}

/** What a definition and its lock became. */
interface ResolvedEarlier extends AsyncDisposable {
  /** Undefined where something of that no longer exists. */
  readonly prepared: PreparedInputs | undefined;
}

async function resolveEarlier(read: ReadInputs, request: InputsRequest, flow: Flow): Promise<ResolvedEarlier> {
  const gone: readonly string[] = ['component-absent', 'image-absent', 'lock-mismatch'];
  try {
    const prepared = await prepareRead(read, request, flow);
    return { prepared, [Symbol.asyncDispose]: () => prepared[Symbol.asyncDispose]() };
  } catch (error) {
    if (!(error instanceof SolpackError) || !gone.includes(error.code)) throw error;
    const message = `can no longer be fetched, so that nothing is compared with it: ${error.message}`;
    flow.onEvent({ type: 'notice', subject: error.subject, message });
    return { prepared: undefined, [Symbol.asyncDispose]: async () => undefined };
  }
}

/** Returns the names of what is looked up. Throws `usage-invalid` for a name that the definition does not have. */
function namesOf({ definition }: ReadInputs, only: readonly string[] | undefined): ReadonlySet<string> {
  const all = [
    ...definition.components.map(({ name }) => name),
    ...definition.images.map(({ reference }) => reference),
  ];
  if (only === undefined) return new Set(all);
  return new Set(
    only.map((one) => {
      const parts = all.includes(one) ? undefined : readReference(one);
      const name = parts === undefined ? one : formatReference(parts);
      if (all.includes(name)) return name;
      throw new SolpackError('usage-invalid', '--only', `the definition has no component and no image ${one}`, {
        hint: `name one of ${all.join(', ')}`,
      });
    }),
  );
}

/** Finds out what the objects of the earlier Solution name. */
async function useOf(
  { prepared, read }: Earlier,
  { definition, apiVersions }: UpdateRequest,
  flow: Flow,
): Promise<EarlierUse | undefined> {
  if (prepared === undefined) return undefined;
  const { inputs, content, before } = prepared;
  const asked = { definition, inputs, content, before, strict: false, apis: apiVersions };
  const { used, unused } = await proveClosed(asked, { ...flow, onEvent: () => undefined });
  return {
    unused,
    namedBy: (image) => {
      const isThis = definedBy([image], read.before);
      return [...new Set(used.filter(({ reference }) => isThis(reference)).map(({ component }) => component))];
    },
  };
}
