import { byteOrder } from '../bytes.ts';
import { type Component, type ImageBom, uuidOf } from '../cyclonedx/bom.ts';
import { licenseOf } from '../cyclonedx/licenses.ts';
import { algorithmOf, hexOf, sha256 } from '../digest.ts';
import { encodeJson } from '../json.ts';

/** The identifier of the image in a document. */
const IMAGE = 'SPDXRef-image';

/** SPDX has no way to leave the time out. This one is no time at which anything was made. */
const CREATED = '1970-01-01T00:00:00Z';

/**
 * Encodes an SPDX 2.3 document about an image, as JSON: what `encodeBom` says as CycloneDX. The same values give the
 * same bytes, in whatever order they come. The name space is derived from what the document says (RFC 9562, UUID
 * version 8).
 */
export function encodeSpdx(bom: ImageBom): Uint8Array {
  const algorithm = algorithmOf(bom.digest) === 'sha256' ? 'SHA256' : 'SHA512';
  const packages = bom.components
    .map((component) => ({ id: identifierOf(component), component }))
    .sort((a, b) => byteOrder(a.id, b.id));
  const body = {
    name: bom.name,
    ...(bom.properties.length > 0 && { comment: commentOf(bom) }),
    packages: [
      {
        SPDXID: IMAGE,
        name: bom.name,
        versionInfo: bom.digest,
        downloadLocation: 'NOASSERTION',
        filesAnalyzed: false,
        primaryPackagePurpose: 'CONTAINER',
        checksums: [{ algorithm, checksumValue: hexOf(bom.digest) }],
      },
      ...packages.map(({ id, component }) => packageOf(id, component)),
    ],
    relationships: [
      { spdxElementId: 'SPDXRef-DOCUMENT', relationshipType: 'DESCRIBES', relatedSpdxElement: IMAGE },
      ...packages.map(({ id }) => ({ spdxElementId: IMAGE, relationshipType: 'CONTAINS', relatedSpdxElement: id })),
    ],
  };
  return encodeJson({
    spdxVersion: 'SPDX-2.3',
    dataLicense: 'CC0-1.0',
    SPDXID: 'SPDXRef-DOCUMENT',
    documentNamespace: `urn:uuid:${uuidOf(sha256(encodeJson(body)))}`,
    creationInfo: { created: CREATED, creators: ['Tool: solpack'] },
    ...body,
  });
}

/** Letters, digits, points and hyphens are all that an identifier may have, so it is made from a digest. */
function identifierOf({ purl, type, name, version }: Component): string {
  return `SPDXRef-${type}-${hexOf(sha256(purl ?? `${type}:${name}@${version}`)).slice(0, 32)}`;
}

function commentOf({ properties, incomplete }: ImageBom): string {
  const lines = properties.map(({ name, value }) => `${name}: ${value}`).sort(byteOrder);
  return [...lines, ...(incomplete ? ['solpack:incomplete: the image has packages that are not listed'] : [])].join(
    '\n',
  );
}

function packageOf(id: string, { type, name, version, license, purl, locations }: Component): Record<string, unknown> {
  const found = license === undefined ? undefined : licenseOf(license);
  const declared = found && ('expression' in found ? found.expression : 'id' in found.license && found.license.id);
  return {
    SPDXID: id,
    name,
    ...(version !== undefined && { versionInfo: version }),
    downloadLocation: 'NOASSERTION',
    filesAnalyzed: false,
    licenseConcluded: 'NOASSERTION',
    licenseDeclared: declared || 'NOASSERTION',
    ...(license !== undefined && !declared && { licenseComments: `as the package states it: ${license}` }),
    copyrightText: 'NOASSERTION',
    primaryPackagePurpose: type === 'operating-system' ? 'OPERATING-SYSTEM' : 'LIBRARY',
    sourceInfo: `found in ${[...new Set(locations)].sort(byteOrder).join(', ')}`,
    ...(purl !== undefined && {
      externalRefs: [{ referenceCategory: 'PACKAGE-MANAGER', referenceType: 'purl', referenceLocator: purl }],
    }),
  };
}
