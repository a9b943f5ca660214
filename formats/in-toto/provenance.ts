import { algorithmOf, type Digest, hexOf } from '../digest.ts';
import { encodeJson } from '../json.ts';

/** The `buildType` of the provenance. `docs/archive-format.md` has what it stands for. */
const BUILD_TYPE = 'https://solpack.io/docs/format#provenance/v1';

/**
 * The `builder.id`: any solpack that writes this version of the format, because all of them make the same bytes of the
 * same inputs.
 */
const BUILDER = 'https://solpack.io/pack/v1';

/** Something that a build took in (SLSA v1 `ResourceDescriptor`). */
export interface ResolvedDependency {
  readonly name?: string;
  readonly uri?: string;
  readonly digest: Digest;
  readonly mediaType?: string;
  readonly annotations?: Readonly<Record<string, string>>;
}

/** The inputs of a Solution's packing. */
export interface PackedOf {
  readonly name: string;
  readonly version: string;
  /** The date of the Solution that was asked for, in seconds since 1970. */
  readonly created: number;
  /** The digest of the bytes of `solution.toml`. */
  readonly definition: Digest;
  readonly dependencies: readonly ResolvedDependency[];
}

/**
 * Encodes the predicate of SLSA provenance v1 for a Solution. It names no machine, user or time, so that the same
 * inputs give the same bytes.
 */
export function encodeProvenance({ name, version, created, definition, dependencies }: PackedOf): Uint8Array {
  return encodeJson({
    buildDefinition: {
      buildType: BUILD_TYPE,
      externalParameters: {
        definition: resource({ name: 'solution.toml', digest: definition }),
        name,
        version,
        created: new Date(1000 * created).toISOString().replace('.000Z', 'Z'),
      },
      internalParameters: {},
      resolvedDependencies: dependencies.map(resource),
    },
    runDetails: { builder: { id: BUILDER } },
  });
}

function resource({ digest, ...more }: ResolvedDependency): object {
  return { ...more, digest: { [algorithmOf(digest)]: hexOf(digest) } };
}
