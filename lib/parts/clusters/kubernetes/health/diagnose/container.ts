import { type LiveObject, listAt, textAt } from '../../server/index.ts';
import type { Container } from './cause.ts';
import { eventsAbout } from './events.ts';

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
