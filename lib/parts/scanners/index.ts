import { join } from 'node:path';
import { shellWord } from '../../../formats/shell-word.ts';
import { sizeWords } from '../../../formats/size-words.ts';
import type { ScannerDatabase } from '../../../formats/vulnerabilities/grype.ts';
import type { Vulnerability } from '../../../formats/vulnerabilities/vulnerability.ts';
import { codeOf, type Flow, findInstalled, reasonOf, refused, SolpackError } from '../../kernel/events/index.ts';
import {
  memoryWords,
  type ProgramMemory,
  printedVersion,
  runProgram,
  toolWords,
  withinMemory,
  withoutNetwork,
} from '../../kernel/machine/index.ts';
import { grype } from './grype.ts';
import { type ScannerCall, type ScannerKind, type ScannerName, scannerNames } from './kind.ts';
import { trivy } from './trivy.ts';

export type { ScannerName } from './kind.ts';

const kinds: Readonly<Record<ScannerName, ScannerKind>> = { grype, trivy };

/** Milliseconds that a scanner may take for one SBOM. */
const TIMEOUT = 300_000;
/** Most bytes that it may print. */
const OUTPUT = 64 * 1024 * 1024;
/** Databases have a gigabyte, and are mapped into memory as a whole. */
const memory: ProgramMemory = { addresses: 12 * 1024, heap: 2048 };

/** A scanner that is on this machine, and its database. */
export interface Scanner {
  readonly name: ScannerName;
  readonly version: string;
  /** Says of its database when it was built. Throws `tool-failed`. */
  readonly status: () => Promise<ScannerDatabase>;
  /** Finds the vulnerabilities of what the SBOM in a file lists. Throws `tool-failed`. */
  readonly scan: (sbom: string) => Promise<Vulnerability[]>;
  /** The command that gets a database, on a machine with a network. */
  readonly update: string;
}

/** Which scanner to use, and where the database of each is. `home` is an empty folder. */
export interface ScannerPlace {
  /** The first one that is there, if it is absent. */
  readonly name?: ScannerName;
  readonly databases: Readonly<Record<ScannerName, string>>;
  readonly home: string;
}

/**
 * Finds a scanner on PATH. It runs as charts are rendered: without a network where the system can prevent that, with
 * bounded memory and time, with an empty home, and not longer than this process. Throws `tool-missing`, `tool-failed`.
 */
export async function openScanner({ name, databases, home }: ScannerPlace, flow: Flow): Promise<Scanner> {
  for (const wanted of name === undefined ? scannerNames : [name]) {
    const program = await findInstalled(flow.host, wanted);
    if (program === undefined) continue;
    const kind = kinds[wanted];
    const run = { program, home, flow };
    const database = databases[wanted];
    const printed = await printedVersion({ name: wanted, path: program }, { PATH: '', HOME: home }, flow.signal);
    return {
      name: wanted,
      version: versionIn(printed, wanted),
      status: () => called(kind.status(database), `the database in ${database}`, run),
      scan: (sbom) => called(kind.scan(database, sbom), 'an SBOM', run),
      update: kind.update(shellWord(database)),
    };
  }
  throw new SolpackError('tool-missing', name ?? scannerNames.join(' or '), 'not found on PATH', {
    hint: 'install grype or trivy where archives are scanned, and bring its database there: "solpack docs pipelines#scan-for-vulnerabilities"',
  });
}

/** Finds the version in what a program prints of it; the first line without its name, where none is there. */
function versionIn(printed: string, name: ScannerName): string {
  const words = printed.slice(0, 1000).split(/\s/);
  return (
    words.find((word) => /^\d+\.\d+\.\d+/.test(word)) ?? printed.split('\n')[0]!.slice(0, 100).replace(`${name} `, '')
  );
}

interface ScannerRun {
  readonly program: string;
  readonly home: string;
  readonly flow: Flow;
}

async function called<T>(call: ScannerCall<T>, subject: string, { program, home, flow }: ScannerRun): Promise<T> {
  const lines: string[] = [];
  const { before, env } = withinMemory(memory);
  const [first = '', ...args] = [...before, ...(await withoutNetwork(flow.host, flow.signal)), program, ...call.args];
  const failed = (reason: string): SolpackError =>
    new SolpackError('tool-failed', program, `${subject}: ${reason}`, {
      hint: 'run it by hand, and look whether its database is complete and for this version of it',
    });
  const ended = await runProgram(first, args, {
    cwd: home,
    env: { HOME: home, TMPDIR: home, XDG_CACHE_HOME: join(home, 'cache'), LANG: 'C.UTF-8', ...env, ...call.env },
    timeout: TIMEOUT,
    limit: OUTPUT,
    signal: flow.signal,
    onLine: (line) => lines.push(line),
  }).catch((error) => {
    throw error instanceof Error && codeOf(error) ? failed(`cannot be run: ${reasonOf(error)}`) : error;
  });
  if (ended.timedOut) throw failed(`did not end within ${TIMEOUT / 1000} s`);
  if (ended.tooMuch) throw failed(`printed more than ${sizeWords(OUTPUT)}`);
  if (ended.code !== 0 && !(call.mayFail && ended.stdout.length > 0)) {
    throw failed(
      memoryWords(lines, memory) ?? (toolWords(lines) || `ended with ${ended.signal ?? `code ${ended.code}`}`),
    );
  }
  return refused(
    'tool-failed',
    program,
    () => call.parse(ended.stdout),
    'use a version of it that prints what solpack reads',
  );
}
