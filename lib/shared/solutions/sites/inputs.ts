import type { YamlPart } from '../../../../formats/manifest/yaml-part.ts';
import { instanceParts } from '../../../../formats/solution/environments.ts';
import type { PatchOptions, PatchTarget } from '../../../../formats/solution/site.ts';
import { SolpackError } from '../../../kernel/events/index.ts';

/** A text of a site, by the file that it stands in: one of its own, or the configuration. */
export interface SiteText {
  /** The file, for errors. */
  readonly file: string;
  readonly part: YamlPart;
}

/** Values of a chart, which are a mapping. */
export interface SiteValues extends SiteText {
  readonly values: Readonly<Record<string, unknown>>;
}

/** A value that is in no configuration, and in no output. */
export interface SiteSecret extends SiteText {
  /** Where it belongs in the values of the chart. */
  readonly path: readonly string[];
  readonly value: string;
  /** Where it comes from: `env NAME` or `file PATH`. */
  readonly origin: string;
}

/** A patch of rendered objects. */
export interface SitePatch extends SiteText {
  /** The patch itself, as kustomize reads it. */
  readonly text: string;
  /** Its documents: partial objects, or one list of operations. */
  readonly documents: readonly unknown[];
  readonly target: PatchTarget | undefined;
  readonly options: PatchOptions | undefined;
}

/** What a site sets for one component of a Solution. */
export interface SiteInputs {
  /** The Solution, or one of its environments (`guestbook.team-a`): of that, all that counts there. */
  readonly solution: string;
  readonly component: string;
  /** Later ones win. */
  readonly values: readonly SiteValues[];
  readonly secrets: readonly SiteSecret[];
  readonly patches: readonly SitePatch[];
  /** Whether upgrades keep what its chart drew; undefined where its author decides. */
  readonly keepDrawn: boolean | undefined;
}

/**
 * Finds what a site sets for a component of a Solution, or of one of its environments; undefined where that is nothing.
 * For an environment of which it says nothing, that is what it sets for the Solution.
 */
export function siteOf(sites: readonly SiteInputs[], instance: string, component: string): SiteInputs | undefined {
  const own = sites.filter((one) => one.component === component);
  const { name } = instanceParts(instance);
  return own.find(({ solution }) => solution === instance) ?? own.find(({ solution }) => solution === name);
}

/** Lists all secrets of a site. */
export function siteSecrets(sites: readonly SiteInputs[]): string[] {
  return sites.flatMap(({ secrets }) => secrets.map(({ value }) => value));
}

/** Makes the error about fields of a text of a site. */
export function siteError(
  { file, part }: SiteText,
  problems: Parameters<YamlPart['error']>[1],
  hint: string,
): SolpackError {
  const [first, ...more] = part.error('yaml-invalid', problems).problems;
  const also = more.map(({ position: { line, column }, message }) => `also ${line}:${column}: ${message}`);
  const position = { file, ...first!.position };
  return new SolpackError('site-invalid', file, [first!.message, ...also].join('; '), { position, hint });
}
