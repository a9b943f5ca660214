import { sizeWords } from '../../lib/index.ts';
import { plain } from '../io.ts';
import type { Moved } from './moved.ts';
import type { ByteTransfer, StepAtWork } from './shown.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** Formats how long something took, or takes until now: `3.4 s`, `12 s`, `1 min 05 s`, `2 h 03 min`. */
export function timeWords(milliseconds: number): string {
  if (milliseconds < 9.95 * SECOND) return `${(milliseconds / SECOND).toFixed(1)} s`;
  return wholeTime(Math.round(milliseconds / SECOND) * SECOND);
}

/** Formats the same in whole seconds, for what is shown while they pass. */
export function wholeTime(milliseconds: number): string {
  const seconds = Math.floor(milliseconds / SECOND);
  if (milliseconds < MINUTE) return `${seconds} s`;
  const two = (count: number): string => String(count).padStart(2, '0');
  if (milliseconds < HOUR) return `${Math.floor(seconds / 60)} min ${two(seconds % 60)} s`;
  return `${Math.floor(seconds / 3600)} h ${two(Math.floor(seconds / 60) % 60)} min`;
}

/** Formats how long something will take still, no finer than anybody can know it. */
export function leftWords(milliseconds: number): string {
  const step = milliseconds < 10 * SECOND ? SECOND : milliseconds < MINUTE ? 5 * SECOND : 10 * SECOND;
  if (milliseconds >= 10 * MINUTE) return wholeMinutes(milliseconds);
  return wholeTime(Math.max(SECOND, Math.ceil(milliseconds / step) * step));
}

function wholeMinutes(milliseconds: number): string {
  const minutes = Math.ceil(milliseconds / MINUTE);
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${String(minutes % 60).padStart(2, '0')} min`;
}

/** Says what is at work: `verify   guestbook-1.1.0.iso`. */
export function workWords({ step, subject }: Pick<StepAtWork, 'step' | 'subject'>): string {
  return plain(`${step.padEnd(8)} ${subject ?? ''}`);
}

/** Says which of several subjects that is: `3 of 12`. */
export function placeWords({ place }: Pick<StepAtWork, 'place'>): string {
  return place === undefined ? '' : `${place.number} of ${place.of}`;
}

/**
 * Says how far a transfer is, how fast it moves, and how long it will take, as far as that is known: in at most so many columns, where
 * the rate, then the bytes, then the time are left out.
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
