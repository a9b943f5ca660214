import { isDeepStrictEqual } from 'node:util';
import { isMap, isSeq } from 'yaml';
import { text, utf8 } from '../bytes.ts';
import { schemaLine } from '../document/schema-line.ts';
import { YamlEditor } from '../document/yaml-edit.ts';
import { type ParsedMap, pairOf } from '../document/yaml-nodes.ts';
import { yamlBlock } from '../document/yaml-write.ts';
import { FormatError } from '../error.ts';
import { parseConfiguration } from './configuration.ts';
import { changePlace, type PlacedVersions, type PlaceEdit, placing } from './configuration-places.ts';
import { readConfigurationSource } from './configuration-source.ts';
import { isSemVer } from './names.ts';
import { SOLUTIONS_API } from './solutions-api.ts';
import { isWantedVersion, LATEST, NONE } from './wanted-version.ts';

/** How a SolutionsConfiguration is written: archives by Solutions, or as MetalK8s ships it. */
export type ConfigurationForm = 'grouped' | 'flat';

/** One change of a SolutionsConfiguration. Entries are as the document writes them. */
export type ConfigurationEdit =
  /** Lists an archive: in the group `solution`, which the flat form has none of. */
  | { readonly edit: 'add'; readonly solution: string; readonly entry: string }
  /** Lists an entry no longer, wherever it is listed. */
  | { readonly edit: 'remove'; readonly entry: string }
  /** Says which version is to be active: `latest`, a version, a range, or `none`. */
  | { readonly edit: 'want'; readonly solution: string; readonly wanted: string }
  | PlaceEdit;

/** Tells the form of a SolutionsConfiguration that `parseConfiguration` has read. */
export function configurationForm({ implicit }: { readonly implicit: boolean }): ConfigurationForm {
  return implicit ? 'grouped' : 'flat';
}

/** Returns a SolutionsConfiguration that names no archive yet. */
export function newConfiguration(form: ConfigurationForm): Uint8Array {
  const list = form === 'grouped' ? 'solutions' : 'archives';
  const lines = yamlBlock({ apiVersion: SOLUTIONS_API, kind: 'SolutionsConfiguration' }, 0, 'plain');
  return utf8(`${[schemaLine('configuration'), ...lines, `${list}: []`].join('\n')}\n`);
}

/**
 * Changes a SolutionsConfiguration in its own form. Every byte that is not about the change stays: comments, order,
 * quotes, line ends. Where the change is there already, all of it stays. Throws `FormatError` `yaml-invalid` for what
 * `parseConfiguration` refuses, and for what is written in a way that cannot be changed in place, as by aliases.
 */
export function editConfiguration(bytes: Uint8Array, edit: ConfigurationEdit): Uint8Array {
  const form = configurationForm(parseConfiguration(bytes));
  const source = text(bytes, 'yaml-invalid');
  const before = plainOf(readConfigurationSource(source).value);
  const wanted = changed(before, edit, form);
  if (isDeepStrictEqual(wanted, before)) return bytes;
  let after = source;
  let value = before;
  // An entry that is listed several times is removed one place after the other.
  do {
    after = change(after, edit, form);
    value = plainOf(readConfigurationSource(after).value);
  } while (edit.edit === 'remove' && listsOf(value, form).some(({ archives }) => archives?.includes(edit.entry)));
  if (!isDeepStrictEqual(value, wanted)) throw unlike();
  const isMarked = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  const result = utf8(`${isMarked ? '\ufeff' : ''}${after}`);
  parseConfiguration(result);
  return result;
}

/** The fields of a configuration that edits are about. */
interface Fields {
  solutions?: Group[];
  archives?: string[] | null;
  active?: Record<string, string> | null;
  environments?: Record<string, PlacedVersions | null> | null;
}

interface Group {
  name: string;
  activeVersion?: string | null;
  archives: string[];
  environments?: PlacedVersions | null;
}

/** A value without what is shared by aliases. */
function plainOf(value: unknown): Fields {
  try {
    return JSON.parse(JSON.stringify(value)) as Fields;
  } catch {
    throw unlike();
  }
}

/** What the document has to say after an edit. */
function changed(before: Fields, edit: ConfigurationEdit, form: ConfigurationForm): Fields {
  const fields = structuredClone(before);
  if (edit.edit === 'remove') {
    for (const list of listsOf(fields, form)) {
      if (list.archives?.includes(edit.entry)) list.archives = list.archives.filter((one) => one !== edit.entry);
    }
    return fields;
  }
  const group = form === 'grouped' ? fields.solutions!.find(({ name }) => name === edit.solution) : undefined;
  if (edit.edit === 'want') return wanting(fields, group, edit, form);
  if (edit.edit === 'place') return placing(fields, group, edit, form === 'flat');
  if (form === 'flat') fields.archives = withEntry(fields.archives ?? [], edit.entry);
  else if (group) group.archives = withEntry(group.archives, edit.entry);
  else fields.solutions!.push({ name: edit.solution, archives: [edit.entry] });
  return fields;
}

/** What has lists of archives. */
function listsOf(fields: Fields, form: ConfigurationForm): { archives?: string[] | null }[] {
  return form === 'grouped' ? fields.solutions! : [fields as { archives?: string[] | null }];
}

function withEntry(entries: readonly string[], entry: string): string[] {
  return entries.includes(entry) ? [...entries] : [...entries, entry];
}

type Want = Extract<ConfigurationEdit, { edit: 'want' }>;

function wanting(
  fields: Fields,
  group: Group | undefined,
  { solution, wanted }: Want,
  form: ConfigurationForm,
): Fields {
  if (wanted !== NONE && !isWantedVersion(wanted)) throw new Error(`${wanted} is not a version`);
  if (form === 'flat') {
    const active = Object.entries(fields.active ?? {}).filter(([name]) => name !== solution || wanted !== NONE);
    if (wanted !== NONE && fields.active?.[solution] === undefined) active.push([solution, wanted]);
    const next = active.map(([name, version]) => [name, name === solution ? wanted : version]);
    return active.length === 0 && !fields.active ? fields : { ...fields, active: Object.fromEntries(next) };
  }
  // A group that says nothing wants the highest, unless it says which versions run where.
  const before = group?.activeVersion ?? (group?.environments === undefined ? LATEST : undefined);
  if (group && before !== wanted) group.activeVersion = wanted;
  return fields;
}

/** Makes one change of a text. */
function change(source: string, edit: ConfigurationEdit, form: ConfigurationForm): string {
  const { document } = readConfigurationSource(source);
  const editor = new YamlEditor(source, document);
  const root = document.contents as ParsedMap;
  const groups = form === 'grouped' ? groupsOf(root) : [];
  if (edit.edit === 'remove') return remove(editor, form === 'grouped' ? groups : [root], edit.entry);
  const group = groups.find((map) => textAt(map, 'name') === edit.solution);
  if (edit.edit === 'add') {
    if (form === 'flat') return editor.addItem(root, 'archives', edit.entry);
    if (group) return editor.addItem(group, 'archives', edit.entry);
    return editor.addItem(root, 'solutions', { name: edit.solution, archives: [edit.entry] });
  }
  const style = isSemVer(edit.wanted) || /[^a-z]/.test(edit.wanted) ? 'double' : 'plain';
  if (edit.edit === 'place') return changePlace(editor, group ?? root, edit, style, form === 'flat');
  if (group) return editor.setField(group, 'activeVersion', edit.wanted, style, 'name');
  const active = pairOf(root, 'active')?.value;
  if (edit.wanted === NONE) return editor.removeEntry(root, 'active', indexOf(active, edit.solution));
  if (isMap(active) && active.items.length > 0) {
    return editor.setField(active as ParsedMap, edit.solution, edit.wanted, style);
  }
  return editor.fillField(root, 'active', { [edit.solution]: edit.wanted }, style);
}

/** Removes an entry from the first list that has it. */
function remove(editor: YamlEditor, holders: readonly ParsedMap[], entry: string): string {
  for (const map of holders) {
    const list = pairOf(map, 'archives')?.value;
    const index = isSeq(list) ? list.items.findIndex((item) => (item as { value?: unknown }).value === entry) : -1;
    if (index >= 0) return editor.removeEntry(map, 'archives', index);
  }
  throw unlike();
}

function groupsOf(root: ParsedMap): ParsedMap[] {
  const list = pairOf(root, 'solutions')?.value;
  return isSeq(list) ? list.items.filter((item): item is ParsedMap => isMap(item)) : [];
}

function textAt(map: ParsedMap, name: string): unknown {
  const value = pairOf(map, name)?.value;
  return value && 'value' in value ? value.value : undefined;
}

function indexOf(map: unknown, name: string): number {
  return isMap(map) ? map.items.findIndex(({ key }) => (key as { value?: unknown } | null)?.value === name) : -1;
}

function unlike(): FormatError {
  return new FormatError('yaml-invalid', 'is written in a form that solpack cannot edit: change it by hand');
}
