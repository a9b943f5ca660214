import type { ActivateResult, DeactivateResult, ImportResult, UnimportResult } from '../../lib/index.ts';
import { plain } from '../io.ts';
import { type Style, table } from './style.ts';

/** Describes an import for a person. */
export function importView({ configuration, created, archives }: ImportResult, style: Style): string[] {
  return [
    ...(created ? [`${style.good('made')} ${plain(configuration)}`] : []),
    ...table(
      archives.map(({ archive, name, version, action, active }) => [
        action === 'imported' ? style.good('imported') : 'there already',
        style.bold(`${plain(name)} ${plain(version)}`),
        plain(archive),
        active ? 'active with the next install' : 'not active',
      ]),
    ),
  ];
}

/** Describes an unimport for a person. */
export function unimportView({ archives }: UnimportResult, style: Style): string[] {
  return table(
    archives.map(({ archive, name, version, action }) => [
      action === 'removed' ? style.good('removed') : 'not there',
      name === undefined ? '' : style.bold(`${plain(name)} ${plain(version ?? '')}`),
      plain(archive),
    ]),
  );
}

/** Describes an activation for a person. */
export function activateView(result: ActivateResult, style: Style): string[] {
  const { name, environment, version, wanted, archive, changed, from, downgraded } = result;
  const title = style.bold(plain(`${name}${within(environment)} ${version}`));
  const by = wanted === version ? '' : `, by ${plain(wanted)}`;
  const before = from === undefined || from === version ? '' : `, after ${plain(from)}`;
  return [
    `${changed ? style.good('active') : 'active already'} ${title} with the next install${by}${before}`,
    ...table([
      ['  from', plain(archive)],
      ...(downgraded ? [['  downgraded', style.bad(`from ${plain(from ?? '')}`)]] : []),
    ]),
  ];
}

/** Describes a deactivation for a person. */
export function deactivateView({ name, environment, from, changed }: DeactivateResult, style: Style): string[] {
  const title = style.bold(plain(`${name}${within(environment)}${from === undefined ? '' : ` ${from}`}`));
  return [changed ? `${style.good('not active')} ${title} from the next install on` : `not active already ${title}`];
}

/** Names an environment behind the name of its Solution, as the cluster does. */
function within(environment: string | undefined): string {
  return environment === undefined ? '' : `.${environment}`;
}
