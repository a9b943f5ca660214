import { writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { jsonSchemas } from '../../cli/view/json.ts';
import { rowOf } from '../attacks/table.ts';
import { agentRunner, type RunningAgent } from '../support/agent.ts';
import { solpack, succeeds, writeFiles } from '../support/cli.ts';
import { controlPlaneTest, sharedControlPlane } from '../support/control-plane.ts';
import { type Outcome, run, scratch, toolFolder } from '../support/judges.ts';
import { solpackNamed } from '../support/kubectl-plugin.ts';
import { dockerRegistry } from '../support/registry.ts';
import { until } from '../support/until.ts';

const folder = scratch('agent-approval');
const at = (name: string): string => join(folder, name);
const plane = sharedControlPlane();
const registry = dockerRegistry(folder);
const running: RunningAgent[] = [];
/** Milliseconds: an agent begins only once it leads, and plans twice where a plan is outdated. */
const PATIENCE = 240_000;
const GROUP = 'solutions.metalk8s.scality.com';

const map = (colour: string): string =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: settings, namespace: default}\ndata: {colour: ${colour}}\n`;
const configuration = (version: string): string => `apiVersion: ${GROUP}/v1alpha1
kind: SolutionsConfiguration
metadata: {name: edge}
solutions: [{name: shop, activeVersion: "${version}", archives: [shop-1.0.0.iso, shop-2.0.0.iso, shop-3.0.0.iso]}]
`;

/** Who there is, and what each may do with what is of solpack. */
const people = {
  // Whoever proposes may write the configuration, and read all.
  tenant: ['get,list,create,patch,update', 'solutionsconfigurations'],
  approver: ['get,create,patch', 'solutionsapprovals'],
} as const;

let flags: string[];
let account: string;
let tenant: string;
let approver: string;

beforeAll(async () => {
  for (const [version, colour] of [
    ['1.0.0', 'green'],
    ['2.0.0', 'blue'],
    ['3.0.0', 'red'],
  ] as const) {
    writeFiles(folder, {
      [`${version}.manifest.yaml`]: map(colour),
      [`${version}.toml`]: `name = "shop"\nversion = "${version}"\n
[[components]]\nname = "web"\nkind = "manifests"\npath = "${version}.manifest.yaml"\n`,
      [`${version}.yaml`]: configuration(version),
    });
    await succeeds(['pack', at(`${version}.toml`), '-o', at(`shop-${version}.iso`), '--quiet']);
  }
  // The same executable under the name by which kubectl finds it.
  solpackNamed('kubectl-solpack', at('bin'));
});

afterEach(async () => {
  for (const agent of running.splice(0)) await agent.stop('SIGTERM');
});

/** Puts what `--manifests` prints into the cluster, and makes everybody with exactly their rights. */
async function prepared(): Promise<void> {
  const { url } = await registry();
  const words = ['--registry', url, '--insecure-skip-verify', '--archives', folder, '--approve', 'manual'];
  flags = [...words, '--every', '5s'];
  const printed = await succeeds(['agent', 'edge', ...flags, '--manifests', '-f', at('1.0.0.yaml')]);
  writeFileSync(at('agent.yaml'), printed);
  const { kubectl } = plane();
  await kubectl('apply', '-f', at('agent.yaml'));
  for (const plural of ['solutionsconfigurations', 'solutionsapprovals']) {
    await kubectl('wait', '--for=condition=Established', `crd/${plural}.${GROUP}`);
  }
  for (const [user, [verbs, resource]] of Object.entries(people)) {
    await kubectl('create', 'clusterrole', user, `--verb=${verbs}`, `--resource=${resource}.${GROUP}`);
    await kubectl('create', 'clusterrolebinding', user, `--clusterrole=${user}`, `--user=${user}`);
    await kubectl('create', 'clusterrolebinding', `${user}-reads`, '--clusterrole=reads', `--user=${user}`);
  }
  const read = `--resource=solutionsconfigurations.${GROUP},solutionsapprovals.${GROUP}`;
  await kubectl('create', 'clusterrole', 'reads', '--verb=get,list', read);
  account = await plane().userKubeconfig('system:serviceaccount:solpack-agent:solpack-agent');
  tenant = await plane().userKubeconfig('tenant');
  approver = await plane().userKubeconfig('approver');
}

const starts = (): RunningAgent => {
  const agent = agentRunner(['agent', 'edge', ...flags, '--kubeconfig', account, '--progress', 'lines']);
  running.push(agent);
  return agent;
};
/** Runs `kubectl solpack` as somebody. */
const plugin = (kubeconfig: string, ...words: readonly string[]): Promise<Outcome> => {
  const path = [at('bin'), toolFolder, process.env['PATH']].join(delimiter);
  return run('kubectl', ['solpack', ...words], { env: { KUBECONFIG: kubeconfig, PATH: path } });
};
const applied = (user: string, version: string): Promise<Outcome> =>
  plane().tried(['--kubeconfig', user, 'apply', '-f', at(`${version}.yaml`)]);
const statusAt = async (path: string): Promise<string> =>
  (await plane().tried(['get', 'solutionsconfigurations', 'edge', '-o', `jsonpath={${path}}`])).stdout;
const reason = (): Promise<string> => statusAt('.status.conditions[?(@.type=="Ready")].reason');
const sealThere = (): Promise<string> => statusAt('.status.plan.seal');
const untilReason = (wanted: string): Promise<string> => until(reason, (found) => found === wanted, PATIENCE);
/** Waits until another plan than that of a seal waits, and returns its seal. */
const untilPlan = async (before = ''): Promise<string> => {
  const seal = await until(sealThere, (found) => found !== '' && found !== before, PATIENCE);
  await untilReason('AwaitingApproval');
  return seal;
};
const colour = async (): Promise<string> =>
  (await plane().tried(['get', 'configmap', 'settings', '-o', 'jsonpath={.data.colour}'])).stdout;
const untilColour = (wanted: string): Promise<string> => until(colour, (one) => one === wanted, PATIENCE);
const codeOf = ({ stderr }: Outcome): string | undefined => /\[([a-z-]+)\]\n/.exec(stderr)?.[1];
const expectRow = (attack: string, outcome: Outcome): void => {
  const { codes, exit } = rowOf(attack);
  expect([codeOf(outcome), outcome.code]).toEqual([codes[0], exit]);
};

describe('solpack agent --approve manual, with exactly the rights that --manifests prints', () => {
  controlPlaneTest('installs nothing before somebody has approved the plan that its status has', async () => {
    await prepared();
    starts();
    expect((await applied(tenant, '1.0.0')).code).toBe(0);
    const seal = await untilPlan();
    expect(await statusAt('.status.plan.changes')).toContain('"subject":"ConfigMap/default/settings"');
    expect(await statusAt('.status.plan.state')).toBe('Waiting');
    expect(await statusAt('.status.plan.rights.needed')).toContain('configmaps');
    const conditions = await statusAt('range .status.conditions[*]}{.type}={.status} {end');
    expect(conditions.trim().split(' ').sort()).toEqual(['Degraded=False', 'Progressing=False', 'Ready=False']);

    const shown = await plugin(approver, 'plan', 'edge');
    expect([shown.code, shown.stdout]).toEqual([0, expect.stringContaining('+ ConfigMap/default/settings')]);
    expect(shown.stdout).toContain(`approve edge --seal ${seal}`);
    const parsed = jsonSchemas.approval.parse(JSON.parse((await plugin(approver, 'plan', 'edge', '--json')).stdout));
    expect([parsed.state, parsed.plan.seal]).toEqual(['Waiting', seal]);

    // The plan is made again meanwhile, and stays the same.
    await plane().kubectl('annotate', 'solutionsconfiguration', 'edge', 'touched=yes');
    expect([await sealThere(), await colour()]).toEqual([seal, '']);

    const approved = await plugin(approver, 'approve', 'edge', '--seal', seal, '--reason', 'as agreed');
    expect([approved.code, approved.stdout]).toEqual([0, expect.stringContaining('approved (as agreed)')]);
    await untilColour('green');
    await untilReason('Installed');
    expect(await statusAt('.status.plan')).toBe('');
    expect(codeOf(await plugin(approver, 'plan', 'edge'))).toBe('plan-absent');
  });

  controlPlaneTest(
    'lets nobody approve who may only write the configuration, nor propose who may only approve',
    async () => {
      starts();
      await applied(tenant, '2.0.0');
      const seal = await untilPlan();
      const attack = 'an approval by whoever may write the configuration alone';
      expectRow(attack, await plugin(tenant, 'approve', 'edge', '--seal', seal));
      const spec = { seal, decision: 'Approved' };
      const object = { apiVersion: `${GROUP}/v1alpha1`, kind: 'SolutionsApproval', metadata: { name: 'edge' }, spec };
      const forged = await plane().tried(['--kubeconfig', tenant, 'apply', '-f', '-'], {
        input: JSON.stringify(object),
      });
      expect(forged.stderr).toMatch(/Forbidden/);
      // Nor does what the configuration says about itself count.
      const status = { status: { plan: { seal, state: 'Approved' } } };
      const patch = ['patch', 'solutionsconfiguration', 'edge', '--type', 'merge', '-p', JSON.stringify(status)];
      await plane().tried(['--kubeconfig', tenant, ...patch]);
      expect(await plane().tried(['--kubeconfig', tenant, ...patch, '--subresource', 'status'])).toMatchObject({
        code: 1,
      });
      expect((await applied(approver, '3.0.0')).stderr).toMatch(/forbidden/i);
      expect([await colour(), await sealThere()]).toEqual(['green', seal]);
      // The agent itself cannot approve either.
      expect(codeOf(await plugin(account, 'approve', 'edge', '--seal', seal))).toBe('cluster-forbidden');
    },
  );

  controlPlaneTest(
    'waits again if the configuration changes after its approval, and for a seal of before',
    async () => {
      const before = await sealThere();
      // Approved while nobody was there to carry it out, and changed since.
      expect((await plugin(approver, 'approve', 'edge', '--seal', before)).code).toBe(0);
      await applied(tenant, '3.0.0');
      starts();
      const seal = await untilPlan(before);
      expect(await colour()).toBe('green');
      const attack = 'an approval of a plan that was replaced since it was read';
      expectRow(attack, await plugin(approver, 'approve', 'edge', '--seal', before));
      // What was proposed before is another plan, although it would do the same.
      await applied(tenant, '2.0.0');
      const again = await untilPlan(seal);
      expect([again === before, await colour()]).toEqual([false, 'green']);
    },
  );

  controlPlaneTest('waits again if the cluster changes after the plan was made', async () => {
    starts();
    const before = await untilPlan();
    // The object is another one than that of the plan.
    await plane().kubectl('delete', 'configmap', 'settings');
    await untilColour('green');
    expect((await plugin(approver, 'approve', 'edge', '--seal', before)).code).not.toBe(70);
    const seal = await untilPlan(before);
    expect(await colour()).toBe('green');
    expect((await plugin(approver, 'approve', 'edge', '--seal', seal)).code).toBe(0);
    await untilColour('blue');
    await untilReason('Installed');
  });

  controlPlaneTest(
    'does nothing that was denied, heals meanwhile, and goes on where another agent has waited',
    async () => {
      const first = starts();
      await applied(tenant, '3.0.0');
      const seal = await untilPlan();
      const denied = await plugin(approver, 'deny', 'edge', '--reason', 'not before the weekend');
      expect([denied.code, denied.stdout]).toEqual([0, expect.stringContaining('denied (not before the weekend)')]);
      await untilReason('Denied');
      await plane().kubectl('patch', 'configmap', 'settings', '--type', 'merge', '-p', '{"data":{"colour":"grey"}}');
      await untilColour('blue');
      const listed = await plugin(approver, 'status');
      expect(listed.stdout).toMatch(/^edge +not ready +Denied +generation \d+\n.*\n {2}plan denied: /);
      await first.stop('SIGTERM');
      const now = await sealThere();
      expect(seal).toMatch(/^[0-9a-f]{32}:/);
      expect((await plugin(approver, 'approve', 'edge', '--seal', now)).code).toBe(0);
      starts();
      await untilColour('red');
      await untilReason('Installed');
    },
  );
});

describe('what cannot be approved', () => {
  const words = ['--registry', 'http://127.0.0.1:1', '--insecure-skip-verify', '--approve', 'manual', '--manifests'];

  test('is what a ConfigMap says: whoever may create one may create its approval', async () => {
    const { code, stderr } = await solpack(['agent', '--config-map', 'team/solutions', ...words]);
    expect([code, stderr]).toEqual([2, expect.stringMatching(/^solpack: --approve: is not for a ConfigMap; /)]);
  });

  test('is what a loader installs', async () => {
    const { code, stderr } = await solpack(['agent', '--part', 'loader', ...words]);
    expect([code, stderr]).toEqual([2, expect.stringMatching(/^solpack: --approve: is not for the part loader; /)]);
  });

  test('has no rights and no definition where nobody has to approve', async () => {
    const printed = await succeeds(['agent', ...words.filter((word) => !['--approve', 'manual'].includes(word))]);
    expect(printed).not.toContain('solutionsapprovals');
  });
});
