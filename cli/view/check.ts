import { type CheckResult, findingWords } from '../../lib/index.ts';
import { count, plain } from '../io.ts';
import { type Style, table } from './style.ts';

/** Describes what was found of a definition, for a person. */
export function checkView(result: CheckResult, style: Style): string[] {
  const { name, version, ok, findings, kubernetes, unproved } = result;
  const title = ok ? style.good('closed') : style.bad('not closed');
  const tried = kubernetes.length === 0 ? "Helm's own Kubernetes version" : `Kubernetes ${kubernetes.join(', ')}`;
  return [
    `${title} ${style.bold(`${plain(name)} ${plain(version)}`)}`,
    `  rendered for ${tried}`,
    ...(unproved.length === 0 ? [] : [`  left to the node: ${unproved.map(plain).join(', ')}`]),
    ...(ok ? [] : [`  ${count(findings.length, 'finding')}:`]),
    ...table(
      findings.map((finding) => [
        `  ${finding.code}`,
        `component ${finding.component}: ${plain(findingWords(finding))}`,
      ]),
    ),
  ];
}
