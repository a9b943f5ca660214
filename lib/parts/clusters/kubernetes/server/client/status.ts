import type { IncomingHttpHeaders } from 'node:http';
import { z } from '../../../../../../formats/schema.ts';
import { ApiError } from '../api.ts';

/** How many characters of a server's own words are kept. */
const WORDS = 2000;
/** How many bytes of an answer that failed are read: its words may hold the whole object, and more than once. */
const READ = 1024 * 1024;

const cause = z.looseObject({
  reason: z.string().optional(),
  message: z.string().optional(),
  field: z.string().optional(),
});
const schema = z.looseObject({
  kind: z.literal('Status'),
  message: z.string().optional(),
  reason: z.string().optional(),
  details: z.looseObject({ causes: z.array(cause).nullish() }).nullish(),
});

/** An answer with all of its body. */
export interface WholeAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Uint8Array;
}

/** What was tried, for the message about its failure. */
export interface TriedCall {
  readonly verb: string;
  /** `Kind namespace/name`, or a path. */
  readonly subject: string;
  /** Blanks secrets that a server may repeat. */
  readonly blank?: ((text: string) => string) | undefined;
}

/**
 * Makes the error that an answer is: a `Status` (API conventions, "Response Status Kind"), or the words of a proxy.
 * `words` replaces what the server says.
 */
export function apiErrorOf(answer: WholeAnswer, tried: TriedCall, words?: string): ApiError {
  const text = new TextDecoder().decode(answer.body.subarray(0, READ));
  const status = statusOf(text);
  const say = (message: string): string => plainly((tried.blank ?? ((same) => same))(message));
  const causes = (status?.details?.causes ?? []).map((one) => ({
    ...(one.reason ? { reason: plainly(one.reason) } : {}),
    ...(one.message ? { message: say(one.message) } : {}),
    ...(one.field ? { field: plainly(one.field) } : {}),
  }));
  const message = words ?? say(status?.message ?? (/^\s*</.test(text) ? '' : text));
  return new ApiError(
    tried,
    { status: answer.status, reason: plainly(status?.reason ?? ''), causes },
    message || `status ${answer.status}`,
  );
}

/**
 * Returns whether a failure is final although its status says that the server failed: server-side apply answers 500 for
 * an object that does not fit its schema.
 */
export function isDefinite(answer: WholeAnswer): boolean {
  if (answer.status !== 500 || answer.body.length > READ) return false;
  return isMisfit(statusOf(new TextDecoder().decode(answer.body))?.message ?? '');
}

/** Returns whether `message` says that an object does not fit the schema of its kind. */
export function isMisfit(message: string): boolean {
  return /^failed to (?:create typed patch object|convert new object)|^error decoding patch/.test(message);
}

/** Makes one line of a text, without control characters, of a length that can be shown. */
function plainly(text: string): string {
  return withoutMiddle(text.replace(/[\s\u0000-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]+/g, ' ').trim());
}

/**
 * Servers repeat a whole object between what they speak of, at the beginning, and what is wrong with it, at the end.
 */
function withoutMiddle(text: string): string {
  if (text.length <= WORDS) return text;
  const half = WORDS / 2 - 1;
  // Halves of a character outside the basic plane are none.
  return `${text.slice(0, half).replace(/[\ud800-\udbff]$/, '')} … ${text.slice(-half).replace(/^[\udc00-\udfff]/, '')}`;
}

function statusOf(text: string): z.infer<typeof schema> | undefined {
  try {
    return schema.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}
