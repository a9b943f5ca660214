import { utf8 } from '../../../formats/bytes.ts';
import { type Digest, sha256 } from '../../../formats/digest.ts';
import type { Product, Step, StepKind } from './step.ts';

/**
 * Plans what `read` asks for: the steps of each kind, kind after kind. That is the order in which they are run, and
 * each is `after` all earlier steps that give what its kind takes. Pure: the same `read` gives the same plan.
 */
export function planSteps<Read>(kinds: readonly StepKind<Read, never>[], read: Read): Step[] {
  const steps: Step[] = [];
  const givers: { readonly product: Product<unknown>; readonly name: Digest }[] = [];
  for (const { kind, takes, gives, plan } of kinds) {
    const after = givers.filter(({ product }) => takes.includes(product)).map(({ name }) => name);
    for (const { subject, inputs } of plan(read)) {
      const name = stepName({ kind, inputs, after });
      steps.push({ kind, subject, name, inputs, after });
      givers.push({ product: gives, name });
    }
  }
  return steps;
}

/** Names a step after all that decides what it does; the subject, which is for people, is not part of that. */
export function stepName({ kind, inputs, after }: Pick<Step, 'kind' | 'inputs' | 'after'>): Digest {
  return inputDigest([kind, inputs, after]);
}

/**
 * Digests a value, as which it can stand in the inputs of a step: one that is large, or secret. It is taken as JSON has
 * it, maps and sets as lists; the order of an object's fields does not count.
 */
export function inputDigest(value: unknown): Digest {
  return sha256(utf8(JSON.stringify(value ?? null, (_, part: unknown) => canonical(part))));
}

function canonical(part: unknown): unknown {
  // No object of JSON has a field of this name.
  if (typeof part === 'bigint') return { '\u0000integer': String(part) };
  if (part instanceof Map || part instanceof Set) return [...part];
  if (typeof part !== 'object' || part === null || Array.isArray(part)) return part;
  return Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)));
}
