import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeAll, describe, expect } from 'vitest';
import { agentRunner, type RunningAgent } from '../support/agent.ts';
import { succeeds, writeFiles } from '../support/cli.ts';
import { controlPlaneTest, sharedControlPlane } from '../support/control-plane.ts';
import { scratch } from '../support/judges.ts';
import { dockerRegistry } from '../support/registry.ts';
import { until } from '../support/until.ts';

const folder = scratch('agent');
const at = (name: string): string => join(folder, name);
const plane = sharedControlPlane();
const registry = dockerRegistry(folder);
const running: RunningAgent[] = [];

const map = (colour: string): string => `apiVersion: v1
kind: ConfigMap
metadata: {name: settings, namespace: default}
data: {colour: ${colour}}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata: {name: reader, namespace: default}
rules: [{apiGroups: [""], resources: [configmaps], verbs: [get, update]}]
`;

const head = 'apiVersion: solutions.metalk8s.scality.com/v1alpha1\nkind: SolutionsConfiguration\n';
const configuration = (version: string): string =>
  `${head}metadata: {name: edge}\nsolutions: [{name: shop, activeVersion: "${version}", archives: [shop-1.0.0.iso, shop-2.0.0.iso]}]\n`;

let flags: string[];
let account: string;

beforeAll(async () => {
  for (const [version, colour] of [
    ['1.0.0', 'green'],
    ['2.0.0', 'blue'],
  ] as const) {
    writeFiles(folder, {
      [`${version}.manifest.yaml`]: map(colour),
      [`${version}.toml`]: `name = "shop"\nversion = "${version}"\n
[[components]]\nname = "web"\nkind = "manifests"\npath = "${version}.manifest.yaml"\n`,
      [`${version}.yaml`]: configuration(version),
    });
    await succeeds(['pack', at(`${version}.toml`), '-o', at(`shop-${version}.iso`), '--quiet']);
  }
});

/** Puts what `--manifests` prints into the cluster, and gives what runs an agent with exactly these rights. */
async function prepared(): Promise<void> {
  const { url } = await registry();
  flags = ['--registry', url, '--insecure-skip-verify', '--archives', folder];
  const printed = await succeeds(['agent', 'edge', ...flags, '--manifests', '-f', at('1.0.0.yaml')]);
  writeFileSync(at('agent.yaml'), printed);
  await plane().kubectl('apply', '-f', at('agent.yaml'));
  await plane().kubectl(
    'wait',
    '--for=condition=Established',
    'crd/solutionsconfigurations.solutions.metalk8s.scality.com',
  );
  account ??= await plane().userKubeconfig('system:serviceaccount:solpack-agent:solpack-agent');
}

type Condition = { type: string; status: string; reason: string; message: string; lastTransitionTime: string };
type Status = {
  observedGeneration?: number;
  generation?: number;
  conditions: Condition[];
  solutions: { name: string; version: string; conditions: Condition[] }[];
};

const starts = (...more: readonly string[]): RunningAgent => {
  const agent = agentRunner(['agent', 'edge', ...flags, '--kubeconfig', account, '--progress', 'lines', ...more]);
  running.push(agent);
  return agent;
};

afterEach(async () => {
  for (const agent of running.splice(0)) await agent.stop('SIGKILL');
});

const statusOf = async (): Promise<Status> => {
  const { stdout } = await plane().tried(['get', 'solutionsconfigurations', 'edge', '-o', 'jsonpath={.status}']);
  return stdout === '' ? { conditions: [], solutions: [] } : JSON.parse(stdout);
};
const transitionOf = ({ conditions }: Status, type: string): string | undefined =>
  conditions.find((one) => one.type === type)?.lastTransitionTime;
const merge = (patch: string): string[] => ['patch', 'solutionsconfiguration', 'edge', '--type', 'merge', '-p', patch];
const ready = ({ conditions }: Status): string => {
  const found = conditions.find(({ type }) => type === 'Ready');
  return `${found?.status} ${found?.reason}`;
};
/** Starts one, and waits until it leads. */
const leads = async (...more: readonly string[]): Promise<RunningAgent> => {
  const agent = starts(...more);
  await until(
    async () => agent.said(),
    (text) => /^lead /m.test(text),
  );
  return agent;
};
const probesOf = (agent: RunningAgent): string => /^listen +(\S+)$/m.exec(agent.said())?.[1] ?? '';
const untilReady = (wanted: string | RegExp, seconds = 60): Promise<string> =>
  until(
    async () => ready(await statusOf()),
    (found) => new RegExp(wanted).test(found),
    1000 * seconds,
  );
const colour = async (): Promise<string> =>
  (await plane().tried(['get', 'configmap', 'settings', '-o', 'jsonpath={.data.colour}'])).stdout;
const untilColour = (wanted: string, seconds = 30): Promise<string> =>
  until(colour, (one) => one === wanted, 1000 * seconds);
const eventsOf = async (): Promise<string> =>
  plane().kubectl(
    'get',
    'events',
    '-n',
    'default',
    '-o',
    'jsonpath={range .items[*]}{.type} {.reason} {.message}{"\\n"}{end}',
  );

describe('solpack agent, with exactly the rights that --manifests prints for its configuration', () => {
  controlPlaneTest('installs what the custom resource says, and tells how it is', async () => {
    await prepared();
    const agent = await leads();
    await plane().kubectl('apply', '-f', at('1.0.0.yaml'));
    await untilReady('^True Installed$');
    expect(await colour()).toBe('green');
    const status = await statusOf();
    expect(status).toMatchObject({
      observedGeneration: 1,
      generation: 1,
      solutions: [{ name: 'shop', version: '1.0.0' }],
      resolution: {
        solutions: [{ name: 'shop', version: '1.0.0', why: 'wanted', reason: expect.stringMatching(/./) }],
      },
    });
    expect(status.conditions.map(({ type, status: is }) => `${type} ${is}`)).toEqual([
      'Ready True',
      'Progressing False',
      'Degraded False',
    ]);
    expect(await eventsOf()).toMatch(
      /Normal Installing .*\nNormal Installed configuration edge is installed, as generation 1/,
    );
    expect(await agent.stop('SIGTERM')).toBe(0);
    const holder = await plane().kubectl(
      'get',
      'lease',
      'solpack-agent',
      '-n',
      'solpack-agent',
      '-o',
      'jsonpath={.spec.holderIdentity}',
    );
    expect(holder).toBe('');
  });

  controlPlaneTest('puts back within seconds what somebody changes or deletes, and tells who it was', async () => {
    const agent = await leads();
    await untilReady('^True Installed$');
    await plane().kubectl('patch', 'configmap', 'settings', '--type', 'merge', '-p', '{"data":{"colour":"red"}}');
    await untilColour('green', 10);
    await plane().kubectl('delete', 'configmap', 'settings');
    await untilColour('green', 10);
    expect(await eventsOf()).toMatch(
      /Normal Repaired changed ConfigMap\/default\/settings \(changed by kubectl-patch\)/,
    );
    expect(await eventsOf()).toMatch(/Normal Repaired created ConfigMap\/default\/settings/);
    await agent.stop('SIGTERM');
  });

  controlPlaneTest(
    'touches nothing for a configuration that is invalid, and says in status and Events why',
    async () => {
      starts();
      await untilReady('^True Installed$');
      const before = await plane().kubectl('get', 'configmaps,secrets', '-n', 'solpack-system', '-o', 'name');
      await plane().kubectl(...merge('{"solution":[]}'));
      await untilReady('^False ConfigurationInvalid$');
      const { conditions, solutions } = await statusOf();
      expect(conditions.find(({ type }) => type === 'Degraded')).toMatchObject({
        status: 'True',
        message: expect.stringMatching(/solution.*nothing changes until it is corrected/),
      });
      expect(solutions).toMatchObject([{ name: 'shop', version: '1.0.0' }]);
      expect(await eventsOf()).toMatch(/Warning ConfigurationInvalid /);
      expect(await plane().kubectl('get', 'configmaps,secrets', '-n', 'solpack-system', '-o', 'name')).toBe(before);
      await plane().kubectl(...merge('{"solution":null}'));
      await untilReady('^True Installed$');
    },
  );

  controlPlaneTest(
    'looks for nothing that a configuration names and may not, and does not say whether it is there',
    async () => {
      const agent = starts();
      await untilReady('^True Installed$');
      const messages: string[] = [];
      for (const entry of ['/etc/passwd', '/etc/nothing', 'http://127.0.0.1:1/', 'oci://127.0.0.1:1/a/b:1']) {
        const archives = ['shop-1.0.0.iso', entry];
        const solutions = [{ name: 'shop', activeVersion: '1.0.0', archives }];
        await plane().kubectl(...merge(JSON.stringify({ solutions })));
        await until(
          async () => (await statusOf()).conditions.find(({ type }) => type === 'Degraded')?.message ?? '',
          (message) => message.includes(entry.replace(/^oci:\/\/|:1$/g, '')) && !messages.includes(message),
        ).then((message) => messages.push(message));
        expect(ready(await statusOf())).toBe('False ConfigurationBounds');
      }
      const [there, missing] = messages;
      expect(there?.replace('passwd', 'nothing')).toBe(missing);
      await plane().kubectl('apply', '-f', at('1.0.0.yaml'));
      await untilReady('^True Installed$');
      await agent.stop('SIGTERM');
    },
  );

  controlPlaneTest(
    'installs another version when the configuration says so, and tells of one that is not there',
    async () => {
      const agent = starts();
      await plane().kubectl('apply', '-f', at('2.0.0.yaml'));
      await untilColour('blue');
      await untilReady('^True Installed$');
      expect(await statusOf()).toMatchObject({ solutions: [{ name: 'shop', version: '2.0.0' }] });
      const before = transitionOf(await statusOf(), 'Ready');
      writeFiles(folder, { '3.0.0.yaml': configuration('3.0.0') });
      await plane().kubectl('apply', '-f', at('3.0.0.yaml'));
      await untilReady('^False VersionAbsent$');
      expect(transitionOf(await statusOf(), 'Ready')).not.toBe(before);
      expect(await colour()).toBe('blue');
      await plane().kubectl('apply', '-f', at('1.0.0.yaml'));
      await untilColour('green');
      await agent.stop('SIGTERM');
    },
  );

  controlPlaneTest(
    'removes nothing because a medium is empty, or its folder is not there, and goes on once it is back',
    async () => {
      const agent = starts();
      await untilReady('^True Installed$');
      mkdirSync(at('stick'));
      for (const entry of ['stick', 'stick/*.iso', 'nowhere']) {
        await plane().kubectl(...merge(JSON.stringify({ solutions: [{ name: 'shop', archives: [entry] }] })));
        await until(
          async () => (await statusOf()).conditions.find(({ type }) => type === 'Degraded')?.message ?? '',
          (message) => message.includes(entry),
        );
        expect(ready(await statusOf())).toBe('False ArchiveGone');
        expect(await colour()).toBe('green');
      }
      await plane().kubectl('apply', '-f', at('1.0.0.yaml'));
      await untilReady('^True Installed$');
      await agent.stop('SIGTERM');
    },
  );

  controlPlaneTest(
    'leaves what it brought where the configuration is deleted, and tells of one that comes anew',
    async () => {
      const agent = await leads('--probes', '127.0.0.1:0');
      // The status may be of the agent before: what was never seen cannot be missed.
      await until(
        async () => (await fetch(`${probesOf(agent)}/metrics`)).text(),
        (text) => /^solpack_agent_ready 1$/m.test(text),
      );
      await plane().kubectl('delete', 'solutionsconfiguration', 'edge');
      await until(eventsOf, (text) =>
        /Warning Gone SolutionsConfiguration edge is gone: what it has installed stays/.test(text),
      );
      expect(agent.said()).toMatch(/^wait +SolutionsConfiguration edge is not there$/m);
      await plane().kubectl('delete', 'configmap', 'settings');
      await plane().kubectl('apply', '-f', at('1.0.0.yaml'));
      await plane().kubectl('wait', '--for=condition=Ready', 'solutionsconfiguration/edge', '--timeout=30s');
      await untilColour('green');
      // The columns that people see.
      const [names, values] = (await plane().kubectl('get', 'solutionsconfigurations')).trim().split('\n');
      expect(names?.split(/ +/)).toEqual(['NAME', 'READY', 'REASON', 'GENERATION', 'AGE']);
      expect(values?.split(/ +/).slice(0, 3)).toEqual(['edge', 'True', 'Installed']);
      expect(await agent.stop('SIGTERM')).toBe(0);
    },
  );

  controlPlaneTest('goes on when the API server was away', async () => {
    const agent = await leads();
    await untilReady('^True Installed$');
    await plane().restart(async () => {
      await until(
        async () => agent.said(),
        (text) => /retrying/.test(text),
      );
    });
    await plane().kubectl('patch', 'configmap', 'settings', '--type', 'merge', '-p', '{"data":{"colour":"red"}}');
    await untilColour('green', 60);
    expect(await agent.stop('SIGTERM')).toBe(0);
  });

  controlPlaneTest(
    'lets one of two replicas work, and the other one go on where that was killed half-way',
    async () => {
      const first = starts();
      await until(
        async () => first.said(),
        (text) => /^lead /m.test(text),
      );
      const second = starts();
      await until(
        async () => second.said(),
        (text) => /^wait .* leads$/m.test(text),
      );
      // Version 2 is being brought about when its bringer is gone.
      await plane().kubectl('apply', '-f', at('2.0.0.yaml'));
      await until(
        async () => first.said(),
        (text) => /shop-2.0.0.iso\)$/m.test(text),
      );
      await first.stop('SIGKILL');
      await until(
        async () => second.said(),
        (text) => /^lead /m.test(text),
      );
      await untilColour('blue', 60);
      await untilReady('^True Installed$');
      expect(second.said()).not.toMatch(/configuration-busy/);
      expect(await second.stop('SIGTERM')).toBe(0);
    },
  );
});

describe('solpack agent of a ConfigMap, with the rights for Solutions that nobody knows yet', () => {
  const lease = ['--lease', 'solpack-agent/other'];

  controlPlaneTest('follows it, has its status beside it, and answers probes', async () => {
    await prepared();
    const words = ['agent', '--config-map', 'team/solutions', ...flags];
    await plane().kubectl('create', 'namespace', 'team');
    writeFileSync(at('map.yaml'), await succeeds([...words, '--manifests']));
    await plane().kubectl('apply', '-f', at('map.yaml'));
    await plane().kubectl(
      'create',
      'configmap',
      'solutions',
      '-n',
      'team',
      `--from-file=solutions.yaml=${at('1.0.0.yaml')}`,
    );
    const agent = agentRunner([
      ...words,
      ...lease,
      '--kubeconfig',
      account,
      '--probes',
      '127.0.0.1:0',
      '--progress',
      'lines',
    ]);
    running.push(agent);
    const told = async (): Promise<string> =>
      (
        await plane().tried([
          'get',
          'configmap',
          'solutions-status',
          '-n',
          'team',
          '-o',
          'jsonpath={.data.status\\.json}',
        ])
      ).stdout;
    await until(told, (text) => text !== '' && ready(JSON.parse(text)) === 'True Installed');
    await untilColour('green');
    const found = probesOf(agent);
    expect(await (await fetch(`${found}/readyz`)).text()).toBe('ok\n');
    expect(await (await fetch(`${found}/metrics`)).text()).toMatch(/^solpack_agent_leader 1$/m);
    expect((await fetch(`${found}/nothing`)).status).toBe(404);
    expect(await agent.stop('SIGTERM')).toBe(0);
  });
});
