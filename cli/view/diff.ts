import { exactJson, sizeWords } from '../../lib/command.ts';
import type { BrokenDefinition, ChangedObject, DiffResult, DiffSide } from '../../lib/index.ts';
import { count, plain } from '../io.ts';
import type { Style } from './style.ts';
import { valuePair } from './value-pair.ts';

/** Describes what is different between two Solutions, for a person. */
export function diffView(result: DiffResult, style: Style): string[] {
  const { same, from, to, images, layers, installer, objects, definitions, rights, unproved } = result;
  if (same) return [`${style.good('the same')} ${sideWords(to)}`];
  const { added, removed, changed } = markers(style);
  return [
    `${style.bold(sideWords(from))} -> ${style.bold(sideWords(to))}`,
    ...section('images', [
      ...images.added.map(({ reference, digest }) => added(`${reference} ${digest}`)),
      ...images.removed.map(({ reference, digest }) => removed(`${reference} ${digest}`)),
      ...images.changed.map(({ reference, from: old, to: now }) => changed(reference, old, now)),
    ]),
    `  layers: ${sizeWords(layers.shared)} shared, ${sizeWords(layers.new)} new, ${sizeWords(layers.gone)} gone`,
    ...section('installer', [
      ...installer.added.map(added),
      ...installer.removed.map(removed),
      ...installer.changed.map(({ path, from: old, to: now }) => changed(path, old, now)),
    ]),
    ...section('objects', [
      ...objects.added.map(({ component, object }) => added(`${object} (${component})`)),
      ...objects.removed.map(({ component, object }) => removed(`${object} (${component})`)),
      ...changedLines(objects.changed, style),
    ]),
    ...section(
      'definitions that break stored objects',
      definitions.map((one) => style.bad(brokenWords(one))),
    ),
    ...section('additional rights', rightsWords(rights).map(added)),
    ...(unproved.length === 0
      ? []
      : [`  not compared, because only the node can render it: ${unproved.map(plain).join(', ')}`]),
  ];
}

/** Makes what marks a line as that of something new, gone, or different. */
function markers(style: Style): {
  added(words: string): string;
  removed(words: string): string;
  changed(what: string, from: string, to: string): string;
} {
  return {
    added: (words) => style.good(`+ ${plain(words)}`),
    removed: (words) => style.bad(`- ${plain(words)}`),
    changed: (what, from, to) => `~ ${plain(what)} ${style.bad(plain(from))} -> ${style.good(plain(to))}`,
  };
}

function sideWords({ name, version }: DiffSide): string {
  return `${plain(name)} ${plain(version)}`;
}

function section(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [`  ${title}:`, ...lines.map((line) => `    ${line}`)];
}

/** Lists what has changed; a change that many objects have alike is reported once. */
function changedLines(changed: readonly ChangedObject[], style: Style): string[] {
  const alike = new Map<string, { field: ChangedField; times: number }>();
  const keyOf = (field: ChangedField): string => exactJson(field);
  for (const field of changed.flatMap(({ fields }) => fields)) {
    alike.set(keyOf(field), { field, times: (alike.get(keyOf(field))?.times ?? 0) + 1 });
  }
  const isCommon = (field: ChangedField): boolean => alike.get(keyOf(field))!.times > MANY;
  return [
    ...changed.flatMap(({ component, object, fields }) => {
      const own = fields.filter((field) => !isCommon(field));
      if (own.length === 0) return [];
      const lines = own.flatMap((field) => fieldLines(field, style)).map((line) => `    ${line}`);
      return [`~ ${style.bold(plain(`${object} (${component})`))}`, ...lines];
    }),
    ...[...alike.values()].flatMap(({ field, times }) => {
      if (times <= MANY) return [];
      const [first, ...rest] = fieldLines(field, style);
      return [`~ in ${count(times, 'object')}: ${first}`, ...rest.map((line) => `    ${line}`)];
    }),
  ];
}

type ChangedField = ChangedObject['fields'][number];

/** How many objects may have the same change before it is reported once for all. */
const MANY = 3;
/** The most characters of a value that are shown; `--json` has all. */
const MOST = 80;
/** As many are shown however narrow a terminal is. */
const LEAST = 20;
/** How wide a line may be that has a field and both values. */
const WIDTH = 80;
/** Where the lines of fields begin. */
const INDENT = 8;

/** Tells a field with its values: in a line, or where that is too long, each value on one. */
function fieldLines({ path, ...values }: ChangedField, style: Style): string[] {
  const name = plain(path);
  if (!('from' in values || 'to' in values)) return [name];
  // Before a value stand two columns and a mark, and marks of what is cut away at both its ends.
  const [from, to] = valuePair(values.from, values.to, Math.min(MOST, Math.max(LEAST, style.width - INDENT - 6)));
  if (INDENT + `${name}: ${from} -> ${to}`.length <= WIDTH) return [`${name}: ${style.bad(from)} -> ${style.good(to)}`];
  return [`${name}:`, `  ${style.bad(`- ${from}`)}`, `  ${style.good(`+ ${to}`)}`];
}

function brokenWords({ definition, version, path, message }: BrokenDefinition): string {
  const place = [version, path].filter((part) => part !== undefined && part !== '').join(' ');
  return plain(`${definition}${place === '' ? '' : ` ${place}`}: ${message}`);
}

/** Puts the verbs of what is otherwise one right into one line. */
function rightsWords(rights: DiffResult['rights']): string[] {
  const lines = new Map<string, string[]>();
  for (const { subject, namespace, verb, group, resource, name } of rights) {
    const what = `${resource}${group === '' ? '' : `.${group}`}${name === '*' ? '' : ` ${name}`}`;
    const where = namespace === '*' ? 'everywhere' : `in ${namespace}`;
    const key = `${subject}: \0 ${what} ${where}`;
    lines.set(key, [...(lines.get(key) ?? []), verb]);
  }
  return [...lines].map(([key, verbs]) => key.replace('\0', verbs.join(', ')));
}
