import { existsSync, linkSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect } from 'vitest';
import { jsonSchemas } from '../../cli/view/json.ts';
import { smallSolution } from './cli.ts';
import { packHere } from './flow.ts';
import { solpackHere } from './here.ts';
import { scratch } from './judges.ts';

/** How every configuration begins. */
export const head = 'apiVersion: solutions.metalk8s.scality.com/v1alpha1\nkind: SolutionsConfiguration\n';

/** The options by which commands name the configuration of a place. */
export const file: readonly string[] = ['-f', 'solutions.yaml'];

/** Two versions of a Solution, as places have them. */
export const both: readonly [string, string] = ['guestbook-1.0.0.iso', 'guestbook-1.1.0.iso'];

/** A configuration of both in the grouped form, without its head. */
export const two = `solutions:
  - name: guestbook   # ours
    archives:
      - guestbook-1.0.0.iso
      - guestbook-1.1.0.iso # new
`;

/** A configuration of both in the flat form, without its head. */
export const flat = 'archives: [guestbook-1.0.0.iso, guestbook-1.1.0.iso]\n';

/** Reads the configuration of a place, without its head. */
export const configurationIn = (cwd: string): string =>
  readFileSync(join(cwd, 'solutions.yaml'), 'utf8').replace(head, '');

/** Archives, and folders of tests that have some of them beside a configuration. */
export interface Places {
  /** Where the archives are. */
  readonly archives: string;
  /** Where the places are. */
  readonly folder: string;
  /** Packs a version of a Solution. */
  packed(name: string, version: string, sequence?: number): Promise<void>;
  /**
   * Makes a folder with some of the archives, and the configuration `text` under its head; without one where that is
   * undefined.
   */
  place(text: string | undefined, ...names: string[]): string;
}

/** Packs some versions of Solutions before all tests of a file. */
export function places(name: string): Places {
  const folder = scratch(name);
  const archives = join(folder, 'archives');
  let counter = 0;
  const packed = async (solution: string, version: string, sequence?: number): Promise<void> => {
    const source = join(folder, 'sources', `${solution}-${version}`);
    await smallSolution(source, { name: solution, version });
    if (sequence !== undefined) {
      const path = join(source, 'solution.toml');
      writeFileSync(path, `sequence = ${sequence}\n${readFileSync(path, 'utf8')}`);
    }
    await packHere(join(source, 'solution.toml'), join(archives, `${solution}-${version}.iso`));
  };
  beforeAll(async () => {
    mkdirSync(archives);
    for (const version of ['1.0.0', '1.1.0', '2.0.0-rc.1']) await packed('guestbook', version);
    await packed('other', '1.0.0');
    await packed('counted', '1.0.0', 1);
    await packed('counted', '2.0.0', 2);
  });
  const place = (text: string | undefined, ...names: string[]): string => {
    counter += 1;
    const cwd = join(folder, `place-${counter}`);
    mkdirSync(cwd);
    for (const one of names) linkSync(join(archives, one), join(cwd, one));
    if (text !== undefined) writeFileSync(join(cwd, 'solutions.yaml'), head + text);
    return cwd;
  };
  return { archives, folder, packed, place };
}

/** Runs a command that has to end well, and returns what its JSON says. */
export async function does(cwd: string, ...args: string[]): Promise<Record<string, unknown>> {
  const { code, stdout, stderr } = await solpackHere([...args, ...file, '--json', '--quiet'], { cwd });
  expect([code, stderr.replace(/^note: .*\n/gm, '')]).toEqual([0, '']);
  const result = JSON.parse(stdout);
  expect(jsonSchemas[args[0] as 'import'].strict().parse(result)).toEqual(result);
  return result;
}

/** Runs a command that has to be refused and to leave the configuration as it is, and returns what it says. */
export async function refusal(cwd: string, ...args: string[]): Promise<string> {
  const path = join(cwd, 'solutions.yaml');
  const before = existsSync(path) ? readFileSync(path, 'utf8') : undefined;
  const { code, stdout, stderr } = await solpackHere([...args, ...file, '--quiet'], { cwd });
  expect([code === 0, stdout]).toEqual([false, '']);
  expect(existsSync(path) ? readFileSync(path, 'utf8') : undefined).toBe(before);
  const said = stderr.replace(/^note: .*\n/gm, '');
  expect(said.split('\n')).toHaveLength(2);
  return said;
}

/** What a command tells beside its result. */
export async function told(cwd: string, ...args: string[]): Promise<string> {
  const { code, stderr } = await solpackHere([...args, ...file, '--progress', 'lines'], { cwd });
  expect(code).toBe(0);
  return stderr;
}
