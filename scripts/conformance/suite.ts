import { spawnSync } from 'node:child_process';

/** How often each outcome occurred. */
export type Counts = Readonly<Record<'pass' | 'fail' | 'error' | 'skip' | 'disabled', number>>;

/** The result of a run of the suite. */
export interface Outcome extends Counts {
  /** What it printed about failures. */
  readonly failures: readonly string[];
  /** Whether it ran to its end, passed at least one test, and failed none. */
  readonly ok: boolean;
}

/** Runs the suite's program against the registry at `url`. Its reports go below `folder`. */
export function runSuite(
  program: string,
  url: string,
  folder: string,
  settings: Readonly<Record<string, string>>,
): Outcome {
  const { host, protocol } = new URL(url);
  const own = Object.entries(process.env).filter(([name]) => !name.startsWith('OCI_'));
  const { stdout, stderr, error } = spawnSync(program, [], {
    cwd: folder,
    encoding: 'utf8',
    maxBuffer: 256 * 1024 * 1024,
    env: {
      ...Object.fromEntries(own),
      OCI_REGISTRY: host,
      OCI_TLS: protocol === 'https:' ? 'insecure' : 'disabled',
      OCI_RESULTS_DIR: folder,
      ...settings,
    },
  });
  if (error) throw new Error(`${program} cannot be run: ${error.message}`);
  const counts = countsOf(stdout);
  if (!counts)
    throw new Error(`${program} printed no result; is it the suite of distribution-spec?\n${stderr}${stdout}`);
  return {
    ...counts,
    failures: failuresOf(stdout),
    // Its exit code says little: it also fails after the tests, while it writes its reports.
    ok: /^OCI Conformance Result: Pass$/m.test(stdout) && counts.fail === 0 && counts.error === 0 && counts.pass > 0,
  };
}

/** Returns the lines of a report about failures. */
function failuresOf(report: string): string[] {
  const [results = ''] = report.split('\nConfiguration:');
  return results.split('\n').filter((line) => /: (FAIL|Error)$|^ +- /.test(line));
}

/**
 * Parses the counts in a report, such as ` Pass..........................: 860`; undefined where there are none.
 */
export function countsOf(report: string): Counts | undefined {
  const count = (name: string): number | undefined => {
    const digits = new RegExp(`^ +${name}\\.+: +([0-9]+)$`, 'm').exec(report)?.[1];
    return digits === undefined ? undefined : Number(digits);
  };
  const [pass, fail, error, skip, disabled] = ['Pass', 'FAIL', 'Error', 'Skip', 'Disabled'].map(count);
  if (pass === undefined || fail === undefined || error === undefined) return undefined;
  return { pass, fail, error, skip: skip ?? 0, disabled: disabled ?? 0 };
}
