import { shortKey, sizeWords } from '../../lib/command.ts';
import type { InstalledSolution, InstallResult } from '../../lib/index.ts';
import { count, plain } from '../io.ts';
import { objectChanges, objectCounts } from './objects.ts';
import { type Style, table } from './style.ts';
import { variableLines } from './variables.ts';

/** How an install is described. */
export interface InstallWords {
  /** Whether each image is listed. */
  readonly lists: boolean;
  /** Whether objects were only written into files. */
  readonly isRendered?: boolean;
  /** Whether nothing listens at the registry of the images any longer. */
  readonly isGone?: boolean;
}

/** Describes an install for a person. */
export function installView(result: InstallResult, style: Style, words: InstallWords): string[] {
  const { solutions, removed, tests, generation } = result;
  return [
    ...solutions.flatMap((solution) => active(solution, result.trust, words, style)),
    ...removed.flatMap(({ name, version, objects }) => [
      `${style.good('removed')} ${style.bold(`${plain(name)} ${plain(version)}`)}  ${objectCounts(objects)}`,
      ...table(objectChanges(objects)),
    ]),
    ...variableLines(result.variables),
    ...(solutions.length === 0 ? ['no Solution is active: nothing was installed'] : []),
    ...imageLines(result, style, words),
    ...(tests ?? []).flatMap(({ object, component, log }) => [
      `${style.good('passed')} ${plain(object)}  test of ${plain(component)}`,
      ...log.map((line) => `  ${plain(line)}`),
    ]),
    ...(generation === undefined ? [] : [`generation ${generation}`]),
    ...mirrorLines(result, style),
  ];
}

/** Describes an install of images alone for a person, and says how long they stay. */
export function broughtImagesView(result: InstallResult, style: Style, stay: string, lists: boolean): string[] {
  return [
    ...result.solutions.flatMap(({ name, version, archive, root, signers }) => [
      `${style.good('images of')} ${style.bold(`${plain(name)} ${plain(version)}`)}`,
      ...table([
        ['  from', plain(archive)],
        ['  root', root],
        ['  signed', signedWords(signers, result.trust, style)],
      ]),
    ]),
    ...imageLines(result, style, { lists }),
    ...mirrorLines(result, style),
    ...(result.images.length === 0 ? [] : [`They stay ${stay}.`]),
    'No cluster was asked or changed: --images-only.',
  ];
}

function imageLines(result: InstallResult, style: Style, { lists, isGone }: InstallWords): string[] {
  const { images, registry, moved, movedBytes, present, movedTags } = result;
  const verb = registry.includes('://') ? `${count(moved, 'content')} pushed` : `${count(moved, 'thing')} put there`;
  const transfer = moved > 0 ? `${verb} (${sizeWords(movedBytes)}), ${present} there already` : 'nothing copied';
  const more = lists ? '' : `; --all lists ${images.length === 1 ? 'it' : 'them'}`;
  return [
    ...(images.length > 0 && !isGone
      ? [`${style.bold(count(images.length, 'image'))} at ${registry}  ${transfer}${more}`]
      : []),
    ...(images.length > 0 && isGone
      ? [
          `${style.bold(count(images.length, 'image'))} nowhere: no way for them was given, so no node can pull them${more}`,
        ]
      : []),
    ...(lists ? images.map(({ target }) => `  ${plain(target)}`) : []),
    ...movedTags.map(({ tag, from, to }) => `${style.bad('moved')} ${plain(tag)}  from ${from} to ${to}`),
  ];
}

function mirrorLines({ mirrors }: InstallResult, style: Style): string[] {
  return mirrors.map((file) => `${style.good('mirrored')} ${plain(file)}`);
}

function active(
  solution: InstalledSolution,
  trust: InstallResult['trust'],
  { isRendered }: InstallWords,
  style: Style,
): string[] {
  const { name, version, archive, root, signers, downgraded, applied, objects, site } = solution;
  const title = style.bold(`${plain(name)} ${plain(version)}`);
  const same = objects.length > 0 && objects.every(({ action }) => action === 'unchanged');
  return [
    same
      ? `${style.good('already there')} ${title}  nothing changed, ${count(objects.length, 'object')}`
      : `${style.good(isRendered ? 'rendered' : 'installed')} ${title}  ${objectCounts(objects)}`.trimEnd(),
    ...table([
      ['  from', plain(archive)],
      ['  root', root],
      ['  signed', signedWords(signers, trust, style)],
      ...(downgraded ? [['  downgraded', style.bad('a newer release was installed before')]] : []),
      ...siteLines(site),
      ...applied.map((file, index) => [index === 0 ? '  rendered' : '', plain(file)]),
      ...objectChanges(objects),
    ]),
  ];
}

/** Whose signatures counted, or who went without any. */
function signedWords(signers: readonly string[], trust: InstallResult['trust'], style: Style): string {
  if (trust === 'skipped') return style.bad('NOT CHECKED: --insecure-skip-verify');
  return signers.length === 0 ? style.bad('BY NOBODY: --allow-unsigned') : `by key ${signers.map(shortKey).join(', ')}`;
}

/** Returns what a site sets, and which objects that changes. */
function siteLines(site: InstalledSolution['site']): string[][] {
  return (site?.components ?? []).flatMap(({ component, values, secrets, patches, keepDrawn, objects = [] }) => [
    [
      '  site',
      [
        plain(component),
        ...(values.length > 0 ? [`sets ${values.map(plain).join(', ')}`] : []),
        ...(secrets.length > 0 ? [`of these secret: ${secrets.map(plain).join(', ')}`] : []),
        ...(patches > 0 ? [count(patches, 'patch', 'patches')] : []),
        ...(keepDrawn === undefined ? [] : [`${keepDrawn ? 'keeps' : 'draws anew'} what its chart draws`]),
      ].join('; '),
    ],
    ...objects.map(({ object, change, fields }) => ['', plain(`${change} ${object}${fieldWords(fields)}`)]),
  ]);
}

/** How many fields of an object a person reads. */
const NAMED = 5;

function fieldWords(fields: readonly string[]): string {
  if (fields.length === 0) return '';
  const more = fields.length > NAMED ? ` and ${fields.length - NAMED} more` : '';
  return `: ${fields.slice(0, NAMED).join(', ')}${more}`;
}
