import { basename } from 'node:path';
import { collect as gather } from '../../../formats/bytes.ts';
import { parseSchema } from '../../../formats/json-schema/schema.ts';
import { refused, SolpackError } from '../../kernel/events/index.ts';
import { inside } from '../../kernel/files/index.ts';
import { fileAt, locateFile } from './files.ts';
import type { CollectedFile } from './kind.ts';

/** Where the schema of what sites may set is, below the folder of its component. */
export const SITE_SCHEMA = 'site-schema.json';

/** Most bytes of a schema. */
const LIMIT = 4 * 1024 * 1024;

/**
 * Lists the schema that a definition in the folder `root` names for a component; nothing where it names none. Throws
 * `component-invalid` for what is no JSON Schema that can be followed, `path-escapes`, `file-missing`.
 */
export async function siteSchemaFiles(root: string, named: string | undefined): Promise<CollectedFile[]> {
  if (named === undefined) return [];
  const path = inside(root, named);
  const { stats } = await locateFile(root, path);
  if (!stats.isFile()) {
    throw new SolpackError('component-invalid', path, 'is not a file', { hint: 'name a JSON Schema' });
  }
  const file = { ...fileAt(path, SITE_SCHEMA, stats), mode: 0o644 };
  const read = async (): Promise<unknown> => parseSchema(await gather(file.open(), LIMIT), basename(path));
  await refused('component-invalid', path, read, 'correct the schema');
  return [file];
}
