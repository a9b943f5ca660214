// Loaded into a process before all else: writes a line to the file SOLPACK_SYNCS each time that the process syncs a file or a folder.
import fs, { appendFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

const log = process.env.SOLPACK_SYNCS;

function counted(holder, name) {
  const original = holder[name];
  holder[name] = function (...args) {
    appendFileSync(log, `${name}\n`);
    return original.apply(this, args);
  };
}

for (const name of ['fsync', 'fsyncSync', 'fdatasync', 'fdatasyncSync']) counted(fs, name);
const { open } = fs.promises;
fs.promises.open = async (...args) => {
  const handle = await open(...args);
  for (const name of ['sync', 'datasync']) counted(handle, name);
  return handle;
};
syncBuiltinESMExports();
