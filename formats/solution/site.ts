import { type Problem, problemsOf } from '../document/problems.ts';
import type { PositionedError } from '../error.ts';
import type { FieldPath } from '../manifest/yaml-fields.ts';
import type { YamlPart } from '../manifest/yaml-part.ts';
import { isRecord } from '../record.ts';
import type { z } from '../schema.ts';
import { judged } from '../schema-words.ts';
import {
  type patchSchema,
  type SiteSection,
  type secretSchema,
  sectionSchemas,
  siteKnown,
  siteSections,
} from './site-schema.ts';

/**
 * What a patch is applied to, as in a kustomization: each field that is there has to match, names as regular
 * expressions.
 */
export type PatchTarget = Readonly<
  Partial<Record<'group' | 'version' | 'kind' | 'name' | 'namespace' | 'labelSelector' | 'annotationSelector', string>>
>;

/** What else a patch may change. */
export type PatchOptions = Readonly<Partial<Record<'allowNameChange' | 'allowKindChange', boolean>>>;

/** A patch for rendered objects: in a file, or in the configuration itself. */
export interface ConfiguredPatch {
  readonly file: string | undefined;
  readonly text: string | undefined;
  readonly target: PatchTarget | undefined;
  readonly options: PatchOptions | undefined;
  readonly at: YamlPart;
}

/** Values of a chart: in a file, or in the configuration itself, where they are what `at` is. */
export interface ConfiguredValues {
  readonly file: string | undefined;
  readonly at: YamlPart;
}

/** A value that is in no configuration: of a variable of the environment, or of a file. */
export interface ConfiguredSecret {
  /** Where it belongs in the values of the chart. */
  readonly path: readonly string[];
  readonly env: string | undefined;
  readonly file: string | undefined;
  readonly at: YamlPart;
}

/** What a configuration sets for one component of a Solution. Paths are as the document writes them. */
export interface ComponentSite {
  readonly solution: string;
  /** The environment that it is for; undefined where it is for the Solution, wherever that runs. */
  readonly environment: string | undefined;
  readonly component: string;
  /** Later ones win. */
  readonly values: readonly ConfiguredValues[];
  readonly secrets: readonly ConfiguredSecret[];
  readonly patches: readonly ConfiguredPatch[];
  /** Whether upgrades keep what it drew; undefined where its author decides. */
  readonly keepDrawn: boolean | undefined;
  /** Where the component is named first. */
  readonly at: YamlPart;
}

/**
 * Reads what a site sets for the components of a Solution, or of one environment of it, from the sections that `at`
 * leads to. Throws `PositionedError` `yaml-invalid` with all that is wrong.
 */
export function parseSite(
  solution: string,
  environment: string | undefined,
  at: (section: SiteSection) => YamlPart,
): ComponentSite[] {
  const components = new Map<string, { -readonly [Key in keyof ComponentSite]: ComponentSite[Key] }>();
  for (const section of siteSections) {
    const part = at(section);
    if (part.value === undefined || part.value === null) continue;
    requireShape(section, part);
    for (const [component, entries] of Object.entries(part.value as Record<string, boolean | unknown[]>)) {
      const one = components.get(component) ?? {
        ...{ solution, environment, component, at: part.at(component) },
        ...{ values: [], secrets: [], patches: [], keepDrawn: undefined },
      };
      components.set(component, one);
      if (typeof entries === 'boolean') {
        one.keepDrawn = entries;
        continue;
      }
      const places = entries.map((_, index) => part.at(component, index));
      if (section === 'values') one.values = places.map(valuesOf);
      else if (section === 'secrets') one.secrets = places.map(secretOf);
      else one.patches = places.map(patchOf);
    }
  }
  return [...components.values()];
}

function requireShape(section: SiteSection, part: YamlPart): void {
  const parsed = judged<unknown>(sectionSchemas[section], part.value, 'YAML');
  if (parsed.success) return;
  const fields = (field: string): readonly string[] =>
    siteKnown[field.split('.').at(-1) ?? ''] ?? siteKnown[section] ?? [];
  throw refusal(part, problemsOf(parsed.error, fields), section);
}

function refusal(part: YamlPart, problems: readonly Problem[], section: string): PositionedError {
  return part.error(
    'yaml-invalid',
    problems.map((problem) => ({
      path: stepsOf(part.value, problem.path),
      message: `${section}${problem.path === '' ? '' : `.${problem.path}`}: ${problem.message}`,
      ...(problem.ofName === undefined ? {} : { ofName: problem.ofName }),
    })),
  );
}

/** Splits a path of fields; the name of a component, which comes first, may have dots in it. */
function stepsOf(value: unknown, dotted: string): FieldPath {
  const names = isRecord(value) ? Object.keys(value) : [];
  const first = names.find((name) => dotted === name || dotted.startsWith(`${name}.`));
  return first === undefined
    ? dotted.split('.')
    : [
        first,
        ...dotted
          .slice(first.length + 1)
          .split('.')
          .filter((step) => step !== ''),
      ];
}

function valuesOf(at: YamlPart): ConfiguredValues {
  return { file: typeof at.value === 'string' ? at.value : undefined, at };
}

function secretOf(at: YamlPart): ConfiguredSecret {
  const value = at.value as z.infer<typeof secretSchema>;
  const names = typeof value.path === 'string' ? splitNames(value.path) : value.path;
  return { path: names, env: value.env, file: value.file, at };
}

function patchOf(at: YamlPart): ConfiguredPatch {
  const value = at.value as z.infer<typeof patchSchema>;
  return { file: value.path, text: value.patch, target: value.target, options: value.options, at } as ConfiguredPatch;
}

/** Splits a path at its dots; `\.` is a dot within a name. */
function splitNames(value: string): string[] {
  return value.split(/(?<!\\)\./).map((name) => name.replaceAll('\\.', '.'));
}
