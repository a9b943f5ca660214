import type { ApiError } from './api.ts';

/** Refusals that pass by themselves within seconds, by the words of the server. */
const passing: readonly RegExp[] = [
  // Its webhook is part of what is being installed.
  /failed calling webhook/,
  // Controllers have not yet seen a namespace or a quota that was just made.
  /error looking up service account \S+: serviceaccount "[^"]+" not found/,
  /status unknown for quota/,
  // A kind that was just defined is not served everywhere yet.
  /could not find the requested resource/,
];

/** Whether what was refused may well be accepted when it is tried again. */
export function isTransient(error: ApiError): boolean {
  const { status, causes, message } = error;
  if (status === 429 || status === 502 || status === 503 || status === 504) return true;
  // Two writers met; a conflict of field managers is no accident.
  if (status === 409 && !causes.some(({ reason }) => reason === 'FieldManagerConflict')) return true;
  return passing.some((words) => words.test(message));
}

/** Whether a webhook that cannot tell a dry run from a real one stood in the way (API concepts, "Dry-run"). */
export function isDryRunUnsupported({ status, message }: ApiError): boolean {
  return status === 400 && /does not support dry run/i.test(message);
}
