import type { Event } from './events.ts';
import type { Flow } from './flow.ts';

/** Milliseconds that somebody waits without being told what for. */
const SILENCE = 1_000;

/**
 * Does `work`, and tells of it as a step if it takes longer than a second, as on a disc that has to start. Until then its progress is not
 * told either. Throws what `work` throws.
 */
export async function toldIfSlow<F extends Pick<Flow, 'onEvent'>, T>(
  flow: F,
  step: Omit<Extract<Event, { type: 'step' }>, 'type'>,
  work: (flow: F) => Promise<T>,
): Promise<T> {
  let isTold = false;
  const onEvent = (event: Event): void => {
    if (isTold || event.type !== 'progress') flow.onEvent(event);
  };
  const timer = setTimeout(() => {
    isTold = true;
    flow.onEvent({ type: 'step', ...step });
  }, SILENCE);
  // Nobody stays for it.
  timer.unref();
  try {
    return await work({ ...flow, onEvent });
  } finally {
    clearTimeout(timer);
  }
}
