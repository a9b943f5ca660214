import { dirname, resolve } from 'node:path';
import { text as decoded } from '../../../../formats/bytes.ts';
import { parseExactYaml } from '../../../../formats/manifest/yaml.ts';
import { YamlPart } from '../../../../formats/manifest/yaml-part.ts';
import { isRecord } from '../../../../formats/record.ts';
import type { ConfiguredPatch } from '../../../../formats/solution/site.ts';
import { refused, type SolpackError } from '../../../kernel/events/index.ts';
import type { Origin } from '../origin/index.ts';
import { type SitePatch, type SiteText, siteError } from './inputs.ts';

/** Most bytes of a patch. */
const LIMIT = 1024 * 1024;

const operations: readonly unknown[] = ['add', 'remove', 'replace', 'move', 'copy', 'test'];

const HINT = '"solpack docs configuration" shows patches of both forms';

/**
 * Reads a patch: partial objects (strategic merge) or a list of operations (JSON 6902). Throws `site-invalid` for what
 * is neither, and where nothing says what it is for; and `configuration-bounds` for a file that the configuration may
 * not name.
 */
export async function readPatch(
  { file, text, target, options, at }: ConfiguredPatch,
  { configuration, origin }: { readonly configuration: string; readonly origin: Pick<Origin, 'readFile'> },
): Promise<SitePatch> {
  const path = file === undefined ? configuration : resolve(dirname(configuration), file);
  const content = text ?? decoded(await origin.readFile(path, LIMIT), 'yaml-invalid');
  const name = file === undefined ? 'the patch' : path;
  const documents = await refused('site-invalid', path, () => parseExactYaml(content, name), HINT);
  const parts = documents.map(({ value, start }) => new YamlPart(content, start, value));
  // A patch in the configuration is one text there: its fields have no places of their own.
  const texts = parts.map((part): SiteText => ({ file: path, part: file === undefined ? at.at('patch') : part }));
  const [first = { file: path, part: at }] = texts;
  if (documents.length === 0) throw siteError(first, [{ message: 'the patch is empty' }], HINT);
  if (target !== undefined && documents.length > 1) {
    throw siteError(texts[1]!, [{ message: 'a patch with a target is one document' }], HINT);
  }
  for (const [index, { value }] of documents.entries())
    requirePatch(value, texts[index]!, target !== undefined, file !== undefined);
  return { ...first, text: content, documents: documents.map(({ value }) => value), target, options };
}

function requirePatch(value: unknown, place: SiteText, hasTarget: boolean, hasPlaces: boolean): void {
  const refuse = (message: string, path: readonly (string | number)[] = []): SolpackError =>
    siteError(place, [hasPlaces ? { path, message } : { message }], HINT);
  if (Array.isArray(value)) {
    if (!hasTarget) throw refuse('a list of operations needs a target');
    const wrong = value.findIndex((one) => !isOperation(one));
    if (wrong >= 0) throw refuse(`entry ${wrong} is not an operation of RFC 6902, with "op" and "path"`, [wrong]);
    return;
  }
  if (!isRecord(value)) throw refuse('is neither a partial object nor a list of operations');
  if (hasTarget) return;
  const metadata = isRecord(value['metadata']) ? value['metadata'] : {};
  const missing = ['apiVersion', 'kind'].filter((field) => typeof value[field] !== 'string');
  if (typeof metadata['name'] !== 'string') missing.push('metadata.name');
  if (missing.length > 0) throw refuse(`has no target: give it one, or ${missing.join(', ')}`);
}

function isOperation(value: unknown): boolean {
  return isRecord(value) && operations.includes(value['op']) && /^(?:\/|$)/.test(String(value['path'] ?? 'none'));
}
