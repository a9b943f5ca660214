import { gunzipSync } from 'node:zlib';
import { valid } from 'semver';
import { FormatError } from '../error.ts';
import { isRecord } from '../record.ts';

/** Most bytes of a release once it is decompressed: Helm stores at most 1 MiB of compressed ones in a Secret. */
const LIMIT = 64 * 1024 * 1024;

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
 * objects of the release, and so its secrets. Throws `FormatError` `chart-invalid`, whose message has nothing of it.
 */
export function readStoredRelease(stored: string): StoredRelease {
  let value: unknown;
  try {
    const bytes = Buffer.from(stored, 'base64');
    const isCompressed = bytes[0] === 0x1f && bytes[1] === 0x8b;
    value = JSON.parse((isCompressed ? gunzipSync(bytes, { maxOutputLength: LIMIT }) : bytes).toString());
  } catch {
    throw new FormatError('chart-invalid', 'not a release as Helm stores it, or one of more than 64 MiB');
  }
  const chart = isRecord(value) ? value['chart'] : undefined;
  const metadata = isRecord(chart) ? chart['metadata'] : undefined;
  const { name, version, appVersion } = isRecord(metadata) ? metadata : {};
  if (typeof name !== 'string' || name === '') throw new FormatError('chart-invalid', 'a release without a chart');
  return { chart: name, version: semVerOf(version), appVersion: semVerOf(appVersion) };
}

function semVerOf(text: unknown): string | undefined {
  return typeof text === 'string' && text.length <= 256 ? (valid(text.replace(/^v/, '')) ?? undefined) : undefined;
}
