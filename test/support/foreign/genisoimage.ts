import type { ForeignCase, Options } from './cases.ts';

const utf8 = ['-input-charset', 'utf-8'];

const posix: Options = {
  'level 1': ['-iso-level', '1', ...utf8],
  'level 2': ['-iso-level', '2', ...utf8],
  'level 3': ['-iso-level', '3', ...utf8],
  'level 4': ['-iso-level', '4'],
  'deep folders kept': ['-D'],
  'moved folders below a hidden one': ['-hide-rr-moved', '-J', '-joliet-long', ...utf8],
  'attributes of XA': ['-XA'],
  'rationalized attributes of XA': ['-xa'],
  'attributes of Apple': ['-apple'],
  'HFS beside it': ['-hfs'],
  'UDF beside it': ['-udf', '-J', '-joliet-long', ...utf8],
  'no padding': ['-no-pad'],
  'hidden attributes': ['-hidden', 'sectors'],
  'files that Joliet lacks': ['-J', '-joliet-long', '-hide-joliet', 'noext', ...utf8],
  'components of links in one piece': ['-no-split-symlink-components'],
  'hard links stored twice': ['-no-cache-inodes'],
};

const plain: Options = {
  'level 1': ['-iso-level', '1'],
  'level 2': ['-iso-level', '2'],
  'level 3': ['-iso-level', '3'],
  'no versions': ['-N'],
  'no versions, no dots at the end': ['-N', '-d'],
  'untranslated names': ['-U'],
  'relaxed names': ['-allow-lowercase', '-allow-multidot', '-relaxed-filenames', '-l', '-L'],
  'names of 37 characters': ['-max-iso9660-filenames'],
  'attributes of XA': ['-XA'],
};

const joliet: Options = {
  'names of 64 characters': ['-J'],
  'long names': ['-J', '-joliet-long'],
  'UCS level 1': ['-J', '-ucs-level', '1'],
  'plain names of level 1': ['-J', '-joliet-long', '-iso-level', '1'],
  'HFS beside it': ['-J', '-hfs'],
};

/** Linux and isoinfo look for Rock Ridge there too; XA has the first fourteen bytes. */
const behind = 'does not find Rock Ridge behind the attributes of XA';
const xa = { bsdtar: behind, xorriso: behind };
const whole = { xorriso: 'crashes where a link has one component that fills its entry' };
const dots = { xorriso: 'keeps the dot at the end of a name without version and extension' };
const encoding = { xorriso: 'takes names of the primary tree for ASCII' };

/** Where folders are moved to. */
const moved = /^\.?rr_moved$/;

function apartFor(options: readonly string[]): Pick<ForeignCase, 'apart'> {
  if (options.includes('-no-split-symlink-components')) return { apart: whole };
  return options.some((option) => /^-xa$/i.test(option)) ? { apart: xa } : {};
}

const writes = (options: readonly string[]) => (image: string, input: string) => [
  '-quiet',
  ...options,
  '-o',
  image,
  input,
];

const casesOf = (rows: Options, more: (options: readonly string[]) => Omit<ForeignCase, 'name' | 'judge'>) =>
  Object.entries(rows).map(([name, options]): ForeignCase => ({ name, judge: 'genisoimage', ...more(options) }));

/** genisoimage, the last free mkisofs of its line. */
export const genisoimage: readonly ForeignCase[] = [
  ...casesOf(posix, (options) => ({
    tree: 'posix',
    namespace: 'rock-ridge',
    args: writes(['-R', ...options]),
    shown: moved,
    ...apartFor(options),
  })),
  {
    name: 'folders moved from below moved ones',
    judge: 'genisoimage',
    tree: 'deep',
    namespace: 'rock-ridge',
    shown: moved,
    args: writes(['-R', ...utf8]),
  },
  {
    name: 'rationalized modes',
    judge: 'genisoimage',
    tree: 'posix',
    shown: moved,
    namespace: 'rock-ridge',
    args: writes(['-r', ...utf8]),
  },
  {
    name: 'a boot image and its catalog',
    judge: 'genisoimage',
    tree: 'posix',
    namespace: 'rock-ridge',
    adds: /^boot\.catalog$/,
    shown: moved,
    args: writes(['-R', '-b', 'sectors', '-no-emul-boot', '-c', 'boot.catalog']),
  },
  {
    name: 'tables of names',
    judge: 'genisoimage',
    tree: 'posix',
    namespace: 'rock-ridge',
    adds: /(^|\/)TRANS\.TBL$/,
    shown: moved,
    args: writes(['-R', '-T']),
  },
  ...casesOf(plain, (options) => ({
    tree: 'files',
    namespace: 'plain',
    args: writes([...options, ...utf8]),
    ...(options.join() === '-N' || options.includes('-max-iso9660-filenames') ? { apart: dots } : {}),
  })),
  ...casesOf(joliet, (options) => ({
    tree: 'files',
    namespace: 'joliet',
    args: writes(options.includes('-hfs') ? options : [...options, ...utf8]),
  })),
  {
    name: 'ISO 9660:1999',
    judge: 'genisoimage',
    tree: 'files',
    namespace: 'enhanced',
    exact: true,
    apart: encoding,
    args: writes(['-iso-level', '4']),
  },
];
