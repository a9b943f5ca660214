// Packs onto a disk that somebody fills while layers are copied, and once more when there is room again; prints what
// became of both:  node test/support/full-disk.ts DISK DEFINITION
import { closeSync, openSync, readdirSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { solpackHere } from './here.ts';

const [disk = '', definition = ''] = process.argv.slice(2);
const filler = join(disk, 'filler');

function fill(): void {
  const file = openSync(filler, 'w');
  try {
    for (;;) writeSync(file, Buffer.alloc(65_536));
  } catch {
    // There is no room left.
  } finally {
    closeSync(file);
  }
}

const args = ['pack', definition, '-o', join(disk, 'big.iso'), '--workers', '1', '--progress', 'json'];
let full = false;
const failed = await solpackHere(args, {
  cwd: disk,
  onText: (text) => {
    if (full || !/"type":"progress".*"step":"write"/.test(text)) return;
    full = true;
    fill();
  },
});
const left = readdirSync(disk);
rmSync(filler);
const again = await solpackHere(args, { cwd: disk });
console.log(
  JSON.stringify({
    failed: [failed.code, failed.stderr.trim().split('\n').at(-1)],
    left,
    again: again.code,
    made: readdirSync(disk),
  }),
);
