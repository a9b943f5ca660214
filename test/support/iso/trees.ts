import type { Given } from '../../formats/iso9660/image.ts';
import { unicodeNames } from './names.ts';

/** `count` numbers from `first` on. */
const range = (count: number, first = 0): number[] => Array.from({ length: count }, (_, at) => first + at);

const hex = (at: number): string => at.toString(16).padStart(64, '0123456789abcdef'.repeat(4));

/** Files of `names` in a folder of their own, each with a content of its own. */
const inFolder = (folder: string, names: readonly string[]): Given[] =>
  names.map((name) => ({ path: `${folder}/${name}`, content: `${folder}: ${name}\n` }));

/** A name of exactly `bytes` bytes that ends in `end`. */
const sized = (bytes: number, end = ''): string => 'n'.repeat(bytes - Buffer.byteLength(end)) + end;

/** What an archive holds: blobs by digest, and views of the same bytes. */
const archive: Given[] = [
  { path: 'manifest.yaml', content: 'kind: Solution\n' },
  ...range(100).map((at) => ({ path: `blobs/sha256/${hex(at)}`, content: `blob ${at} `.repeat(at * 11) })),
  ...range(100).map((at) => ({ path: `components/c${at % 7}/file-${at}`, content: `blob ${at} `.repeat(at * 11) })),
  { path: 'bin/solpack', content: '#!/bin/sh\n', mode: 0o755 },
  { path: '.solpack/root.json', content: '{}' },
];

/** Every length that a name can have, in characters of one to four bytes; directories too. */
const lengths: Given[] = [
  ...inFolder(
    'one byte',
    range(253, 1).map((bytes) => sized(bytes)),
  ),
  ...inFolder(
    'two bytes',
    range(126, 1).map((count) => 'é'.repeat(count)),
  ),
  ...inFolder(
    'three bytes',
    range(84, 1).map((count) => '日'.repeat(count)),
  ),
  ...inFolder(
    'four bytes',
    range(63, 1).map((count) => '🚀'.repeat(count)),
  ),
  ...inFolder(
    'an odd unit before',
    range(62, 1).map((count) => `x${'🚀'.repeat(count)}`),
  ),
  ...inFolder(
    'extension',
    [27, 28, 29, 30, 31, 32, 33, 102, 103, 104, 252, 253].map((bytes) => sized(bytes, '.yaml')),
  ),
  ...[1, 30, 31, 32, 64, 102, 103, 104, 197, 198, 199, 200, 249, 250, 251, 252, 253].flatMap((bytes) =>
    inFolder(`directories/${sized(bytes)}`, ['leaf']),
  ),
];

/** Names that differ in case, composition or nothing that one sees, and characters of every kind. */
const unicode: Given[] = [
  ...inFolder('files', unicodeNames),
  ...unicodeNames.flatMap((name) => inFolder(`directories/${name}`, ['leaf'])),
];

/** As deep as a path may be, with a file at every level; and a path of almost as many bytes as one may have. */
const depth: Given[] = [
  ...range(64, 1).map((level) => ({ path: `${'d/'.repeat(level - 1)}leaf`, content: `level ${level}` })),
  ...range(63, 2).map((level) => ({
    path: `${range(level - 1)
      .map((at) => `level-${at}/`)
      .join('')}leaf`,
    content: `${level}`,
  })),
];

const longPaths: Given[] = range(15, 1).map((level) => {
  return { path: `${`${sized(250)}/`.repeat(level)}leaf`, content: `${level} names of 250 bytes` };
});

/** A directory of thousands of names that plain names and Joliet have to cut, and a thousand directories. */
const many: Given[] = [
  ...range(2000).map((at) => ({
    path: `many/${'common-prefix-of-more-than-thirty-characters-'.repeat((at % 5) + 1)}${at}`,
    content: `${at}`,
  })),
  ...range(1000).map((at) => ({
    path: `directories/${at % 10}/${'directory-'.repeat(at % 20)}${at}/leaf`,
    content: `leaf ${at}`,
  })),
];

/** Sizes around those of sectors, contents that many paths share, empty files between others, and modes. */
const sharing: Given[] = [
  ...[0, 1, 2, 2047, 2048, 2049, 4095, 4096, 4097, 65_536, 1_000_000].flatMap((size) =>
    ['a', 'z'].map((folder) => ({ path: `sizes/${folder}/${size}`, content: 's'.repeat(size) })),
  ),
  ...range(50).map((at) => ({ path: `everywhere/${at}/same`, content: 'the same everywhere' })),
  ...range(50).map((at) => ({ path: `everywhere/${at}/empty` })),
  ...range(8 * 64).map((mode) => ({ path: `modes/${mode.toString(8).padStart(3, '0')}`, content: `${mode}`, mode })),
];

/** Trees that readers have to agree on, by what is special about them. */
export const trees: Readonly<Record<string, readonly Given[]>> = {
  'what an archive holds': archive,
  'names of every length': lengths,
  'names in Unicode, with clashes of case': unicode,
  'directories of the greatest depth': depth,
  'paths of thousands of bytes': longPaths,
  'thousands of entries in a directory': many,
  'shared, empty and executable files': sharing,
  'nothing at all': [],
};
