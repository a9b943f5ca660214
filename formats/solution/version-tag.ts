import { compare } from 'semver';
import { readChartVersion } from '../chart/version.ts';
import type { NewerVersion, VersionBounds } from './newer-version.ts';

/** A tag of an image that names a version. */
interface VersionTag {
  readonly written: string;
  readonly numbers: readonly number[];
  /** Whether it names a pre-release. */
  readonly pre: string;
  /** The number of a build of the same version: the 3 of `1.2.3-debian-12-r3`. */
  readonly build: number;
  /** What tags have in common that are for the same purpose: `v`, how many numbers, and what follows them. */
  readonly form: string;
}

/** Most tags have up to three numbers; four are found too. */
const grammar = /^(v?)(\d{1,9}(?:\.\d{1,9}){0,3})(.{0,120})$/;
const preRelease = /^[-.]?(?:alpha|beta|rc|pre|preview|dev|snapshot|nightly|canary|milestone|m)[-.]?\d{0,9}(?=$|[-.])/i;
const builds = /^(-.{0,100}?(?:r|k3s|eksbuild\.))(\d{1,9})$/;
// Registries list up to a million tags: a collator of its own for each comparison takes minutes.
const words = new Intl.Collator('en', { numeric: true });

/** Whether a tag names a version. */
export function isVersionTag(tag: string): boolean {
  return readVersionTag(tag) !== undefined;
}

/**
 * Chooses among the tags of an image one that is newer than `current` and has the same form: `1.25.3-alpine` may become
 * `1.25.5-alpine`, and neither `1.26` nor `1.25.5`. It stays within the first number, and below 1 within the second
 * one, unless `latest` is set. Neither is there for a tag that names no version.
 */
export function newerTag(
  tags: readonly string[],
  current: string,
  { latest, preReleases }: VersionBounds,
): NewerVersion {
  const base = readVersionTag(current);
  if (base === undefined) return { version: undefined, beyond: undefined };
  let within: VersionTag | undefined;
  let highest: VersionTag | undefined;
  for (const tag of tagsAbove(tags, base, preReleases)) {
    if (highest === undefined || order(tag, highest) > 0) highest = tag;
    if (!latest && !isCompatible(tag, base)) continue;
    if (within === undefined || order(tag, within) > 0) within = tag;
  }
  return { version: within?.written, beyond: highest === within ? undefined : highest?.written };
}

/** Lists tags of the same form that are newer than `current`, the newest first: at most `most` of them. */
export function newerTags(
  tags: readonly string[],
  current: string,
  { preReleases, most }: { readonly preReleases: boolean; readonly most: number },
): string[] {
  const base = readVersionTag(current);
  if (base === undefined) return [];
  const newer = [...tagsAbove(new Set(tags), base, preReleases)].sort((a, b) => order(b, a));
  return newer.slice(0, most).map(({ written }) => written);
}

/**
 * Whether `version` is higher than `other`, as far as anybody can tell: by their numbers, then as tags of the same
 * form, then as versions of charts. It is not where either of them names no version.
 */
export function isHigherVersion(version: string, other: string): boolean {
  const [tag, base] = [readVersionTag(version), readVersionTag(other)];
  if (tag && base) {
    const by = orderOfNumbers(tag.numbers, base.numbers);
    if (by !== 0) return by > 0;
    if (tag.form === base.form) return order(tag, base) > 0;
  }
  const [value, earlier] = [readChartVersion(version), readChartVersion(other)];
  return value !== undefined && earlier !== undefined && compare(value, earlier) > 0;
}

/** Finds the tags of the same form that are newer, in the order in which they come. */
function* tagsAbove(tags: Iterable<string>, base: VersionTag, preReleases: boolean): Generator<VersionTag> {
  for (const written of tags) {
    const tag = readVersionTag(written);
    if (tag === undefined || tag.form !== base.form || order(tag, base) <= 0) continue;
    if (preReleases || tag.pre === '' || (base.pre !== '' && hasSameNumbers(tag, base))) yield tag;
  }
}

function readVersionTag(tag: string): VersionTag | undefined {
  const match = grammar.exec(tag);
  if (!match) return undefined;
  const [, letter = '', written = '', rest = ''] = match;
  const numbers = written.split('.').map(Number);
  const pre = preRelease.exec(rest)?.[0] ?? '';
  const suffix = rest.slice(pre.length);
  if (suffix !== '' && !/^[-_]/.test(suffix)) return undefined;
  const [, stem = suffix, build = '0'] = builds.exec(suffix) ?? [];
  return { written: tag, numbers, pre, build: Number(build), form: `${letter}|${numbers.length}|${stem}` };
}

function order(a: VersionTag, b: VersionTag): number {
  const by = orderOfNumbers(a.numbers, b.numbers);
  if (by !== 0) return by;
  if (a.pre !== b.pre) {
    if (a.pre === '' || b.pre === '') return a.pre === '' ? 1 : -1;
    return words.compare(a.pre, b.pre);
  }
  return a.build - b.build;
}

function orderOfNumbers(a: readonly number[], b: readonly number[]): number {
  for (let at = 0; at < Math.max(a.length, b.length); at += 1) {
    const by = (a[at] ?? 0) - (b[at] ?? 0);
    if (by !== 0) return by;
  }
  return 0;
}

function hasSameNumbers(a: VersionTag, b: VersionTag): boolean {
  return a.numbers.join('.') === b.numbers.join('.');
}

function isCompatible(tag: VersionTag, base: VersionTag): boolean {
  if (base.numbers.length === 1 || tag.numbers[0] !== base.numbers[0]) return hasSameNumbers(tag, base);
  return base.numbers[0]! > 0 || tag.numbers[1] === base.numbers[1];
}
