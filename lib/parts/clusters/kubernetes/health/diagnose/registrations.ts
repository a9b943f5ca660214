import { conditionOf, saysOf, textAt } from '../../server/index.ts';
import type { Cause, ObjectEvidence } from './cause.ts';

/** Explains why a CustomResourceDefinition is not served. */
export function explainDefinition({ object }: ObjectEvidence): Cause | undefined {
  const names = conditionOf(object, 'NamesAccepted');
  if (names?.status === 'False') {
    const group = textAt(object, 'spec', 'group');
    return {
      cause: `its names are taken by another CustomResourceDefinition of group ${group}: ${saysOf(names)}`,
      hint: 'find it with "kubectl get crd"; then remove it if nothing needs it any more, or change the names',
    };
  }
  const established = conditionOf(object, 'Established');
  if (established?.status !== 'False') return undefined;
  return { cause: `it is not established: ${saysOf(established)}`, hint: 'correct the definition' };
}

/** Explains why the server behind an APIService is not reached. */
export function explainApiService({ object }: ObjectEvidence): Cause | undefined {
  const available = conditionOf(object, 'Available');
  if (available === undefined || available.status === 'True') return undefined;
  const service = `${textAt(object, 'spec', 'service', 'namespace')}/${textAt(object, 'spec', 'service', 'name')}`;
  return {
    cause: `the API server does not reach the server behind it (${available.reason}): ${saysOf(available)}`,
    hint: `check that the Pods behind Service ${service} run, and answer over TLS at the port that spec.service names`,
  };
}
