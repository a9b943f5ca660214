import { type Flow, within } from '../../kernel/events/index.ts';
import type { HealthFinding } from './request.ts';

/** Milliseconds that somebody else may take to answer. */
const PATIENCE = 10_000;

/**
 * Runs `work`, which asks `subject` something, and ends it after ten seconds, however it waits: then it is found to
 * fail. Throws what `work` throws, and the reason of the flow's signal as soon as that is aborted.
 */
export async function inTime(
  subject: string,
  hint: string,
  flow: Flow,
  work: (flow: Flow) => Promise<readonly HealthFinding[]>,
): Promise<readonly HealthFinding[]> {
  flow.onEvent({ type: 'step', step: 'ask', subject });
  const message = `did not answer within ${PATIENCE / 1000} s`;
  return (await within(PATIENCE, flow, work)) ?? [{ state: 'fails', subject, message, hint }];
}
