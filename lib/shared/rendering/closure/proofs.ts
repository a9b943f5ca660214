import type { Digest } from '../../../../formats/digest.ts';
import type { ComponentProof } from '../../../../formats/solution/component-proof.ts';
import { definedKinds } from '../defined-kinds.ts';
import { customKind } from './absent-kinds.ts';
import { type DrawnValue, unnamed } from './drawn-values.ts';
import type { Examination } from './examine.ts';
import { fetchesOf } from './fetches.ts';
import type { ReadReferences } from './references.ts';
import { objectName, type PlacedStatement } from './statements.ts';

/**
 * Makes the proofs of an examination that found nothing wrong: those of what was rendered, and those that were there.
 */
export function proofsOf(
  { versions, rendered, proven }: Examination,
  inputs: ReadonlyMap<string, Digest>,
  references: ReadReferences,
): Map<string, ComponentProof> {
  const statements = versions.flatMap((version) => version.statements);
  const made = rendered.map((name): [string, ComponentProof] => {
    const own = statements.filter(({ component }) => component === name);
    const drawn = versions.flatMap((version) => version.drawn).filter(([component]) => component === name);
    const isOwn = ({ component }: { readonly component: string }): boolean => component === name;
    const asks = versions.flatMap(({ mentions }) => mentions.asks).filter(isOwn);
    const dormant = versions.flatMap(({ mentions }) => mentions.dormant).filter(isOwn);
    const proof = {
      ...proofOf(own, drawn, inputs.get(name)!, references),
      asks: asks.map(({ api, template }): [string, string] => [api, template]),
      dormant: dormant.map(({ kind }) => kind),
    };
    return [name, proof];
  });
  return new Map([...proven, ...made]);
}

function proofOf(
  statements: readonly PlacedStatement[],
  drawn: readonly DrawnValue[],
  inputs: Digest,
  references: ReadReferences,
): ComponentProof {
  // A lock is the same for the same inputs, whatever is drawn.
  const names = new Set(drawn.flatMap(([, object, path]) => (path === 'metadata.name' ? [object] : [])));
  const named = new Set(statements.filter((statement) => !names.has(unnamed(statement))));
  return {
    inputs,
    kinds: statements.flatMap(({ object }) => definedKinds(object)),
    uses: statements.flatMap(({ object }) => customKind(object) ?? []),
    objects: [...named].map(({ key }) => key),
    references: statements.flatMap((statement) =>
      references(statement).map(({ reference, path, certainty }): ComponentProof['references'][number] => [
        reference,
        named.has(statement) ? objectName(statement) : unnamed(statement),
        path,
        certainty,
      ]),
    ),
    fetches: statements.flatMap((statement) =>
      fetchesOf(statement).map(({ address, object, path }): [string, string, string] => [
        address,
        named.has(statement) ? object : unnamed(statement),
        path,
      ]),
    ),
    drawn: drawn.map(([, object, path]): [string, string] => [object, path]),
  };
}
