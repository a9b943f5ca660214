// One of the processes of the floor: it copies its share of the files below a folder into one file and hashes them,
// and does nothing else:  node scripts/bench/floor.ts FOLDER OUTPUT NUMBER OF
import { createHash } from 'node:crypto';
import { closeSync, openSync, readdirSync, readSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';

const [folder = '', output = '', number = '0', of = '1'] = process.argv.slice(2);
const buffer = Buffer.allocUnsafeSlow(1024 * 1024);
const files = readdirSync(folder, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => join(entry.parentPath, entry.name))
  .sort()
  .map((path) => ({ path, size: statSync(path).size }));
const target = openSync(output, 'r+');
let offset = 0;
for (const [at, { path, size }] of files.entries()) {
  if (at % Number(of) === Number(number)) copy(path, offset);
  offset += size;
}
closeSync(target);

function copy(path: string, start: number): void {
  const file = openSync(path, 'r');
  const hash = createHash('sha256');
  let done = 0;
  for (;;) {
    const count = readSync(file, buffer, 0, buffer.length, done);
    if (count === 0) break;
    hash.update(buffer.subarray(0, count));
    writeSync(target, buffer, 0, count, start + done);
    done += count;
  }
  hash.digest();
  closeSync(file);
}
