'use strict';
// The first code of the executable, and of each of its threads. It runs chunks that lie in the executable, each with what
// V8 made of it when the executable was built. A chunk costs nothing unless a command needs it.
const { getAsset, getRawAsset } = process.getBuiltinModule('node:sea');
const { Script } = process.getBuiltinModule('node:vm');
const modules = new Map();

function load(name) {
  const known = modules.get(name);
  if (known) return known.exports;
  const module = { exports: {} };
  modules.set(name, module);
  const script = new Script(getAsset(name, 'utf8'), {
    filename: `solpack:${name}`,
    cachedData: new Uint8Array(getRawAsset(`${name}.compiled`)),
  });
  if (script.cachedDataRejected) rejected(name);
  script.runInThisContext()(module.exports, required, module, threadCode);
  return module.exports;
}

/** Node.js' own modules and chunks are all that there is: nothing beside the executable is ever run. */
function required(id) {
  if (id.startsWith('./')) return load(id.slice(2));
  const builtin = process.getBuiltinModule(id);
  if (builtin === undefined) throw new Error(`${id} is not in this executable`);
  return builtin;
}

/** The code of a thread, for a Worker to evaluate. */
function threadCode(name) {
  return getAsset(`${name}.thread`, 'utf8');
}

/** Other flags of V8 make it compile anew, which is right, and slow: lib/kernel/machine/heap.ts does so on purpose. */
function rejected(name) {
  if (process.env.SOLPACK_DEBUG === 'compiled') process.stderr.write(`note: ${name} was compiled anew\n`);
}
