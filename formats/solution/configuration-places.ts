import { isMap } from 'yaml';
import type { YamlEditor } from '../document/yaml-edit.ts';
import { type ParsedMap, pairOf } from '../document/yaml-nodes.ts';
import type { ScalarStyle } from '../document/yaml-write.ts';
import type { WrittenEnvironment } from './environments.ts';
import { isWantedVersion, NONE } from './wanted-version.ts';

/** Says which version of a Solution runs in an environment; `none` takes the environment away. */
export interface PlaceEdit {
  readonly edit: 'place';
  readonly solution: string;
  /** The namespace. */
  readonly environment: string;
  readonly wanted: string;
}

/** What of a document is about environments. */
interface Placed {
  environments?: Record<string, PlacedVersions | null> | null;
}

/** The environments of a Solution, as a document writes them. */
export type PlacedVersions = Record<string, WrittenEnvironment>;

/** What the document has to say after such an edit; `group` is that of the Solution, where the form has groups. */
export function placing<T extends Placed>(
  fields: T,
  group: { environments?: PlacedVersions | null } | undefined,
  { solution, environment, wanted }: PlaceEdit,
  isFlat: boolean,
): T {
  if (wanted !== NONE && !isWantedVersion(wanted)) throw new Error(`${wanted} is not a version`);
  const before = isFlat ? fields.environments?.[solution] : group?.environments;
  if (wanted === NONE && before?.[environment] === undefined) return fields;
  const after = { ...before };
  if (wanted === NONE) delete after[environment];
  else {
    const written = after[environment];
    after[environment] = typeof written === 'object' ? { ...written, version: wanted } : wanted;
  }
  if (isFlat) return { ...fields, environments: { ...fields.environments, [solution]: after } };
  if (group) group.environments = after;
  return fields;
}

/** Makes such an edit of the text; `holder` is the group of the Solution, or in the flat form the document. */
export function changePlace(
  editor: YamlEditor,
  holder: ParsedMap,
  { solution, environment, wanted }: PlaceEdit,
  style: ScalarStyle,
  isFlat: boolean,
): string {
  const entry = { [environment]: wanted };
  if (!isFlat) return changeIn(editor, holder, 'environments', entry, style);
  const all = pairOf(holder, 'environments')?.value;
  if (!isMap(all) || all.items.length === 0)
    return editor.fillField(holder, 'environments', { [solution]: entry }, style);
  return changeIn(editor, all as ParsedMap, solution, entry, style);
}

function changeIn(
  editor: YamlEditor,
  holder: ParsedMap,
  field: string,
  entry: Readonly<Record<string, string>>,
  style: ScalarStyle,
): string {
  const [environment, wanted] = Object.entries(entry)[0]!;
  const own = pairOf(holder, field)?.value;
  const items = isMap(own) ? own.items : [];
  if (wanted === NONE) {
    const index = items.findIndex(({ key }) => (key as { value?: unknown } | null)?.value === environment);
    return editor.removeEntry(holder, field, index);
  }
  if (items.length === 0) return editor.fillField(holder, field, entry, style);
  const written = pairOf(own as ParsedMap, environment)?.value;
  // What else the site says of the environment stays.
  if (isMap(written)) return editor.setField(written as ParsedMap, 'version', wanted, style);
  return editor.setField(own as ParsedMap, environment, wanted, style);
}
