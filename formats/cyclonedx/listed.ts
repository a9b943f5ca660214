import { sbomKind } from './kind.ts';

/** A package or program that an SBOM lists. */
export interface ListedPackage {
  readonly name: string;
  /** Absent where the SBOM tells none. */
  readonly version?: string;
  /** As the SBOM states it; several with `, ` between. */
  readonly license?: string;
}

type Fields = Readonly<Record<string, unknown>>;

/**
 * Lists what an SBOM has: components of CycloneDX with those in them, packages of SPDX. None for what is neither, or no
 * JSON.
 */
export function listedPackages(bytes: Uint8Array): ListedPackage[] {
  const kind = sbomKind(bytes);
  if (kind === undefined) return [];
  const document = fieldsOf(JSON.parse(Buffer.from(bytes).toString('utf8')));
  if (kind.kind === 'cyclonedx') return componentsOf(document);
  return kind.version.startsWith('2.') ? packagesOf(document) : graphOf(document);
}

/** Lists what an SBOM that solpack made says was not read in the image; none for any other. */
export function unreadIn(bytes: Uint8Array): string[] {
  if (sbomKind(bytes)?.kind !== 'cyclonedx') return [];
  const { properties } = fieldsOf(fieldsOf(JSON.parse(Buffer.from(bytes).toString('utf8')))['metadata']);
  const unread = entries(properties).filter(({ name }) => name === 'solpack:unread');
  return unread.flatMap(({ value }) => word(value) ?? []);
}

/** Goes through components that are in components without recursion: an SBOM may nest them as deeply as it likes. */
function componentsOf(document: Fields): ListedPackage[] {
  const listed: ListedPackage[] = [];
  const waiting = [...entries(document['components'])].reverse();
  for (let one = waiting.pop(); one !== undefined; one = waiting.pop()) {
    waiting.push(...[...entries(one['components'])].reverse());
    const [group, name] = [word(one['group']), word(one['name'])];
    const licenses = entries(one['licenses']).map((license) => {
      const named = fieldsOf(license['license']);
      return word(license['expression']) ?? word(named['id']) ?? word(named['name']);
    });
    add(listed, group === undefined ? name : `${group}/${name}`, word(one['version']), licenses);
  }
  return listed;
}

/** Packages of SPDX 2, without the image itself: what the document describes. */
function packagesOf(document: Fields): ListedPackage[] {
  const listed: ListedPackage[] = [];
  const described = new Set(
    entries(document['relationships'])
      .filter((one) => one['spdxElementId'] === 'SPDXRef-DOCUMENT' && one['relationshipType'] === 'DESCRIBES')
      .map((one) => one['relatedSpdxElement']),
  );
  for (const one of entries(document['packages'])) {
    if (described.has(one['SPDXID'])) continue;
    const licenses = [one['licenseConcluded'], one['licenseDeclared']].map(word).find(isStated);
    add(listed, word(one['name']), word(one['versionInfo']), [licenses]);
  }
  return listed;
}

function graphOf(document: Fields): ListedPackage[] {
  const listed: ListedPackage[] = [];
  for (const one of entries(document['@graph'])) {
    if (one['type'] !== 'software_Package') continue;
    add(listed, word(one['name']), word(one['software_packageVersion']), []);
  }
  return listed;
}

function add(
  listed: ListedPackage[],
  name: string | undefined,
  version: string | undefined,
  licenses: readonly (string | undefined)[],
): void {
  if (name === undefined) return;
  const license = licenses.filter((one) => one !== undefined).join(', ');
  listed.push({ name, ...(version !== undefined && { version }), ...(license !== '' && { license }) });
}

function isStated(license: string | undefined): boolean {
  return license !== undefined && license !== 'NOASSERTION' && license !== 'NONE';
}

function entries(value: unknown): Fields[] {
  return Array.isArray(value) ? value.map(fieldsOf) : [];
}

function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? (value as Fields) : {};
}

function word(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
