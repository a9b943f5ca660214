import { isUtf8 } from 'node:buffer';
import { FormatError } from '../error.ts';
import { limits } from './limits.ts';
import { modeTypes } from './rock-ridge.ts';
import type { SystemUseEntry } from './system-use.ts';
import { readBoth32 } from './volume.ts';

/** What Rock Ridge says about a directory record. */
export interface RockRidge {
  readonly name: Uint8Array | undefined;
  /** POSIX mode, with the file type. */
  readonly mode: number | undefined;
  /** The target of a symbolic link, in UTF-8. */
  readonly target: Uint8Array | undefined;
  /** The block of a directory that was moved up, if this record stands in its former place. */
  readonly child: number | undefined;
  /** Whether this is a directory that was moved here. It is shown in its former place. */
  readonly relocated: boolean;
}

/** Flags of NM entries, and of the components of SL entries. */
const flags = { more: 1, current: 2, parent: 4, root: 8 } as const;

/** What a component of a link stands for if one of its flags says so. */
const words = [
  [flags.root, '/'],
  [flags.parent, '..'],
  [flags.current, '.'],
] as const;

/**
 * Returns how many bytes of each System Use field belong to something else, as SP says. Undefined if Rock Ridge is not
 * in use.
 */
export function rockRidgeSkip(systemUse: Uint8Array): number | undefined {
  // CD-ROM XA puts 14 bytes of its own before the SP entry.
  for (const at of [0, 14]) {
    const [s, p, length, , be, ef, skip] = systemUse.subarray(at, at + 7);
    if (s === 0x53 && p === 0x50 && length === 7 && be === 0xbe && ef === 0xef) return skip;
  }
  return undefined;
}

/**
 * Interprets System Use entries (RRIP 1.12 section 4). Throws `FormatError` `iso9660-rock-ridge` for damaged ones, and
 * `iso9660-unsupported` for compressed and sparse files (ZF, SF), whose extents are not their bytes.
 */
export function parseRockRidge(entries: readonly SystemUseEntry[], lenient: boolean): RockRidge {
  let mode: number | undefined;
  let child: number | undefined;
  let relocated = false;
  const names: SystemUseEntry[] = [];
  const links: SystemUseEntry[] = [];
  for (const entry of entries) {
    const { signature, payload, offset } = entry;
    if (signature === 'PX') mode = number(payload, 32, offset, 'PX', lenient);
    else if (signature === 'NM') names.push(entry);
    else if (signature === 'SL') links.push(entry);
    else if (signature === 'CL') child = number(payload, 8, offset, 'CL', lenient);
    else if (signature === 'RE') relocated = true;
    else if (signature === 'ZF' || signature === 'SF') {
      const what = signature === 'ZF' ? 'zisofs-compressed' : 'sparse';
      throw new FormatError('iso9660-unsupported', `the entry at byte ${offset} is of a ${what} file`, { offset });
    }
  }
  return { name: nameOf(names), mode, target: targetOf(links), child, relocated };
}

function number(payload: Uint8Array, least: number, offset: number, what: string, lenient: boolean): number {
  if (payload.length < least) throw damaged(offset, `${what} is too short`);
  return readBoth32(payload, 0, offset, lenient);
}

/** Returns the name that one or more NM entries give (RRIP 4.1.4). */
function nameOf(entries: readonly SystemUseEntry[]): Uint8Array | undefined {
  const parts: Uint8Array[] = [];
  let more = true;
  let size = 0;
  for (const { payload, offset } of entries) {
    if (payload.length < 1) throw damaged(offset, 'NM is too short');
    if (!more) throw damaged(offset, 'a name continues after its end');
    if ((payload[0]! & (flags.current | flags.parent)) !== 0) throw damaged(offset, 'a name is "." or ".."');
    parts.push(payload.subarray(1));
    size += payload.length - 1;
    if (size > limits.name) throw damaged(offset, `a name has more than ${limits.name} bytes`);
    more = (payload[0]! & flags.more) !== 0;
  }
  if (parts.length === 0) return undefined;
  if (more) throw damaged(entries[0]!.offset, 'a name lacks its end');
  return parts.length === 1 ? parts[0] : Buffer.concat(parts);
}

/** Returns the target of a symbolic link from the components of its SL entries (RRIP 4.1.3). */
function targetOf(entries: readonly SystemUseEntry[]): Uint8Array | undefined {
  if (entries.length === 0) return undefined;
  const parts: Buffer[] = [];
  let size = 0;
  let glue = true;
  let offset = 0;
  for (const entry of entries) {
    offset = entry.offset;
    for (const { flag, text } of componentsOf(entry)) {
      const word = words.find(([bit]) => (flag & bit) !== 0)?.[1];
      const bytes = word === undefined ? text : Buffer.from(word);
      const joined = glue ? bytes : Buffer.concat([Buffer.from('/'), bytes]);
      parts.push(joined);
      size += joined.length;
      if (size > limits.target) throw damaged(offset, `a link's target has more than ${limits.target} bytes`);
      // No further slash follows the root, and none lies between the pieces of one long component.
      glue = word === '/' || (flag & flags.more) !== 0;
    }
  }
  const target = Buffer.concat(parts);
  if (target.length === 0 || target.includes(0) || !isUtf8(target)) {
    throw damaged(offset, "a link's target is empty or not valid text");
  }
  return target;
}

function* componentsOf({ payload, offset }: SystemUseEntry): Generator<{ flag: number; text: Buffer }> {
  if (payload.length < 1) throw damaged(offset, 'SL is too short');
  for (let at = 1; at < payload.length; at += 2 + payload[at + 1]!) {
    const end = at + 2 + (payload[at + 1] ?? 0);
    if (at + 2 > payload.length || end > payload.length) throw damaged(offset, "a link's component crosses its end");
    yield { flag: payload[at]!, text: Buffer.from(payload.subarray(at + 2, end)) };
  }
}

/** Makes the error for a damaged Rock Ridge entry whose payload is at byte `offset`. */
function damaged(offset: number, why: string): FormatError {
  return new FormatError('iso9660-rock-ridge', `the Rock Ridge entry at byte ${offset} is damaged: ${why}`, { offset });
}

/** Returns whether a POSIX mode has the file type `type`. */
export function isMode(mode: number, type: 'directory' | 'file' | 'symlink'): boolean {
  return (mode & modeTypes.mask) === modeTypes[type];
}
