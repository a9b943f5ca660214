import { listOf, z } from '../schema.ts';

/** The format that an SBOM is written in. */
export interface SbomKind {
  readonly kind: 'cyclonedx' | 'spdx';
  /** The version of the format, such as `1.6` or `2.3`. */
  readonly version: string;
}

const text = z.string().min(1);

/** CycloneDX as JSON: version 1.2 and later ones of 1, which keep the fields that are read here (ECMA-424). */
const cyclonedx = z.looseObject({
  bomFormat: z.literal('CycloneDX'),
  specVersion: z.string().regex(/^1\.(?:[2-9]|[1-9][0-9])$/),
  serialNumber: z
    .string()
    .regex(/^urn:uuid:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i)
    .optional(),
  version: z.int().min(1).optional(),
  metadata: z.object({}).optional(),
  components: listOf(z.object({ type: text, name: text })).optional(),
  dependencies: listOf(z.object({ ref: text })).optional(),
});

/** SPDX 2.2 and 2.3 as JSON ("Document Creation Information"). */
const spdx2 = z.looseObject({
  spdxVersion: z.string().regex(/^SPDX-2\.[2-9]$/),
  SPDXID: z.literal('SPDXRef-DOCUMENT'),
  dataLicense: z.literal('CC0-1.0'),
  name: text,
  documentNamespace: text,
  creationInfo: z.looseObject({ created: text, creators: listOf(text).refine((creators) => creators.length > 0) }),
  packages: listOf(z.object({ SPDXID: text, name: text })).optional(),
});

/** SPDX 3 as JSON-LD ("JSON-LD context file", "SpdxDocument"). */
const spdx3 = z.looseObject({
  '@context': z.string().regex(/^https:\/\/spdx\.org\/rdf\/3\.[0-9.]+\/spdx-context\.jsonld$/),
  '@graph': listOf(z.object({ type: text })),
});

/**
 * Tells the kind of the SBOM in `bytes`, which has to be JSON. Undefined if it is no SBOM, is not well-formed, or could
 * be taken for either kind. CycloneDX as XML and SPDX as tag-value or RDF are no JSON, and so not recognised.
 */
export function sbomKind(bytes: Uint8Array): SbomKind | undefined {
  const value = parsed(bytes);
  if (typeof value !== 'object' || value === null) return undefined;
  const claims = ['bomFormat', 'spdxVersion', '@context'].filter((key) => Object.hasOwn(value, key));
  if (claims.length !== 1) return undefined;
  if (claims[0] === 'bomFormat') {
    const found = cyclonedx.safeParse(value);
    return found.success ? { kind: 'cyclonedx', version: found.data.specVersion } : undefined;
  }
  if (claims[0] === 'spdxVersion') {
    const found = spdx2.safeParse(value);
    return found.success ? { kind: 'spdx', version: found.data.spdxVersion.slice('SPDX-'.length) } : undefined;
  }
  const found = spdx3.safeParse(value);
  if (!found.success || !found.data['@graph'].some(({ type }) => type === 'SpdxDocument')) return undefined;
  return { kind: 'spdx', version: found.data['@context'].split('/')[4]! };
}

function parsed(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    return undefined;
  }
}
