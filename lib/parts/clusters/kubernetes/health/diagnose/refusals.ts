import { behind, conditionOf, type LiveObject, textAt } from '../../server/index.ts';
import { type Cause, lookAt, type ObjectEvidence } from './cause.ts';
import { eventsAbout } from './events.ts';
import { plainly } from './plain-words.ts';

/** A way in which admission refuses a Pod: `words`, then `pattern`, whose groups `found` are explained. */
interface Refusal {
  readonly words: string;
  readonly pattern: RegExp;
  readonly explain: (found: readonly string[], namespace: string) => Cause;
}

const refusals: readonly Refusal[] = [
  {
    words: 'exceeded quota: ',
    pattern: /^([^,]+), (requested: .*)/,
    explain: ([quota, amounts], namespace) => ({
      cause: `no Pod can be created: quota ${quota} is used up (${amounts})`,
      hint: `raise ResourceQuota ${quota} in namespace ${namespace}, or let the Pods ask for less`,
    }),
  },
  {
    words: 'failed quota: ',
    pattern: /^([^:]+): (must specify .*)/,
    explain: ([quota, rule]) => ({
      cause: `no Pod can be created: by quota ${quota} it ${rule}`,
      hint: 'give its containers those requests and limits, or add a LimitRange with defaults to the namespace',
    }),
  },
  {
    words: 'violates PodSecurity ',
    pattern: /^"([^"]*)": (.*)/,
    explain: ([level, rules], namespace) => ({
      cause: `no Pod can be created: it violates PodSecurity "${level}": ${demandsIn(rules!)}`,
      hint: `set the named fields in its securityContext, or label namespace ${namespace} pod-security.kubernetes.io/enforce with a level that allows it`,
    }),
  },
  {
    words: 'admission webhook ',
    pattern: /^"([^"]*)" denied the request(?:: (.*))?/,
    explain: ([webhook, why]) => ({
      cause: `no Pod can be created: admission webhook ${webhook} denies it${why ? `: ${why}` : ''}`,
      hint: 'change what the webhook objects to, or ask its operator for an exception',
    }),
  },
  {
    words: 'failed calling webhook ',
    pattern: /^"([^"]*)": (?:failed to call webhook: )?(.*)/,
    explain: ([webhook, why]) => ({
      cause: `no Pod can be created: admission webhook ${webhook} cannot be asked: ${why}`,
      hint: 'start the server behind the webhook, or remove its configuration if nothing needs it any more',
    }),
  },
  {
    words: 'ValidatingAdmissionPolicy ',
    pattern: /^'([^']*)' with binding '[^']*' denied request: (.*)/,
    explain: ([policy, why]) => ({
      cause: `no Pod can be created: ValidatingAdmissionPolicy ${policy} denies it: ${why}`,
      hint: 'change what the policy objects to, or its binding',
    }),
  },
  {
    words: 'serviceaccount ',
    pattern: /^"([^"]*)" not found/,
    explain: ([account], namespace) => ({
      cause: `no Pod can be created: ServiceAccount ${account} does not exist in namespace ${namespace}`,
      hint: `add ServiceAccount ${account} to this component or an earlier one, or correct serviceAccountName`,
    }),
  },
  {
    words: 'no PriorityClass with name ',
    pattern: /^(\S+) was found/,
    explain: ([name]) => ({
      cause: `no Pod can be created: PriorityClass ${name} does not exist`,
      hint: `add PriorityClass ${name} to an earlier component, or correct priorityClassName`,
    }),
  },
];

/** Explains why the Pods of a workload cannot be created; undefined where nothing says that. */
export function refusedPods(evidence: ObjectEvidence): Cause | undefined {
  const message = refusalIn(evidence);
  if (message === undefined) return undefined;
  const namespace = evidence.object.metadata.namespace ?? 'default';
  for (const { words, pattern, explain } of refusals) {
    const match = pattern.exec(behind(message, words) ?? '');
    if (match) return explain(match.slice(1), namespace);
  }
  return { cause: `no Pod can be created: ${message}`, hint: lookAt(evidence.object) };
}

function refusalIn({ object, between, events }: ObjectEvidence): string | undefined {
  for (const one of [object, ...between]) {
    const failure = conditionOf(one, 'ReplicaFailure');
    if (failure?.status === 'True' && failure.message !== '') return plainly(failure.message);
    const last = eventsAbout(events, one.metadata.uid).findLast(isCreation);
    if (last !== undefined && textAt(last, 'reason') === 'FailedCreate') return plainly(textAt(last, 'message'));
  }
  return undefined;
}

/** Returns what the rules of a Pod Security Standard demand, without their names and their common prefix. */
function demandsIn(rules: string): string {
  return rules
    .replace(/(^|, )[^,()]+ \(([^()]*)\)/g, (whole, start, what) => (what.includes(' must ') ? start + what : whole))
    .replaceAll('securityContext.', '');
}

/** Decides whether an event says that a Pod was created, after which earlier refusals no longer hold. */
function isCreation(event: LiveObject): boolean {
  return ['FailedCreate', 'SuccessfulCreate'].includes(textAt(event, 'reason'));
}
