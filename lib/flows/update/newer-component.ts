import * as fs from 'node:fs/promises';
import { join } from 'node:path';
import { readBundleChannels } from '../../../formats/bundle/channels.ts';
import { METADATA } from '../../../formats/bundle/files.ts';
import { isExactVersion } from '../../../formats/chart/version.ts';
import { parseReference } from '../../../formats/oci/reference.ts';
import type { ComponentDefinition } from '../../../formats/solution/definition.ts';
import type { Lock } from '../../../formats/solution/lock.ts';
import {
  type NewerVersion,
  newerVersion,
  raisedRange,
  type VersionBounds,
} from '../../../formats/solution/newer-version.ts';
import { isVersionTag, newerTag, newerTags } from '../../../formats/solution/version-tag.ts';
import { narrow, refused } from '../../kernel/events/index.ts';
import {
  fetchSource,
  isElsewhere,
  type SourceContext,
  type SourceRequest,
  sourceVersions,
} from '../../parts/sources/index.ts';
import { componentRequest } from '../pack/index.ts';
import { lockedSource } from './locked-source.ts';
import { narrowTags } from './narrow-tags.ts';
import { type NewerInput, staying } from './newer-input.ts';
import { retagged } from './retagged.ts';

/** How many newer bundles are looked at for one that is in the channel. */
const MOST_BUNDLES = 50;

/** Where a component stands, and what is known of it. */
export interface ComponentEntry {
  /** Its path in the definition, as `components.0`. */
  readonly place: string;
  /** The folder of the definition. */
  readonly home: string;
  readonly lock: Lock | undefined;
  readonly bounds: VersionBounds;
}

/** Asks the upstream of a component for newer versions. Throws what registries and servers answer. */
export async function newerComponent(
  component: ComponentDefinition,
  at: ComponentEntry,
  context: SourceContext,
): Promise<NewerInput> {
  const { path } = component;
  // What its charts and kustomizations need from elsewhere is resolved anew.
  if (!isElsewhere(path)) return { ...staying(undefined, 'is on this machine'), isRenewed: true };
  const request = await componentRequest(component, at.home);
  const versions = await sourceVersions(request, context);
  if (versions === undefined) {
    const what =
      request.content === 'folder'
        ? 'a commit, which the definition names'
        : 'one file, whose address names its version';
    return { ...staying(undefined, `is ${what}: nobody lists newer ones`), isRenewed: request.content !== 'folder' };
  }
  if (isInAddress(path)) return newerAddress(component, at, versions, context);
  const from = versionNow(component, at.lock);
  const choose = (part: readonly string[]): string[] => [
    ...part.filter((one) => one === from || one === component.version),
    ...[false, at.bounds.latest].flatMap((latest) => {
      const { version, beyond } = newerVersion(part, component.version, from, { ...at.bounds, latest });
      return [version, beyond].filter((one) => one !== undefined);
    }),
  ];
  return newerInRange(component, await narrow(versions, context.flow.signal, choose), at);
}

/** Returns the version that a component has now; undefined if only the lock could tell, and does not. */
function versionNow(component: ComponentDefinition, lock: Lock | undefined): string | undefined {
  const { version } = component;
  return version !== undefined && isExactVersion(version) ? version : lockedSource(lock, component)?.version;
}

/** Chooses a version for a component that says a version or a range, or nothing. */
function newerInRange(
  component: ComponentDefinition,
  versions: readonly string[],
  { place, lock, bounds }: ComponentEntry,
): NewerInput {
  const { path, version } = component;
  const isExact = version !== undefined && isExactVersion(version);
  const from = versionNow(component, lock);
  if (version === undefined && path.startsWith('catalog:')) {
    return { ...staying(from, 'takes the head of its channel'), isRenewed: true };
  }
  const found = newerVersion(versions, version, from, bounds);
  if (found.version === undefined) {
    if (from !== undefined && !versions.includes(from))
      return { ...staying(from, 'is no longer listed by its upstream'), beyond: found.beyond };
    return { ...staying(from), isRenewed: true, beyond: found.beyond };
  }
  const raised = { edits: [], isRenewed: true, from, to: found.version, beyond: found.beyond };
  const own = { path: `${place}.version`, to: found.version };
  if (isExact) return { ...raised, edits: [own] };
  const inRange = newerVersion(versions, version, from, { ...bounds, latest: false }).version;
  if (version === undefined || inRange === found.version) return raised;
  const range = raisedRange(version, found.version);
  if (range !== undefined) return { ...raised, edits: [{ ...own, to: range }] };
  const reason = `its range ${version} has a form that is changed by hand`;
  return { ...raised, to: inRange, beyond: found.version, reason };
}

/** Chooses a tag for a component whose address has one. */
async function newerAddress(
  component: ComponentDefinition,
  at: ComponentEntry,
  versions: readonly string[],
  context: SourceContext,
): Promise<NewerInput> {
  const { path, kind } = component;
  const { tag = 'latest', digest } = parseReference(splitAddress(path).reference);
  if (digest !== undefined) return staying(tag, 'is pinned by its digest');
  if (!isVersionTag(tag)) return { ...staying(tag, 'has a tag that names no version'), isRenewed: true };
  const found =
    kind === 'registry+v1' && !at.bounds.latest
      ? await newerInChannel(component, tag, versions, at.bounds, context)
      : newerTag(await narrowTags(versions, tag, at.bounds, context.flow.signal), tag, at.bounds);
  const { version: to, beyond, reason } = found as NewerVersion & { readonly reason?: string };
  const edits = to === undefined ? [] : [{ path: `${at.place}.path`, to: withTag(path, to) }];
  return { edits, isRenewed: true, from: tag, to, beyond, reason };
}

/** Finds the newest bundle that is in a channel of the one that there is: in its default channel, if it is in that. */
async function newerInChannel(
  component: ComponentDefinition,
  tag: string,
  tags: readonly string[],
  { preReleases }: VersionBounds,
  context: SourceContext,
): Promise<NewerVersion & { readonly reason?: string }> {
  const choose = (part: readonly string[]): string[] => newerTags(part, tag, { preReleases, most: MOST_BUNDLES });
  const newer = choose(await narrow(tags, context.flow.signal, choose));
  if (newer.length === 0) return { version: undefined, beyond: undefined };
  const { channels, preferred } = await channelsOf(component.path, context);
  const wanted = preferred !== undefined && channels.includes(preferred) ? [preferred] : channels;
  const words = `channel ${wanted.join(', ')}`;
  for (const one of newer) {
    context.flow.signal.throwIfAborted();
    const own = await channelsOf(withTag(component.path, one), context);
    if (wanted.length > 0 && !own.channels.some((channel) => wanted.includes(channel))) continue;
    const beyond = one === newer[0] ? undefined : newer[0];
    return { version: one, beyond, ...(wanted.length > 0 ? { reason: words } : {}) };
  }
  return { version: undefined, beyond: newer[0], reason: words };
}

async function channelsOf(address: string, context: SourceContext): ReturnType<typeof readAnnotations> {
  const request: SourceRequest = { address, version: undefined, content: 'bundle' };
  const { path } = await fetchSource(request, undefined, context);
  return refused('component-invalid', address, () => readAnnotations(path), 'build the bundle again');
}

async function readAnnotations(folder: string): Promise<ReturnType<typeof readBundleChannels>> {
  const path = `${METADATA}/annotations.yaml`;
  const bytes = await fs.readFile(join(folder, path)).catch(() => undefined);
  return readBundleChannels(bytes === undefined ? [] : [{ path, bytes }]);
}

/** Whether an address says by a tag or a digest what it stands for. */
function isInAddress(path: string): boolean {
  if (!/^(?:oci|docker):\/\//.test(path)) return false;
  const { tag, digest } = parseReference(splitAddress(path).reference);
  return path.startsWith('docker:') || tag !== undefined || digest !== undefined;
}

/** Splits an address into its scheme, the reference, and what it selects of that. */
function splitAddress(path: string): { scheme: string; reference: string; selected: string } {
  const begin = path.indexOf('://') + '://'.length;
  const double = path.indexOf('//', begin);
  const end = double < 0 ? path.length : double;
  return { scheme: path.slice(0, begin), reference: path.slice(begin, end), selected: path.slice(end) };
}

function withTag(path: string, tag: string): string {
  const { scheme, reference, selected } = splitAddress(path);
  return `${scheme}${retagged(reference, tag)}${selected}`;
}
