import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect } from 'vitest';
import { renderSolution } from '../../../../lib/flows/render/index.ts';
import { openInput, type SolutionInput } from '../../../../lib/flows/render/open.ts';
import { lend } from '../../../../lib/kernel/events/lend.ts';
import { connect } from '../../../../lib/parts/clusters/kubernetes/server/client/index.ts';
import { factsOf } from '../../../../lib/parts/clusters/kubernetes/server/cluster-facts.ts';
import { distinctObjects } from '../../../../lib/shared/rendering/distinct.ts';
import { renderAll } from '../../../../lib/shared/rendering/render.ts';
import { writeFiles } from '../../../support/cli.ts';
import { controlPlaneTest, sharedControlPlane } from '../../../support/control-plane.ts';
import { testFlow } from '../../../support/flow.ts';
import { judged, scratch } from '../../../support/judges.ts';
import { connectPlainly } from '../../../support/packing.ts';

const plane = sharedControlPlane();
const folder = scratch('lib-render');
const charts = join(import.meta.dirname, '../../../../fixtures/charts');
const input: SolutionInput = {
  definition: { definition: join(folder, 'solution.toml'), created: undefined, lock: 'use', connect: connectPlainly },
};

beforeAll(() => {
  for (const name of ['capabilities', 'crds']) cpSync(join(charts, name), join(folder, name), { recursive: true });
  const component = (name: string): string =>
    `[[components]]\nname = "${name}"\nkind = "helm"\npath = "${name}"\nnamespace = "shop"\ncreate-namespace = true\n`;
  writeFiles(folder, {
    'solution.toml': `name = "hello"\nversion = "1.0.0"\n${component('capabilities')}${component('crds')}`,
  });
});

const asked = { input, kubernetes: undefined, apiVersions: [], output: undefined };

describe('what is rendered without a cluster', () => {
  controlPlaneTest('is what the cluster of that version would get', async () => {
    const api = await connect(plane().kubeconfig, testFlow());
    const facts = factsOf(await api.discover(new AbortController().signal));
    await api.close();
    const here = await lend(await openInput(input, testFlow()), ({ solution }) =>
      renderAll([solution], { cluster: facts, variables: {}, timeout: 1 }, testFlow()),
    );
    const { components } = await renderSolution({ ...asked, kubernetes: facts.version }, testFlow());
    expect(components.map(({ objects }) => objects.length)).not.toContain(0);
    expect(components.map(({ objects }) => objects)).toEqual(
      distinctObjects(here.solutions)[0]!.components.map(({ objects }) => objects),
    );
  });

  judged('sees the version, what it serves, and what other components define', ['helm'], async () => {
    const facts = async (kubernetes: string, apiVersions: string[] = []): Promise<unknown> => {
      const { components } = await renderSolution({ ...asked, kubernetes, apiVersions }, testFlow());
      return components[0]!.objects.find(({ kind }) => kind === 'ConfigMap')?.['data'];
    };
    expect(await facts('1.29')).toMatchObject({ version: 'v1.29.0', budgets: 'true', monitors: 'false' });
    expect(await facts('1.33', ['monitoring.example.com/v1'])).toMatchObject({
      version: 'v1.33.0',
      monitors: 'true',
      distribution: 'prefer-same-zone',
    });
  });
});
