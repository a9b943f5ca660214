import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { writeFiles } from '../support/cli.ts';
import { controlPlaneTest, sharedControlPlane } from '../support/control-plane.ts';
import { solpackHere } from '../support/here.ts';
import { judged, type Outcome, ok, run, scratch } from '../support/judges.ts';
import { until } from '../support/until.ts';

const folder = scratch('boot');
const plane = sharedControlPlane();
const space = ['-n', 'solpack-loader'];

const trusted = ['--key', 'release.pub'];
const boot = (...more: readonly string[]): Promise<Outcome> =>
  solpackHere(
    [
      ...['boot', '-f', 'solutions.yaml', '--kubeconfig', plane().kubeconfig],
      ...['--parameter', 'site.yaml', '--image', 'solpack:1', ...more],
    ],
    { cwd: folder },
  );

interface Listed<T> {
  readonly items: readonly (T & { readonly metadata: { readonly name: string; readonly uid: string } })[];
}
const listed = async <T = object>(kind: string): Promise<Listed<T>['items']> =>
  (JSON.parse(await plane().kubectl('get', kind, ...space, '-o', 'json')) as Listed<T>).items;

const endedPods = new Set<string>();

/** Waits for the next Pod of a loader, and has it end with that code, as its node would. */
async function podEnds(exitCode: number, progress?: object): Promise<void> {
  const isNew = ({ metadata }: { metadata: { name: string } }): boolean => !endedPods.has(metadata.name);
  const pods = await until(
    () => listed('pods'),
    (found) => found.some(isNew),
  );
  const runner = pods.find(isNew)!.metadata.name;
  endedPods.add(runner);
  if (progress !== undefined) {
    const time = '2026-01-01T00:00:00.000Z';
    const whole = { since: time, renewed: time, runner, attempt: 1, components: [], ...progress };
    const data = { 'progress.json': JSON.stringify(whole) };
    await plane().kubectl(
      'patch',
      'configmap',
      'solpack-loader',
      ...space,
      '--type=merge',
      '-p',
      JSON.stringify({ data }),
    );
  }
  const at = '2026-01-01T00:00:00Z';
  const terminated = { exitCode, startedAt: at, finishedAt: at, reason: exitCode === 0 ? 'Completed' : 'Error' };
  const status = {
    phase: exitCode === 0 ? 'Succeeded' : 'Failed',
    containerStatuses: [
      { name: 'loader', image: 'solpack:1', imageID: '', ready: false, restartCount: 0, state: { terminated } },
    ],
  };
  await plane().kubectl(
    'patch',
    'pod',
    runner,
    ...space,
    '--subresource=status',
    '--type=merge',
    '-p',
    JSON.stringify({ status }),
  );
}

beforeAll(() =>
  writeFiles(folder, {
    'solutions.yaml':
      'apiVersion: solutions.metalk8s.scality.com/v1alpha1\nkind: SolutionsConfiguration\nmetadata: {name: edge}\n',
    'site.yaml': 'greeting: ahoy\n',
    'release.pub': 'a key\n',
    'other/site.yaml': 'other\n',
  }),
);

describe('a boot on a real API server', () => {
  controlPlaneTest('makes parameters, Job and repair, and ends with the Job', async () => {
    const [{ code, stdout, stderr }] = await Promise.all([
      boot(
        ...trusted,
        '--schedule',
        '*/30 * * * *',
        '--json',
        '--served-at',
        'http://127.0.0.1:5000',
        '--',
        '--strict',
      ),
      podEnds(0, { state: 'ready' }),
    ]);
    expect([code, stderr]).toEqual([0, expect.anything()]);
    const [job] = await listed<{ spec: { template: { spec: { containers: { args: string[] }[] } } } }>('jobs');
    expect(JSON.parse(stdout)).toMatchObject({ job: job!.metadata.name, attempt: 1, schedule: '*/30 * * * *' });
    const args = job!.spec.template.spec.containers[0]!.args.join(' ');
    expect(args).toContain('install -f /etc/solpack/solutions.yaml');
    expect(args).toContain('--served-at http://127.0.0.1:5000');
    expect(args).toContain('--key /etc/solpack/release.pub --strict');
    const maps = await listed<{ data: Record<string, string> }>('configmaps');
    const settings = maps.find(({ metadata }) => metadata.name === 'solpack-settings');
    expect(Object.keys(settings!.data).sort()).toEqual(['release.pub', 'site.yaml', 'solutions.yaml']);
    expect(await plane().kubectl('get', 'cronjob', '-n', 'solpack-repair', '-o', 'name')).toContain('solpack-repair');
  });

  controlPlaneTest('ends with the code of the install, and makes the Job again with other parameters', async () => {
    const [before] = await listed('jobs');
    writeFiles(folder, { 'site.yaml': 'greeting: ho\n' });
    const failed = { state: 'failed', code: 'not-trusted', reason: 'edge-1.0.0.iso: is signed by nobody' };
    const [{ code, stderr }] = await Promise.all([boot(...trusted), podEnds(3, failed)]);
    expect([code, stderr]).toEqual([3, expect.stringContaining('edge-1.0.0.iso: is signed by nobody')]);
    const jobs = await listed('jobs');
    expect(jobs.map(({ metadata }) => metadata.name)).not.toContain(before!.metadata.name);
    const maps = await listed<{ data: Record<string, string> }>('configmaps');
    expect(maps.find(({ metadata }) => metadata.name === 'solpack-settings')!.data['site.yaml']).toBe('greeting: ho\n');
  });

  controlPlaneTest('says why nothing runs once it has waited long enough, and goes on later', async () => {
    const { code, stderr } = await boot(...trusted, '--end-within', '5s');
    expect([code, stderr]).toEqual([5, expect.stringContaining('has not ended in time')]);
    const [again] = await Promise.all([boot(...trusted), podEnds(0, { state: 'ready' })]);
    expect([again.code, again.stderr]).toEqual([0, expect.stringContaining('still runs, and is followed')]);
  });
});

describe('a boot', () => {
  const here = (...more: readonly string[]): Promise<Outcome> =>
    solpackHere(['boot', '-f', 'solutions.yaml', '--image', 'solpack:1', '--kubeconfig', 'none', ...more], {
      cwd: folder,
    });

  test('needs one way to trust, and files of different names', async () => {
    expect((await here()).stderr).toContain('needs one way to trust');
    expect((await here(...trusted, '--insecure-skip-verify')).stderr).toContain('needs one way to trust');
    const twice = await here(...trusted, '--parameter', 'site.yaml', '--parameter', 'other/site.yaml');
    expect([twice.code, twice.stderr]).toEqual([2, expect.stringContaining('has the name of another file, site.yaml')]);
    expect((await here('--key', 'absent.pub')).code).toBe(2);
  });

  test('waits for a cluster that does not come no longer than it is asked to', async () => {
    const { code, stderr } = await here(...trusted, '--wait-at-most', '1s');
    expect([code, stderr]).toEqual([2, expect.stringContaining('none')]);
  });

  judged('is a service that systemd accepts', ['systemd-analyze'], async () => {
    const page = readFileSync(join(import.meta.dirname, '../../docs/in-cluster.md'), 'utf8');
    const unit = /```ini\n(\[Unit\][^`]*solpack boot[^`]*)```/.exec(page)?.[1] ?? '';
    expect(unit).toContain('ExecStart=/usr/local/bin/solpack boot');
    writeFiles(folder, { 'solpack-boot.service': unit.replace('/usr/local/bin/solpack', process.execPath) });
    const { code, stderr } = await run('systemd-analyze', ['verify', '--man=no', join(folder, 'solpack-boot.service')]);
    expect(`${code} ${stderr}`).not.toMatch(/solpack-boot/);
    expect(code).toBe(0);
    expect(await ok('systemd-analyze', ['--version'])).toMatch(/^systemd/);
  });
});
