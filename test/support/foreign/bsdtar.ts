import type { ForeignCase, Options } from './cases.ts';

const posix: Options = {
  'nothing said': [],
  'level 1': ['iso-level=1'],
  'level 2': ['iso-level=2'],
  'level 3': ['iso-level=3'],
  'no Joliet': ['!joliet'],
  'long names of Joliet': ['joliet=long'],
  'rationalized modes': ['rockridge=useful'],
  'modes as they are': ['rockridge=strict'],
};

const plain: Options = {
  'level 1': ['iso-level=1'],
  'level 2': ['iso-level=2'],
  'level 3': ['iso-level=3'],
  'no versions': ['allow-vernum=0'],
};

const joliet: Options = { 'names of 64 characters': [], 'long names': ['joliet=long'] };

const moved = /^rr_moved$/;

const writes = (options: readonly string[]) => (image: string, input: string) => [
  ...['-cf', image, '--format', 'iso9660'],
  ...(options.length > 0 ? ['--options', options.join(',')] : []),
  ...['-C', input, '.'],
];

const casesOf = (rows: Options, more: (options: readonly string[]) => Omit<ForeignCase, 'name' | 'judge'>) =>
  Object.entries(rows).map(([name, options]): ForeignCase => ({ name, judge: 'bsdtar', ...more(options) }));

/** bsdtar, which writes images with libarchive. */
export const bsdtar: readonly ForeignCase[] = [
  ...casesOf(posix, (options) => ({ tree: 'posix', namespace: 'rock-ridge', shown: moved, args: writes(options) })),
  {
    name: 'a boot image and its catalog',
    judge: 'bsdtar',
    tree: 'posix',
    namespace: 'rock-ridge',
    shown: moved,
    adds: /^boot\.catalog$/,
    args: writes(['boot=sectors', 'boot-catalog=boot.catalog']),
  },
  ...casesOf(plain, (options) => ({
    tree: 'files',
    namespace: 'plain',
    args: writes(['!rockridge', '!joliet', ...options]),
  })),
  ...casesOf(joliet, (options) => ({ tree: 'files', namespace: 'joliet', args: writes(['!rockridge', ...options]) })),
  {
    name: 'ISO 9660:1999',
    judge: 'bsdtar',
    tree: 'files',
    namespace: 'enhanced',
    args: writes(['!rockridge', '!joliet', 'iso-level=4']),
  },
];
