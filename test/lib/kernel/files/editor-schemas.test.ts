import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { utf8 } from '../../../../formats/bytes.ts';
import { type FileFormat, fileFormats, schemaFile, schemaLine } from '../../../../formats/document/schema-line.ts';
import { fileSchemaText } from '../../../../formats/file-schemas/index.ts';
import { keepSchema } from '../../../../lib/kernel/files/editor-schemas.ts';
import { testFlow } from '../../../support/flow.ts';
import { scratch } from '../../../support/judges.ts';

const folder = scratch('editor-schemas');

function home(name: string): string {
  const path = join(folder, name);
  mkdirSync(path);
  return path;
}

/** Does what is done after a file of a format was written into a folder, and returns the notices of that. */
async function keep(path: string, format: FileFormat): Promise<string[]> {
  const flow = testFlow();
  await keepSchema(join(path, 'a.toml'), utf8(`${schemaLine(format)}\n`), flow);
  return flow.events.map((event) => (event.type === 'notice' ? `${event.subject}: ${event.message}` : event.type));
}

test.each(fileFormats)('the schema of a %s that asks for it lies beside, and git leaves it out', async (format) => {
  const path = home(format);
  expect(await keep(path, format)).toEqual([]);
  const file = join(path, '.solpack/schemas', schemaFile(format));
  expect(readFileSync(file, 'utf8')).toBe(fileSchemaText(format));
  expect(statSync(file).mode & 0o777).toBe(0o644);
  expect(readFileSync(join(path, '.solpack/.gitignore'), 'utf8')).toBe('*\n');
});

test('one that is there and the same stays, and another one is replaced', async () => {
  const path = home('again');
  await keep(path, 'policy');
  const file = join(path, '.solpack/schemas', schemaFile('policy'));
  const { ino, mtimeMs } = statSync(file);
  await keep(path, 'policy');
  expect(statSync(file)).toMatchObject({ ino, mtimeMs });
  writeFileSync(join(path, '.solpack/.gitignore'), '/sources\n');
  writeFileSync(file, '{"of": "an older solpack"}');
  await keep(path, 'policy');
  expect(readFileSync(file, 'utf8')).toBe(fileSchemaText('policy'));
  expect(readFileSync(join(path, '.solpack/.gitignore'), 'utf8')).toBe('/sources\n');
  expect(readdirSync(join(path, '.solpack/schemas'))).toEqual([schemaFile('policy')]);
});

test('a file that asks for none gets none', async () => {
  const path = home('none');
  await keepSchema(join(path, 'solution.toml'), utf8('# Ours.\nname = "a"\n'), testFlow());
  expect(readdirSync(path)).toEqual([]);
});

test('no link leads elsewhere, and what is in the way is reported', async () => {
  const [linked, inWay] = [home('linked'), home('in-way')];
  mkdirSync(join(folder, 'elsewhere'));
  symlinkSync(join(folder, 'elsewhere'), join(linked, '.solpack'));
  expect(await keep(linked, 'definition')).toEqual([
    `${linked}/.solpack/schemas/definition.schema.json: the schema for editors is not there (a part of the path is not a folder); ` +
      '"solpack schema definition" prints it',
  ]);
  expect(readdirSync(join(folder, 'elsewhere'))).toEqual([]);
  writeFileSync(join(inWay, '.solpack'), 'a file');
  expect(await keep(inWay, 'profile')).toHaveLength(1);
  mkdirSync(join(home('file-linked'), '.solpack/schemas'), { recursive: true });
  const file = join(folder, 'file-linked/.solpack/schemas', schemaFile('policy'));
  symlinkSync(join(folder, 'elsewhere/target'), file);
  expect(await keep(join(folder, 'file-linked'), 'policy')).toEqual([]);
  expect(existsSync(join(folder, 'elsewhere/target'))).toBe(false);
  expect(readFileSync(file, 'utf8')).toBe(fileSchemaText('policy'));
});
