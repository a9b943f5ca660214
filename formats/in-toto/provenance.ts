import { algorithmOf, type Digest, hexOf } from '../digest.ts';
import { encodeJson } from '../json.ts';

/** What `docs/format.md` says about how `pack` builds: `buildType` of its provenance. */
const BUILD_TYPE = 'https://solpack.io/docs/format#provenance/v1';

/** Who builds: any solpack that writes this version of the format, since they all make the same bytes of the same inputs. */
const BUILDER = 'https://solpack.io/pack/v1';

/** Something that a build took in (SLSA v1 `ResourceDescriptor`). */
export interface ResolvedDependency {
  readonly name?: string;
  readonly uri?: string;
  readonly digest: Digest;
  readonly mediaType?: string;
  readonly annotations?: Readonly<Record<string, string>>;
}

/** What a Solution was packed of. */
export interface PackedOf {
  readonly name: string;
  readonly version: string;
  /** Seconds since 1970: the date that was asked for. */
  readonly created: number;
  /** Of the bytes of `solution.toml`. */
  readonly definition: Digest;
  readonly dependencies: readonly ResolvedDependency[];
}

/**
 * The predicate of SLSA provenance v1 for a Solution. It tells nothing of the machine, of the user or of the time, so that
 * the same inputs have the same one.
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
