import { copyFileSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type FileFormat, schemaLine } from '../../formats/document/schema-line.ts';
import { mistakes } from '../support/editors/planted.ts';
import { judgedByTaplo } from '../support/editors/taplo.ts';
import * as whole from '../support/editors/whole-files.ts';
import { isRead, writtenFiles } from '../support/editors/written-files.ts';
import { startYamlServer, type YamlServer } from '../support/editors/yaml-server.ts';
import { scratch } from '../support/judges.ts';

const folder = scratch('editors');
const schemas = join(import.meta.dirname, '../../docs/schemas/files');

/** Whether a text is for Taplo: a SolutionsConfiguration is YAML, and a policy in JSON is as well. */
function isToml(format: FileFormat, text: string): boolean {
  return format !== 'configuration' && !/^\s*\{/.test(text);
}

/** The line by which a text asks for its schema, and the text. */
function asking(format: FileFormat, text: string): string {
  const line = schemaLine(format);
  const inYaml = format === 'configuration' ? line : line.replace('#:schema ', '# yaml-language-server: $schema=');
  return `${isToml(format, text) ? line : inYaml}\n${text}`;
}

/** Lets the editors judge texts, each in a file of its name, and returns what they say of those that they refuse. */
async function judgedByEditors(
  name: string,
  files: readonly { readonly name: string; readonly format: FileFormat; readonly text: string }[],
): Promise<Map<string, readonly string[]>> {
  const home = join(folder, name);
  mkdirSync(join(home, '.solpack/schemas'), { recursive: true });
  for (const one of readdirSync(schemas)) copyFileSync(join(schemas, one), join(home, '.solpack/schemas', one));
  const refused = new Map<string, readonly string[]>();
  for (const { name: file, format, text } of files) {
    if (isToml(format, text)) writeFileSync(join(home, `${file}.toml`), asking(format, text));
  }
  const inYaml = files.filter(({ format, text }) => !isToml(format, text));
  const told = inYaml.map(({ name: file, format, text }) =>
    server.open(join(home, `${file}.yaml`), asking(format, text)),
  );
  for (const [at, found] of (await Promise.all(told)).entries()) {
    const messages = found.map(({ line, message }) => `${line}: ${message}`);
    if (messages.length > 0) refused.set(inYaml[at]!.name, messages);
  }
  for (const [file, messages] of judgedByTaplo(home)) refused.set(file.replace(/\.toml$/, ''), messages);
  return refused;
}

let server: YamlServer;
beforeAll(async () => {
  server = await startYamlServer();
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
});

const all = [
  { format: 'definition', text: whole.wholeDefinition },
  { format: 'configuration', text: whole.wholeConfiguration },
  { format: 'configuration', text: whole.flatConfiguration },
  { format: 'policy', text: whole.wholePolicy },
  { format: 'profile', text: whole.wholeProfile },
  { format: 'profile', text: whole.profileWithKeys },
] as const;

describe('Taplo and yaml-language-server', () => {
  test('accept files that have every field of their format', async () => {
    expect(all.filter(({ format, text }) => !isRead(format, text))).toEqual([]);
    const files = all.map((one, at) => ({ ...one, name: `whole-${at}` }));
    expect(Object.fromEntries(await judgedByEditors('whole', files))).toEqual({});
  });

  test('accept every definition, configuration, policy and profile of the fixtures, the docs and the tests', async () => {
    const written = writtenFiles();
    for (const format of ['definition', 'configuration', 'policy', 'profile']) {
      expect(written.filter((one) => one.format === format).length).toBeGreaterThan(4);
    }
    const files = written.map((one, at) => ({
      ...one,
      name: `${one.format}-${at} of ${one.from.replaceAll('/', '-')}`,
    }));
    expect(Object.fromEntries(await judgedByEditors('written', files))).toEqual({});
  });

  test('refuse what is planted, and so does solpack', async () => {
    expect(mistakes.length).toBeGreaterThanOrEqual(20);
    expect(mistakes.filter(({ format, text }) => isRead(format, text)).map(({ mistake }) => mistake)).toEqual([]);
    const files = mistakes.map((one, at) => ({ ...one, name: `${at} ${one.format}, ${one.mistake}` }));
    const refused = await judgedByEditors('planted', files);
    const missed = files.filter(({ name, told }) => !refused.get(name)?.some((message) => told.test(message)));
    expect(missed.map(({ name, told }) => ({ name, told, says: refused.get(name) }))).toEqual([]);
  });
});

describe('yaml-language-server', () => {
  const text = asking('configuration', whole.wholeConfiguration.replace('    activeVersion: latest\n', '    \n'));
  const lines = text.split('\n');

  test('explains a field, and offers those that may follow', async () => {
    const path = join(folder, 'whole', 'asked.yaml');
    await server.open(path, text);
    const line = lines.findIndex((one) => one.includes('activeVersion'));
    expect(JSON.stringify(await server.ask('hover', path, line, 6))).toContain('Which version is active');
    const blank = lines.indexOf('    ');
    const offered = JSON.stringify(await server.ask('completion', path, blank, 4));
    expect(offered).toContain('"label":"activeVersion"');
    expect(offered).toContain('patches as of a kustomization');
  });
});
