import { text } from '../bytes.ts';
import { problemsOf } from '../document/problems.ts';
import { parseYaml } from '../manifest/yaml.ts';
import { YamlPart } from '../manifest/yaml-part.ts';
import { isRecord } from '../record.ts';
import { judged } from '../schema-words.ts';
import {
  CONFIGURATION_KIND,
  configurationFields,
  configurationSchema,
  DEFAULT_NAME,
  flatFields,
  type GroupFields,
} from './configuration-schema.ts';
import { readConfigurationSource } from './configuration-source.ts';
import { type Environments, type WrittenEnvironment, wantedIn, wrongEnvironments } from './environments.ts';
import { type ComponentSite, parseSite } from './site.ts';
import { type SiteSection, siteSections } from './site-schema.ts';

const CODE = 'yaml-invalid';

/** Names archives of which at most one version of a Solution is active. */
export interface SolutionGroup {
  /** The Solution that every archive of the group has to hold; undefined if they may hold different ones. */
  readonly name: string | undefined;
  /** Paths, as the document writes them. */
  readonly archives: readonly string[];
}

/** Holds what a SolutionsConfiguration says, in either of its two forms. */
export interface SolutionsConfiguration {
  /**
   * Its `metadata.name`, an RFC 1123 label; `default` if it has none. In a cluster it identifies what the configuration
   * installed.
   */
  readonly name: string;
  /** In the flat form one. */
  readonly groups: readonly SolutionGroup[];
  /**
   * What to activate, by the name of the Solution: a SemVer version, a range of them, `latest`, or `none` (grouped
   * form).
   */
  readonly active: ReadonlyMap<string, string>;
  /**
   * Whether a Solution that `active` does not name is active in its highest version (grouped form) or inactive (flat
   * form).
   */
  readonly implicit: boolean;
  /**
   * Whether it says what is active, were it nothing: `active: {}`, `solutions: []`. A flat document that ends before
   * that, or holds nothing there, may have been emptied or cut by mistake.
   */
  readonly saysActive: boolean;
  /**
   * By the name of the Solution: the namespaces that it runs in, and in which version. A Solution that has none runs
   * where its author says; one that has an empty map runs nowhere.
   */
  readonly environments: ReadonlyMap<string, Environments>;
  /** What the site sets for components of Solutions. */
  readonly sites: readonly ComponentSite[];
}

/**
 * Reads a SolutionsConfiguration: the grouped form (`solutions: [{name, activeVersion, archives}]`) or the flat one
 * that MetalK8s ships (`archives: [...]`, `active: {name: version|latest}`), with what a site sets in either. Throws
 * `FormatError` `yaml-invalid`, with position and field of everything that is wrong.
 */
export function parseConfiguration(bytes: Uint8Array): SolutionsConfiguration {
  const source = text(bytes, CODE);
  const { value, refuse } = readConfigurationSource(source);
  const parsed = judged(configurationSchema, value, 'YAML');
  if (!parsed.success) throw refuse(problemsOf(parsed.error, configurationFields));
  const { metadata, solutions, archives, active, environments } = parsed.data;
  const name = metadata?.name ?? DEFAULT_NAME;
  const flat = siteSections.filter((section) => parsed.data[section] !== undefined);
  if (solutions && (flat.length > 0 || flatFields.some((field) => parsed.data[field]))) {
    const own = environments ? 'environments' : flat[0];
    const other = archives || active ? '"archives" or "active"' : `"${own}" of its own`;
    throw refuse([{ path: '', message: `has both "solutions" and ${other}: use one form` }]);
  }
  const placed = solutions
    ? solutions.flatMap((one, at) => placedIn(one.name, one.environments, `solutions.${at}.environments`))
    : Object.entries(environments ?? {}).flatMap(([one, own]) => placedIn(one, own, `environments.${one}`));
  const wrong = placed.flatMap(({ problems }) => problems);
  if (wrong.length > 0) throw refuse(wrong);
  const byName = new Map(placed.map((one) => [one.solution, one.environments]));
  if (!solutions) {
    return {
      name,
      groups: [{ name: undefined, archives: archives ?? [] }],
      active: new Map(Object.entries(active ?? {})),
      implicit: false,
      saysActive: [active, environments].some((said) => said !== undefined && said !== null),
      environments: byName,
      sites: flatSites(source, flat, environments ?? {}),
    };
  }
  const names = solutions.map((entry) => entry.name);
  const twice = names.findIndex((entry, index) => names.indexOf(entry) < index);
  if (twice >= 0) throw refuse([{ path: `solutions.${twice}.name`, message: `${names[twice]} is named twice` }]);
  return {
    name,
    groups: solutions.map((entry) => ({ name: entry.name, archives: entry.archives })),
    active: new Map(solutions.flatMap((entry) => (entry.activeVersion ? [[entry.name, entry.activeVersion]] : []))),
    implicit: true,
    saysActive: true,
    environments: byName,
    sites: groupedSites(source, solutions),
  };
}

/** The environments of a Solution; none where the document says nothing of them. */
function placedIn(
  solution: string,
  environments: WrittenEnvironments,
  path: string,
): {
  readonly solution: string;
  readonly environments: Environments;
  readonly problems: ReturnType<typeof wrongEnvironments>;
}[] {
  if (environments === undefined) return [];
  const own = new Map(Object.entries(environments ?? {}).map(([name, written]) => [name, wantedIn(written)]));
  return [{ solution, environments: own, problems: wrongEnvironments(solution, [...own.keys()], path) }];
}

type WrittenEnvironments = Readonly<Record<string, WrittenEnvironment>> | null | undefined;

/** Returns whether any environment is more than the version that is wanted there. */
function haveSites(environments: WrittenEnvironments): boolean {
  return Object.values(environments ?? {}).some((written) => typeof written !== 'string');
}

function groupedSites(source: string, groups: readonly GroupFields[]): ComponentSite[] {
  const isSet = (one: GroupFields): boolean =>
    haveSites(one.environments) || siteSections.some((section) => one[section] !== undefined);
  if (!groups.some(isSet)) return [];
  const root = rootOf(source);
  return groups.flatMap(({ name, environments }, index) => [
    ...parseSite(name, undefined, (section) => root.at('solutions', index, section)),
    ...environmentSites(name, environments, root.at('solutions', index, 'environments')),
  ]);
}

function flatSites(
  source: string,
  sections: readonly SiteSection[],
  environments: Readonly<Record<string, WrittenEnvironments>>,
): ComponentSite[] {
  if (sections.length === 0 && !Object.values(environments).some(haveSites)) return [];
  const root = rootOf(source);
  const named = sections.map((section) => root.at(section));
  const wrong = named.find(({ value }) => value !== null && !isRecord(value));
  if (wrong) throw wrong.error(CODE, [{ message: 'has to be a mapping from names of Solutions' }]);
  const solutions = new Set(named.flatMap(({ value }) => Object.keys(value ?? {})));
  return [
    ...[...solutions].flatMap((name) => parseSite(name, undefined, (section) => root.at(section, name))),
    ...Object.entries(environments).flatMap(([name, own]) =>
      environmentSites(name, own, root.at('environments', name)),
    ),
  ];
}

/** What a site sets for the environments of a Solution alone. */
function environmentSites(solution: string, environments: WrittenEnvironments, at: YamlPart): ComponentSite[] {
  const apart = Object.entries(environments ?? {}).filter(([, written]) => typeof written !== 'string');
  return apart.flatMap(([name]) => parseSite(solution, name, (section) => at.at(name, section)));
}

/** The document as Kubernetes' tools read it. */
function rootOf(source: string): YamlPart {
  const [first] = parseYaml(source, CONFIGURATION_KIND);
  return new YamlPart(source, first!.start, first!.value);
}
