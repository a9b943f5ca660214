import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { smallSolution, succeeds, writeFiles } from '../cli.ts';
import { ok, toolFolder } from '../judges.ts';
import { user } from '../registry.ts';
import { solpackQuoted } from '../under-test.ts';

/** What a project keeps secret, as text. */
export interface Secrets {
  /** The encrypted private key, in PEM. */
  readonly key: string;
  readonly passphrase: string;
  /** A file of `docker login`. */
  readonly auth: string;
}

/**
 * Where a pipeline runs: a checkout of its own, what a project has set for it, and what is seen of the commands it
 * runs.
 */
export interface Site {
  /** A git repository with the Solution `hello 1.0.0`, its lock and `release.pub`. */
  readonly checkout: string;
  /** An empty folder for what is the service's own. */
  readonly service: string;
  /** The folder that the jobs' temporary files are in. */
  readonly temporary: string;
  /** `HOST/PATH` that the Solution is to be pushed to. */
  readonly repository: string;
  readonly secrets: Secrets;
  /** Whether it runs for a tag, and not for a branch. */
  readonly tag: boolean;
  /** The program that is called solpack, and the folder it is in. */
  readonly program: string;
  readonly bin: string;
  /** The environment of a runner that has solpack. */
  readonly env: Readonly<Record<string, string>>;
  /** Each call of solpack so far: its arguments, and mode and path of those that are files. */
  calls(): readonly Call[];
}

/** A call of solpack by a step. */
export interface Call {
  readonly args: readonly string[];
  /** The permissions of the arguments that are files, by path, as `600`. */
  readonly modes: ReadonlyMap<string, string>;
}

/** How a pipeline went. */
export interface PipelineRun {
  /** The step that it ended with; absent where all went well. */
  readonly failed?: { readonly step: string; readonly code: number };
  /** Everything that its log has. */
  readonly log: string;
  /** The names of what the service keeps of it, in order. */
  readonly kept: readonly string[];
}

/** A service that runs pipelines: reads one as its page has it, and does its steps on a site. */
export type Service = (pipeline: string, site: Site) => Promise<PipelineRun>;

/** What each pipeline leaves when it went to its end. */
export const reportsOf: readonly string[] = [
  'check.json',
  'pack.json',
  'push.json',
  'sign.json',
  'solution.iso',
  'verify.json',
];

/** What makes sites: a Solution with its lock, and keys. `folder` is a folder for all of it. */
export async function siteMaker(folder: string): Promise<(name: string, host: string, tag: boolean) => Site> {
  const origin = join(folder, 'origin');
  const passphrase = join(folder, 'passphrase');
  const secrets = { passphrase: 'word "with" $HOME\\n and \'quotes\'' };
  await smallSolution(origin);
  writeFileSync(passphrase, `${secrets.passphrase}\n`);
  await succeeds(['pack', origin, '-o', join(folder, 'lock.iso')]);
  for (const name of ['release', 'other']) {
    await succeeds(['keygen', '-o', join(folder, name), '--passphrase-file', passphrase]);
  }
  cpSync(join(folder, 'release.pub'), join(origin, 'release.pub'));
  for (const words of [
    ['init', '-q', '-b', 'main'],
    ['remote', 'add', 'origin', 'https://git.example.com/a/hello.git'],
  ]) {
    await ok('git', words, { cwd: origin });
  }
  return (name, host, tag) => {
    const top = mkdtempSync(join(folder, `${name}-`));
    const at = (part: string): string => join(top, part);
    for (const part of ['service', 'temporary', 'bin']) mkdirSync(at(part));
    cpSync(origin, at('checkout'), { recursive: true });
    const program = at('bin/solpack');
    writeFileSync(program, watched(at('calls')), { mode: 0o755 });
    const login = Buffer.from(`${user.username}:${user.password}`).toString('base64');
    return {
      tag,
      checkout: at('checkout'),
      service: at('service'),
      temporary: at('temporary'),
      repository: `${host}/solutions/${name}`,
      secrets: {
        ...secrets,
        key: readFileSync(join(folder, 'release.key'), 'utf8').trimEnd(),
        auth: JSON.stringify({ auths: { [host]: { auth: login } } }),
      },
      program,
      bin: at('bin'),
      env: { PATH: [at('bin'), toolFolder, process.env['PATH']].join(delimiter), TMPDIR: at('temporary') },
      calls: () => callsIn(readFileSync(at('calls'), 'utf8')),
    };
  };
}

/** Changes the checkout of a site so that its pipeline has to end with a step. */
export const faults: Readonly<Record<string, (site: Site) => void>> = {
  check: ({ checkout }) => {
    const pod = readFileSync(join(checkout, 'web/pod.yaml'), 'utf8');
    writeFileSync(join(checkout, 'web/pod.yaml'), pod.replace('hello/web', 'hello/absent'));
  },
  pack: ({ checkout }) =>
    writeFiles(checkout, { 'web/more.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: more\n' }),
  verify: ({ checkout }) => {
    rmSync(join(checkout, 'release.pub'));
    cpSync(join(checkout, '../../other.pub'), join(checkout, 'release.pub'));
  },
};

/** A program that notes how it is called, a word a line, and then is solpack. */
function watched(calls: string): string {
  return `#!/bin/sh
{
  for word; do
    printf '%s\\n' "$word"
    if [ -f "$word" ]; then stat -L -c 'mode %a' -- "$word"; fi
  done
  echo end
} >> '${calls}'
exec ${solpackQuoted} "$@"
`;
}

function callsIn(text: string): Call[] {
  return text
    .split('\nend\n')
    .slice(0, -1)
    .map((call) => {
      const lines = call.split('\n');
      const modes = lines.flatMap((line, at) =>
        line.startsWith('mode ') ? [[lines[at - 1]!, line.slice(5)] as const] : [],
      );
      return { args: lines.filter((line) => !line.startsWith('mode ')), modes: new Map(modes) };
    });
}
