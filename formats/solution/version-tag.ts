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
  const possible = tags
    .flatMap((tag) => readVersionTag(tag) ?? [])
    .filter((tag) => tag.form === base.form && order(tag, base) > 0)
    .filter((tag) => preReleases || tag.pre === '' || (base.pre !== '' && hasSameNumbers(tag, base)))
    .sort((a, b) => order(b, a));
  const within = latest ? possible[0] : possible.find((tag) => isCompatible(tag, base));
  const beyond = possible[0] === within ? undefined : possible[0]?.written;
  return { version: within?.written, beyond };
}

/** Lists tags of the same form that are newer than `current`, the newest first. */
export function newerTags(tags: readonly string[], current: string, preReleases: boolean): string[] {
  const left = new Set(tags);
  const found: string[] = [];
  for (;;) {
    const { version } = newerTag([...left], current, { latest: true, preReleases });
    if (version === undefined) return found;
    found.push(version);
    left.delete(version);
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
  for (const [at, number] of a.numbers.entries()) {
    if (number !== b.numbers[at]) return number - (b.numbers[at] ?? 0);
  }
  if (a.pre !== b.pre) {
    if (a.pre === '' || b.pre === '') return a.pre === '' ? 1 : -1;
    return a.pre.localeCompare(b.pre, 'en', { numeric: true });
  }
  return a.build - b.build;
}

function hasSameNumbers(a: VersionTag, b: VersionTag): boolean {
  return a.numbers.join('.') === b.numbers.join('.');
}

function isCompatible(tag: VersionTag, base: VersionTag): boolean {
  if (base.numbers.length === 1 || tag.numbers[0] !== base.numbers[0]) return hasSameNumbers(tag, base);
  return base.numbers[0]! > 0 || tag.numbers[1] === base.numbers[1];
}
