import { basename, dirname, join, relative } from 'node:path';
import { collect as gather, text } from '../../../formats/bytes.ts';
import { mergeValues, type Values } from '../../../formats/chart/merge-values.ts';
import { PositionedError } from '../../../formats/error.ts';
import { parseYaml, type RepeatedKey, yamlProblem } from '../../../formats/manifest/yaml.ts';
import { parseMapping } from '../../../formats/manifest/yaml-part.ts';
import { refused, SolpackError } from '../../kernel/events/index.ts';
import { contains, portable, readFile } from '../../kernel/files/index.ts';
import { fileAt, locateFile } from './files.ts';
import { valuesFile } from './inline-values.ts';
import type { CollectedFile, ComponentSpec, UnpackedComponent } from './kind.ts';
import { repeatedKeys } from './repeated-keys.ts';

/** Most bytes of a values file. */
const VALUES = 4 * 1024 * 1024;

/**
 * Lists the values files of a component, as `values/<position>-<file name>`, and those that stand in the definition
 * behind them. Adds to `notices` what their author should know. Throws `component-invalid`, `file-missing`,
 * `file-unreadable`.
 */
export async function collectValues(spec: ComponentSpec, notices: string[]): Promise<CollectedFile[]> {
  const files: CollectedFile[] = [];
  for (const [at, path] of spec.values.entries()) {
    const { stats } = await locateFile(rootOf(spec, path), path);
    if (!stats.isFile()) {
      throw new SolpackError('component-invalid', path, 'is not a file', { hint: 'name a YAML file of values' });
    }
    const file = { ...fileAt(path, `values/${at}-${basename(path)}`, stats), mode: 0o644 };
    const repeated = await refused(
      'component-invalid',
      path,
      () => checkValues(file, basename(path)),
      'correct the values file',
    );
    if (repeated.length > 0) notices.push(repeatedKeys(portable(relative(spec.home ?? spec.root, path)), repeated));
    files.push(file);
  }
  if (spec.set) files.push(valuesFile(spec.set, files.length));
  return files;
}

/**
 * Returns the folder that a values file may not lead out of: that of the definition, or its own where it is outside.
 */
function rootOf({ root, home = root }: ComponentSpec, path: string): string {
  return contains(home, path) ? home : dirname(path);
}

async function checkValues(file: CollectedFile, name: string): Promise<RepeatedKey[]> {
  const content = text(await gather(file.open(), VALUES), 'yaml-invalid');
  const repeated: RepeatedKey[] = [];
  const documents = parseYaml(content, name, 'yaml-invalid', (one) => repeated.push(one));
  const [first] = documents;
  if (documents.length > 1 || (first && (typeof first.value !== 'object' || Array.isArray(first.value)))) {
    const problem = yamlProblem(content, documents.at(-1)!.start, [], 'values are one mapping');
    throw new PositionedError('yaml-invalid', [problem], { textName: name });
  }
  return repeated;
}

/** Reads all values of an unpacked component as one mapping; later files win. Throws `component-invalid`. */
export async function mergedValues({ folder, values }: Pick<UnpackedComponent, 'folder' | 'values'>): Promise<Values> {
  const layers: Values[] = [];
  for (const path of values) {
    const bytes = await readFile(join(folder, path), VALUES);
    const part = await refused('component-invalid', path, () =>
      parseMapping(text(bytes, 'yaml-invalid'), path, () => undefined),
    );
    layers.push(part.value as Values);
  }
  return mergeValues(layers);
}
