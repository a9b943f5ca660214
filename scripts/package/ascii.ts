import type { Plugin } from 'rolldown';

/** A raw template whose text would be another one if it were written by escapes. */
const raw = /\bString\.raw`[^`]*[^\0-\x7f]/;

/**
 * Writes what is not ASCII as escapes: V8 keeps the source of a module with one such character in two bytes a character, for as long as it
 * runs. Throws where an escape would mean something else.
 */
export const sourcesInAscii: Plugin = {
  name: 'sources-in-ascii',
  // After everything else: rolldown prints what `renderChunk` returns once more, and then takes escapes back.
  generateBundle: (_, files) => {
    for (const file of Object.values(files)) if (file.type === 'chunk') file.code = escaped(file.code);
  },
};

function escaped(code: string): string {
  if (raw.test(code)) throw new Error('a raw template has characters that are not ASCII');
  return code.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
