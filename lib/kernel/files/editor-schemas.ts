import { constants } from 'node:fs';
import { dirname, join } from 'node:path';
import { utf8 } from '../../../formats/bytes.ts';
import { askedSchema, SCHEMA_FOLDER, STORE_FOLDER, schemaFile } from '../../../formats/document/schema-line.ts';
import { codeOf, type Flow, lend, reasonOf } from '../events/index.ts';
import { enterBelow } from './folder-tree.ts';
import { type HeldFolder, holdFolder } from './held-folder.ts';
import { writeIn } from './pending-file.ts';

/**
 * Writes the schema that the file at `path` asks editors to go by, if it asks for one beside it: in `.solpack/schemas`,
 * which git ignores. One that is there and the same stays. Nothing depends on it, so where it cannot
 * be written, a notice says so.
 */
export async function keepSchema(path: string, bytes: Uint8Array, flow: Flow): Promise<void> {
  const format = askedSchema(Buffer.from(bytes).toString('utf8'));
  if (format === undefined) return;
  const { fileSchemaText } = await import('../../../formats/file-schemas/index.ts');
  const schema = utf8(fileSchemaText(format));
  try {
    await lend(await holdFolder(dirname(path)), async (beside) => {
      await lend(await enterBelow(beside, STORE_FOLDER, true), async (store) => {
        await ignore(store);
        await lend(await store.enter(SCHEMA_FOLDER, true), async (folder) => {
          if (!(await hasSame(folder, schemaFile(format), schema))) await writeIn(folder, schemaFile(format), schema);
        });
      });
    });
  } catch (error) {
    const subject = join(dirname(path), STORE_FOLDER, SCHEMA_FOLDER, schemaFile(format));
    const message = `the schema for editors is not there (${reasonOf(error)}); "solpack schema ${format}" prints it`;
    flow.onEvent({ type: 'notice', subject, message });
  }
}

/** Tells git to leave a folder out, unless somebody has configured something else. */
async function ignore(folder: HeldFolder): Promise<void> {
  const flags = constants.O_CREAT | constants.O_EXCL | constants.O_WRONLY;
  const file = await folder.open('.gitignore', flags, 0o644).catch((error: unknown) => {
    if (codeOf(error) !== 'EEXIST') throw error;
  });
  if (file) await lend(file, () => file.writeFile('*\n'));
}

async function hasSame(folder: HeldFolder, name: string, bytes: Uint8Array): Promise<boolean> {
  const file = await folder.open(name, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0)).catch(() => undefined);
  if (file === undefined) return false;
  return lend(file, async () => {
    const { size } = await file.stat();
    return size === bytes.length && Buffer.compare(await file.readFile(), bytes) === 0;
  });
}
