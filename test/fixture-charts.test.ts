import { cpSync, existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { judged, ok, scratch } from './support/judges.ts';

const folder = scratch('fixture-charts');
const charts = join(folder, 'charts');
cpSync(join(import.meta.dirname, '../fixtures/charts'), charts, { recursive: true });
const names = readdirSync(charts).sort();

const home = join(folder, 'helm');
const env = { HELM_CACHE_HOME: home, HELM_CONFIG_HOME: home, HELM_DATA_HOME: home };
const helm = (...args: string[]) => ok('helm', args, { env });
const rendered = (name: string) => helm('template', 'x', join(charts, name));

describe('the charts in fixtures/charts', () => {
  judged('are accepted by helm lint, and their locks name what they depend on', ['helm'], async () => {
    for (const name of names) {
      const chart = join(charts, name);
      if (existsSync(join(chart, 'Chart.lock'))) await helm('dependency', 'build', chart);
      // Without a cluster helm does not know that it serves PodDisruptionBudgets, and warns of the old ones.
      await helm('lint', chart, ...(name === 'capabilities' ? [] : ['--strict']));
    }
  });

  judged('are drawn at random where their names say so, and are the same every time elsewhere', ['helm'], async () => {
    const differ: string[] = [];
    for (const name of names.filter((chart) => chart !== 'library')) {
      if (existsSync(join(charts, name, 'Chart.lock'))) await helm('dependency', 'build', join(charts, name));
      const first = await rendered(name);
      if ((await rendered(name)) !== first) differ.push(name);
    }
    expect(differ).toEqual(['drawn', 'drawn-with-lookup', 'notes', 'self-signed']);
  });
});
