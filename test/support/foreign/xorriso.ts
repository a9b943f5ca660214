import type { ForeignCase, Options } from './cases.ts';

const posix: Options = {
  'level 1': ['-iso-level', '1'],
  'level 2': ['-iso-level', '2'],
  'level 3': ['-iso-level', '3'],
  'level 4': ['-iso-level', '4'],
  'hard links, ACL, extended attributes and checksums': ['--hardlinks', '--acl', '--xattr-any', '--md5'],
  'all that a backup needs': ['--for_backup'],
  'HFS+ beside it': ['-hfsplus'],
  'no padding': ['-no-pad'],
  'a partition that begins later': ['-partition_offset', '16'],
};

const plain: Options = {
  'level 1': ['-iso-level', '1'],
  'level 2': ['-iso-level', '2'],
  'level 3': ['-iso-level', '3'],
  'untranslated names': ['-U'],
  'relaxed names': ['-allow-lowercase', '-relaxed-filenames', '-l'],
  'no versions': ['-N', '-d'],
};

const joliet: Options = {
  'names of 64 characters': ['-J'],
  'long names': ['-J', '-joliet-long'],
  'names in UTF-16': ['-J', '-joliet-utf16'],
  'Joliet and ISO 9660:1999': ['-J', '-iso-level', '4'],
};

const moved: Options = {
  'folders moved': ['-J', '-joliet-long', '-rr_reloc_dir', '/rr_moved'],
  'folders moved below a hidden one': ['-hide-rr-moved'],
  'folders moved into a folder of the input': ['-rr_reloc_dir', 'e'],
};

/** Rules of the native mode: older and newer forms of Rock Ridge, and of AAIP. */
const rules: Options = {
  'Rock Ridge 1.12': ['-compliance', 'new_rr'],
  'empty files as old versions wrote them': ['-compliance', 'old_empty'],
  'AAIP announced as SUSP 1.10 wants': ['-compliance', 'aaip_susp_1_10_on', '-xattr', 'any'],
  'nothing said': [],
};

const writes = (options: readonly string[]) => (image: string, input: string) => [
  ...['-as', 'mkisofs', '-quiet', ...options],
  ...['-o', image, input],
];

const casesOf = (rows: Options, more: (options: readonly string[]) => Omit<ForeignCase, 'name' | 'judge'>) =>
  Object.entries(rows).map(([name, options]): ForeignCase => ({ name, judge: 'xorriso', ...more(options) }));

/** xorriso writes another tree for ISO 9660:1999, which no judge looks at. */
const primary = { bsdtar: 'reads the primary tree', xorriso: 'reads the primary tree' };

const boot = ['-b', 'sectors', '-no-emul-boot', '-c', 'boot.catalog'];

/** xorriso, in the manner of mkisofs and in its own. */
export const xorriso: readonly ForeignCase[] = [
  ...casesOf(posix, (options) => ({ tree: 'posix', namespace: 'rock-ridge', args: writes(['-R', ...options]) })),
  ...casesOf(moved, (options) => ({
    tree: 'deep',
    namespace: 'rock-ridge',
    args: writes(['-R', ...options]),
    apart: { bsdtar: 'gives up where a moved folder was moved from below another one' },
  })),
  {
    name: 'links of several entries',
    judge: 'xorriso',
    tree: 'links',
    namespace: 'rock-ridge',
    args: writes(['-R']),
    apart: { bsdtar: 'joins the entries of a link without the slash between them' },
  },
  ...casesOf(rules, (options) => ({
    tree: 'posix',
    namespace: 'rock-ridge',
    args: (image, input) => [...options, '-outdev', image, '-map', input, '/'],
  })),
  {
    name: 'a boot image, its catalog, and partition tables of both kinds in the system area',
    judge: 'xorriso',
    tree: 'posix',
    namespace: 'rock-ridge',
    adds: /^boot\.catalog$/,
    args: writes(['-R', '-J', '-joliet-long', ...boot, '-e', 'over the end of a sector', '-isohybrid-gpt-basdat']),
  },
  {
    name: 'a boot image whose catalog is hidden',
    judge: 'xorriso',
    tree: 'posix',
    namespace: 'rock-ridge',
    args: writes(['-R', '-b', 'sectors', '-no-emul-boot', '--boot-catalog-hide']),
  },
  {
    name: 'a partition after its end, in a GPT',
    judge: 'xorriso',
    tree: 'posix',
    namespace: 'rock-ridge',
    args: (image, input) =>
      writes(['-R', '-appended_part_as_gpt', '-append_partition', '2', '0xef', `${input}/sectors`])(image, input),
  },
  ...casesOf(plain, (options) => ({ tree: 'files', namespace: 'plain', args: writes(['--norock', ...options]) })),
  ...casesOf(joliet, (options) => ({ tree: 'files', namespace: 'joliet', args: writes(['--norock', ...options]) })),
  {
    name: 'ISO 9660:1999',
    judge: 'xorriso',
    tree: 'files',
    namespace: 'enhanced',
    exact: true,
    apart: primary,
    args: writes(['--norock', '-iso-level', '4']),
  },
];
