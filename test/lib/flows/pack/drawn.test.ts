import { cpSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { check } from '../../../../lib/flows/pack/check.ts';
import { type PackRequest, pack } from '../../../../lib/flows/pack/index.ts';
import { writeFiles } from '../../../support/cli.ts';
import { testFlow } from '../../../support/flow.ts';
import { judged, scratch } from '../../../support/judges.ts';

const folder = scratch('pack-drawn');
cpSync('fixtures/charts/drawn', join(folder, 'drawn'), { recursive: true });
writeFiles(folder, {
  'plain/Chart.yaml': 'apiVersion: v2\nname: plain\nversion: 1.0.0\n',
  'plain/templates/a.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: plain}\ndata: {now: later}\n',
  'solution.toml': `name = "shop"
version = "1.0.0"
external-images = ["registry.example.com/guestbook/web:1.1.0"]
[[components]]
name = "web"
kind = "helm"
path = "drawn"
namespace = "default"
[[components]]
name = "plain"
kind = "helm"
path = "plain"
namespace = "default"
`,
});
const drawn = [
  { component: 'web', object: 'Job/default/*', paths: ['metadata.name'] },
  { component: 'web', object: 'Secret/default/web', paths: ['stringData.password', 'stringData.token'] },
  {
    component: 'web',
    object: 'Deployment/default/web',
    paths: ["spec.template.metadata.annotations['checksum/secret']"],
  },
];

judged(
  'pack tells which objects are drawn at random, also of a component that the lock proves unchanged',
  ['helm'],
  async () => {
    const request: PackRequest = {
      definition: join(folder, 'solution.toml'),
      output: join(folder, 'shop.iso'),
      created: undefined,
      lock: 'use',
      sign: undefined,
      connect: () => Promise.reject(new Error('this test has no registry')),
    };
    for (const rendered of [['helm web', 'helm plain', 'helm web'], []]) {
      const flow = testFlow();
      const result = await pack(request, flow);
      expect(result.drawn).toEqual(expect.arrayContaining(drawn));
      expect(result.drawn).toHaveLength(3);
      const steps = flow.events.flatMap((event) =>
        event.type === 'step' && event.step === 'render' ? event.subject : [],
      );
      expect(steps).toEqual(rendered);
      const notices = flow.events.flatMap((event) => (event.type === 'notice' ? [[event.subject, event.message]] : []));
      expect(notices).toEqual([
        ['web', expect.stringContaining('Secret/default/web (stringData.password, stringData.token)')],
      ]);
    }
    // The same lock for the same inputs, whatever is drawn.
    const lock = readFileSync(join(folder, 'solution.lock'), 'utf8');
    rmSync(join(folder, 'solution.lock'));
    await pack(request, testFlow());
    expect(readFileSync(join(folder, 'solution.lock'), 'utf8')).toBe(lock);
    const { ok, drawn: found } = await check(request, testFlow());
    expect([ok, found.length]).toEqual([true, 3]);
  },
);
