import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { parse } from 'yaml';
import { ok, toolFolder } from '../judges.ts';
import type { Service, Site } from './site.ts';
import { runSteps, type ShellStep } from './steps.ts';

interface WorkflowStep {
  readonly name?: string;
  readonly uses?: string;
  readonly with?: Readonly<Record<string, string>>;
  readonly if?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly run?: string;
}

/** Runs a workflow of one job as GitHub does: actionlint reads it, and bash does its steps. */
export const gitHub: Service = async (pipeline, site) => {
  const folder = join(site.service, '.github/workflows');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'solution.yml'), pipeline);
  await ok('actionlint', ['-no-color', join(folder, 'solution.yml')], { cwd: site.service });
  const { defaults, jobs } = parse(pipeline);
  if (defaults.run.shell !== 'bash') throw new Error('the workflow does not ask for bash');
  const [job, ...more] = Object.values(jobs) as { steps: WorkflowStep[] }[];
  if (more.length > 0) throw new Error('the workflow has more than one job');
  const path = join(site.service, 'path');
  const steps = job!.steps.filter((step) => step.run !== undefined && isRun(step, site));
  const kept = job!.steps.find(
    ({ uses, if: when }) => uses?.startsWith('actions/upload-artifact@') && when === 'always()',
  );
  return runSteps(
    steps.map((step) => shellStep(step, site, path)),
    site.checkout,
    kept!.with!['path']!.trim().split('\n'),
  );
};

/** Decides whether a step is for this run. */
function isRun({ if: when }: WorkflowStep, { tag }: Site): boolean {
  if (when === undefined) return true;
  if (when !== "startsWith(github.ref, 'refs/tags/')") throw new Error(`nobody reads: if: ${when}`);
  return tag;
}

/** A `run` of a job, on a runner that has no solpack. */
function shellStep({ name, env = {}, run }: WorkflowStep, site: Site, path: string): ShellStep {
  const own = Object.entries(env).map(([key, value]) => [key, expressed(value, site)]);
  return {
    name: name!,
    // What GitHub runs for "shell: bash".
    shell: ['bash', '--noprofile', '--norc', '-e', '-o', 'pipefail', '-c'],
    script: run!,
    env: () => {
      const added = existsSync(path) ? readFileSync(path, 'utf8').trim().split('\n') : [];
      const runner = { RUNNER_TEMP: site.temporary, TMPDIR: site.temporary, GITHUB_PATH: path };
      const PATH = [...added, toolFolder, process.env['PATH']].join(delimiter);
      return { ...runner, PATH, ...Object.fromEntries(own) };
    },
  };
}

/** A value in which expressions stand, `${{ secrets.NAME }}`, with what the project has set. */
function expressed(value: string, { secrets, repository, program }: Site): string {
  const known: Readonly<Record<string, string>> = {
    'secrets.RELEASE_KEY': secrets.key,
    'secrets.RELEASE_PASSPHRASE': secrets.passphrase,
    'secrets.REGISTRY_AUTH': secrets.auth,
    'vars.REPOSITORY': repository,
    'vars.SOLPACK_URL': `file://${program}`,
    'vars.SOLPACK_SHA256': createHash('sha256').update(readFileSync(program)).digest('hex'),
  };
  return value.replace(/\$\{\{ (\S+) \}\}/g, (_, name: string) => {
    if (known[name] === undefined) throw new Error(`the page does not say what ${name} is`);
    return known[name];
  });
}
