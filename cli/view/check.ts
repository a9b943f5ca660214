import { shellWord } from '../../lib/command.ts';
import type { CheckResult } from '../../lib/index.ts';
import { count, plain } from '../io.ts';
import { fittedTable, type Style } from './style.ts';

type Finding = CheckResult['findings'][number];

/**
 * Describes what was found of a definition, for a person, with the command that fixes it. `given` is how the definition
 * was named.
 */
export function checkView(result: CheckResult, style: Style, given: string): string[] {
  const { name, version, ok, findings, kubernetes, unproved } = result;
  const title = ok ? style.good('closed') : style.bad('not closed');
  const tried = kubernetes.length === 0 ? "Helm's own Kubernetes version" : `Kubernetes ${kubernetes.join(', ')}`;
  return [
    `${title} ${style.bold(`${plain(name)} ${plain(version)}`)}`,
    `  rendered for ${tried}`,
    ...(unproved.length === 0 ? [] : [`  left to the node: ${unproved.map(plain).join(', ')}`]),
    ...missingLines(findings, style),
    ...otherLines(findings, style),
    ...mendingLines(findings, given),
  ];
}

/** Lists images that are lacking; what says the same of several containers of an object is one row. */
function missingLines(findings: readonly Finding[], style: Style): string[] {
  const rows = new Map<string, string[]>();
  for (const { image, component, object = '', source = '', kubernetes } of findings) {
    if (image === undefined) continue;
    const row = [`  ${image}`, component, object, source, versionWords(kubernetes)].map(plain);
    rows.set(row.join('\n'), row);
  }
  if (rows.size === 0) return [];
  const images = new Set([...rows.values()].map(([image]) => image)).size;
  return [
    '',
    style.bold(`${count(images, 'image')} not held`),
    ...fittedTable([['  image', 'component', 'object', 'file', ''], ...rows.values()], style.width),
  ];
}

/** Lists everything else, each with what is wrong below it. */
function otherLines(findings: readonly Finding[], style: Style): string[] {
  const others = findings.filter(({ image }) => image === undefined);
  if (others.length === 0) return [];
  const heads = fittedTable(
    others.map(({ code, component, object = '', source = '', kubernetes }) =>
      [`  ${code}`, component, object, source, versionWords(kubernetes)].map(plain),
    ),
    Number.POSITIVE_INFINITY,
  );
  return [
    '',
    style.bold(count(others.length, others.length < findings.length ? 'other finding' : 'finding')),
    ...others.flatMap(({ path, message }, at) => [
      heads[at]!,
      `      ${plain(path === undefined ? message : `${path}: ${message}`)}`,
    ]),
  ];
}

function versionWords(kubernetes: readonly string[]): string {
  return kubernetes.length === 0 ? '' : `for Kubernetes ${kubernetes.join(', ')}`;
}

/** The command that mends what was found, or says how. */
function mendingLines(findings: readonly Finding[], given: string): string[] {
  if (findings.length === 0) return [];
  const others = [...new Set(findings.flatMap(({ code, image }) => (image === undefined ? [code] : [])))];
  // Images are found in what was rendered.
  const adds = findings.some(({ image }) => image !== undefined) && !others.includes('not-rendered');
  if (!adds) return ['', `What to do: solpack explain ${others[0] ?? findings[0]!.code}`];
  const where = given === '.' ? '' : ` ${shellWord(plain(given))}`;
  return ['', `${others.length === 0 ? 'To mend it' : 'To add the images'}: solpack images --write${where}`];
}
