import type { Plugin } from 'rolldown';

/** A module of Node.js that a chunk loads at its beginning, and what rolldown makes of that. */
const loading = /^let (\w+) = require\("[\w:/]+"\);\n(?:\1 = [\w.]+\(\1(?:, 1)?\);\n)?/gm;
const run = /(?:^let (\w+) = require\("[\w:/]+"\);\n(?:\1 = [\w.]+\(\1(?:, 1)?\);\n)?)+/gm;

/**
 * Has each chunk load the modules of Node.js in the order of their names. rolldown reads files in parallel, and takes
 * these modules in the order in which it came upon them: on a busy machine that is another one.
 */
export const builtinsInOrder: Plugin = {
  name: 'builtins-in-order',
  renderChunk: (code) => code.replace(run, (lines) => (lines.match(loading) ?? []).sort().join('')),
};
