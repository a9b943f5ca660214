import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { measure, type Steps } from './measure.ts';
import { type Group, output, type Row, solpack } from './rows.ts';
import { dockerRegistry, freePort } from './servers.ts';
import { sharedImages } from './shared.ts';

/** Makes the group that loads the images of the signed Solution in `input` into docker-registry, twice. */
export async function loading(input: string): Promise<Group[]> {
  const port = await freePort();
  const ways = [await install(input, port), ...others(input, port)];
  const group = (title: string, again: boolean): Group => ({
    title,
    inputs: [join(output, 'shared.iso'), join(input, 'images')],
    rows: ways
      .filter(({ again: bar }) => !again || bar !== undefined)
      .map(({ name, steps, first, again: bar }): Row => {
        const limit = again ? bar : first;
        const server = { program: 'docker-registry', start: () => dockerRegistry(port, again ? steps : []) };
        return { name, steps, server, ...(limit ? { bar: limit } : {}) };
      }),
  });
  return [group('load into docker-registry', false), group('the same once more', true)];
}

/**
 * A way to load. `first` and `again` limit solpack's time, as a share of this way's time, for an empty registry and for
 * one that has all images.
 */
interface Way {
  readonly name: string;
  readonly steps: Steps;
  readonly first?: number;
  /** Absent where that is not compared; 0 where there is no limit. */
  readonly again?: number;
}

/** Returns the row of `install`, which also verifies the archive and its signature. */
async function install(input: string, port: number): Promise<Way> {
  const archive = join(output, 'shared.iso');
  const key = join(output, 'bench');
  const configuration = join(output, 'configuration.yaml');
  await measure([
    [['env', 'SOLPACK_PASSPHRASE=', ...solpack('keygen', '-o', key)]],
    [solpack('pack', join(input, 'solution.toml'), '-o', archive, '--sign', `${key}.key`)],
  ]);
  const text = `apiVersion: solutions.metalk8s.scality.com/v1alpha1
kind: SolutionsConfiguration
archives: [${archive}]
active: {shared: latest}
`;
  writeFileSync(configuration, text);
  const registry = ['--registry', `http://127.0.0.1:${port}`];
  const trust = ['--key', `${key}.pub`, '--trust-state', join(output, 'trust')];
  return {
    name: 'solpack install',
    steps: [[solpack('install', '-f', configuration, '--images-only', ...registry, ...trust)]],
    again: 0,
  };
}

function others(input: string, port: number): Way[] {
  const images = sharedImages(input).map(({ name, layout }) => ({ to: `127.0.0.1:${port}/${name}:1.0.0`, layout }));
  return [
    {
      name: 'skopeo copy --all, image by image',
      first: 0.6,
      steps: images.map(({ to, layout }) => [
        [
          'skopeo',
          'copy',
          '--all',
          '--preserve-digests',
          '--dest-tls-verify=false',
          '-q',
          `oci:${layout}:1.0.0`,
          `docker://${to}`,
        ],
      ]),
    },
    {
      name: 'oras cp, image by image',
      first: 1,
      steps: images.map(({ to, layout }) => [
        ['oras', 'cp', '--no-tty', '--from-oci-layout', '--to-plain-http', `${layout}:1.0.0`, to],
      ]),
    },
    {
      name: 'crane push, image by image',
      first: 1,
      again: 1,
      steps: images.map(({ to, layout }) => [['crane', 'push', layout, to]]),
    },
  ];
}
