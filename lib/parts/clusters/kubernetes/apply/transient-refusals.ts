import type { ApiError } from '../server/index.ts';

/** Refusals that go away within seconds, by the text of the server. */
const passing: readonly RegExp[] = [
  // The webhook is part of what is being installed.
  /failed calling webhook/,
  // Controllers have not yet seen a namespace or a quota that was just made.
  /error looking up service account \S+: serviceaccount "[^"]+" not found/,
  /status unknown for quota/,
  // A kind that was just defined is not served by every server yet.
  /could not find the requested resource/,
];

/** Decides whether a refused request may succeed when it is repeated. */
export function isTransientRefusal(error: ApiError): boolean {
  const { status, causes, message } = error;
  if (status === 429 || status === 502 || status === 503 || status === 504) return true;
  // Two writers met. A conflict of field managers, however, does not go away.
  if (status === 409 && !causes.some(({ reason }) => reason === 'FieldManagerConflict')) return true;
  return passing.some((words) => words.test(message));
}

/** Decides whether a webhook refused because it does not support dry runs (API concepts, "Dry-run"). */
export function isDryRunUnsupported({ status, message }: ApiError): boolean {
  return status === 400 && /does not support dry run/i.test(message);
}
