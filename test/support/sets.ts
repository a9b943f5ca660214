import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { formatDocuments } from '../../formats/manifest/documents.ts';
import type { KubernetesObject } from '../../formats/manifest/object.ts';
import { head } from './configurations.ts';
import { packHere } from './flow.ts';
import { solpackHere } from './here.ts';
import { scratch } from './judges.ts';

/** A folder of archives without images, and of configurations of them. */
export interface Sets {
  readonly folder: string;
  /**
   * Packs a version of a Solution with those objects, by default a ConfigMap of its name; `lines` are further ones of
   * its definition.
   */
  packed(
    name: string,
    version: string,
    lines?: readonly string[],
    objects?: readonly KubernetesObject[],
  ): Promise<void>;
  /** Writes the configuration `name` in the flat form, and returns the options that name it. */
  configured(name: string, archives: readonly string[], active: Readonly<Record<string, string>>): readonly string[];
  /** Runs a command there, and returns its exit code, what it printed and what it told. */
  run(...args: readonly string[]): Promise<{ code: number; stdout: string; stderr: string }>;
  /** Runs a command that prints JSON, and returns that. */
  told(...args: readonly string[]): Promise<Readonly<Record<string, unknown>>>;
}

/** Makes a folder for archives that ask for each other. */
export function sets(name: string): Sets {
  const folder = scratch(name);
  const run: Sets['run'] = async (...args) => {
    const { code, stdout, stderr } = await solpackHere(args, { cwd: folder });
    return { code: code ?? -1, stdout: String(stdout), stderr: String(stderr) };
  };
  return {
    folder,
    run,
    packed: async (solution, version, lines = [], objects = [configMap(solution, version)]) => {
      const at = join(folder, 'sources', `${solution}-${version}`);
      mkdirSync(at, { recursive: true });
      const component = ['[[components]]', 'name = "all"', 'kind = "manifests"', 'path = "all.yaml"'];
      const toml = [`name = "${solution}"`, `version = "${version}"`, ...lines, ...component, ''];
      writeFileSync(join(at, 'solution.toml'), toml.join('\n'));
      writeFileSync(join(at, 'all.yaml'), formatDocuments(objects));
      await packHere(join(at, 'solution.toml'), join(folder, `${solution}-${version}.iso`));
    },
    configured: (own, archives, active) => {
      const wanted = Object.entries(active).map(([solution, version]) => `${solution}: "${version}"`);
      const listed = archives.map((archive) => `${archive}.iso`);
      const text = `metadata: {name: ${own}}\narchives: [${listed.join(', ')}]\nactive: {${wanted.join(', ')}}\n`;
      writeFileSync(join(folder, `${own}.yaml`), `${head}${text}`);
      return ['-f', `${own}.yaml`];
    },
    told: async (...args) => {
      const { code, stdout, stderr } = await run(...args, '--json', '--quiet');
      const result = JSON.parse(stdout) as Readonly<Record<string, unknown>>;
      if ('error' in result) throw new Error(`${args.join(' ')} ended with ${code}: ${stderr}`);
      return result;
    },
  };
}

/** A ConfigMap that says a version. */
function configMap(name: string, version: string): KubernetesObject {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace: 'default' }, data: { version } };
}
