import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { hexOf, sha256 } from '../../formats/digest.ts';
import { predicateTypes } from '../../formats/in-toto/predicate.ts';
import { root } from '../home.ts';
import type { Commit } from './git.ts';

/** The files that fix, by digests, what a build takes from elsewhere. */
const locks = [
  'package-lock.json',
  'scripts/image/libraries.json',
  'scripts/image/tools/go.sum',
  'scripts/pins.json',
  'scripts/runtime/package-lock.json',
];

/** What a release was made of. */
export interface Released {
  readonly version: string;
  /** As `2026-01-31`. */
  readonly day: string;
  /** Undefined where what is checked out is no commit. */
  readonly commit: Commit | undefined;
}

/**
 * Encodes the in-toto statement v1 with SLSA provenance v1 about all files of a release. It names no machine and no
 * user: whoever builds the same commit gets the same bytes.
 */
export function encodeReleaseProvenance(folder: string, names: readonly string[], released: Released): Uint8Array {
  const { version, day, commit } = released;
  const source = commit?.clean ? [{ name: 'source', digest: { gitCommit: commit.id } }] : [];
  return Buffer.from(
    JSON.stringify({
      _type: 'https://in-toto.io/Statement/v1',
      subject: names.map((name) => ({ name, digest: digestOf(join(folder, name)) })),
      predicateType: predicateTypes.provenance,
      predicate: {
        buildDefinition: {
          buildType: 'https://solpack.io/docs/release#build/v1',
          externalParameters: { version, day },
          internalParameters: {},
          resolvedDependencies: [...source, ...locks.map((name) => ({ name, digest: digestOf(join(root, name)) }))],
        },
        runDetails: { builder: { id: 'https://solpack.io/release/v1' } },
      },
    }),
  );
}

function digestOf(path: string): { readonly sha256: string } {
  return { sha256: hexOf(sha256(readFileSync(path))) };
}
