import { z } from 'zod';
import type { PullResult } from '../../lib/pull/index.ts';
import type { PushResult } from '../../lib/push/index.ts';
import { bytes, count, plain } from '../io.ts';
import type { Style } from './style.ts';

const version = z.literal(1).describe('of this schema; fields may be added without raising it');
const digest = z.string().regex(/^sha(?:256|512):[0-9a-f]+$/);
const natural = z.number().int().nonnegative();

/** The shape of what `push` prints with `--json`. */
export const pushSchema = z.object({
  schemaVersion: version,
  reference: z.string().describe('where the Solution is now: repository, tag where it has one, digest'),
  name: z.string(),
  version: z.string(),
  root: digest,
  signatures: natural.describe('signatures of the archive, which are referrers of the root now'),
  attestations: natural.describe('signed attestations, which are referrers of what they are about now'),
  names: z
    .array(z.object({ reference: z.string(), digest }))
    .describe('images and charts that have names of their own now (--expand)'),
  moved: natural.describe('contents that were sent'),
  movedBytes: natural.describe('bytes of these'),
  present: natural.describe('contents that the registry had'),
});

/** The shape of what `pull` prints with `--json`. */
export const pullSchema = z.object({
  schemaVersion: version,
  path: z.string(),
  carrier: z.enum(['iso', 'tar']),
  reference: z.string(),
  name: z.string(),
  version: z.string(),
  root: digest,
  size: natural.describe('bytes of the archive'),
  signatures: natural.describe('signatures in the slots of the archive'),
  attestations: natural.describe('attestations in it that are signed'),
  moved: natural.describe('contents that were fetched'),
  movedBytes: natural.describe('bytes of these'),
  present: natural.describe('contents that an earlier run had fetched'),
});

/** What was pushed. */
export function pushed(result: PushResult, style: Style): string[] {
  const { reference, name, version, signatures, attestations, names, moved, movedBytes, present } = result;
  const sent = `${count(moved, 'content')} sent (${bytes(movedBytes)}), ${present} there before`;
  return [
    `${moved > 0 ? style.good('pushed') : style.good('already there')} ${style.bold(`${plain(name)} ${plain(version)}`)}`,
    `  ${plain(reference)}`,
    `  ${sent}; ${count(signatures, 'signature')}, ${count(attestations, 'signed attestation')}`,
    ...names.map(({ reference: own }) => `  ${plain(own)}`),
  ];
}

/** What was pulled. */
export function pulled(result: PullResult, style: Style): string[] {
  const { path, name, version, root, size, signatures, moved, movedBytes, present } = result;
  const kept = present > 0 ? `, ${present} from an earlier run` : '';
  return [
    `${style.good('pulled')} ${style.bold(`${plain(name)} ${plain(version)}`)}  ${plain(path)}  ${bytes(size)}`,
    `  root ${root}`,
    `  ${count(moved, 'content')} fetched (${bytes(movedBytes)})${kept}; ${count(signatures, 'signature')}, not judged: "solpack verify --key" does`,
  ];
}
