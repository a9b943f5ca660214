import { BLANK, SHORTEST_SECRET, secretForms } from '../../../kernel/events/index.ts';

/** Characters of a secret from which on it is looked for in parts, so that its forms take little memory. */
const LONG = 4096;
const PART = 64;

/** How many slots the table of beginnings has; a power of two. */
const SLOTS = 65_536;

/** Finds known secrets in texts, in time that does not depend on how many there are. */
export interface KnownSecrets {
  /** Whether a text has one of them, in any form. */
  isIn(text: string): boolean;
  /** Returns a text without them. */
  blank(text: string): string;
}

/**
 * Prepares the search for secrets, in the forms of `secretForms`, in those of Go's JSON, in JSON within JSON, and in
 * hexadecimal.
 */
export function knownSecrets(secrets: Iterable<string>): KnownSecrets {
  const begins = new Uint8Array(SLOTS);
  const forms = new Map<string, Set<string>>();
  for (const secret of secrets) {
    for (const form of partsOf(secret).flatMap(allForms)) {
      if (form.length < SHORTEST_SECRET) continue;
      const begin = form.slice(0, SHORTEST_SECRET);
      forms.set(begin, (forms.get(begin) ?? new Set()).add(form));
      begins[slotAt(form, 0)] = 1;
    }
  }
  const spans = (text: string, most: number): [start: number, end: number][] => {
    const found: [number, number][] = [];
    for (let at = 0; at + SHORTEST_SECRET <= text.length && found.length < most; at += 1) {
      if (begins[slotAt(text, at)] === 0) continue;
      let longest = 0;
      for (const form of forms.get(text.slice(at, at + SHORTEST_SECRET)) ?? []) {
        if (form.length > longest && text.startsWith(form, at)) longest = form.length;
      }
      if (longest === 0) continue;
      const last = found.at(-1);
      // Two that overlap are one: what is left of either would tell the rest.
      if (last !== undefined && at < last[1]) last[1] = Math.max(last[1], at + longest);
      else found.push([at, at + longest]);
    }
    return found;
  };
  return {
    isIn: (text) => spans(text, 1).length > 0,
    blank: (text) => {
      let [rest, done] = ['', 0];
      for (const [start, end] of spans(text, Number.POSITIVE_INFINITY)) {
        rest += text.slice(done, start) + BLANK;
        done = end;
      }
      return rest + text.slice(done);
    },
  };
}

function slotAt(text: string, at: number): number {
  const sum =
    text.charCodeAt(at) * 29_791 +
    text.charCodeAt(at + 1) * 961 +
    text.charCodeAt(at + 2) * 31 +
    text.charCodeAt(at + 3);
  return sum & (SLOTS - 1);
}

function partsOf(secret: string): string[] {
  if (secret.length <= LONG) return [secret];
  const parts: string[] = [];
  for (let at = 0; at < secret.length; at += PART) parts.push(secret.slice(at, at + PART));
  return parts;
}

function allForms(secret: string): string[] {
  const forms = secretForms(secret);
  const quoted = JSON.stringify(secret).slice(1, -1);
  const hex = Buffer.from(secret).toString('hex');
  return [
    ...forms,
    quoted.replaceAll('&', '\\u0026').replaceAll('<', '\\u003c').replaceAll('>', '\\u003e'),
    JSON.stringify(quoted).slice(1, -1),
    hex,
    hex.toUpperCase(),
  ];
}
