import { byteOrder } from '../bytes.ts';
import { algorithmOf, type Digest, hexOf, sha256 } from '../digest.ts';
import { encodeJson } from '../json.ts';
import { type License, licenseOf } from './licenses.ts';

/** The media type of CycloneDX as JSON. */
export const CYCLONEDX = 'application/vnd.cyclonedx+json';

/** A property: a name and a value of this project's own, beside those of the standard. */
export interface Property {
  readonly name: string;
  readonly value: string;
}

/** A package or program. It is listed once, with all places where it was found. */
export interface Component {
  readonly type: 'library' | 'operating-system';
  /** The name as people write it, with its group: `@scope/name`. */
  readonly name: string;
  readonly version?: string | undefined;
  readonly description?: string | undefined;
  readonly publisher?: string | undefined;
  /** The license as the package states it. */
  readonly license?: string | undefined;
  readonly purl?: string | undefined;
  readonly properties?: readonly Property[];
  /** The files that report the component. */
  readonly locations: readonly string[];
}

/** What an SBOM says about one image. */
export interface ImageBom {
  readonly digest: Digest;
  /** The name of the image. */
  readonly name: string;
  readonly components: readonly Component[];
  readonly properties: readonly Property[];
  /** Whether the image is known to have packages that are not listed. */
  readonly incomplete: boolean;
}

/**
 * Encodes a CycloneDX 1.6 document (ECMA-424) about an image, as JSON. The same values give the same bytes, in whatever
 * order they come. The document has no time, and its serial number is derived from what it says (RFC 9562, UUID version
 * 8).
 */
export function encodeBom(bom: ImageBom): Uint8Array {
  const subject = `image:${bom.digest}`;
  const alg = algorithmOf(bom.digest) === 'sha256' ? 'SHA-256' : 'SHA-512';
  const body = {
    version: 1,
    metadata: {
      lifecycles: [{ phase: 'post-build' }],
      tools: { components: [{ type: 'application', name: 'solpack' }] },
      component: {
        type: 'container',
        'bom-ref': subject,
        name: bom.name,
        version: bom.digest,
        hashes: [{ alg, content: hexOf(bom.digest) }],
      },
      ...(bom.properties.length > 0 && {
        properties: sorted(bom.properties, ({ name, value }) => `${name}\0${value}`),
      }),
    },
    components: sorted(
      bom.components.map((component) => ({ reference: referenceOf(component), component })),
      ({ reference }) => reference,
    ).map(({ reference, component }) => encodeComponent(component, reference)),
    compositions: [{ aggregate: bom.incomplete ? 'incomplete' : 'unknown', assemblies: [subject] }],
  };
  return encodeJson({
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    serialNumber: `urn:uuid:${uuidOf(sha256(encodeJson(body)))}`,
    ...body,
  });
}

/** Makes the `bom-ref` of a component: its package URL, which no other component has, or type, name and version. */
function referenceOf({ purl, type, name, version }: Component): string {
  return purl ?? `${type}:${name}${version === undefined ? '' : `@${version}`}`;
}

function encodeComponent(component: Component, reference: string): Record<string, unknown> {
  const { type, version, description, publisher, license, purl, properties = [] } = component;
  const [, group, name] = /^(@[^/]+)\/(.+)$/.exec(component.name) ?? [undefined, undefined, component.name];
  return {
    type,
    'bom-ref': reference,
    ...(publisher !== undefined && { publisher }),
    ...(group !== undefined && { group }),
    name,
    ...(version !== undefined && { version }),
    ...(description !== undefined && { description }),
    ...(license !== undefined && { licenses: [licenseOf(license)] satisfies License[] }),
    ...(purl !== undefined && { purl }),
    ...(properties.length > 0 && { properties }),
    evidence: { occurrences: [...new Set(component.locations)].sort(byteOrder).map((location) => ({ location })) },
  };
}

function sorted<T>(values: readonly T[], key: (value: T) => string): T[] {
  return [...values].sort((a, b) => byteOrder(key(a), key(b)));
}

/** Makes a UUID of version 8 from the first 128 bits of a digest. */
export function uuidOf(digest: Digest): string {
  const bytes = Buffer.from(hexOf(digest), 'hex').subarray(0, 16);
  bytes[6] = (bytes[6]! & 0x0f) | 0x80;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}
