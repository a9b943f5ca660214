import { sbomKind } from '../../../formats/cyclonedx/kind.ts';
import { payloadOf } from '../../../formats/in-toto/envelope.ts';
import { parseStatement } from '../../../formats/in-toto/statement.ts';
import { encodeBundle, parseBundle } from '../../../formats/sigstore/bundle.ts';
import {
  encodeStatementBundle,
  hintIn,
  parseOwnStatementBundle,
  parseStatementBundle,
} from '../../../formats/sigstore/dsse-bundle.ts';
import { keyIdOfHint } from '../../../formats/sigstore/hint.ts';
import { fillSlot, readSlot } from '../../../formats/sigstore/slot.ts';
import { sbomType } from '../../../lib/flows/pack/sbom-type.ts';
import { readSignatures } from '../../../lib/parts/trust/index.ts';
import { parsers } from '../parser.ts';
import { checkMessage, must } from '../violation.ts';

const hint = Buffer.alloc(32, 1).toString('base64');
const bundle = encodeBundle({ hint, messageDigest: Buffer.alloc(32, 2), signature: Buffer.alloc(64, 3) });
const statement = JSON.stringify({
  _type: 'https://in-toto.io/Statement/v1',
  subject: [{ name: 'x', digest: { sha256: '0'.repeat(64) } }],
  predicateType: 'https://slsa.dev/provenance/v1',
  predicate: { buildDefinition: { a: [1, 'b'] } },
});
const signed = encodeStatementBundle({ hint, statement: Buffer.from(statement), signature: Buffer.alloc(70, 4) });
const envelope = JSON.stringify({
  payloadType: 'application/vnd.in-toto+json',
  payload: Buffer.from(statement).toString('base64'),
  signatures: [{ sig: 'AA==' }],
});
const cyclonedx = JSON.stringify({
  bomFormat: 'CycloneDX',
  specVersion: '1.6',
  serialNumber: 'urn:uuid:3e671687-395b-41f5-a30f-a58921a69b79',
  version: 1,
  components: [{ type: 'library', name: 'a', version: '1' }],
  dependencies: [{ ref: 'a' }],
});
const spdx2 = JSON.stringify({
  spdxVersion: 'SPDX-2.3',
  SPDXID: 'SPDXRef-DOCUMENT',
  dataLicense: 'CC0-1.0',
  name: 'x',
  documentNamespace: 'https://example.com/x',
  creationInfo: { created: '2026-01-01T00:00:00Z', creators: ['Tool: x'] },
  packages: [{ SPDXID: 'SPDXRef-a', name: 'a' }],
});
const spdx3 = '{"@context":"https://spdx.org/rdf/3.0.1/spdx-context.jsonld","@graph":[{"type":"SpdxDocument"}]}';

/** What is signed, and what it is signed with. */
export const attestations = parsers(
  'attestations',
  130,
  '"messageSignature":¦"dsseEnvelope":¦"hint":¦"payload":¦"signatures":[]¦"sig":¦"_type":¦"predicate":{}' +
    `¦"subject":[]¦"sha256":¦====¦${hint}¦"bomFormat":¦"spdxVersion":¦"@graph":¦1.99¦\n¦\n\n¦"mediaType":`,
  {
    bundle: { samples: [bundle], read: readBundle },
    slot: { samples: [fillSlot(bundle, 512), Buffer.alloc(64, '\n')], read: readSlots },
    'statement-bundle': { samples: [signed], read: readStatementBundle },
    statement: { samples: [statement], read: (bytes) => void parseStatement(bytes) },
    envelope: { samples: [envelope], read: (bytes) => void payloadOf(bytes) },
    sbom: {
      samples: [cyclonedx, spdx2, spdx3],
      read: (bytes) => must((sbomType(bytes) === undefined) === (sbomKind(bytes) === undefined), 'an SBOM is none'),
    },
  },
);

function readBundle(bytes: Buffer): void {
  const value = parseBundle(bytes);
  keyIdOfHint(value.hint);
  const again = parseBundle(encodeBundle(value));
  must(JSON.stringify(again) === JSON.stringify(value), 'a bundle that was written anew is another');
}

function readSlots(bytes: Buffer): void {
  const { carried, broken } = readSignatures([bytes, Buffer.alloc(9, '\n')]);
  must(carried.length + broken.length <= 1, 'an empty slot has something');
  for (const { reason } of broken) checkMessage(reason);
  readSlot(bytes);
}

function readStatementBundle(bytes: Buffer): void {
  hintIn(bytes.subarray(0, 512));
  const value = parseStatementBundle(bytes);
  const own = encodeStatementBundle(value);
  must(JSON.stringify(parseOwnStatementBundle(own)) === JSON.stringify(value), 'a bundle written anew is another');
}
