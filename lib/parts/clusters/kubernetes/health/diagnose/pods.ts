import { conditionOf, hasCondition, type LiveObject, listAt, oneLine, textAt } from '../../server/index.ts';
import { type Cause, lookAt } from './cause.ts';
import { containersOf } from './container.ts';
import { eventsAbout } from './events.ts';
import { explainContainer } from './explain-container.ts';
import { withoutNode } from './scheduling.ts';

/**
 * Explains why a Pod is not ready; undefined where it says nothing useful. With `isAsked` the user asked for this very
 * Pod, so that it need not be named.
 */
export function explainPod(pod: LiveObject, events: readonly LiveObject[], isAsked: boolean): Cause | undefined {
  const name = `Pod ${pod.metadata.name}`;
  const who = isAsked ? 'it' : name;
  for (const container of containersOf(pod, events, isAsked ? '' : ` of ${name}`)) {
    const cause = explainContainer(container);
    if (cause !== undefined) return cause;
  }
  if (textAt(pod, 'status', 'phase') === 'Failed') return givenUp(pod, who);
  const about = eventsAbout(events, pod.metadata.uid);
  return withoutNode(pod, who) ?? withoutSandbox(about, who) ?? gated(pod, who) ?? pulling(about, who);
}

/** Explains a Pod that its node refused or evicted; its containers do not say why. */
function givenUp(pod: LiveObject, who: string): Cause {
  const reason = textAt(pod, 'status', 'reason') || 'Failed';
  const message = textAt(pod, 'status', 'message');
  const hint =
    reason === 'Evicted' ? 'give the node more of the resource that ran out, or let its Pods use less' : lookAt(pod);
  return { cause: `${who} failed (${reason})${message === '' ? '' : `: ${oneLine(message)}`}`, hint };
}

/** Explains a Pod whose volumes or network are missing, which come before its first container. */
function withoutSandbox(events: readonly LiveObject[], who: string): Cause | undefined {
  const reasons = ['FailedMount', 'FailedAttachVolume', 'FailedMapVolume', 'FailedCreatePodSandBox'];
  const event = events.findLast((one) => reasons.includes(textAt(one, 'reason')));
  if (event === undefined || events.some((one) => textAt(one, 'reason') === 'Started')) return undefined;
  const message = oneLine(textAt(event, 'message'));
  const missing = /(secret|configmap) "([^"]*)" not found/.exec(message);
  const kind = missing?.[1] === 'secret' ? 'Secret' : 'ConfigMap';
  if (textAt(event, 'reason') === 'FailedCreatePodSandBox') {
    return { cause: `${who} cannot be set up: ${message}`, hint: "check the node's network plugin and its runtime" };
  }
  return {
    cause: `${who} does not get its volumes: ${message}`,
    hint: missing
      ? `create ${kind} ${missing[2]} in the namespace of the Pod, or add it to this component or an earlier one`
      : 'correct its volumes, or check the storage behind them',
  };
}

function gated(pod: LiveObject, who: string): Cause | undefined {
  const gates = listAt(pod, 'spec', 'readinessGates').map((gate) => textAt(gate, 'conditionType'));
  const closed = gates.filter((gate) => conditionOf(pod, gate)?.status !== 'True');
  if (closed.length === 0 || !hasCondition(pod, 'ContainersReady', 'True')) return undefined;
  return {
    cause: `${who} runs, but its readiness gate ${closed.join(', ')} is closed`,
    hint: 'start the controller that sets this condition',
  };
}

function pulling(events: readonly LiveObject[], who: string): Cause | undefined {
  const last = events.findLast((one) => textAt(one, 'type') !== 'Warning');
  if (textAt(last, 'reason') !== 'Pulling') return undefined;
  const image = /"([^"]*)"/.exec(textAt(last, 'message'))?.[1] ?? '';
  const hint = 'allow the component more time, then install again';
  return { cause: `${who} is still pulling image ${image}`, hint, isPassing: true };
}
