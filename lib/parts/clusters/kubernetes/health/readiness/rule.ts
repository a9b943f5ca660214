import { type LiveObject, oneLine } from '../../server/index.ts';

/**
 * How far an object has come, in the states of kstatus (whose `Current` and `InProgress` are `ready` and `waiting`
 * here).
 */
export interface Readiness {
  readonly state: 'ready' | 'waiting' | 'failed' | 'terminating';
  /** One short line, such as "1 of 3 replicas are available". */
  readonly message: string;
}

/** What a rule needs besides the object itself. */
export interface ReadinessContext {
  /** The StorageClass of a claim; undefined where it has none, or it is not known. */
  readonly storageClass?: LiveObject | undefined;
}

/** Judges the objects of one kind. It is called once their controller has seen their newest generation. */
export type Rule = (object: LiveObject, context: ReadinessContext) => Readiness;

/** Says that an object is as it should be. */
export function ready(message: string): Readiness {
  return { state: 'ready', message: oneLine(message) };
}

/** Says that an object may still become ready by itself. */
export function waiting(message: string): Readiness {
  return { state: 'waiting', message: oneLine(message) };
}

/** Says that an object does not become ready unless somebody changes something. */
export function failed(message: string): Readiness {
  return { state: 'failed', message: oneLine(message) };
}

/** Ready as soon as the object exists. */
export const present: Rule = () => ready('is there');
