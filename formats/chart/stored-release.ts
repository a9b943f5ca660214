import { gunzipSync } from 'node:zlib';
import { valid } from 'semver';
import { FormatError } from '../error.ts';
import { parseJson } from '../json.ts';
import { isRecord } from '../record.ts';
import { sizeWords } from '../size-words.ts';
import { chartNamePattern } from './metadata.ts';

/** Limits of releases, in bytes once they are decompressed. A Secret has at most 1 MiB, real ones make a few of it. */
export const storedReleaseLimits = {
  /** Of one release. */
  one: 16 * 1024 * 1024,
  /** Of all releases of a cluster together. */
  all: 512 * 1024 * 1024,
} as const;

/** How many bytes of releases may still be decompressed. */
export interface ReleaseAllowance {
  bytes: number;
}

/** Which chart a release is of. */
export interface StoredRelease {
  readonly chart: string;
  /** Of the chart, as SemVer. */
  readonly version: string | undefined;
  /** Of what the chart installs, as SemVer. */
  readonly appVersion: string | undefined;
}

/**
 * Reads which chart a release is of, from the field `release` of a Secret of type `helm.sh/release.v1`, without the
 * encoding of Secrets: JSON, compressed by gzip, in Base64. Nothing else of it is returned: it has the values and all
 * objects of the release, and so its secrets. What it takes is taken from `allowance`. Throws `FormatError`
 * `chart-invalid`, whose message has nothing of it.
 */
export function readStoredRelease(
  stored: string,
  allowance: ReleaseAllowance = { bytes: storedReleaseLimits.all },
): StoredRelease {
  if (allowance.bytes <= 0) {
    throw new FormatError('chart-invalid', `all releases have more than ${sizeWords(storedReleaseLimits.all)}`);
  }
  let value: unknown;
  try {
    value = parseJson(plainBytes(stored, allowance), 'chart-invalid', 'a release');
  } catch {
    const most = sizeWords(storedReleaseLimits.one);
    throw new FormatError(
      'chart-invalid',
      `not a release as Helm stores it, or one of too many values or over ${most}`,
    );
  }
  const chart = isRecord(value) ? value['chart'] : undefined;
  const metadata = isRecord(chart) ? chart['metadata'] : undefined;
  const { name, version, appVersion } = isRecord(metadata) ? metadata : {};
  if (typeof name !== 'string' || !chartNamePattern.test(name)) {
    throw new FormatError('chart-invalid', 'a release without a chart, or of one whose name Helm does not allow');
  }
  return { chart: name, version: semVerOf(version), appVersion: semVerOf(appVersion) };
}

function plainBytes(stored: string, allowance: ReleaseAllowance): Uint8Array {
  const bytes = Buffer.from(stored, 'base64');
  const isCompressed = bytes[0] === 0x1f && bytes[1] === 0x8b;
  // A release that becomes too much counts as much as is made of it before it is refused.
  let size: number = isCompressed ? storedReleaseLimits.one : bytes.length;
  try {
    const plain = isCompressed ? gunzipSync(bytes, { maxOutputLength: storedReleaseLimits.one }) : bytes;
    size = plain.length;
    return plain;
  } finally {
    allowance.bytes -= size;
  }
}

function semVerOf(text: unknown): string | undefined {
  return typeof text === 'string' && text.length <= 256 ? (valid(text.replace(/^v/, '')) ?? undefined) : undefined;
}
