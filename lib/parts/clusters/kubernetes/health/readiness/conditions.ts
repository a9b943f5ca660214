import { type Condition, conditionOf, numberAt, saysOf } from '../../server/index.ts';
import { failed, type Rule, ready, waiting } from './rule.ts';

/**
 * Judges custom resources, and every kind without a rule of its own, by their conditions: `Stalled` and `Reconciling`
 * (kstatus), `Failed`, then `Ready`, then `Available`. An object without any of them is ready.
 */
export const byConditions: Rule = (object) => {
  const of = (type: string): Condition | undefined => conditionOf(object, type);
  const generation = numberAt(object, 'metadata', 'generation') ?? 0;
  for (const type of ['Stalled', 'Failed']) {
    const condition = of(type);
    if (condition?.status === 'True' && !isOld(condition, generation)) return failed(saysOf(condition));
  }
  const reconciling = of('Reconciling');
  if (reconciling?.status === 'True') return waiting(saysOf(reconciling));
  const decisive = of('Ready') ?? of('Available');
  if (decisive === undefined) return ready('is there');
  if (isOld(decisive, generation)) return waiting('its controller has not processed its newest version yet');
  if (decisive.status === 'True') return ready(`is ${decisive.type.toLowerCase()}`);
  return waiting(`is not ${decisive.type.toLowerCase()}: ${saysOf(decisive)}`);
};

function isOld({ observedGeneration }: Condition, generation: number): boolean {
  return observedGeneration !== undefined && observedGeneration < generation;
}
