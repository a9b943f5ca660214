import type { LiveObject } from '../api.ts';
import { conditionOf, textAt } from '../readiness/fields.ts';
import { type Cause, type Evidence, lookAt } from './cause.ts';
import { eventsAbout } from './events.ts';
import { plainly } from './plainly.ts';

/** What admission says when it refuses a Pod, and what that means; `found` are the groups of the pattern. */
interface Refusal {
  readonly pattern: RegExp;
  readonly tell: (found: readonly string[], namespace: string) => Cause;
}

const refusals: readonly Refusal[] = [
  {
    pattern: /exceeded quota: ([^,]+), (requested: .*)$/,
    tell: ([quota, amounts], namespace) => ({
      cause: `no Pod can be created: quota ${quota} is used up (${amounts})`,
      hint: `raise ResourceQuota ${quota} in namespace ${namespace}, or let the Pods ask for less`,
    }),
  },
  {
    pattern: /failed quota: ([^:]+): (must specify .*)$/,
    tell: ([quota, rule]) => ({
      cause: `no Pod can be created: by quota ${quota} it ${rule}`,
      hint: 'give its containers those requests and limits, or add a LimitRange with defaults to the namespace',
    }),
  },
  {
    pattern: /violates PodSecurity "([^"]*)": (.*)$/,
    tell: ([level, rules], namespace) => ({
      cause: `no Pod can be created: it violates PodSecurity "${level}": ${demandsIn(rules!)}`,
      hint: `set in its securityContext what is named, or label namespace ${namespace} pod-security.kubernetes.io/enforce with a level that allows it`,
    }),
  },
  {
    pattern: /admission webhook "([^"]*)" denied the request(?:: (.*))?/,
    tell: ([webhook, why]) => ({
      cause: `no Pod can be created: admission webhook ${webhook} denies it${why ? `: ${why}` : ''}`,
      hint: 'change what the webhook objects to, or ask whoever runs it for an exception',
    }),
  },
  {
    pattern: /failed calling webhook "([^"]*)": (?:failed to call webhook: )?(.*)$/,
    tell: ([webhook, why]) => ({
      cause: `no Pod can be created: admission webhook ${webhook} cannot be asked: ${why}`,
      hint: 'make the server behind the webhook run, or remove its configuration if nothing needs it any longer',
    }),
  },
  {
    pattern: /ValidatingAdmissionPolicy '([^']*)' with binding '[^']*' denied request: (.*)$/,
    tell: ([policy, why]) => ({
      cause: `no Pod can be created: ValidatingAdmissionPolicy ${policy} denies it: ${why}`,
      hint: 'change what the policy objects to, or its binding',
    }),
  },
  {
    pattern: /serviceaccount "([^"]*)" not found/,
    tell: ([account], namespace) => ({
      cause: `no Pod can be created: ServiceAccount ${account} does not exist in namespace ${namespace}`,
      hint: `add ServiceAccount ${account} to this component or an earlier one, or correct serviceAccountName`,
    }),
  },
  {
    pattern: /no PriorityClass with name (\S+) was found/,
    tell: ([name]) => ({
      cause: `no Pod can be created: PriorityClass ${name} does not exist`,
      hint: `add PriorityClass ${name} to an earlier component, or correct priorityClassName`,
    }),
  },
];

/** Why the Pods of a workload cannot be created; undefined where nothing says that they cannot. */
export function refusedPods(evidence: Evidence): Cause | undefined {
  const message = refusalIn(evidence);
  if (message === undefined) return undefined;
  const namespace = evidence.object.metadata.namespace ?? 'default';
  for (const { pattern, tell } of refusals) {
    const match = pattern.exec(message);
    if (match) return tell(match.slice(1), namespace);
  }
  return { cause: `no Pod can be created: ${message}`, hint: lookAt(evidence.object) };
}

function refusalIn({ object, between, events }: Evidence): string | undefined {
  for (const one of [object, ...between]) {
    const failure = conditionOf(one, 'ReplicaFailure');
    if (failure?.status === 'True' && failure.message !== '') return plainly(failure.message);
    const last = eventsAbout(events, one.metadata.uid).findLast(isCreation);
    if (last !== undefined && textAt(last, 'reason') === 'FailedCreate') return plainly(textAt(last, 'message'));
  }
  return undefined;
}

/** What the rules of a Pod Security Standard demand, without their names and the prefix that all of these fields have. */
function demandsIn(rules: string): string {
  return rules.replace(/(^|, )[^,()]+ \(([^()]* must [^()]*)\)/g, '$1$2').replaceAll(/\bsecurityContext\./g, '');
}

/** A refusal is over when a Pod was created after it. */
function isCreation(event: LiveObject): boolean {
  return ['FailedCreate', 'SuccessfulCreate'].includes(textAt(event, 'reason'));
}
