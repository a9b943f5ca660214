import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { stringify } from 'yaml';
import type { KubernetesObject } from '../../../formats/manifest/documents.ts';
import { busyboxImage } from '../../../scripts/node/busybox.ts';
import { type Running, writeFiles } from '../cli.ts';
import { packHere } from '../flow.ts';
import { writeLayout } from '../image.ts';
import type { Outcome } from '../judges.ts';
import type { TestNode } from '../node.ts';
import { space } from './requests.ts';

/** The image of busybox that every Solution here brings. */
export const image = 'registry.example.com/tests/busybox:1';
/** The same under another name, which no node has pulled yet. */
export const unpulled = 'registry.example.com/tests/unpulled:1';

/** A component of manifests. */
export interface Part {
  readonly name: string;
  readonly objects: readonly KubernetesObject[];
  readonly after?: readonly string[];
  /** As `solution.toml` has it, such as `10s`. */
  readonly timeout?: string;
}

/** A version of a Solution. */
export interface Recipe {
  readonly name: string;
  readonly version: string;
  readonly parts: readonly Part[];
}

/** Packs Solutions and installs them on a node. */
export interface Workshop {
  /** Packs Solutions and writes a configuration that activates them, of the name of the first; returns its path. */
  configure(...recipes: readonly Recipe[]): Promise<string>;
  /** The arguments of an install of Solutions, with images pulled from one `solpack serve` inside the node. */
  args(recipes: readonly Recipe[], ...more: readonly string[]): Promise<string[]>;
  /** Runs that install to its end. */
  install(recipe: Recipe, ...more: readonly string[]): Promise<Outcome>;
  /** The same where it has to end well; returns what it printed on stdout. */
  installs(recipe: Recipe, ...more: readonly string[]): Promise<string>;
  /** The same where the cluster has to be what fails; returns the line that says so. */
  fails(recipe: Recipe, ...more: readonly string[]): Promise<string>;
  /** Starts another serve of all images inside the node. */
  serve(): Promise<Running>;
}

/** Makes a workshop in `folder`, which outlives it. */
export function workshop(folder: string, node: () => TestNode): Workshop {
  let laid: Promise<string> | undefined;
  let served: Promise<Running> | undefined;
  let configurations = 0;
  const packed = new Map<string, Promise<string>>();
  const pack = async (recipe: Recipe): Promise<string> => {
    laid ??= layImages(folder);
    await laid;
    const text = JSON.stringify(recipe);
    if (!packed.has(text)) packed.set(text, packRecipe(recipe, join(folder, `archive-${packed.size}`)));
    return packed.get(text)!;
  };
  const configure: Workshop['configure'] = async (...recipes) => {
    const solutions = [];
    for (const recipe of recipes) solutions.push({ name: recipe.name, archives: [await pack(recipe)] });
    const head = { apiVersion: 'solutions.metalk8s.scality.com/v1alpha1', kind: 'SolutionsConfiguration' };
    configurations += 1;
    const path = join(folder, `configuration-${configurations}.yaml`);
    writeFileSync(path, stringify({ ...head, metadata: { name: recipes[0]!.name }, solutions }));
    return path;
  };
  const serve: Workshop['serve'] = async () => {
    const archive = await pack({
      name: 'images',
      version: '1.0.0',
      parts: [{ name: 'none', objects: [space('none')] }],
    });
    return node().serves(['serve', archive, '--listen', '127.0.0.1:0']);
  };
  const args: Workshop['args'] = async (recipes, ...more) => {
    served ??= serve();
    const places = ['--kubeconfig', node().kubeconfig, '--served-at', (await served).first];
    // Of an option that is given twice the last one counts.
    return [
      'install',
      '-f',
      await configure(...recipes),
      '--insecure-skip-verify',
      ...places,
      '--timeout',
      '60s',
      ...more,
    ];
  };
  const install: Workshop['install'] = async (recipe, ...more) => node().solpack(await args([recipe], ...more));
  return {
    configure,
    args,
    install,
    installs: async (recipe, ...more) => {
      const { code, stdout, stderr } = await install(recipe, ...more);
      expect([code, stderr]).toEqual([0, expect.anything()]);
      return stdout;
    },
    fails: async (recipe, ...more) => lineOf(await install(recipe, ...more)),
    serve,
  };
}

/** The one line that tells why an install failed because of the cluster. */
export function lineOf({ code, stdout, stderr }: Outcome): string {
  const lines = stderr.trimEnd().split('\n');
  const told = lines.filter((line) => line.startsWith('solpack: '));
  expect([code, stdout, told]).toEqual([5, '', [lines.at(-1)]]);
  expect(stderr).not.toMatch(/^ +at /m);
  return told[0]!;
}

async function layImages(folder: string): Promise<string> {
  const layout = join(folder, 'images');
  const command = ['/bin/sleep', '1000000'];
  const images = [image, unpulled].map((name) => ({
    name,
    image: busyboxImage({ reference: name, command, seed: name }),
  }));
  await writeLayout(layout, images);
  return layout;
}

async function packRecipe({ name, version, parts }: Recipe, folder: string): Promise<string> {
  mkdirSync(folder);
  const images = [image, unpulled].map(
    (reference) => `[[images]]\nreference = "${reference}"\nsource = "oci:../images:${reference}"\n`,
  );
  const components = parts.map(({ name: part, after = [], timeout }) => {
    const more = timeout === undefined ? '' : `timeout = "${timeout}"\n`;
    const path = `${part}.yaml`;
    // What an install says of objects that pack would refuse is what these tests are about.
    return `[[components]]\nname = "${part}"\nkind = "manifests"\npath = "${path}"\nrender = "install"\nafter = ${JSON.stringify(after)}\n${more}`;
  });
  writeFiles(folder, {
    'solution.toml': [`name = "${name}"\nversion = "${version}"\n`, ...images, ...components].join('\n'),
    ...Object.fromEntries(
      parts.map(({ name: part, objects }) => [`${part}.yaml`, objects.map((one) => stringify(one)).join('---\n')]),
    ),
  });
  const archive = `${folder}.iso`;
  await packHere(join(folder, 'solution.toml'), archive);
  return archive;
}
