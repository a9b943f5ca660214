import { join } from 'node:path';
import { collect, once, text } from '../../../formats/bytes.ts';
import { checkValues } from '../../../formats/chart/check-values.ts';
import { valuesChart } from '../../../formats/chart/default-values.ts';
import { reach, type Values } from '../../../formats/chart/merge-values.ts';
import { readChartValues } from '../../../formats/chart/values.ts';
import { parseSchema } from '../../../formats/json-schema/schema.ts';
import { type Violation, violationsOf } from '../../../formats/json-schema/validate.ts';
import { parseMapping } from '../../../formats/manifest/yaml-part.ts';
import { shellWord } from '../../../formats/shell-word.ts';
import type { ComponentMetadata, SolutionMetadata } from '../../../formats/solution/metadata.ts';
import { type Flow, refused, SolpackError } from '../../kernel/events/index.ts';
import { valuesOfKind } from '../../parts/components/index.ts';
import { type SiteInputs, type SiteText, siteError, siteOf } from '../solutions/sites/index.ts';
import { type Renderable, renderedName } from './renderable.ts';
import { valuesOfSite } from './site-values.ts';

/** Most bytes of a packed chart. */
const CHART = 64 * 1024 * 1024;

/**
 * Makes sure that a site sets what its Solutions let it set: by the schema that the author has for that, otherwise by
 * what the chart says of its values. Throws `site-invalid` with all that is wrong in a file, and what unpacking throws.
 */
export async function checkSites(
  renderables: readonly Renderable[],
  sites: readonly SiteInputs[],
  flow: Flow,
): Promise<void> {
  const checked: { readonly metadata: SolutionMetadata; readonly component: string; readonly site: unknown }[] = [];
  for (const renderable of renderables) {
    for (const component of renderable.metadata.components) {
      const site = siteOf(sites, renderedName(renderable), component.name);
      const isSet = site !== undefined && site.values.length + site.secrets.length > 0;
      if (!isSet && component.siteSchema === undefined) continue;
      // Environments of one version for which a site sets the same are one question.
      const { metadata } = renderable;
      const isAsked = checked.some(
        (one) => one.metadata === metadata && one.component === component.name && one.site === site,
      );
      if (isAsked) continue;
      checked.push({ metadata, component: component.name, site });
      flow.onEvent({ type: 'step', step: 'check-site', subject: `${renderedName(renderable)}, ${component.name}` });
      const violations = await violationsIn(renderable, component, site, flow);
      if (violations.length > 0) throw refusal(renderable, component, site, violations);
    }
  }
}

async function violationsIn(
  renderable: Renderable,
  component: ComponentMetadata,
  site: SiteInputs | undefined,
  flow: Flow,
): Promise<Violation[]> {
  const files = renderable.files(component.name, flow);
  const values = site === undefined ? {} : valuesOfSite(site);
  const subject = `${renderable.path}: component ${component.name}`;
  const own = (name: string): Promise<Uint8Array> => {
    const file = files.find(({ path }) => path === name);
    if (file === undefined) throw new SolpackError('component-invalid', subject, `has no file ${name}`);
    return collect(file.open(), CHART);
  };
  return refused('component-invalid', subject, async () => {
    if (component.siteSchema !== undefined) {
      const schema = parseSchema(await own(component.siteSchema), component.siteSchema);
      return violationsOf(schema, values);
    }
    const fixed = valuesOfKind(component.kind);
    if (fixed !== undefined) return violationsOf(fixed, values);
    const chart = await own(component.entry);
    const author: Values[] = [];
    for (const name of component.values) author.push(valuesIn(await own(name), name));
    const known = valuesChart(await readChartValues(once(chart)));
    return checkValues(known, author, values, component.skipSchemaValidation);
  });
}

function valuesIn(bytes: Uint8Array, name: string): Values {
  return parseMapping(text(bytes, 'yaml-invalid'), name, () => undefined).value as Values;
}

/** Returns what is wrong, where the site has set it: all that is wrong in one file. */
function refusal(
  renderable: Renderable,
  { name, kind, siteSchema }: ComponentMetadata,
  site: SiteInputs | undefined,
  violations: readonly Violation[],
): SolpackError {
  const { metadata, path } = renderable;
  const hint =
    siteSchema === undefined
      ? `${kind === 'helm' ? 'the values.yaml of the chart' : '"solpack docs format#bundles-of-operators"'} lists what can be set; the rest can be patched`
      : `"solpack extract ${shellWord(path)} ${shellWord(join('components', name, siteSchema))}" writes the schema, which defines what can be set`;
  const placed = violations.map((violation) => ({ violation, place: site && placeOf(site, violation) }));
  const first = placed[0]?.place;
  if (first === undefined) {
    const words = violations.map((one) => wordsOf(one, name)).join('; ');
    return new SolpackError(
      'site-invalid',
      `${renderedName(renderable)} ${metadata.version}`,
      `${words}; the site sets nothing for it`,
      { hint },
    );
  }
  const here = placed.filter(
    ({ place }) => place?.text.file === first.text.file && place.text.part === first.text.part,
  );
  const problems = here.map(({ violation, place }) => ({
    path: place!.path,
    message: wordsOf(violation, name),
    ...(violation.ofName === undefined ? {} : { ofName: violation.ofName }),
  }));
  return siteError(first.text, problems, hint);
}

function wordsOf({ path, message }: Violation, component: string): string {
  return `${[component, ...path].join('.')}: ${message}`;
}

/** Finds where a site has set a value: the last of its texts that says most of it. */
function placeOf(
  { values, secrets }: SiteInputs,
  { path }: Violation,
): { readonly text: SiteText; readonly path: Violation['path'] } | undefined {
  let best: { text: SiteText; path: Violation['path']; depth: number } | undefined;
  for (const text of values) {
    const depth = reach(text.values, path);
    if (depth !== undefined && depth >= (best?.depth ?? -1)) best = { text, path, depth };
  }
  for (const text of secrets) {
    const isHere = path.length > 0 && text.path.every((name, index) => index >= path.length || path[index] === name);
    const depth = Math.min(text.path.length, path.length);
    if (isHere && depth >= (best?.depth ?? -1)) best = { text, path: [], depth };
  }
  return best ?? (values[0] && { text: values[0], path: [] });
}
