import { sizeWords } from '../../lib/command.ts';
import { plain } from '../io.ts';
import type { Moved } from './moved.ts';
import type { ByteTransfer, StepAtWork } from './shown.ts';
import { leftWords, SECOND } from './times.ts';

/** Says what is at work: `verify   guestbook-1.1.0.iso`. */
export function workWords({ step, subject }: Pick<StepAtWork, 'step' | 'subject'>): string {
  return plain(`${step.padEnd(8)} ${subject ?? ''}`);
}

/** Says which of several subjects that is: `3 of 12`. */
export function placeWords({ place }: Pick<StepAtWork, 'place'>): string {
  return place === undefined ? '' : `${place.number} of ${place.of}`;
}

/**
 * Says how far a transfer is, how fast it moves, and how long it will take, as far as that is known: in at most so many
 * columns, where the rate, then the bytes, then the time are left out.
 */
export function transferWords(transfer: ByteTransfer, now: number, columns = Number.POSITIVE_INFINITY): string {
  const { done, total, rate } = transfer;
  const perSecond = rate.perSecond(now);
  const left = rate.remaining(now, total - done);
  const share = `${String(Math.floor(100 * shareOf(transfer))).padStart(3)} %`;
  const moved = `${sizeWords(done)} of ${sizeWords(total)}`;
  const speed = perSecond === undefined ? '' : `${sizeWords(Math.round(perSecond))}/s`;
  const time = left === undefined || done >= total ? '' : `${leftWords(left)} left`;
  const forms = [
    [share, moved, speed, time],
    [share, moved, time],
    [share, time],
  ].map((parts) => parts.filter((part) => part !== '').join('  '));
  return forms.find((form) => form.length <= columns) ?? share;
}

/** Returns how much of a transfer is done, from 0 to 1. */
export function shareOf({ done, total }: Pick<ByteTransfer, 'done' | 'total'>): number {
  return total === 0 ? 1 : Math.min(1, Math.max(0, done / total));
}

/** Says at which rate bytes were moved. */
function rateWords(count: number, milliseconds: number): string {
  return `${sizeWords(Math.round((SECOND * count) / Math.max(1, milliseconds)))}/s`;
}

/** Says what a step has moved: `verify 2.9 GiB at 241.0 MiB/s`. What took less than a second has no rate. */
export function movedWords({ step, bytes: count, took }: Moved): string {
  const rate = took < SECOND ? '' : ` at ${rateWords(count, took)}`;
  return `${step} ${sizeWords(count)}${rate}`;
}
