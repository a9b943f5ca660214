import { createHash } from 'node:crypto';
import { dirname, join } from 'node:path';
import { utf8 } from '../../../formats/bytes.ts';
import { writeFile } from '../../kernel/files/index.ts';
import { isThere } from '../../kernel/machine/index.ts';
import { type SetupAction, schemaBeside } from './action.ts';
import { type DoneEntry, makeFolderOf } from './record.ts';

/** What an action still has to do: what is noted of it first, and then done. Undefined where all is as it should be. */
export type Needed =
  | {
      readonly entries: readonly DoneEntry[];
      readonly act: () => Promise<void>;
      /** What is noted once it is done. */
      readonly after?: readonly DoneEntry[];
    }
  | undefined;

/** Lists a folder and those above it that are not there, the outermost first. */
export async function missingFolders(path: string): Promise<DoneEntry[]> {
  const missing: DoneEntry[] = [];
  for (let folder = path; !(await isThere(folder)); folder = dirname(folder))
    missing.unshift({ kind: 'folder', path: folder });
  return missing;
}

/**
 * Returns what is to be done to have a schema beside a file, and git leave it out, as `keepSchema` does. One that is
 * there stays: whatever edits the file next has it be that of its own version.
 */
export async function neededSchema(action: Extract<SetupAction, { kind: 'schema' }>): Promise<Needed> {
  const file = schemaBeside(action);
  if (await isThere(file)) return undefined;
  const { fileSchemaText } = await import('../../../formats/file-schemas/index.ts');
  const ignore = join(dirname(dirname(file)), '.gitignore');
  const all = [
    ...((await isThere(ignore)) ? [] : [{ path: ignore, bytes: utf8('*\n') }]),
    { path: file, bytes: utf8(fileSchemaText(action.format)) },
  ];
  const files = all.map(
    ({ path, bytes }) => ({ kind: 'file', path, digest: createHash('sha256').update(bytes).digest('hex') }) as const,
  );
  return {
    entries: [...(await missingFolders(dirname(file))), ...files],
    act: async () => {
      await makeFolderOf(file);
      for (const { path, bytes } of all) await writeFile(path, bytes);
    },
  };
}
