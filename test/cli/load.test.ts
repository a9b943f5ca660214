import { cpSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { jsonSchemas } from '../../cli/view/json.ts';
import { plant, plugin } from '../lib/parts/components/support.ts';
import { solpack, succeeds } from '../support/cli.ts';
import { judged, ok, scratch } from '../support/judges.ts';

const folder = scratch('cli-load');
const cwd = folder;

beforeAll(() => {
  cpSync(join(import.meta.dirname, '../../fixtures/components.d'), join(folder, 'components.d'), { recursive: true });
});

/** Runs `load`, which has to end with `exit` and one line about its error. */
async function refuses(args: readonly string[], exit: number, code: string): Promise<string> {
  const outcome = await solpack(['load', ...args, '--quiet'], { cwd });
  expect([outcome.code, outcome.stderr]).toEqual([exit, expect.stringContaining(`[${code}]`)]);
  expect(outcome.stderr).toMatch(/^(?:note: [^\n]*\n)*solpack: [^\n]*; [^\n]* \[[a-z-]+\]\n$/);
  return outcome.stderr;
}

describe('load', () => {
  judged('renders the example tree in order, and tells what it did', ['kubectl'], async () => {
    const args = ['load', 'components.d', '--variable', 'MICROSHIFT_NODENAME=edge-1', '--render', 'rendered'];
    const { code, stdout, stderr } = await solpack(args, { cwd });
    expect([code, stderr]).toEqual([0, expect.stringContaining('note: [030-motd] node edge-1\n')]);
    expect(stdout).toMatch(/^loaded components-d 0\.0\.0-sha256-[0-9a-f]{12} /);
    expect(stdout).toMatch(/^ {2}020-settings +kustomize +1 object$/m);
    const files = [...stdout.matchAll(/^ {2}rendered +(.*)$/gm)].map(([, file]) => file!);
    expect(files.map((file) => file.slice(folder.length))).toEqual([
      '/rendered/components-d/010-base.yaml',
      '/rendered/components-d/020-settings.yaml',
      '/rendered/components-d/030-motd.yaml',
    ]);
    const printed = await ok('kubectl', ['kustomize', join(folder, 'components.d/010-base')]);
    expect(readFileSync(files[0]!, 'utf8')).toContain(printed.slice(0, printed.indexOf('metadata')));
    expect(readFileSync(files[2]!, 'utf8')).toContain('edge-1');
  });

  judged('prints as JSON what its schema says', ['kubectl'], async () => {
    const args = ['load', 'components.d', '--render', 'json', '--name', 'edge', '--json', '--quiet'];
    const result: unknown = JSON.parse(await succeeds(args, { cwd }));
    expect(jsonSchemas.load.strict().parse(result)).toMatchObject({
      schemaVersion: 1,
      name: 'edge',
      objects: [],
      skipped: [],
    });
  });

  test('ends with the error of what failed, after it told of the rest', async () => {
    plant(join(folder, 'partly'), {
      '010-a/plugin': plugin('echo "no disk" >&2; exit 1'),
      '020-b/plugin': plugin('true'),
      'README.md': '',
    });
    const args = ['load', 'partly', '--render', 'part', '--keep-going', '--json', '--progress', 'none'];
    const { code, stdout, stderr } = await solpack(args, { cwd });
    expect(code).toBe(2);
    expect(jsonSchemas.load.strict().parse(JSON.parse(stdout))).toMatchObject({
      components: [{ state: 'failed', reason: expect.stringContaining('no disk') }, { state: 'empty' }],
      skipped: ['README.md'],
    });
    expect(stderr.trim().split('\n').at(-1)).toBe(
      'solpack: 010-a: run reports that this machine does not meet a precondition (code 1): no disk; meet the precondition, then try again [plugin-unmet]',
    );
    const human = await solpack(['load', 'partly', '--render', 'part', '--keep-going', '--quiet'], { cwd });
    expect(human.stdout).toMatch(
      /^loaded in part partly [^\n]*\n {2}010-a +plugin +failed\n {2}020-b +plugin +nothing to apply\n {2}MICROSHIFT_LOGVLEVEL +Normal +\(default\)\n/,
    );
    expect(await refuses(['partly', '--render', 'whole'], 2, 'plugin-unmet')).toContain('no disk');
    expect(existsSync(join(folder, 'whole'))).toBe(false);
  });

  test.each([
    [['components.d'], 'usage-invalid', 'give either --kubeconfig or --render'],
    [['components.d', '--render', 'x', '--kubeconfig', 'y'], 'usage-invalid', 'give either'],
    [['components.d', '--render', 'x', '--force-conflicts'], 'usage-invalid', '--force-conflicts'],
    [['components.d', '--render', 'x', '--variable', 'A=b'], 'usage-invalid', 'it has MICROSHIFT_BASEDOMAIN, '],
    [['components.d', '--render', 'x', '--variable', 'MICROSHIFT_NODEIP'], 'usage-invalid', 'is not NAME=VALUE'],
    [['components.d', '--render', 'x', '--variable', 'MICROSHIFT_LOGVLEVEL=loud'], 'usage-invalid', 'TraceAll'],
    [['components.d', '--render', 'x', '--name', 'A'], 'usage-invalid', 'is not a name that Kubernetes accepts'],
    [['components.d', '--render', 'x', '--retry-for', 'ever'], 'usage-invalid', '--retry-for'],
    [['components.d', '--render', 'x', '--timeout', '0'], 'usage-invalid', '--timeout'],
    [['components.d', '--render', 'x', '--wait-for-cluster'], 'usage-invalid', '--wait-for-cluster'],
    [['components.d', '--kubeconfig', 'x', '--wait-at-most', '1m'], 'usage-invalid', '--wait-for-cluster'],
    [['components.d', './components.d', '--render', 'x'], 'component-invalid', 'and so is'],
    [['none', '--render', 'x'], 'file-missing', 'none'],
    [['components.d/010-base', '--render', 'x'], 'component-invalid', 'holds no component'],
    [['components.d', '--render', 'x', '--variable', 'MICROSHIFT_BASEDOMAIN=A B'], 'plugin-misconfigured', 'A B'],
  ])('refuses %j in one line', async (args, code, words) => {
    expect(await refuses(args, 2, code)).toContain(words);
    expect(existsSync(join(folder, 'x'))).toBe(false);
  });
});
