'use strict';
// Compiles scripts, all functions of each, for the Node.js that runs this, and writes beside each what V8 made of it:
//   node --hash-seed=1 compile.cjs FOLDER NAME...
const { readFileSync, writeFileSync } = require('node:fs');
const { join } = require('node:path');
const { setFlagsFromString } = require('node:v8');
const { Script } = require('node:vm');

const [folder, ...names] = process.argv.slice(2);
// V8 refuses what was made under other flags than it has itself. The seed that made the same of the same code is in use
// already, so the flag can be taken back: who reads this has a seed of his own, and orders all by that.
setFlagsFromString('--hash-seed=0');
for (const name of names) {
  const code = readFileSync(join(folder, name), 'utf8');
  // V8 compiles a function when it is first called, unless an option says otherwise.
  setFlagsFromString('--no-lazy');
  const script = new Script(code, { filename: `solpack:${name}` });
  setFlagsFromString('--lazy');
  writeFileSync(join(folder, `${name}.compiled`), script.createCachedData());
}
