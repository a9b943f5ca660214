import type { Plugin } from 'rolldown';

/** A raw template whose text would be another one if it were written by escapes. */
const raw = /\bString\.raw`[^`]*[^\0-\x7f]/;

/**
 * Writes what is not ASCII as escapes: V8 keeps the source of a module with one such character in two bytes a character, for as long as it
 * runs. Throws where an escape would mean something else.
 */
export const sourcesInAscii: Plugin = {
  name: 'sources-in-ascii',
  renderChunk: (code) => {
    if (raw.test(code)) throw new Error('a raw template has characters that are not ASCII');
    return code.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
  },
};
