import type { BootResult } from '../../lib/index.ts';
import { count, plain } from '../io.ts';
import type { Style } from './style.ts';

/** Describes for a person how a loader has ended. */
export function bootView({ namespace, job, attempt, components, schedule }: BootResult, style: Style): string[] {
  const tries = attempt > 1 ? `, at the attempt ${attempt}` : '';
  return [
    `${style.good('ready')} Job ${plain(namespace)}/${plain(job)}  ${count(components.length, 'component')}${tries}`,
    ...(schedule === undefined ? [] : [`repaired at ${plain(schedule)}`]),
  ];
}
