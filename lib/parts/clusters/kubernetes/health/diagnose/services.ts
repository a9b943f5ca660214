import { textAt } from '../../server/index.ts';
import { readinessOf } from '../readiness/index.ts';
import type { Cause, ObjectEvidence } from './cause.ts';

/** Explains why a Service has no address. */
export function explainService({ object }: ObjectEvidence): Cause | undefined {
  const readiness = readinessOf(object);
  if (readiness.state !== 'waiting' || textAt(object, 'spec', 'type') !== 'LoadBalancer') return undefined;
  const name = textAt(object, 'spec', 'loadBalancerClass');
  return {
    cause: readiness.message,
    hint: `make the load balancer controller${name === '' ? '' : ` of class ${name}`} run, or use type NodePort, which needs none`,
  };
}
