import { dirname, resolve } from 'node:path';
import { text } from '../../../../formats/bytes.ts';
import { nearest } from '../../../../formats/document/suggest.ts';
import { parseMapping, type YamlPart } from '../../../../formats/manifest/yaml-part.ts';
import { drawingKinds, valuedKinds } from '../../../../formats/solution/component-kinds.ts';
import { instanceName, isInstanceOf } from '../../../../formats/solution/environments.ts';
import type { SolutionMetadata } from '../../../../formats/solution/metadata.ts';
import type { ComponentSite, ConfiguredSecret, ConfiguredValues } from '../../../../formats/solution/site.ts';
import { refused, SHORTEST_SECRET, SolpackError } from '../../../kernel/events/index.ts';
import { readFile } from '../../../kernel/files/index.ts';
import type { Origin } from '../origin/index.ts';
import { type SiteInputs, type SiteSecret, type SiteText, type SiteValues, siteError, siteOf } from './inputs.ts';
import { readPatch } from './patches.ts';

/** Most bytes of a values file, and of a secret. */
const limits = { values: 4 * 1024 * 1024, secret: 1024 * 1024 } as const;

/** A values file that was given in addition to the configuration. */
export interface HandedValues {
  /** Undefined where the name of the component is enough. */
  readonly solution: string | undefined;
  readonly component: string;
  /** An absolute path. */
  readonly file: string;
}

/** What sites may set: what a configuration says, and what was handed in besides. */
export interface SiteRequest {
  /** The file of the configuration, an absolute path. */
  readonly configuration: string;
  readonly sites: readonly ComponentSite[];
  /** They win over those of the configuration; later ones win. */
  readonly handed: readonly HandedValues[];
  /** By which all is found that the configuration names. */
  readonly origin: Origin;
}

/** The Solutions whose components can be set. */
export interface SettableSolutions {
  /** Those that are active. */
  readonly active: readonly SolutionMetadata[];
  /** The versions that run in environments, by instance (`guestbook.team-a`); left out: there are none. */
  readonly environments?: ReadonlyMap<string, SolutionMetadata>;
  /** The names of all that there are, active or not. */
  readonly known: readonly string[];
}

/**
 * Reads all that a site sets: values, secrets and patches, each with its place for errors. Where it sets more for an
 * environment than for its Solution, there is an entry of its own for that, with both. Throws `site-invalid` for a
 * Solution or a component that is not there, for values of what is not a chart, and for a file or a secret that cannot
 * be used; and `configuration-bounds` for what the configuration may not name.
 */
export async function readSites(request: SiteRequest, solutions: SettableSolutions): Promise<SiteInputs[]> {
  const found: SiteInputs[] = [];
  // What is for a Solution is read before what is for its environments, to which it belongs.
  for (const site of request.sites.toSorted(
    (a, b) => Number(a.environment !== undefined) - Number(b.environment !== undefined),
  )) {
    if (isSettable(request, site, solutions)) add(found, await readComponent(request, site));
  }
  for (const handed of request.handed) {
    const solution = solutionOf(handed, solutions);
    const values = [await valuesIn(handed.file, readFile)];
    add(found, { solution, component: handed.component, values, ...nothing });
  }
  return found;
}

const nothing = { secrets: [], patches: [], keepDrawn: undefined } as const;

/** Adds to what a site sets for a component: where that is for a Solution, for all of its environments as well. */
function add(found: SiteInputs[], more: SiteInputs): void {
  const { solution, component } = more;
  if (!found.some((one) => one.solution === solution && one.component === component)) {
    const inherited = siteOf(found, solution, component);
    found.push({ ...(inherited ?? { values: [], ...nothing }), solution, component });
  }
  for (const [index, one] of found.entries()) {
    if (one.component !== component || !isInstanceOf(one.solution, solution)) continue;
    found[index] = {
      ...one,
      values: [...one.values, ...more.values],
      secrets: [...one.secrets, ...more.secrets],
      patches: [...one.patches, ...more.patches],
      keepDrawn: more.keepDrawn ?? one.keepDrawn,
    };
  }
}

/**
 * Returns whether the component that a site sets is there; it is not where its Solution, or its environment, is not
 * active.
 */
function isSettable(
  { configuration }: SiteRequest,
  { solution, environment, component, values, secrets, keepDrawn, at }: ComponentSite,
  { active, environments, known }: SettableSolutions,
): boolean {
  const here: SiteText = { file: configuration, part: at };
  // Of a Solution with environments, several versions may be active.
  const all = active.filter(({ name }) => name === solution);
  const placed =
    environment === undefined ? all : [environments?.get(instanceName(solution, environment)) ?? []].flat();
  const [metadata] = placed;
  if (metadata === undefined) {
    if (known.includes(solution)) return false;
    throw siteError(
      here,
      [{ message: `there is no Solution "${solution}"${guess(solution, known)}` }],
      'correct its name',
    );
  }
  const components = placed.flatMap((one) => one.components);
  const names = [...new Set(components.map(({ name }) => name))];
  const found = components.find(({ name }) => name === component);
  const refuse = (message: string, hint: string): SolpackError => siteError(here, [{ message, ofName: true }], hint);
  if (found === undefined) {
    const message = `${solution} ${metadata.version} has no component "${component}"${guess(component, names)}`;
    throw refuse(message, `its components: ${names.join(', ')}`);
  }
  if (!valuedKinds.includes(found.kind) && values.length + secrets.length > 0) {
    throw refuse(`${component} is of kind ${found.kind}, which has no values`, 'give it patches');
  }
  if (keepDrawn !== undefined && !drawingKinds.includes(found.kind)) {
    throw refuse(`${component} is of kind ${found.kind}, which draws nothing`, 'remove it from keepDrawn');
  }
  return true;
}

function guess(word: string, candidates: readonly string[]): string {
  const meant = nearest(word, candidates);
  return meant === undefined ? '' : `; did you mean "${meant}"?`;
}

/** Returns which Solution, or which environment of one, a values file is for. Throws `usage-invalid`. */
function solutionOf(
  { solution, component }: HandedValues,
  { active, environments = new Map<string, SolutionMetadata>() }: SettableSolutions,
): string {
  const distinct = active.filter((one, at) => active.findIndex(({ name }) => name === one.name) === at);
  const settable = [...distinct.map((one) => [one.name, one] as const), ...environments];
  const named = settable.filter(([name, one]) => (solution === undefined ? name === one.name : name === solution));
  const holders = named.filter(([, { components }]) => components.some(({ name }) => name === component));
  const refuse = (message: string, hint: string): SolpackError =>
    new SolpackError('usage-invalid', '--values', message, { hint });
  if (solution !== undefined && named.length === 0) {
    throw refuse(`no Solution "${solution}" is active`, `active: ${settable.map(([name]) => name).join(', ')}`);
  }
  const [holder, another] = holders;
  if (holder === undefined) {
    const names = named.flatMap(([, { components }]) => components.map(({ name }) => name));
    throw refuse(`there is no component "${component}"${guess(component, names)}`, `components: ${names.join(', ')}`);
  }
  if (another !== undefined) {
    const words = holders.map(([name]) => name).join(' and ');
    throw refuse(`${words} both have a component ${component}`, `write --values ${holder[0]}/${component}=FILE`);
  }
  const { kind } = holder[1].components.find(({ name }) => name === component)!;
  if (!valuedKinds.includes(kind)) throw refuse(`${component} is of kind ${kind}, which has no values`, 'name a chart');
  return holder[0];
}

async function readComponent(
  request: SiteRequest,
  { solution, environment, component, values, secrets, patches, keepDrawn }: ComponentSite,
): Promise<SiteInputs> {
  const read = {
    values: [] as SiteValues[],
    secrets: [] as SiteSecret[],
    patches: [] as Awaited<ReturnType<typeof readPatch>>[],
  };
  for (const one of values) read.values.push(await readValues(one, request));
  for (const one of secrets) read.secrets.push(await readSecret(one, request));
  for (const one of patches) read.patches.push(await readPatch(one, request));
  return { solution: instanceName(solution, environment), component, ...read, keepDrawn };
}

async function readValues({ file, at }: ConfiguredValues, { configuration, origin }: SiteRequest): Promise<SiteValues> {
  if (file !== undefined) return valuesIn(resolve(dirname(configuration), file), origin.readFile);
  return { file: configuration, part: at, values: at.value as Record<string, unknown> };
}

async function valuesIn(path: string, read: Origin['readFile']): Promise<SiteValues> {
  const bytes = await read(path, limits.values);
  const part = await refused(
    'site-invalid',
    path,
    (): YamlPart => parseMapping(text(bytes, 'yaml-invalid'), path),
    'correct the values',
  );
  return { file: path, part, values: part.value as Record<string, unknown> };
}

async function readSecret(
  { path, env, file, at }: ConfiguredSecret,
  { configuration, origin }: SiteRequest,
): Promise<SiteSecret> {
  const here: SiteText = { file: configuration, part: at };
  const refuse = (message: string, hint: string): SolpackError => siteError(here, [{ message }], hint);
  if (path.some((name) => name === '')) throw refuse('path has an empty name', 'write names with dots between them');
  const full = file === undefined ? undefined : resolve(dirname(configuration), file);
  const value = full === undefined ? origin.variable(env!) : decoded(await origin.readFile(full, limits.secret), full);
  if (value === undefined) throw refuse(`the variable ${env} is not set`, 'set it, and run the command again');
  if (value.length < SHORTEST_SECRET) {
    const words = `is shorter than ${SHORTEST_SECRET} characters, so it cannot be kept out of messages`;
    throw refuse(`the secret ${path.join('.')} ${words}`, 'use a longer one');
  }
  return { ...here, path, value, origin: full === undefined ? `env ${env}` : `file ${full}` };
}

/** The text of a file, without the line break that editors put at its end. */
function decoded(bytes: Uint8Array, path: string): string {
  try {
    return text(bytes, 'yaml-invalid').replace(/\r?\n$/, '');
  } catch {
    throw new SolpackError('site-invalid', path, 'is not UTF-8', { hint: 'a secret has to be text' });
  }
}
