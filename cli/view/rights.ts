import type { InstallRight, SolutionRights, SubjectRights } from '../../lib/index.ts';
import { plain } from '../io.ts';
import { type Style, table } from './style.ts';

/** Describes for a person what the accounts of a Solution may do, and what solpack needs. */
export function rightsView({ name, version, subjects, needed, unknown }: SolutionRights, style: Style): string[] {
  return [
    `${style.bold(`${plain(name)} ${plain(version)}`)}`,
    ...rightsLines({ subjects, needed }, style),
    ...unknown.map(
      ({ component, reason }) => `${style.bad('not known')} component ${plain(component)}: ${plain(reason)}`,
    ),
  ];
}

/** Describes who may do what, and what is needed. */
export function rightsLines(
  { subjects, needed }: { readonly subjects: readonly SubjectRights[]; readonly needed: readonly InstallRight[] },
  style: Style,
): string[] {
  return [
    ...(subjects.length === 0 ? ['it grants no rights'] : []),
    ...subjects.flatMap(({ subject, rights }) => [
      style.bold(`${plain(subject)} may`),
      ...table(
        rights.map(({ verbs, namespace, name, power, ...what }) => [
          `  ${power === undefined ? ' ' : style.bad('!')} ${plain(verbs.join(', '))}`,
          plain(`${resourceWords(what)}${name === '*' ? '' : ` ${name}`}`),
          plain(placeWords(namespace)),
          power === undefined ? '' : style.bad(power),
        ]),
      ),
    ]),
    style.bold('solpack needs the rights to'),
    ...table(
      needed.map(({ verbs, namespace, ...what }) => [
        `    ${plain(verbs.join(', '))}`,
        plain(resourceWords(what)),
        plain(placeWords(namespace)),
      ]),
    ),
  ];
}

function resourceWords({ group, resource }: { readonly group: string; readonly resource: string }): string {
  return group === '' ? resource : `${resource}.${group}`;
}

function placeWords(namespace: string): string {
  return namespace === '*' ? 'everywhere' : `in ${namespace}`;
}
