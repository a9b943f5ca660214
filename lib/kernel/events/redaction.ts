import { SolpackError } from './errors.ts';
import type { Event } from './events.ts';
import type { Flow } from './flow.ts';

/** Blanks secrets in a text. */
export type Redact = (text: string) => string;

/** The shortest text that is blanked: shorter ones stand in words that tell nothing. */
export const SHORTEST_SECRET = 4;

/** What stands in the place of a secret. */
export const BLANK = '***';

/**
 * Makes what blanks secrets wherever they stand in a text: as they are, line by line, as JSON and URLs write them, and
 * in Base64 (RFC 4648, both alphabets), also where they are a part of what was encoded.
 */
export function redactor(secrets: readonly string[]): Redact {
  const forms = new Set(secrets.flatMap(secretForms).filter((form) => form.length >= SHORTEST_SECRET));
  // The longest first: what is left of a text whose middle was blanked would tell the rest.
  const ordered = [...forms].sort((a, b) => b.length - a.length);
  return (text) => ordered.reduce((rest, form) => rest.replaceAll(form, BLANK), text);
}

/** Lists the forms in which a secret may stand in a text, short ones among them. */
export function secretForms(secret: string): string[] {
  const lines = secret.split(/\r?\n/).map((line) => line.trim());
  const plain = [secret, secret.trim(), ...(lines.length > 1 ? lines : [])];
  const encoded = [secret, `${secret}\n`].flatMap((one) => encodedForms(Buffer.from(one)));
  const quoted = plain.map((one) => JSON.stringify(one).slice(1, -1));
  return [...plain, ...quoted, ...plain.map(encodeURIComponent), ...encoded];
}

/**
 * The Base64 of bytes, and what of it does not depend on what stands before and behind them, at each of three offsets.
 */
function encodedForms(bytes: Buffer): string[] {
  return [0, 1, 2].flatMap((before) => {
    const text = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64url');
    // A character has six bits: those that are of neighbours in part are left out.
    const from = Math.ceil((before * 8) / 6);
    const to = Math.floor(((before + bytes.length) * 8) / 6);
    const inner = text.slice(from, to);
    const whole = before === 0 ? [bytes.toString('base64'), text] : [];
    return [
      ...whole,
      ...(inner.length < 2 * SHORTEST_SECRET ? [] : [inner, inner.replaceAll('-', '+').replaceAll('_', '/')]),
    ];
  });
}

/** Makes a flow whose events tell no secret. */
export function redactedFlow(flow: Flow, redact: Redact): Flow {
  return { ...flow, onEvent: (event) => flow.onEvent(redactedEvent(event, redact)) };
}

function redactedEvent(event: Event, redact: Redact): Event {
  const subject = 'subject' in event && event.subject !== undefined ? { subject: redact(event.subject) } : {};
  if (event.type === 'component') {
    return event.reason === undefined ? event : { ...event, reason: redact(event.reason) };
  }
  return event.type === 'notice' || event.type === 'left'
    ? { ...event, ...subject, message: redact(event.message) }
    : { ...event, ...subject };
}

/** Blanks secrets in every text of a value that is data. */
export function redactedData<T>(value: T, redact: Redact): T {
  if (typeof value === 'string') return redact(value) as T;
  if (Array.isArray(value)) return value.map((one: unknown) => redactedData(one, redact)) as T;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [redact(key), redactedData(one, redact)])) as T;
}

/** Returns an error that says no secret, neither itself nor by its cause. */
export function redactedError(error: unknown, redact: Redact): unknown {
  if (!(error instanceof Error)) return typeof error === 'string' ? redact(error) : error;
  const stack = redact(error.stack ?? '');
  if (error instanceof SolpackError) {
    const { code, subject, message, hint, side, position, lineText, findings } = error;
    const place = position ? `${position.file}:${position.line}:${position.column}: ` : '';
    const words = message.startsWith(place) ? message.slice(place.length) : message;
    const copy = new SolpackError(code, redact(subject), redact(words), {
      ...(hint === undefined ? {} : { hint: redact(hint) }),
      ...(side === undefined ? {} : { side }),
      findings: findings.map((one) => ({ ...one, subject: redact(one.subject), message: redact(one.message) })),
      ...(position === undefined ? {} : { position }),
      ...(lineText === undefined || redact(lineText) !== lineText ? {} : { lineText }),
    });
    return Object.assign(copy, { stack });
  }
  const same = redact(error.message) === error.message && stack === error.stack && error.cause === undefined;
  return same ? error : Object.assign(error, { message: redact(error.message), stack, cause: undefined });
}
