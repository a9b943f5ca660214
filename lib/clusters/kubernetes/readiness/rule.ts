import type { LiveObject } from '../api.ts';
import { oneLine } from './text.ts';

/** How far an object has come, by the states of kstatus (`Current` and `InProgress` are ready and waiting here). */
export interface Readiness {
  readonly state: 'ready' | 'waiting' | 'failed' | 'terminating';
  /** One short line, such as "1 of 3 replicas are available". */
  readonly message: string;
}

/** What an object itself does not say. */
export interface ReadinessContext {
  /** The StorageClass of a claim; undefined where it has none, or it is not known. */
  readonly storageClass?: LiveObject | undefined;
}

/** How the objects of one kind become ready. It is asked once their controller has seen their newest generation. */
export type Rule = (object: LiveObject, context: ReadinessContext) => Readiness;

/** What is as it should be. */
export function ready(message: string): Readiness {
  return { state: 'ready', message: oneLine(message) };
}

/** What may still become ready by itself. */
export function waiting(message: string): Readiness {
  return { state: 'waiting', message: oneLine(message) };
}

/** What does not become ready unless somebody changes something. */
export function failed(message: string): Readiness {
  return { state: 'failed', message: oneLine(message) };
}

/** Kinds that are ready as soon as they are there. */
export const present: Rule = () => ready('is there');
