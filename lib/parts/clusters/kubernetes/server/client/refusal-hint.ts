import type { ApiError } from '../api.ts';
import { isMisfit } from './status.ts';

const hints: readonly (readonly [RegExp, string])[] = [
  [/exceeded quota/, 'raise the ResourceQuota of the namespace, or free what it counts'],
  [
    /violates PodSecurity/,
    'change the Pod, or the level in the pod-security.kubernetes.io/enforce label of the namespace',
  ],
  [/" denied the request/, 'change the object, or ask the operator of the webhook'],
  [/ValidatingAdmissionPolicy/, 'change the object, or the policy and its binding'],
  [/is being terminated/, 'wait until the namespace is gone, and run the command again'],
  [
    /is older than|unknown field|field not declared in schema/,
    'correct the name of the field; a newer cluster may know it',
  ],
  [/[Ee]ntity too large|Too long/, 'make the object smaller: an object may have about 1 MiB'],
  [
    /LimitRange|(?:minimum|maximum) (?:cpu|memory)/,
    'change what its containers request, or the LimitRange of the namespace',
  ],
];

/** Says what to do about an object that a server refuses. */
export function refusalHint(error: ApiError): string {
  const found = hints.find(([words]) => words.test(error.message))?.[1];
  return found ?? (isMisfit(error.message) ? 'correct the type of the field' : 'correct the object in the Solution');
}
