import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect } from 'vitest';
import { loadPrivateKey } from '../../lib/parts/trust/index.ts';
import { smallSolution, writeFiles } from '../support/cli.ts';
import { packHere } from '../support/flow.ts';
import { solpackHere } from '../support/here.ts';
import { type Outcome, scratch } from '../support/judges.ts';
import { makeKey, type TestKey } from '../support/policies.ts';
import { rowOf } from './table.ts';

/** The formats that attacks are made on. */
export const formats = ['iso', 'tar'] as const;
export type Format = (typeof formats)[number];

/** What an attacker is given: an archive that the key `release` has signed, in both formats, and keys of others. */
export interface Stage {
  readonly folder: string;
  readonly keys: Readonly<Record<'release' | 'security' | 'stranger', TestKey>>;
  /** A fresh copy of the signed archive. */
  bytes(format: Format): Buffer;
  /**
   * Packs the Solution anew with `fields` at the top of its definition, signed by `release`; `as` gives it another
   * name.
   */
  pack(name: string, fields: string, as?: string): Promise<void>;
  /** Runs solpack in the folder. */
  run(...args: string[]): Promise<Outcome>;
}

const configMap = (name: string): string => `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: ${name}\n`;

/** Sets a stage for the tests of one file, and leaves nothing of it. */
export function setStage(name: string): Stage {
  const folder = scratch(`attacks-${name}`);
  const names = ['release', 'security', 'stranger'] as const;
  const keys = Object.fromEntries(names.map((key) => [key, makeKey(folder, key)])) as Stage['keys'];
  const definition = join(folder, 'src/solution.toml');
  const pack: Stage['pack'] = async (output, fields, as = 'hello') => {
    const before = readFileSync(definition, 'utf8');
    writeFileSync(
      definition,
      before.replace(/^version.*$/m, (line) => `${line}\n${fields}`).replace(/^name = .*$/m, `name = "${as}"`),
    );
    const sign = await loadPrivateKey(join(folder, 'release.key'));
    await packHere(definition, join(folder, output), { sign, lock: 'update' });
    writeFileSync(definition, before);
  };
  beforeAll(async () => {
    await smallSolution(join(folder, 'src'));
    // Two files of equal size, whose names have equal lengths: one can stand for the other.
    writeFiles(join(folder, 'src/web'), { 'a.yaml': configMap('a'), 'b.yaml': configMap('b') });
    for (const format of formats) await pack(`good.${format}`, 'sequence = 2\ndescription = "made to be attacked"');
  });
  return {
    folder,
    keys,
    pack,
    bytes: (format) => readFileSync(join(folder, `good.${format}`)),
    run: (...args) => solpackHere([...args, '--quiet'], { cwd: folder }),
  };
}

const head = 'apiVersion: solutions.metalk8s.scality.com/v1alpha1\nkind: SolutionsConfiguration\n';

/** A command line that installs an archive of the stage, and writes what it renders to the folder `rendered`. */
export function installArgs(stage: Stage, archive: string, ...trust: string[]): string[] {
  return installArgsOf(stage, archive, 'hello', trust);
}

/** The same for a Solution of another name. */
export function installArgsOf({ folder }: Stage, archive: string, name: string, trust: readonly string[]): string[] {
  writeFileSync(join(folder, 'solutions.yaml'), `${head}archives: [${archive}]\nactive: {${name}: latest}\n`);
  return ['install', '-f', 'solutions.yaml', '--render', 'rendered', '--trust-state', 'state', ...trust];
}

/** Installs an archive of the stage. */
export async function installs(stage: Stage, archive: string, ...trust: string[]): Promise<Outcome> {
  return stage.run(...installArgs(stage, archive, ...trust));
}

/** What `verify` says: the codes of its findings, else that of the error it ends with; and its exit status. */
interface Verdict {
  readonly codes: readonly string[];
  readonly exit: number;
}

/** What `verify` says of an archive. */
export async function verdictOf(stage: Stage, archive: string, ...trust: string[]): Promise<Verdict> {
  return verdictIn(await stage.run('verify', archive, '--json', ...trust));
}

/** The same of a run of `verify --json`. */
export function verdictIn(outcome: Outcome): Verdict {
  expectPlain(outcome);
  const { error, findings = [] }: { error?: unknown; findings?: { code: string }[] } = JSON.parse(outcome.stdout);
  if (error !== undefined) return { codes: [codeOf(outcome)], exit: outcome.code };
  return { codes: [...new Set(findings.map(({ code }) => code))], exit: outcome.code };
}

/** The code of the one line that a command ended with. */
export function codeOf({ stderr }: Outcome): string {
  const [, code] = /^(?:(?!solpack: )[^\n]*\n)*solpack: [^\n]* \[([a-z0-9-]+)\]\n$/.exec(stderr) ?? [];
  expect(code, stderr).toBeDefined();
  return code!;
}

/** That nothing reaches a terminal which could move its cursor or hide text. */
export function expectPlain({ stdout, stderr }: Outcome): void {
  expect(stdout + stderr).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/);
}

const byKey = ['--key', 'release.pub'];

/** What is wrong with what others have signed keeps nobody from signing what is sound. */
const signed = ['signature-invalid', 'attestation-invalid'];

/**
 * Hands a file to every command that reads archives. `verify` and `install` have to refuse it with the exit status of
 * the table, `verify` with its codes among others, and nothing is rendered; no other command may fall over it, or write
 * outside of its place.
 */
export async function expectRefused(
  stage: Stage,
  attack: string,
  archive: string,
  trust: readonly string[] = byKey,
): Promise<void> {
  const { codes, exit } = rowOf(attack);
  const verdict = await verdictOf(stage, archive, ...trust);
  expect([archive, verdict]).toEqual([archive, { codes: expect.arrayContaining([...codes]), exit }]);
  const installed = await installs(stage, archive, ...trust);
  expectPlain(installed);
  expect([installed.code, installed.stdout, codeOf(installed)]).toEqual([exit, '', expect.any(String)]);
  expect(existsSync(join(stage.folder, 'rendered'))).toBe(false);
  await expectHarmless(stage, archive);
  if (exit === 1 && !codes.some((code) => signed.includes(code))) await expectUnsigned(stage, archive);
}

/** That nobody is led to sign it who looks before. */
async function expectUnsigned(stage: Stage, archive: string): Promise<void> {
  const before = readFileSync(join(stage.folder, archive));
  const outcome = await stage.run('sign', archive, '--private-key', 'security.key', '--verify');
  expect([outcome.code, codeOf(outcome)]).toEqual([1, expect.any(String)]);
  expect(readFileSync(join(stage.folder, archive)).equals(before)).toBe(true);
}

/** Lets the commands look at a file that decide nothing. */
async function expectHarmless(stage: Stage, archive: string): Promise<void> {
  const before = readdirSync(stage.folder);
  mkdirSync(join(stage.folder, 'out'));
  for (const args of [
    ['inspect', archive],
    ['ls', archive, '--digests'],
    ['extract', archive, '-C', 'out/in'],
  ]) {
    const outcome = await stage.run(...args);
    expectPlain(outcome);
    expect([0, 1, 2], `${args.join(' ')}: ${outcome.stderr}`).toContain(outcome.code);
    if (outcome.code !== 0) codeOf(outcome);
  }
  const ending = new AbortController();
  const served = await solpackHere(['serve', archive, '--listen', '127.0.0.1:0', '--quiet'], {
    cwd: stage.folder,
    signal: ending.signal,
    onText: () => ending.abort(),
  });
  expectPlain(served);
  expect([0, 1, 2]).toContain(served.code);
  expect(readdirSync(join(stage.folder, 'out')).filter((name) => name !== 'in')).toEqual([]);
  rmSync(join(stage.folder, 'out'), { recursive: true });
  expect(readdirSync(stage.folder)).toEqual(before);
}
