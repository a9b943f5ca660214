import { parse } from 'semver';
import { formedText, type z } from '../schema.ts';

/** The form of an RFC 1123 label. */
export const LABEL: RegExp = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

/** The form of a version (SemVer 2.0.0 §2, 9 and 10); what of that is a version, `isSemVer` tells. */
const VERSION = /^\d+\.\d+\.\d+(?:-[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*)?(?:\+[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*)?$/;

/** Returns whether `value` is an RFC 1123 label: 1 to 63 of a-z, 0-9 and -, with no - at either end. */
export function isLabel(value: string): boolean {
  return LABEL.test(value);
}

/** Returns whether `value` is exactly a version of SemVer 2.0.0, without a leading `v` and without blanks. */
export function isSemVer(value: string): boolean {
  const parsed = parse(value);
  if (!parsed) return false;
  const build = parsed.build.length > 0 ? `+${parsed.build.join('.')}` : '';
  return `${parsed.version}${build}` === value;
}

/** Accepts a name that Kubernetes takes as a label (RFC 1123). */
export const labelSchema: z.ZodString = formedText(
  LABEL,
  'has to be an RFC 1123 label: 1 to 63 of a-z, 0-9 and "-", no "-" at either end',
);

/** Accepts a version of SemVer 2.0.0. */
export const semVerSchema: z.ZodString = formedText(
  VERSION,
  'has to be a SemVer 2.0.0 version, such as 1.2.0 or 2.0.0-rc.1 (no leading "v")',
  isSemVer,
);
