import type { LiveObject } from '../api.ts';
import { listAt, textAt } from '../readiness/fields.ts';
import { eventsAbout } from './events.ts';

/** A container of a Pod: its specification and its status. */
export interface Container {
  readonly pod: LiveObject;
  readonly name: string;
  /** Its part of the Pod's spec. */
  readonly spec: unknown;
  /** Its part of the Pod's status. */
  readonly status: unknown;
  /** Events about it, the newest last. */
  readonly events: readonly LiveObject[];
  /** How a cause names it. */
  readonly who: string;
}

/** Returns the containers of a Pod that have a status, in the order they run. `whose` follows their name in causes. */
export function containersOf(pod: LiveObject, events: readonly LiveObject[], whose: string): Container[] {
  return [
    ['initContainers', 'initContainerStatuses', 'init container'],
    ['containers', 'containerStatuses', 'container'],
  ].flatMap(([specs, statuses, noun]) =>
    listAt(pod, 'status', statuses!).map((status) => {
      const name = textAt(status, 'name');
      const spec = listAt(pod, 'spec', specs!).find((one) => textAt(one, 'name') === name);
      const about = eventsAbout(events, pod.metadata.uid, name);
      return { pod, name, spec, status, events: about, who: `${noun} ${name}${whose}` };
    }),
  );
}
