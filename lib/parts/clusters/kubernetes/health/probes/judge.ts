import type { CelProgram } from '../../../../../../formats/cel/compile.ts';
import { probeQuestion, type ReadyProbe } from '../../../../../../formats/solution/ready-probe.ts';
import { conditionOf, type LiveObject, numberAt, saysOf } from '../../server/index.ts';
import { type Readiness, ready, waiting } from '../readiness/index.ts';

/**
 * Judges an object by a probe: not ready, it names the expression and the values that it found. Never throws, whatever
 * there is.
 */
export type JudgeProbe = (probe: ReadyProbe, object: LiveObject) => Readiness;

/** Returns what judges objects by probes. What reads CEL is loaded for the first of them that has some. */
export async function probeJudge(probes: readonly ReadyProbe[]): Promise<JudgeProbe> {
  const judgeCel = probes.some(({ cel }) => cel !== undefined) ? await celJudge() : undefined;
  return (probe, object) => {
    if (object.metadata.deletionTimestamp) return { state: 'terminating', message: 'is being deleted' };
    const generation = numberAt(object, 'metadata', 'generation');
    const observed = numberAt(object, 'status', 'observedGeneration');
    if (generation !== undefined && observed !== undefined && observed < generation) {
      return waiting('its controller has not processed its newest version yet');
    }
    if (probe.cel !== undefined) return judgeCel!(probe.cel, object);
    return byCondition(probe, object, generation ?? 0);
  };
}

function byCondition(probe: ReadyProbe, object: LiveObject, generation: number): Readiness {
  const [type = '', wanted = 'True'] = (probe.condition ?? '').split('=');
  const found = conditionOf(object, type);
  if (found === undefined) return waiting(`${probeQuestion(probe)}: there is no condition ${type}`);
  if (found.observedGeneration !== undefined && found.observedGeneration < generation) {
    return waiting(`${probeQuestion(probe)}: its controller has not processed its newest version yet`);
  }
  if (found.status === wanted) return ready(`has ${probeQuestion(probe)}`);
  return waiting(`${probeQuestion(probe)}: ${type} is ${found.status || 'not said'}: ${saysOf(found)}`);
}

async function celJudge(): Promise<(source: string, object: LiveObject) => Readiness> {
  const [{ compileCel }, { judgeCel }] = await Promise.all([
    import('../../../../../../formats/cel/compile.ts'),
    import('../../../../../../formats/cel/judge.ts'),
  ]);
  const programs = new Map<string, CelProgram>();
  return (source, object) => {
    const program = programs.get(source) ?? compileCel(source);
    programs.set(source, program);
    const { holds, failure, found } = judgeCel(program, object);
    if (holds) return ready(`${source} is true`);
    // What a Secret holds is never reported.
    const values = object.kind === 'Secret' || found.length === 0 ? '' : `: ${found.join(', ')}`;
    return waiting(`${source} ${failure === undefined ? 'is false' : `has no value, ${failure}`}${values}`);
  };
}
