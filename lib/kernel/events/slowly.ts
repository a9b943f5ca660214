import type { Event } from './events.ts';
import type { Flow } from './flow.ts';

/** Milliseconds that a user waits without a message. */
const SILENCE = 1_000;

/**
 * Does `work`, and reports it as a step if it takes longer than a second, as on a disc that has to start. Until then
 * its progress is not reported either. Throws what `work` throws.
 */
export async function reportIfSlow<F extends Pick<Flow, 'onEvent'>, T>(
  flow: F,
  step: Omit<Extract<Event, { type: 'step' }>, 'type'>,
  work: (flow: F) => Promise<T>,
): Promise<T> {
  let isReported = false;
  const onEvent = (event: Event): void => {
    if (isReported || event.type !== 'progress') flow.onEvent(event);
  };
  const timer = setTimeout(() => {
    isReported = true;
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
