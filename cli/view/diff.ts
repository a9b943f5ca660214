import {
  type BrokenDefinition,
  type ChangedObject,
  type DiffResult,
  type DiffSide,
  exactJson,
  sizeWords,
} from '../../lib/index.ts';
import { count, plain } from '../io.ts';
import type { Style } from './style.ts';

/** Describes what is different between two Solutions, for a person. */
export function diffView(result: DiffResult, style: Style): string[] {
  const { same, from, to, images, layers, installer, objects, definitions, rights, unproved } = result;
  if (same) return [`${style.good('the same')} ${sideWords(to)}`];
  return [
    `${style.bold(sideWords(from))} -> ${style.bold(sideWords(to))}`,
    ...section('images', [
      ...images.added.map(({ reference, digest }) => `+ ${reference} ${digest}`),
      ...images.removed.map(({ reference, digest }) => `- ${reference} ${digest}`),
      ...images.changed.map(({ reference, from: old, to: now }) => `~ ${reference} ${old} -> ${now}`),
    ]),
    `  layers: ${sizeWords(layers.shared)} shared, ${sizeWords(layers.new)} new, ${sizeWords(layers.gone)} gone`,
    ...section('installer', [
      ...installer.added.map((path) => `+ ${path}`),
      ...installer.removed.map((path) => `- ${path}`),
      ...installer.changed.map(({ path, from: old, to: now }) => `~ ${path} ${old} -> ${now}`),
    ]),
    ...section('objects', [
      ...objects.added.map(({ component, object }) => `+ ${object} (${component})`),
      ...objects.removed.map(({ component, object }) => `- ${object} (${component})`),
      ...changedLines(objects.changed),
    ]),
    ...section('definitions that break stored objects', definitions.map(brokenWords)),
    ...section('rights asked for in addition', rightsLines(rights)),
    ...(unproved.length === 0 ? [] : [`  not compared, since only the node can render it: ${unproved.join(', ')}`]),
  ];
}

function sideWords({ name, version }: DiffSide): string {
  return `${plain(name)} ${plain(version)}`;
}

function section(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [`  ${title}:`, ...lines.map((line) => `    ${plain(line)}`)];
}

/** Lists what has changed; a change that many objects have alike is told once. */
function changedLines(changed: readonly ChangedObject[]): string[] {
  const alike = new Map<string, number>();
  for (const line of changed.flatMap(({ fields }) => fields.map(fieldWords)))
    alike.set(line, (alike.get(line) ?? 0) + 1);
  const common = [...alike].filter(([, times]) => times > MANY);
  const isOwn = (line: string): boolean => !common.some(([other]) => other === line);
  return [
    ...changed.flatMap(({ component, object, fields }) => {
      const own = fields.map(fieldWords).filter(isOwn);
      return own.length === 0 ? [] : [`~ ${object} (${component})`, ...own.map((line) => `    ${line}`)];
    }),
    ...common.map(([line, times]) => `~ in ${count(times, 'object')}: ${line}`),
  ];
}

/** How many objects may have the same change before it is told once for all. */
const MANY = 3;

function fieldWords({ path, ...values }: ChangedObject['fields'][number]): string {
  const isShown = 'from' in values || 'to' in values;
  return `${path}${isShown ? `: ${valueWords(values.from)} -> ${valueWords(values.to)}` : ''}`;
}

/** The most characters of a value that are shown; `--json` has all. */
const MOST = 80;

function valueWords(value: unknown): string {
  if (value === undefined) return '(none)';
  const text = exactJson(value);
  return text.length > MOST ? `${text.slice(0, MOST)}…` : text;
}

function brokenWords({ definition, version, path, message }: BrokenDefinition): string {
  const place = [version, path].filter((part) => part !== undefined && part !== '').join(' ');
  return `${definition}${place === '' ? '' : ` ${place}`}: ${message}`;
}

/** Puts the verbs of what is otherwise one right into one line. */
function rightsLines(rights: DiffResult['rights']): string[] {
  const lines = new Map<string, string[]>();
  for (const { subject, namespace, verb, group, resource, name } of rights) {
    const what = `${resource}${group === '' ? '' : `.${group}`}${name === '*' ? '' : ` ${name}`}`;
    const where = namespace === '*' ? 'everywhere' : `in ${namespace}`;
    const key = `${subject}: \0 ${what} ${where}`;
    lines.set(key, [...(lines.get(key) ?? []), verb]);
  }
  return [...lines].map(([key, verbs]) => `+ ${key.replace('\0', verbs.join(', '))}`);
}
