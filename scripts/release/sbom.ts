import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { hexOf, sha256 } from '../../formats/digest.ts';
import { root } from '../home.ts';
import { readJson, ruler } from '../package/notices.ts';

/** A component as CycloneDX has it. */
export type Part = Readonly<Record<string, unknown>>;

/** Versions of Node.js' process that are those of interfaces and tables, and of nothing that is inside. */
const interfaces = new Set(['modules', 'napi', 'node']);

/** The packages that are bundled, by the headings of their licences: `semver 7.8.6 (ISC)`. */
export function bundledParts(notices: string): Part[] {
  const { packages } = readJson(join(root, 'package-lock.json'));
  return notices.split(ruler).map((notice) => {
    const [, path = '', version = '', license = ''] = /^(\S+) (\S+) \((.+)\)\n/.exec(notice) ?? [];
    const locked = packages[`node_modules/${path}`];
    if (locked?.version !== version)
      throw new Error(`package-lock.json has not the ${path} ${version} that is bundled`);
    const [group, name] = path.startsWith('@') ? path.split('/') : [undefined, path];
    const purl = `pkg:npm/${path.replace('@', '%40')}@${version}`;
    const content = Buffer.from(locked.integrity.slice('sha512-'.length), 'base64').toString('hex');
    return {
      type: 'library',
      'bom-ref': purl,
      ...(group !== undefined && { group }),
      name,
      version,
      hashes: [{ alg: 'SHA-512', content }],
      licenses: [{ license: { id: license } }],
      purl,
    };
  });
}

/** Node.js, and the libraries that are in it by their names in `process.versions`. */
export function nodeParts(versions: Readonly<Record<string, string>>): Part[] {
  const purl = `pkg:generic/node@${versions['node']}`;
  const cpe = `cpe:2.3:a:nodejs:node.js:${versions['node']}:*:*:*:lts:*:*:*`;
  const node = { type: 'platform', 'bom-ref': purl, name: 'node', version: versions['node'], cpe, purl };
  const inside = Object.entries(versions)
    .filter(([name, version]) => version !== '' && !interfaces.has(name))
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, version]) => {
      const own = `pkg:generic/${name}@${encodeURIComponent(version)}`;
      return { type: 'library', 'bom-ref': own, name, version, purl: own };
    });
  return [node, ...inside];
}

/**
 * Encodes a CycloneDX 1.6 document about a file. It has no time, and its serial number is derived from what it says:
 * the same file and the same parts give the same bytes.
 */
export function encodeReleaseBom(file: string, version: string, parts: readonly Part[]): Uint8Array {
  const name = file.slice(file.lastIndexOf('/') + 1);
  const content = hexOf(sha256(readFileSync(file)));
  const body = {
    version: 1,
    metadata: {
      lifecycles: [{ phase: 'build' }],
      component: { type: 'file', 'bom-ref': name, name, version, hashes: [{ alg: 'SHA-256', content }] },
    },
    components: parts,
    compositions: [{ aggregate: 'unknown', assemblies: [name] }],
  };
  const digest = hexOf(sha256(Buffer.from(JSON.stringify(body))));
  const uuid = `${digest.slice(0, 12)}8${digest.slice(13, 16)}8${digest.slice(17, 32)}`;
  const document = {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    serialNumber: `urn:uuid:${uuid.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')}`,
    ...body,
  };
  return Buffer.from(`${JSON.stringify(document, undefined, 2)}\n`);
}
