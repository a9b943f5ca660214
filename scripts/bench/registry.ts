import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from './measure.ts';
import { archive, type Group, output, type Row, rowOutput, type Server, solpack } from './rows.ts';
import { dockerRegistry, freePort } from './servers.ts';
import { sharedImages } from './shared.ts';

/** A registry that runs, and the groups that pack from it. */
export interface FromRegistry {
  readonly groups: readonly Group[];
  /** The folder of the definitions. */
  readonly input: string;
  readonly server: Server;
}

/**
 * Starts Distribution with the images of the Solutions in `folder` and in `larger`, and makes the groups that pack the
 * first from there, without and with SBOMs, and the second, for the memory that it takes.
 */
export async function packingFromRegistry(folder: string, larger: string): Promise<FromRegistry> {
  const port = await freePort();
  const input = join(output, 'definitions');
  const store = join(output, 'registry');
  for (const path of [input, store]) mkdirSync(path);
  const at = (name: string, prefix: string): string => `127.0.0.1:${port}/${prefix}/${name}:1.0.0`;
  const pushed = (from: string, prefix: string): Command[][] =>
    sharedImages(from).map(({ name, layout }) => [
      [...skopeo('--dest-tls-verify=false'), `oci:${layout}:1.0.0`, `docker://${at(name, prefix)}`],
    ]);
  const server = await dockerRegistry(port, [...pushed(folder, 'small'), ...pushed(larger, 'large')], {
    program: 'registry',
    parent: store,
  });
  const definition = (file: string, prefix: string, more = ''): string => {
    const images = sharedImages(folder).map(
      ({ name, reference }) => `[[images]]\nreference = "${reference}"\nsource = "docker://${at(name, prefix)}"\n`,
    );
    const path = join(input, file);
    writeFileSync(path, [`name = "shared"\nversion = "1.0.0"\n${more}`, ...images].join('\n'));
    return path;
  };
  const pack = (path: string): Row['steps'] => [[solpack('pack', path, '-o', archive, '--no-sync')]];
  const plain: Row = { name: 'solpack pack --no-sync', steps: pack(definition('plain.toml', 'small')), makes: archive };
  const sboms = pack(definition('sboms.toml', 'small', 'make-sboms = true\n'));
  const references = sharedImages(folder).map(({ name }) => at(name, 'small'));
  const large = pack(definition('large.toml', 'large'));
  const inputs = [store];
  return {
    input,
    server,
    groups: [
      { title: 'pack 20 images of a registry', inputs, rows: [plain, copies(references), hauler(references)] },
      {
        title: 'the same, and SBOMs of them',
        inputs,
        rows: [
          { name: 'solpack pack --no-sync, make-sboms', steps: sboms, makes: archive },
          { ...plain, bar: 2.5 },
        ],
      },
      {
        title: 'images of twice the size',
        inputs,
        rows: [{ name: 'solpack pack --no-sync', steps: large, makes: archive, memory: 160 }],
      },
    ],
  };
}

function skopeo(...flags: string[]): Command {
  return ['skopeo', 'copy', '--all', '--preserve-digests', '-q', ...flags];
}

/** Returns the row that copies images into one layout, one after another. */
function copies(references: readonly string[]): Row {
  const steps = references.map((reference, number): Command[] => [
    [...skopeo('--src-tls-verify=false'), `docker://${reference}`, `oci:${rowOutput}/layout:image-${number}`],
  ]);
  return { name: 'skopeo copy into a layout', bar: 0.45, steps };
}

/** Returns the row of hauler, which no package carries: it is measured where it is on PATH. */
function hauler(references: readonly string[]): Row {
  const list = join(output, 'hauler.yaml');
  const images = references.map((name) => `    - name: ${name}`);
  const head = 'apiVersion: content.hauler.cattle.io/v1\nkind: Images\nmetadata: {name: bench}\nspec:\n  images:\n';
  writeFileSync(list, `${head}${images.join('\n')}\n`);
  const store = ['--store', join(rowOutput, 'store')];
  return {
    name: 'hauler store sync + save',
    bar: 0.75,
    steps: [
      [['hauler', 'store', 'sync', ...store, '-f', list]],
      [['hauler', 'store', 'save', ...store, '-f', join(rowOutput, 'haul.tar.zst')]],
    ],
  };
}
