import { Range, valid } from 'semver';
import { formedText, z } from '../schema.ts';
import { isSemVer } from './names.ts';
import { isVersionRange, RANGE } from './wanted-version.ts';

/** Over which versions something may be installed. */
export interface UpgradeBound {
  /** A range, in which pre-releases lie by their order. Left out: any version. */
  readonly from?: string | undefined;
  /** Versions, or ranges of them, that it may be installed over as well, and that no upgrade goes by. */
  readonly skips?: readonly string[] | undefined;
}

/** The same for a version of a Solution, and for capabilities that it provides. */
export interface Upgrade extends UpgradeBound {
  /** By names of capabilities: over which versions of them. */
  readonly provides?: Readonly<Record<string, UpgradeBound>> | undefined;
}

/** Most entries of a list of versions that are skipped. */
export const MOST_SKIPS = 256;

const range = formedText(
  RANGE,
  'has to be a SemVer range, such as ">=1.2 <2", or a version',
  (value) => isSemVer(value) || isVersionRange(value),
);

const bound = {
  from: range
    .optional()
    .describe('The versions that it may be installed over, as a SemVer range: >=1.2 <2. Left out: any.'),
  skips: z
    .array(range)
    .max(MOST_SKIPS)
    .optional()
    .describe('Versions that it may also be installed over, but that no upgrade passes through.'),
};

/** What a definition says of upgrades. */
export const upgradeField = z
  .strictObject(bound)
  .optional()
  .describe('Over which versions of the Solution this one may be installed.');

/** The same as an archive keeps it. */
export const keptUpgrade = z
  .strictObject({ ...bound, provides: z.record(z.string(), z.strictObject(bound)).optional() })
  .optional();

/** Lists the fields that `[upgrade]` may have. */
export const upgradeFields: readonly string[] = Object.keys(bound);

/** Returns whether something may be installed over a version. */
export function mayFollow({ from, skips = [] }: UpgradeBound, version: string): boolean {
  return from === undefined || [from, ...skips].some((one) => lies(version, one));
}

/** Returns whether a version is one that upgrades do not go by. */
export function isSkipped({ skips = [] }: UpgradeBound, version: string): boolean {
  return skips.some((one) => lies(version, one));
}

/** Names the versions over which something may be installed: `>=1.4 <2 or 1.3.1`. */
export function boundWords({ from = '*', skips = [] }: UpgradeBound): string {
  return [from, ...skips].join(' or ');
}

/** Returns whether a version lies in a range by its order alone, also if it is a pre-release. */
function lies(version: string, within: string): boolean {
  return valid(version) !== null && new Range(within, { includePrerelease: true }).test(version);
}
