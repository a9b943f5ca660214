import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { stringify } from 'yaml';
import { jsonSchemas } from '../../cli/view/json.ts';
import { solpack, writeFiles } from './cli.ts';
import { fileServer } from './file-server.ts';
import { buildImage, writeLayout } from './image.ts';
import { type Outcome, ok, scratch } from './judges.ts';
import { dockerRegistry } from './registry.ts';

/** What `solpack update --json` prints, as far as tests read it. */
interface PrintedUpdate {
  readonly same: boolean;
  readonly inputs: readonly Record<string, string>[];
  readonly written: readonly string[];
  readonly diff?: object;
}

/**
 * Starts upstreams for a test file when they are first needed: a Helm repository and a registry, filled by helm and
 * skopeo. Definitions and everything else are below the folder `name`. Call it at the top level of a test file.
 */
export function upstreams(name: string) {
  const folder = scratch(name);
  const site = join(folder, 'site');
  mkdirSync(site);
  const server = fileServer(site);
  const registry = dockerRegistry(folder);

  /** A chart whose Deployment has the image of its own version. */
  async function packaged(into: string, name: string, version: string, image: string): Promise<string> {
    const chart = join(folder, 'charts', `${name}-${version}`, name);
    const deployment = {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name },
      spec: {
        selector: { matchLabels: { app: name } },
        template: { metadata: { labels: { app: name } }, spec: { containers: [{ name, image }] } },
      },
    };
    writeFiles(chart, {
      'Chart.yaml': stringify({ apiVersion: 'v2', name, version }),
      'templates/deployment.yaml': stringify(deployment),
    });
    mkdirSync(into, { recursive: true });
    await ok('helm', ['package', chart, '--destination', into]);
    return join(into, `${name}-${version}.tgz`);
  }

  /** Publishes a version of the chart `web` in a Helm repository, by helm itself. */
  async function publish(repository: string, version: string, image: string): Promise<void> {
    await packaged(join(site, repository), 'web', version, image);
    await ok('helm', ['repo', 'index', join(site, repository)]);
  }

  /** Pushes a version of a chart to the registry, by helm itself. */
  async function pushChart(name: string, version: string, image: string): Promise<void> {
    const { host } = await registry();
    const file = await packaged(join(folder, 'packages'), name, version, image);
    await ok('helm', ['push', file, `oci://${host}/charts`, '--plain-http']);
  }

  /** Pushes an image to the registry, by skopeo. */
  async function pushImage(name: string, seed: string, files?: Readonly<Record<string, string>>): Promise<void> {
    const { host } = await registry();
    const layout = join(folder, 'layouts', `${name}-${seed}`.replaceAll(/[^a-z0-9.]/g, '-'));
    const image = buildImage({ platforms: ['linux/amd64'], seed, ...(files ? { files } : {}) });
    await writeLayout(layout, [{ name: 'it', image }]);
    await ok('skopeo', ['copy', '--all', '--dest-tls-verify=false', `oci:${layout}:it`, `docker://${host}/${name}`]);
  }

  /** Writes a definition into a folder of its own, and makes its lock. */
  async function locked(
    name: string,
    lines: readonly string[],
    files: Readonly<Record<string, string>> = {},
  ): Promise<string> {
    const home = join(folder, name);
    writeFiles(home, { ...files, 'solution.toml': ['name = "s"', 'version = "1.0.0"', ...lines, ''].join('\n') });
    const { code, stderr } = await run(['pack', home, '-o', join(home, 'out.tar')]);
    expect(code, stderr).toBe(0);
    return home;
  }

  const run = async (args: readonly string[]): Promise<Outcome> =>
    solpack([...args, '--certs-dir', (await server()).certs]);

  const textOf = (home: string, file = 'solution.toml'): string => readFileSync(join(home, file), 'utf8');
  const both = (home: string): string[] => [textOf(home), textOf(home, 'solution.lock')];

  /** Updates a definition, and returns what is printed as JSON. */
  async function updated(home: string, ...more: string[]): Promise<PrintedUpdate> {
    const { stdout, stderr, code } = await run(['update', home, '--json', ...more]);
    expect({ code, stderr }).toMatchObject({ code: 0 });
    const result = JSON.parse(stdout);
    expect(jsonSchemas.update.parse(result)).toEqual(result);
    return result;
  }
  return { site, server, registry, publish, pushChart, pushImage, locked, run, textOf, both, updated };
}
