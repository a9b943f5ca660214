import { collect } from '../../../formats/bytes.ts';
import { type Digest, hexOf, verified } from '../../../formats/digest.ts';
import { FormatError } from '../../../formats/error.ts';
import { PREDICATE_LIMIT } from '../../../formats/in-toto/predicate.ts';
import { parseStatement } from '../../../formats/in-toto/statement.ts';
import type { Descriptor } from '../../../formats/oci/descriptor.ts';
import type { Manifest } from '../../../formats/oci/manifest.ts';
import { isVexType, parseVex, type VexDocument } from '../../../formats/vulnerabilities/openvex.ts';
import type { Flow } from '../../kernel/events/index.ts';
import type { Archive, CatalogImage } from '../../parts/archives/index.ts';
import { statementWrappings } from '../../shared/solutions/attestations/index.ts';

/** Media types and artifact types of documents of OpenVEX that are no statements. */
const plainTypes: readonly string[] = ['application/vnd.openvex+json', 'application/openvex+json', 'text/vex+json'];

/**
 * Reads the documents of OpenVEX that travel with an image, as referrers of its manifests. One that cannot be read does
 * not count, and a notice reports that. Signatures are not checked here: these documents count because the root lists
 * them.
 */
export async function vexOf(
  image: CatalogImage,
  { source }: Pick<Archive, 'source'>,
  flow: Flow,
): Promise<VexDocument[]> {
  const own = new Set(image.closure.manifests.map(({ descriptor }) => descriptor.digest));
  const documents: VexDocument[] = [];
  for (const { subject, descriptor, closure } of image.referrers) {
    const value = closure.manifests.at(-1)?.value;
    if (value?.kind !== 'manifest' || !own.has(subject)) continue;
    for (const layer of value.layers) {
      const read = readerOf(layer, value, subject);
      if (read === undefined) continue;
      try {
        const document = read(await collect(verified(source.open(layer, { signal: flow.signal }), layer), LIMIT));
        if (document) documents.push(document);
      } catch (error) {
        if (!(error instanceof FormatError)) throw error;
        const message = `${descriptor.digest} is not used as VEX of it: ${error.message}`;
        flow.onEvent({ type: 'notice', subject: image.reference, message });
      }
    }
  }
  return documents;
}

/** An envelope holds its statement as base64. */
const LIMIT = 2 * PREDICATE_LIMIT;

/** Returns how to read a layer that may be VEX; undefined for all others. */
function readerOf(
  { mediaType, size }: Descriptor,
  { artifactType = '' }: Manifest,
  subject: Digest,
): ((bytes: Uint8Array) => VexDocument | undefined) | undefined {
  if (size > LIMIT) return undefined;
  if (plainTypes.includes(mediaType) || plainTypes.includes(artifactType)) return parseVex;
  const open = statementWrappings.get(mediaType);
  if (open === undefined) return undefined;
  return (bytes) => {
    const { predicateType, predicate, subjects } = parseStatement(open(bytes));
    if (!isVexType(predicateType)) return undefined;
    if (!subjects.includes(hexOf(subject))) throw new FormatError('attestation-invalid', `it is not about ${subject}`);
    return parseVex(predicate);
  };
}
