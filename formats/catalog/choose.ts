import { compareBuild } from 'semver';
import { edgeBound, versionInName } from '../bundle/edges.ts';
import { versionSatisfies } from '../chart/version.ts';
import { FormatError } from '../error.ts';
import { isSemVer } from '../solution/names.ts';
import type { UpgradeBound } from '../solution/upgrade.ts';
import type { CatalogBundle, CatalogChannel, CatalogPackage, ChannelEntry } from './read.ts';

/** The bundle of a package that was chosen. */
export interface ChosenBundle extends CatalogBundle {
  readonly channel: string;
  /** Whether no entry of the channel comes after it. */
  readonly isHead: boolean;
  /** What its channel says of the versions that it may be installed over; empty if it says nothing. */
  readonly upgrade: UpgradeBound;
  /** Why one might want another bundle, in words. */
  readonly notices: readonly string[];
}

/** Why there is no such bundle. */
export interface AbsentBundle {
  readonly absent: string;
}

/** How many names a message lists. */
const SHOWN = 8;

/**
 * Chooses a bundle of a channel: without a range its head, otherwise the highest version in the range, as Helm and OLM
 * write ranges. Versions that the publisher advises against, or that another entry skips, come last. Without a channel
 * it is the default one. Throws `FormatError` `catalog-invalid` if the channel has no head, or several.
 */
export function chooseBundle(
  of: CatalogPackage,
  wanted: { readonly channel: string | undefined; readonly range: string | undefined },
): ChosenBundle | AbsentBundle {
  const name = wanted.channel ?? of.defaultChannel;
  const names = [...of.channels.keys()];
  if (name === undefined) return { absent: `${of.name} has no default channel; it has ${listOf(names)}` };
  const channel = of.channels.get(name);
  if (!channel) return { absent: `${of.name} has no channel ${name}; it has ${listOf(names)}` };
  const heads = headsOf(channel);
  if (wanted.range === undefined) {
    const [head, ...others] = heads;
    if (!head || others.length > 0) {
      const found = head
        ? `several heads, ${listOf(heads)}`
        : 'no head: its entries come after one another in a circle';
      throw new FormatError('catalog-invalid', `the channel ${name} of ${of.name} has ${found}`);
    }
    const bundle = of.bundles.get(head);
    if (!bundle) return { absent: `the catalog has no olm.bundle ${head}, the head of the channel ${name}` };
    return chosen(of, channel, bundle, true);
  }
  const known = channel.entries.flatMap((entry) => of.bundles.get(entry.name) ?? []).filter(isVersioned);
  const last = new Set([...skippedIn(channel), ...deprecatedIn(of)]);
  const within = known.filter(({ version }) => isIn(version, wanted.range!));
  const rank = (one: CatalogBundle): number => (last.has(one.name) ? 1 : 0);
  const [best] = within.sort((a, b) => rank(a) - rank(b) || compareBuild(b.version, a.version));
  if (best) return chosen(of, channel, best, heads.includes(best.name));
  const versions = known.map(({ version }) => version).sort((a, b) => compareBuild(b, a));
  return { absent: `the channel ${name} of ${of.name} has no version ${wanted.range}; it has ${listOf(versions)}` };
}

/**
 * Lists the versions in a channel that nobody advises against; without a channel, those of the default one. None if
 * there is no such channel.
 */
export function channelVersions(of: CatalogPackage, channel: string | undefined): string[] {
  const found = of.channels.get(channel ?? of.defaultChannel ?? '');
  if (!found) return [];
  const passed = new Set([...skippedIn(found), ...deprecatedIn(of)]);
  return found.entries
    .filter(({ name }) => !passed.has(name))
    .flatMap(({ name }) => of.bundles.get(name) ?? [])
    .filter(isVersioned)
    .map(({ version }) => version);
}

/** A version without build metadata stands for those with it, of which the last one counts. */
function isIn(version: string, range: string): boolean {
  return version === range || versionSatisfies(version, range);
}

function isVersioned({ version }: CatalogBundle): boolean {
  return isSemVer(version);
}

/** The entries that no other one of the channel replaces or skips. */
function headsOf({ entries }: CatalogChannel): string[] {
  const passed = new Set(entries.flatMap(({ replaces, skips = [] }) => [...(replaces ? [replaces] : []), ...skips]));
  return entries.map(({ name }) => name).filter((name) => !passed.has(name));
}

function skippedIn({ entries }: CatalogChannel): ReadonlySet<string> {
  return new Set(entries.flatMap(({ skips = [] }) => skips));
}

/** The names of the bundles whose use their publisher advises against. */
function deprecatedIn({ deprecations }: CatalogPackage): string[] {
  return deprecations.flatMap(({ schema, name }) => (schema === 'olm.bundle' && name !== undefined ? [name] : []));
}

function chosen(of: CatalogPackage, channel: CatalogChannel, bundle: CatalogBundle, isHead: boolean): ChosenBundle {
  const entry: ChannelEntry = channel.entries.find(({ name }) => name === bundle.name)!;
  const versionOf = (name: string): string | undefined => {
    const version = of.bundles.get(name)?.version;
    return version !== undefined && isSemVer(version) ? version : versionInName(name);
  };
  const { bound, left } = edgeBound(entry, versionOf);
  const names: ReadonlyMap<string, string> = new Map([
    ['olm.package', `the package ${of.name}`],
    ['olm.channel', `the channel ${channel.name}`],
    ['olm.bundle', `the bundle ${bundle.name}`],
  ]);
  const deprecated = of.deprecations.flatMap(({ schema, name, message }) => {
    const concerns = schema === 'olm.package' || name === (schema === 'olm.channel' ? channel.name : bundle.name);
    return names.has(schema) && concerns
      ? [`${names.get(schema)} is deprecated: ${message.trim().replace(/\s+/g, ' ')}`]
      : [];
  });
  const skipped = skippedIn(channel).has(bundle.name)
    ? [`another entry of the channel ${channel.name} skips ${bundle.name}`]
    : [];
  const unkept = left.map((words) => `has upgrade rules that no Solution can state: ${words}`);
  return {
    ...bundle,
    channel: channel.name,
    isHead,
    upgrade: bound ?? {},
    notices: [...deprecated, ...skipped, ...unkept],
  };
}

function listOf(names: readonly string[]): string {
  if (names.length === 0) return 'none';
  const more = names.length > SHOWN ? ` and ${names.length - SHOWN} more` : '';
  return `${names.slice(0, SHOWN).join(', ')}${more}`;
}
