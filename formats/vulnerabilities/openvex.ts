import { type Digest, hexOf } from '../digest.ts';
import { checked, parseJson } from '../json.ts';
import { listOf, z } from '../schema.ts';
import { isOfPackage, ociDigestOf } from './package-url.ts';
import type { Vulnerability } from './vulnerability.ts';

/** How every version of OpenVEX calls its context, and the predicate type of it. */
const CONTEXT = 'https://openvex.dev/ns';

const part = {
  '@id': z.string().optional(),
  identifiers: z.looseObject({ purl: z.string().optional() }).nullish(),
  hashes: z.record(z.string(), z.string()).nullish(),
};
const product = z.union([
  z.string().transform((id) => ({ '@id': id, identifiers: undefined, hashes: undefined, subcomponents: undefined })),
  z.object({ ...part, subcomponents: z.array(z.object(part)).nullish() }),
]);

const schema = z.looseObject({
  '@context': z.string().startsWith(CONTEXT),
  timestamp: z.string().optional(),
  statements: listOf(
    z.object({
      vulnerability: z.union([
        z.string().transform((name) => ({ '@id': undefined, name, aliases: undefined })),
        z.object({ '@id': z.string().optional(), name: z.string().optional(), aliases: z.array(z.string()).nullish() }),
      ]),
      products: z.array(product).nullish(),
      status: z.enum(['not_affected', 'affected', 'fixed', 'under_investigation']),
      justification: z.string().optional(),
      impact_statement: z.string().optional(),
      timestamp: z.string().optional(),
    }),
  ),
});

type Product = z.infer<typeof product>;
type Part = Pick<Product, '@id' | 'identifiers' | 'hashes'>;

/** What a document of OpenVEX says, each statement with its time. */
export interface VexDocument {
  readonly statements: readonly VexStatement[];
}

interface VexStatement {
  readonly names: ReadonlySet<string>;
  readonly products: readonly Product[];
  readonly status: 'not_affected' | 'affected' | 'fixed' | 'under_investigation';
  readonly reason: string | undefined;
  /** Milliseconds since 1970; 0 where it has no time. */
  readonly at: number;
}

/** Why a vulnerability does not count. */
export interface VexVerdict {
  readonly status: 'not_affected' | 'fixed';
  /** The justification, or the impact, as the document states it. */
  readonly reason?: string;
}

/** What a vulnerability was found in. */
export interface ScannedSubject {
  readonly reference: string;
  /** Of its manifest, and of the index that lists that. */
  readonly digests: readonly Digest[];
}

/** Returns whether predicates of `type` are documents of OpenVEX. */
export function isVexType(type: string): boolean {
  return type === CONTEXT || type.startsWith(`${CONTEXT}/`);
}

/** Parses a document of OpenVEX, of any version so far. Throws `FormatError` `json-invalid`. */
export function parseVex(bytes: Uint8Array): VexDocument {
  const what = 'a document of OpenVEX';
  const { timestamp, statements } = checked(parseJson(bytes, 'json-invalid', what), schema, 'json-invalid', what);
  return {
    statements: statements.map(
      ({ vulnerability, products, status, justification, impact_statement: impact, ...own }) => ({
        names: new Set(
          [vulnerability.name, vulnerability['@id'], ...(vulnerability.aliases ?? [])].filter(
            (name) => name !== undefined,
          ),
        ),
        products: products ?? [],
        status,
        reason: justification ?? impact,
        at: Date.parse(own.timestamp ?? timestamp ?? '') || 0,
      }),
    ),
  };
}

/**
 * Judges a vulnerability by documents that are about its image: the newest statement that names it counts. Returns why
 * it does not count; undefined where nothing says so.
 */
export function judgeByVex(
  found: Vulnerability,
  subject: ScannedSubject,
  documents: readonly VexDocument[],
): VexVerdict | undefined {
  const names = [found.id, ...found.aliases];
  const about = documents
    .flatMap(({ statements }) => statements)
    .filter((statement) => names.some((name) => statement.names.has(name)) && isAbout(statement, found, subject));
  const newest = about.reduce<VexStatement | undefined>(
    (last, one) => (last && last.at > one.at ? last : one),
    undefined,
  );
  if (newest?.status !== 'not_affected' && newest?.status !== 'fixed') return undefined;
  return { status: newest.status, ...(newest.reason === undefined ? {} : { reason: newest.reason }) };
}

/** A statement without a product is about the image that its document is attached to. */
function isAbout({ products }: VexStatement, found: Vulnerability, subject: ScannedSubject): boolean {
  if (products.length === 0) return true;
  return products.some((one) => {
    if (isPackage(one, found)) return true;
    const within = one.subcomponents ?? [];
    return isImage(one, subject) && (within.length === 0 || within.some((inner) => isPackage(inner, found)));
  });
}

function isPackage(one: Part, { purl }: Vulnerability): boolean {
  return purl !== undefined && purlsOf(one).some((named) => isOfPackage(named, purl));
}

function isImage(one: Part, { reference, digests }: ScannedSubject): boolean {
  if (one['@id'] === reference) return true;
  const hashes = Object.values(one.hashes ?? {}).map((hash) => hash.toLowerCase());
  return digests.some(
    (digest) => hashes.includes(hexOf(digest)) || purlsOf(one).some((named) => ociDigestOf(named) === digest),
  );
}

function purlsOf(one: Part): string[] {
  return [one['@id'], one.identifiers?.purl].filter((text) => text?.startsWith('pkg:') === true) as string[];
}
