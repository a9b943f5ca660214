import type { Digest } from '../../../formats/digest.ts';
import type { ComponentProof } from '../../../formats/solution/component-proof.ts';
import { definedKinds } from '../defined-kinds.ts';
import type { Examination } from './examine.ts';
import { statedReferences } from './references.ts';
import { objectName, type PlacedStatement } from './statements.ts';

/** Makes the proofs of an examination that found nothing wrong: those of what was rendered, and those that were there. */
export function proofsOf(
  { versions, rendered, proven }: Examination,
  inputs: ReadonlyMap<string, Digest>,
  isHeld: (reference: string) => boolean,
): Map<string, ComponentProof> {
  const statements = versions.flatMap((version) => version.statements);
  const made = rendered.map((name): [string, ComponentProof] => {
    const own = statements.filter(({ component }) => component === name);
    return [name, proofOf(own, inputs.get(name)!, isHeld)];
  });
  return new Map([...proven, ...made]);
}

function proofOf(
  statements: readonly PlacedStatement[],
  inputs: Digest,
  isHeld: (reference: string) => boolean,
): ComponentProof {
  return {
    inputs,
    kinds: statements.flatMap(({ object }) => definedKinds(object)),
    objects: statements.map(({ key }) => key),
    references: statements.flatMap((statement) =>
      statedReferences(statement.object, isHeld).map(
        ({ reference, path, certainty }): ComponentProof['references'][number] => [
          reference,
          objectName(statement),
          path,
          certainty,
        ],
      ),
    ),
  };
}
