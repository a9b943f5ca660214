import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { tektonKinds } from '../../scripts/judges/tekton.ts';
import { controlPlaneTest, sharedControlPlane } from '../support/control-plane.ts';
import { type Judge, judged, scratch } from '../support/judges.ts';
import { gitHub } from '../support/pipelines/github.ts';
import { gitLab } from '../support/pipelines/gitlab.ts';
import { jenkins } from '../support/pipelines/jenkins.ts';
import { partsOf, shStepsOf } from '../support/pipelines/jenkinsfile.ts';
import { faults, type PipelineRun, reportsOf, type Service, type Site, siteMaker } from '../support/pipelines/site.ts';
import { tekton } from '../support/pipelines/tekton.ts';
import { dockerRegistry, user } from '../support/registry.ts';
import { eventually } from '../support/until.ts';

const page = readFileSync(join(import.meta.dirname, '../../docs/pipelines.md'), 'utf8');
const folder = scratch('pipelines');
const registry = dockerRegistry(folder, { htpasswd: true });
let makeSite: Awaited<ReturnType<typeof siteMaker>>;

beforeAll(async () => {
  makeSite = await siteMaker(folder);
});

/** The one block of code below a heading of the page. */
function blockBelow(heading: string): string {
  const section = page.split(`\n## ${heading}\n`)[1]!.split('\n## ')[0]!;
  const [block, ...more] = [...section.matchAll(/^```\w+\n([\s\S]*?)^```$/gm)].map(([, text]) => text!);
  expect(more).toEqual([]);
  return block!;
}

const services: readonly [heading: string, name: string, service: Service, needed: readonly Judge[]][] = [
  ['GitHub Actions', 'github', gitHub, ['actionlint', 'bash', 'curl', 'jq', 'sha256sum']],
  ['GitLab CI', 'gitlab', gitLab, ['bash', 'git', 'gitlab-ci-local', 'rsync']],
  ['Tekton', 'tekton', tekton, []],
  ['Jenkins', 'jenkins', jenkins, []],
];

/** The digest that the registry has under the version, or undefined where nothing was pushed. */
async function pushed({ repository }: Site): Promise<string | undefined> {
  const { url } = await registry();
  const path = repository.slice(repository.indexOf('/') + 1);
  const login = Buffer.from(`${user.username}:${user.password}`).toString('base64');
  const headers = { authorization: `Basic ${login}`, accept: 'application/vnd.oci.image.index.v1+json' };
  const response = await fetch(`${url}/v2/${path}/manifests/1.0.0`, { method: 'HEAD', headers });
  return response.headers.get('docker-content-digest') ?? undefined;
}

/** Expects that no secret was anywhere but in files that only their user reads, and that none of these is left. */
function expectSecretsKept({ log }: PipelineRun, { calls, secrets, temporary }: Site): void {
  const [, inner] = secrets.key.split('\n');
  const words = calls().flatMap(({ args }) => args);
  for (const secret of [inner!, secrets.passphrase, secrets.auth]) {
    expect(log).not.toContain(secret);
    expect(words.filter((word) => word.includes(secret))).toEqual([]);
  }
  const files = calls().flatMap(({ args, modes }) =>
    args.flatMap((word, at) => {
      const secret = word === '--passphrase-file' || word === '--authfile' || word === '--private-key';
      return secret ? [[word, modes.get(args[at + 1]!)]] : [];
    }),
  );
  expect(files.every(([, mode]) => mode === '600' || mode === '400')).toBe(true);
  expect(files.map(([flag]) => flag)).toEqual(expect.arrayContaining(['--private-key', '--passphrase-file']));
  expect(readdirSync(temporary).filter((name) => name !== 'bin')).toEqual([]);
}

describe.each(services)('the pipeline for %s', (heading, name, service, needed) => {
  const pipeline = blockBelow(heading);
  const judges: readonly Judge[] = ['docker-registry', ...needed];
  const site = async (kind: string, tag = true): Promise<Site> =>
    makeSite(`${name}-${kind}`, (await registry()).host, tag);

  judged('checks, packs, signs, verifies and pushes a Solution, and keeps its secrets', judges, async () => {
    const here = await site('sound');
    const run = await service(pipeline, here);
    expect([run.failed, run.kept], run.log).toEqual([undefined, reportsOf]);
    expect(here.calls().map(({ args }) => args[0])).toEqual(['check', 'pack', 'sign', 'verify', 'push']);
    expect(await pushed(here)).toMatch(/^sha256:/);
    expectSecretsKept(run, here);
  });

  // Whoever makes a TaskRun decides what it is for.
  if (name !== 'tekton') {
    judged('packs on a branch, and neither signs nor pushes', judges, async () => {
      const here = await site('branch', false);
      const run = await service(pipeline, here);
      expect(run.failed, run.log).toBeUndefined();
      expect(here.calls().map(({ args }) => args[0])).toEqual(['check', 'pack']);
    });
  }

  // The commands are the same everywhere, so that one service tells for all how a stale lock ends.
  const ends = { check: 1, ...(name === 'github' ? { pack: 2 } : {}), verify: 3 };
  for (const [step, code] of Object.entries(ends)) {
    judged(`ends with ${code} at ${step} where that finds something, and pushes nothing`, judges, async () => {
      const here = await site(step);
      faults[step]!(here);
      const run = await service(pipeline, here);
      // At GitLab, it is a job that ends.
      const ended = name === 'gitlab' && step === 'verify' ? 'release' : step;
      expect(run.failed, run.log).toEqual({ step: ended, code });
      expect(here.calls().at(-1)!.args[0]).toBe(step);
      expect(await pushed(here)).toBeUndefined();
    });
  }
});

describe('Tekton', () => {
  const plane = sharedControlPlane();

  controlPlaneTest('knows every field of the Task and the TaskRun', async () => {
    await plane().kubectl('apply', '--server-side', '-f', tektonKinds);
    const tried = (input: string) =>
      plane().tried(['create', '--dry-run=server', '--validate=strict', '-f', '-'], { input });
    const block = blockBelow('Tekton');
    // A little while passes until a server serves kinds that it has just got to know.
    await eventually(() => tried(block)).toMatchObject({ code: 0, stderr: '' });
    expect((await tried(block.replace('workingDir:', 'workDir:'))).stderr).toContain('unknown field');
  });
});

describe('of a Jenkinsfile', () => {
  const steps = (inner: string): unknown =>
    shStepsOf(partsOf(`pipeline {\n stages {\n stage('a') {\n steps {\n${inner}\n}\n}\n}\n}`));

  test('steps are read with the secret files that they see', () => {
    const bound =
      "withCredentials([file(credentialsId: 'x', variable: 'X'), file(credentialsId: 'y', variable: 'Y')]) {";
    expect(steps(`sh 'one'\n${bound}\nsh 'two "$X"'\n}`)).toEqual([
      { stage: 'a', script: 'one', forTags: false, files: {} },
      { stage: 'a', script: 'two "$X"', forTags: false, files: { X: 'x', Y: 'y' } },
    ]);
  });

  test.each([
    ['a step that is none of the shell', "echo 'a'"],
    ['a secret that is not a file', "withCredentials([string(credentialsId: 'x', variable: 'X')]) {\nsh 'a'\n}"],
    ['a string that Groovy changes', 'sh "echo $KEY"'],
    ['an escape', "sh 'printf a\\n'"],
    ['a brace too many', '}\n}\n}\n}\n}'],
    ['a brace too few', 'script {'],
  ])('%s is not passed over', (_, inner) => {
    expect(() => steps(inner)).toThrow();
  });
});
