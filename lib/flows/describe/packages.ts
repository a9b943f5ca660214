import { byteOrder } from '../../../formats/bytes.ts';
import { type ListedPackage, listedPackages } from '../../../formats/cyclonedx/listed.ts';
import { isSbomType } from '../../../formats/in-toto/predicate.ts';
import { fromFormat } from '../../kernel/events/index.ts';
import type { Archive } from '../../parts/archives/index.ts';
import { readPredicate, subjectOf } from '../../shared/solutions/attestations/index.ts';
import type { DescribedPackages } from './description.ts';

/** Reads every SBOM of an archive, checked against its digest. Throws `archive-damaged`. */
export async function packagesIn({ path, catalog, source }: Archive, signal: AbortSignal): Promise<DescribedPackages> {
  const found = new Map<string, { listed: ListedPackage; images: Set<string> }>();
  const sboms = catalog.attestations.filter(({ predicateType }) => isSbomType(predicateType));
  for (const attestation of sboms) {
    const bytes = await readPredicate(source, attestation, signal).catch((error) => {
      throw fromFormat('archive-damaged', path, error, '"solpack verify" lists everything that is wrong with it');
    });
    const { name } = subjectOf(catalog, attestation);
    for (const listed of listedPackages(bytes)) {
      const key = [listed.name, listed.version, listed.license].join('\0');
      const one = found.get(key) ?? { listed, images: new Set<string>() };
      one.images.add(name);
      found.set(key, one);
    }
  }
  const inOrder = [...found].sort(([a], [b]) => byteOrder(a, b));
  return {
    sboms: sboms.length,
    packages: inOrder.map(([, { listed, images }]) => ({ ...listed, images: [...images].sort(byteOrder) })),
  };
}
