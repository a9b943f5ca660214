import { sha256 } from '../../../formats/digest.ts';
import { decodeJson, decodeUniqueJson } from '../../../formats/json.ts';
import { mediaTypes } from '../../../formats/oci/descriptor.ts';
import { parseLayoutIndex, parseLayoutMarker } from '../../../formats/oci/layout.ts';
import { childrenOf, encodeIndex, encodeManifest, parseManifest } from '../../../formats/oci/manifest.ts';
import { artifactTypeOf } from '../../../formats/oci/referrers.ts';
import { z } from '../../../formats/schema.ts';
import { isStatement, slotOf } from '../../../formats/sigstore/referrer.ts';
import { parseInstallPlan } from '../../../formats/solution/install-plan.ts';
import { encodeMetadata, parseMetadata } from '../../../formats/solution/metadata.ts';
import { encodeSelection, parseSelection } from '../../../formats/solution/selection.ts';
import { namesOf } from '../../../lib/parts/images/names.ts';
import { parsers } from '../parser.ts';
import { must } from '../violation.ts';

const digest = sha256('x');
const blob = { mediaType: mediaTypes.layerGzip, digest, size: 1 };
const config = { mediaType: mediaTypes.config, digest, size: 2 };
const platform = { os: 'linux', architecture: 'arm64', variant: 'v8' };
const notes = { 'org.opencontainers.image.ref.name': 'example.com/web:1' };
const manifest = encodeManifest({
  config,
  layers: [blob, { ...blob, urls: ['https://example.com/x'] }],
  annotations: notes,
});
const artifact = encodeManifest({ artifactType: 'text/plain', config, layers: [blob], subject: config });
const child = { mediaType: mediaTypes.manifest, digest, size: 3, platform, annotations: notes };
const index = encodeIndex({ manifests: [child, { ...child, artifactType: 'a/b' }], annotations: notes });
const list = `{"schemaVersion":2,"mediaType":"${mediaTypes.dockerList}","manifests":[${JSON.stringify(child)}]}`;
const metadata = encodeMetadata({
  formatVersion: 1,
  name: 'hello',
  version: '1.0.0',
  sequence: 3,
  created: 0,
  annotations: { a: 'b' },
  signatureSlots: { count: 8, size: 8192 },
  components: [
    { name: 'web', kind: 'helm', after: ['db'], timeout: 60, entry: '.', values: ['v.yaml'], chart: 'c.tgz' },
  ],
});

const base = { name: 'hello', version: '1.0.0', root: digest };
const selection = encodeSelection({
  bases: [base],
  absent: [digest, sha256('y')].map((one) => ({ digest: one, base: 0 })),
});

const plan = JSON.stringify({
  ...{ configuration: 'edge', choices: [{ name: 'a', version: '1.0.0', reason: 'x', passedOver: ['0.9.0'] }] },
  steps: [{ kind: 'apply', subject: 'Pod/a/b', action: 'change', changes: [{ path: 'a.b', from: 1 }], step: digest }],
  ...{ bytes: 1, unchanged: 2, room: [{ place: '/', needed: 1 }], seal: `${'0'.repeat(32)}:${'1'.repeat(64)}` },
});

/** Documents of images and layouts, the other JSON documents of an archive, and plans of installs. */
export const oci = parsers(
  'oci',
  220,
  '"mediaType":¦"schemaVersion":1¦"schemaVersion":2¦"subject":¦"config":{}¦"layers":[]¦"manifests":[]' +
    `¦"annotations":{}¦"size":¦"digest":¦${digest}¦${mediaTypes.index}¦${mediaTypes.dockerManifest}` +
    '¦,"x":[{},{}]¦"\\u0061"',
  {
    manifest: { samples: [manifest, artifact, index, list], read: readManifest },
    layout: { samples: [index], read: (bytes) => parseLayoutIndex(bytes).manifests.forEach(namesOf) },
    marker: { samples: ['{"imageLayoutVersion":"1.0.0"}'], read: (bytes) => parseLayoutMarker(bytes) },
    metadata: { samples: [metadata], read: readMetadata },
    selection: { samples: [selection], read: readSelection },
    plan: { samples: [plan], read: (bytes) => parseInstallPlan(bytes) },
    json: { samples: [metadata, '[1,{"a":"\\u00e9"},null]'], read: readJson },
  },
);

function readManifest(bytes: Buffer): void {
  const value = parseManifest(bytes);
  for (const { size } of childrenOf(value)) must(Number.isSafeInteger(size) && size >= 0, 'a size is none');
  artifactTypeOf(value);
  isStatement(value.annotations);
  slotOf(value.annotations);
  const again = parseManifest(value.kind === 'index' ? encodeIndex(defined(value)) : encodeManifest(defined(value)));
  const same = JSON.stringify(childrenOf(again)) === JSON.stringify(childrenOf(value));
  must(same, 'a manifest that was written anew is another one');
}

/** Removes the fields that are undefined. */
function defined<T extends object>(value: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(value).filter(([, field]) => field !== undefined)) as never;
}

function readMetadata(bytes: Buffer): void {
  const value = parseMetadata(bytes);
  const again = parseMetadata(encodeMetadata(value));
  must(JSON.stringify(again) === JSON.stringify(value), 'metadata that were written anew are others');
}

/** What a delta lacks is said in one way alone. */
function readSelection(bytes: Buffer): void {
  must(
    Buffer.compare(encodeSelection(parseSelection(bytes)), bytes) === 0,
    'a selection is read that has another form',
  );
}

/** Compares the two parsers of JSON: what the one for unique names accepts, the other reads as the same. */
function readJson(bytes: Buffer): void {
  const unique = decodeUniqueJson(bytes, z.unknown(), 'json-invalid', 'it');
  const plain = decodeJson(bytes, z.unknown(), 'json-invalid', 'it');
  must(JSON.stringify(unique) === JSON.stringify(plain), 'JSON is read in two ways');
}
