import { shapeCheck } from '../../../../formats/kubernetes/index.ts';
import { knownMinors, minorOf } from '../../../../formats/kubernetes/minors.ts';
import { fieldPlaceWords } from '../../../../formats/kubernetes/problems.ts';
import type { KubernetesObject } from '../../../../formats/manifest/documents.ts';
import type { ExaminedVersion } from './examine.ts';
import type { PlacedStatement } from './statements.ts';

/** Something that Kubernetes would refuse in an object, and where. */
export interface InvalidStatement {
  readonly statement: PlacedStatement;
  /** Names and numbers between dots. */
  readonly path: string;
  readonly message: string;
}

/**
 * Finds what an API server of this version would refuse in objects by their shape; custom resources are checked against
 * the definitions among them. Where the version is left to Helm, only what both the oldest and the newest version would
 * refuse counts.
 */
export function invalidIn({
  version,
  statements,
}: Pick<ExaminedVersion, 'version' | 'statements'>): InvalidStatement[] {
  const definitions = statements.map(({ object }) => object).filter(isDefinition);
  const minor = version === undefined ? undefined : minorOf(version);
  const check = shapeCheck(minor ?? knownMinors.newest, definitions);
  const oldest = minor === undefined ? shapeCheck(knownMinors.oldest, definitions) : check;
  return statements.flatMap((statement) => {
    const found = check(statement.object);
    if (found.length === 0 || (oldest !== check && oldest(statement.object).length === 0)) return [];
    return found.map(({ path, message }) => ({ statement, path: fieldPlaceWords(path), message }));
  });
}

function isDefinition({ kind }: KubernetesObject): boolean {
  return kind === 'CustomResourceDefinition';
}
