import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { completionsAt } from '../../cli/completion/complete.ts';
import { programOf } from '../../cli/program.ts';
import { jsonSchemas } from '../../cli/view/json.ts';
import { fileFormats, schemaFile, schemaLine } from '../../formats/document/schema-line.ts';
import { fileSchemaText } from '../../formats/file-schemas/index.ts';
import { profileFields } from '../../formats/profile/fields.ts';
import { quietIo } from '../../scripts/package/quiet-io.ts';
import { smallSolution, solpack, succeeds, writeFiles } from '../support/cli.ts';
import { judged, run, scratch } from '../support/judges.ts';

const folder = scratch('schema');
const published = join(import.meta.dirname, '../../docs/schemas/files');
const beside = '.solpack/schemas';

beforeAll(async () => {
  await smallSolution(join(folder, 'shop'));
  await succeeds(['pack', 'shop', '-o', 'shop-1.0.0.iso'], { cwd: folder });
});

describe('schema', () => {
  test.each(fileFormats)('prints that of a %s, which docs/schemas has too', async (format) => {
    const printed = await succeeds(['schema', format], { cwd: folder });
    expect(printed).toBe(readFileSync(join(published, schemaFile(format)), 'utf8'));
    const result = JSON.parse(await succeeds(['schema', format, '--json'], { cwd: folder }));
    expect(jsonSchemas.schema.parse(result)).toEqual(result);
    expect(result).toEqual({ schemaVersion: 1, format, schema: JSON.parse(printed) });
  });

  test('names the formats that there are', async () => {
    const wrong = await solpack(['schema', 'definitoin']);
    expect([wrong.code, wrong.stdout]).toEqual([2, '']);
    expect(wrong.stderr).toMatch(/did you mean definition\?/i);
    const none = await solpack(['schema']);
    expect([none.code, none.stderr]).toEqual([2, expect.stringContaining('format')]);
    const io = quietIo();
    const { candidates } = await completionsAt(await programOf(io, '', () => undefined), ['schema', ''], io);
    expect(candidates.map(({ word }) => word)).toEqual([...fileFormats]);
  });

  test('has the defaults of a profile that the options of install have', async () => {
    const install = (await programOf(quietIo(), '', () => undefined)).commands.find((one) => one.name() === 'install')!;
    const usual = (flag: string): unknown => install.options.find(({ long }) => long === flag)?.defaultValue;
    expect(usual('--timeout')).toBe(profileFields['install.timeout'].default);
    expect(usual('--keep-generations')).toBe(String(profileFields['install.keep-generations'].default));
    expect(usual('--rollback-on-failure') ?? false).toBe(profileFields['install.rollback-on-failure'].default);
  });
});

describe('the line for editors, and the schema beside', () => {
  test('come with a definition of init, and pack makes the schema anew', async () => {
    const home = join(folder, 'made');
    writeFiles(home, { 'plain/a.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n' });
    await succeeds(['init', 'made'], { cwd: folder });
    const text = readFileSync(join(home, 'solution.toml'), 'utf8');
    expect(text.split('\n')[0]).toBe(schemaLine('definition'));
    expect(readdirSync(home).sort()).toEqual(['.solpack', 'plain', 'solution.toml']);
    const file = join(home, beside, schemaFile('definition'));
    expect(readFileSync(file, 'utf8')).toBe(fileSchemaText('definition'));
    rmSync(join(home, '.solpack'), { recursive: true });
    await succeeds(['check', 'made'], { cwd: folder });
    expect(existsSync(file)).toBe(false);
    await succeeds(['pack', 'made', '-o', 'made.iso'], { cwd: folder });
    expect(readFileSync(file, 'utf8')).toBe(fileSchemaText('definition'));
    expect(await succeeds(['ls', 'made.iso', '--json'], { cwd: folder })).not.toContain('schema.json');
  });

  judged('are left out by git', ['git'], async () => {
    await run('git', ['init', '-q', 'made'], { cwd: folder });
    const { stdout } = await run('git', ['status', '--porcelain', '-uall'], { cwd: join(folder, 'made') });
    expect(stdout).not.toContain('.solpack');
    expect(stdout).toContain('solution.toml');
  });

  test.each(['grouped', 'flat'])(
    'come with a configuration of import in the %s form, and stay with every edit',
    async (form) => {
      const cwd = join(folder, form);
      mkdirSync(cwd);
      const edit = (...words: string[]): Promise<string> => succeeds([...words, '-f', 'solutions.yaml'], { cwd });
      await edit('import', '../shop-1.0.0.iso', '--form', form);
      const first = (): string => readFileSync(join(cwd, 'solutions.yaml'), 'utf8').split('\n')[0]!;
      expect(first()).toBe(schemaLine('configuration'));
      const file = join(cwd, beside, schemaFile('configuration'));
      expect(readFileSync(file, 'utf8')).toBe(fileSchemaText('configuration'));
      writeFileSync(file, '{}');
      const name = JSON.parse(await succeeds(['inspect', '../shop-1.0.0.iso', '--json'], { cwd })).name;
      await edit('activate', name, '1.0.0');
      expect([first(), readFileSync(file, 'utf8')]).toEqual([
        schemaLine('configuration'),
        fileSchemaText('configuration'),
      ]);
      await edit('deactivate', name);
      await edit('unimport', '../shop-1.0.0.iso');
      expect(first()).toBe(schemaLine('configuration'));
    },
  );

  test('are not added to a configuration that somebody has written', async () => {
    const cwd = join(folder, 'theirs');
    writeFiles(cwd, {
      'solutions.yaml':
        'apiVersion: solutions.metalk8s.scality.com/v1alpha1\nkind: SolutionsConfiguration\nsolutions: []\n',
    });
    await succeeds(['import', '../shop-1.0.0.iso', '-f', 'solutions.yaml'], { cwd });
    expect(readFileSync(join(cwd, 'solutions.yaml'), 'utf8')).not.toContain('$schema');
    expect(readdirSync(cwd)).toEqual(['solutions.yaml']);
  });
});
