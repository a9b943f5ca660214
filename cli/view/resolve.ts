import type { ResolutionResult, ResolveResult } from '../../lib/index.ts';
import { plain } from '../io.ts';
import { askWords, outsideLines } from './relations.ts';
import { type Style, table } from './style.ts';

/** What the views of a set and of a generation have in common. */
type Decided = Pick<ResolutionResult, 'solutions' | 'unmet' | 'replaced' | 'heldBack'>;

/** Describes the set of a configuration for a person, or why there is none. */
export function resolveView(result: ResolveResult, style: Style): string[] {
  const { configuration, resolved, order } = result;
  if (!resolved) return noSetView(result, style);
  return [
    style.bold(`configuration ${plain(configuration)}`),
    ...decidedLines(result),
    ...(order.by === 'kinds' ? [] : ['  the order only follows their requirements, because not all could be rendered']),
    ...order.without.map((one) => `  the order ignores ${plain(one)}`),
    ...besideLines(result),
  ];
}

/** Describes why a generation has its Solutions. */
export function resolutionView(result: ResolutionResult, style: Style): string[] {
  const { configuration, generation, cause, solutions } = result;
  const passed = solutions.filter(({ passedOver }) => passedOver.length > 0);
  return [
    style.bold(`generation ${generation} of ${plain(configuration)}`),
    ...(cause === 'rollback' ? ['  a rollback: this was decided when these Solutions were installed'] : []),
    ...decidedLines(result),
    ...passed.map(({ name, passedOver }) => `  ${plain(name)} was also there as ${plain(passedOver.join(', '))}`),
    ...besideLines(result),
  ];
}

function decidedLines({ solutions, unmet, replaced, heldBack }: Decided): string[] {
  return [
    ...table(solutions.map(({ name, version, reason }) => [`  ${plain(name)} ${plain(version)}`, plain(reason)])),
    ...solutions.flatMap(({ name, needs }) =>
      needs.map((need) => {
        const by = need.by === need.name ? '' : `, which is ${plain(need.by)}`;
        const verb = need.kind === 'recommends' ? 'recommends' : 'requires';
        return `  ${plain(name)} ${verb} ${plain(askWords(need))}${by}`;
      }),
    ),
    ...solutions.flatMap(({ name, outside }) => outsideLines(outside).map((line) => `  ${plain(name)} ${line}`)),
    ...replaced.map((one) => `  ${plain(one.name)} is wanted but not installed: ${plain(one.by)} replaces it`),
    ...heldBack.map(({ name, reason }) => `  ${plain(name)} ${plain(reason)}`),
    ...unmet.map((one) => `  ${plain(one.of)} recommends ${plain(askWords(one))}, which is not there`),
  ];
}

function besideLines({ installed }: Pick<ResolveResult, 'installed'>): string[] {
  return installed.map((one) => `  beside ${plain(one.name)} ${plain(one.version)} of ${plain(one.configuration)}`);
}

function noSetView({ configuration, explanation, help }: ResolveResult, style: Style): string[] {
  return [
    `${style.bad('no set')} ${style.bold(`configuration ${plain(configuration)}`)}`,
    ...explanation.map((sentence) => `  ${plain(sentence)}`),
    ...(help.length === 0 ? [] : ['Any one of these would help:']),
    ...help.map((one) => `  - ${plain(one)}`),
  ];
}
