import { damaged, type Words } from './damage.ts';
import type { Random } from './random.ts';
import { BLOCK, seal } from './tar-fields.ts';

/** An entry of a tar archive, which may be written wrongly. */
export interface Member {
  readonly name: string;
  readonly body?: string | Uint8Array;
  /** The type flag; left out: a regular file. */
  readonly type?: string;
  readonly link?: string;
  /** The size in the header, whatever the body has. */
  readonly size?: number | string;
  /** The body of a pax header before the entry. */
  readonly pax?: string;
}

const oddNames = [
  ...'¦.¦..¦./¦/¦/etc/passwd¦../x¦a/../b¦a//b¦./a¦a/¦a\\b¦C:\\x¦a\0b¦\xff\xfe¦manifest.json¦oci-layout'.split('¦'),
  ...'.wh..wh..opq¦.wh.x¦x/.wh..wh..opq¦é¦🚀'.split('¦'),
  ...['n'.repeat(99), 'n'.repeat(100)],
];
const types = ['0', '1', '2', '3', '4', '5', '6', '7', '\0', 'x', 'g', 'L', 'K', 'S', 'M', 'V', 'A', '\xff'];
const oddSizes = '¦-1¦0¦1¦77777777777¦7777777777777¦9¦\x80\0\0\0\0\0\0\x01\0\0\0¦\xff\xff\xff¦ 12¦12 '.split('¦');
const records = (
  'path=x¦path=../x¦path=/x¦path=¦path=a\0b¦linkpath=x¦size=3¦size=99999999999999999999¦size=-1' +
  '¦GNU.sparse.major=1¦GNU.sparse.map=0,1¦SCHILY.realsize=9¦mtime=1.5¦hdrcharset=BINARY¦comment¦=x'
).split('¦');

type Change = (random: Random, members: Member[], words: Words) => void;

const changes: readonly Change[] = [
  alter((random, member, words) => ({ ...member, body: damaged(random, Buffer.from(bodyOf(member)), words) })),
  alter((random, member, words) => ({ ...member, body: damaged(random, Buffer.from(bodyOf(member)), words) })),
  alter((random, member) => ({ ...member, type: random.pick(types) })),
  alter((random, member) => ({ ...member, size: random.pick(oddSizes) })),
  alter((random, member) => ({ ...member, name: oddName(random, member.name) })),
  alter((random, member) => ({ ...member, pax: paxOf(random) })),
  (random, members) => {
    const other = random.pick(members).name;
    const at = random.below(members.length);
    members[at] = {
      ...members[at]!,
      ...(random.once(2) ? { name: other } : { link: other, type: random.pick(['1', '2']) }),
    };
  },
  (random, members) => {
    // Makes many members of one: files, links to one file, nested folders.
    const { name } = random.pick(members);
    const count = random.once(8) ? 1000 : random.below(8);
    const type = random.pick(types);
    const deep = random.once(4);
    for (let number = 0; number < count; number += 1) {
      members.push({ name: deep ? `${'d/'.repeat(number)}x` : `${name}-${number}`, type, link: name });
    }
  },
  (random, members) => members.splice(random.below(members.length), 1),
  (random, members) => members.unshift(random.pick(members)),
  (_, members) => members.reverse(),
];

/**
 * Returns a function that damages an archive of `members`: names, types, links, contents, and sometimes bytes of its
 * headers.
 */
export function damagedTar(members: readonly Member[]): (random: Random, sample: Buffer, words: Words) => Buffer {
  return (random, _, words) => {
    const list = [...members];
    for (let left = 1 + random.below(random.once(4) ? 6 : 2); left > 0; left -= 1) {
      if (list.length > 0) random.pick(changes)(random, list, words);
    }
    const bytes = tarOf(list);
    if (!random.once(4)) return bytes;
    const changed = damaged(random, bytes, { ...words, others: [bytes] });
    if (!random.once(8)) sealAll(changed);
    return changed;
  };
}

/** Makes an archive of `members`, with an end marker. */
export function tarOf(members: readonly Member[]): Buffer {
  const parts: Buffer[] = [];
  for (const member of members) {
    if (member.pax !== undefined) parts.push(...entry({ name: 'PaxHeaders', type: 'x', body: member.pax }));
    parts.push(...entry(member));
  }
  return Buffer.concat([...parts, Buffer.alloc(2 * BLOCK)]);
}

/** Makes a pax record: its length, which includes itself, a keyword and a value. */
export function paxRecord(text: string): string {
  const size = Buffer.byteLength(text) + 2;
  const digits = String(size + String(size).length).length;
  return `${size + digits} ${text}\n`;
}

function entry(member: Member): Buffer[] {
  const { name, type = '0', link = '', size } = member;
  const body = bodyOf(member);
  const long = Buffer.byteLength(name) > 100 ? entry({ name: '././@LongLink', type: 'L', body: `${name}\0` }) : [];
  const block = Buffer.alloc(BLOCK);
  block.write(name, 0, 100);
  block.write('0000644\0', 100);
  const stated = size ?? body.length;
  block.write(typeof stated === 'number' ? `${stated.toString(8).padStart(11, '0')}\0` : stated, 124, 12, 'latin1');
  block.write(type, 156, 1, 'latin1');
  block.write(link, 157, 100);
  block.write('ustar\x0000', 257, 'latin1');
  seal(block);
  return [...long, block, Buffer.from(body), Buffer.alloc(-body.length & (BLOCK - 1))];
}

function bodyOf({ body = '' }: Member): Uint8Array {
  return typeof body === 'string' ? Buffer.from(body) : body;
}

function alter(change: (random: Random, member: Member, words: Words) => Member): Change {
  return (random, members, words) => {
    const at = random.below(members.length);
    members[at] = change(random, members[at]!, words);
  };
}

function oddName(random: Random, name: string): string {
  const odd = random.pick(oddNames);
  switch (random.below(4)) {
    case 0:
      return `${name}/${odd}`;
    case 1:
      return `${odd}/${name}`;
    case 2:
      return random.once(4) ? 'a/'.repeat(random.below(3000)) : `${name}${odd}`;
    default:
      return odd;
  }
}

function paxOf(random: Random): string {
  let text = '';
  for (let left = 1 + random.below(3); left > 0; left -= 1) text += paxRecord(random.pick(records));
  return random.once(3)
    ? damaged(random, Buffer.from(text), { words: records, others: [Buffer.from(text)] }).toString()
    : text;
}

/** Corrects the checksums of all headers. */
function sealAll(archive: Buffer): void {
  for (let at = 0; at + BLOCK <= archive.length; at += BLOCK) {
    if (archive.toString('latin1', at + 257, at + 262) === 'ustar') seal(archive.subarray(at, at + BLOCK));
  }
}
