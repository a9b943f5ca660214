import type { Action } from '../../lib/clusters/index.ts';
import type { InstalledSolution, InstallResult } from '../../lib/install/request.ts';
import { bytes, count, plain, shortKey } from '../io.ts';
import { type Style, table } from './style.ts';

/** Describes an install for a person. */
export function installView(result: InstallResult, style: Style): string[] {
  const { solutions, removed, images, mirrors, registry, moved, movedBytes, present, movedTags, tests } = result;
  const transfer =
    moved > 0 ? `${count(moved, 'content')} pushed (${bytes(movedBytes)}), ${present} there already` : 'nothing copied';
  return [
    ...solutions.flatMap((solution) => active(solution, result.trust, style)),
    ...removed.flatMap(({ name, version, objects }) => [
      `${style.good('removed')} ${style.bold(`${plain(name)} ${plain(version)}`)}  ${counts(objects)}`,
      ...table(changes(objects)),
    ]),
    ...(solutions.length === 0 ? ['no Solution is to be active: nothing was installed'] : []),
    ...(images.length > 0 ? [`${style.bold(count(images.length, 'image'))} at ${registry}  ${transfer}`] : []),
    ...images.map(({ target }) => `  ${plain(target)}`),
    ...movedTags.map(({ tag, from, to }) => `${style.bad('moved')} ${plain(tag)}  from ${from} to ${to}`),
    ...(tests ?? []).flatMap(({ object, component, log }) => [
      `${style.good('passed')} ${plain(object)}  test of ${plain(component)}`,
      ...log.map((line) => `  ${plain(line)}`),
    ]),
    ...mirrors.map((file) => `${style.good('mirrored')} ${plain(file)}`),
  ];
}

function active(solution: InstalledSolution, trust: InstallResult['trust'], style: Style): string[] {
  const { name, version, archive, root, signers, downgraded, applied, objects, site } = solution;
  const title = style.bold(`${plain(name)} ${plain(version)}`);
  const same = objects.length > 0 && objects.every(({ action }) => action === 'unchanged');
  return [
    same
      ? `${style.good('already there')} ${title}  nothing changed, ${count(objects.length, 'object')}`
      : `${style.good('installed')} ${title}  ${counts(objects)}`.trimEnd(),
    ...table([
      ['  from', plain(archive)],
      ['  root', root],
      [
        '  signed',
        trust === 'skipped'
          ? style.bad('NOT CHECKED: --insecure-skip-verify')
          : `by key ${signers.map(shortKey).join(', ')}`,
      ],
      ...(downgraded ? [['  downgraded', style.bad('a newer release was installed before')]] : []),
      ...siteLines(site),
      ...applied.map((file, index) => [index === 0 ? '  rendered' : '', plain(file)]),
      ...changes(objects),
    ]),
  ];
}

/** Tells what a site sets, and which objects that changes. */
function siteLines(site: InstalledSolution['site']): string[][] {
  return (site?.components ?? []).flatMap(({ component, values, secrets, patches, objects = [] }) => [
    [
      '  site',
      [
        plain(component),
        ...(values.length > 0 ? [`sets ${values.map(plain).join(', ')}`] : []),
        ...(secrets.length > 0 ? [`of these secret: ${secrets.map(plain).join(', ')}`] : []),
        ...(patches > 0 ? [count(patches, 'patch', 'patches')] : []),
      ].join('; '),
    ],
    ...objects.map(({ object, change, fields }) => ['', plain(`${change} ${object}${fieldWords(fields)}`)]),
  ]);
}

/** How many fields of an object a person is told. */
const NAMED = 5;

function fieldWords(fields: readonly string[]): string {
  if (fields.length === 0) return '';
  const more = fields.length > NAMED ? ` and ${fields.length - NAMED} more` : '';
  return `: ${fields.slice(0, NAMED).join(', ')}${more}`;
}

type Objects = InstalledSolution['objects'];

const actions: readonly Action[] = ['created', 'changed', 'replaced', 'unchanged', 'ran', 'removed', 'kept'];

/** Counts actions, without those that did not happen: `3 created, 8 unchanged`. */
function counts(objects: Objects): string {
  return actions
    .map((action) => ({ action, number: objects.filter((object) => object.action === action).length }))
    .filter(({ number }) => number > 0)
    .map(({ action, number }) => `${number} ${action}`)
    .join(', ');
}

function changes(objects: Objects): string[][] {
  const changed = objects.filter(({ action }) => action !== 'unchanged');
  return changed.map(({ object, action }) => [`  ${action}`, plain(object)]);
}
