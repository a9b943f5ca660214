import type { OnEvent } from '../../../../../kernel/events/index.ts';

/** How many different warnings are reported: a server that words each anew is not allowed to fill the memory. */
const MOST = 200;

/** Returns what a server warns of as notices, each once. */
export function warnings(onEvent: OnEvent): (header: string | undefined, subject: string) => void {
  const seen = new Set<string>();
  return (header, subject) => {
    for (const message of textsOf(header ?? '')) {
      const key = JSON.stringify([subject, message]);
      if (seen.has(key) || seen.size >= MOST) continue;
      seen.add(key);
      onEvent({ type: 'notice', message, subject });
    }
  };
}

/** Returns the texts of a `Warning` header with code 299 (RFC 7234, 5.5; KEP-1693 for how API servers use it). */
export function textsOf(header: string): string[] {
  // Headers are read as Latin-1, and API servers write UTF-8.
  const value = Buffer.from(header, 'latin1').toString();
  return [...value.matchAll(/(?:^|,)\s*299 \S+ "((?:[^"\\]|\\.)*)"/g)]
    .map(([, text]) =>
      text!
        .replace(/\\(.)/g, '$1')
        .replace(/[\u0000-\u001f\u007f-\u009f]+/g, ' ')
        .trim(),
    )
    .filter((text) => text !== '');
}
