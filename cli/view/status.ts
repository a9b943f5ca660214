import { exactJson } from '../../lib/command.ts';
import type { ObjectStatus, StatusReport } from '../../lib/index.ts';
import { plain } from '../io.ts';
import type { JsonResults } from './json.ts';
import { mirrorLines } from './mirrors.ts';
import { type Style, table } from './style.ts';

/** How many objects and fields are shown to a person. */
const SHOWN = { objects: 50, fields: 10, characters: 60 } as const;

type Printed = JsonResults['status'];
type PrintedObject = Printed['solutions'][number]['objects'][number];

/** Returns a report as it is printed. */
export function printedStatus(
  { configuration, generation, solutions, archives, mirrors }: StatusReport,
  state: Printed['state'],
): Printed {
  const { number, at, reason } = generation;
  return {
    ...{ configuration, generation: number, at, state, reason: reason ?? null },
    solutions: solutions.map(({ name, version, state: own, reason: why, objects, missing }) => ({
      ...{ name, version, state: own, reason: why ?? null },
      images: {
        asked: missing !== undefined,
        missing: (missing ?? []).map(({ image }) => image.reference),
        reasons: Object.fromEntries((missing ?? []).map(({ image, reason: cause }) => [image.reference, cause])),
      },
      objects: objects.map(printedObject),
    })),
    ...(archives === undefined ? {} : { archives }),
    ...(mirrors === undefined ? {} : { mirrors: [...mirrors] }),
  };
}

/** Returns what is reported an object as it is printed. */
export function printedObject({ object, state, reason, drift }: ObjectStatus): PrintedObject {
  return { object, state, reason: reason ?? null, drift };
}

/** Describes for a person how a configuration is. */
export function statusView(
  { configuration, generation, at, reason, state, solutions, archives, mirrors }: Printed,
  style: Style,
): string[] {
  const word = (own: string): string => (own === 'ready' ? style.good(own) : style.bad(own));
  const when = at.replace(/\.\d+/, '');
  return [
    `${style.bold(`configuration ${plain(configuration)}`)}  ${word(state)}  generation ${generation} of ${when}`,
    ...(reason === null ? [] : [`  ${plain(reason)}`]),
    ...(solutions.length === 0 ? ['  no Solution'] : []),
    ...solutions.flatMap((solution) => {
      const { name, version, images, objects } = solution;
      const amiss = objects.filter((one) => one.state !== 'ready');
      const count = `${objects.length - amiss.length} of ${objects.length} objects ready`;
      return [
        `${style.bold(`${plain(name)} ${plain(version)}`)}  ${word(solution.state)}  ${count}`,
        ...objectLines(amiss, word),
        ...images.missing.map(
          (image) => `  image ${plain(image)} cannot be pulled: ${plain(images.reasons[image] ?? '')}`,
        ),
      ];
    }),
    ...(archives === undefined ? [] : ['archives', ...archiveLines(archives)]),
    ...(mirrors === undefined ? [] : ['mirrors of this node', ...mirrorLines(mirrors, style)]),
  ];
}

/** Describes objects that are not as they should be, with what differs. */
export function objectLines(amiss: readonly PrintedObject[], word: (state: string) => string): string[] {
  const lines = amiss.slice(0, SHOWN.objects).flatMap(({ object, state, reason, drift }) => [
    `  ${plain(object)}  ${word(state)}  ${plain(reason ?? '')}`,
    ...drift.slice(0, SHOWN.fields).map(({ path, wanted, found, manager, since }) => {
      const who = manager === null ? '' : `, set by ${plain(manager)}${since === null ? '' : ` at ${since}`}`;
      return `    ${plain(path)}: ${briefly(wanted)} was applied, ${found === null ? 'it is gone' : `it is ${briefly(found)}`}${who}`;
    }),
    ...(drift.length > SHOWN.fields ? [`    and ${drift.length - SHOWN.fields} more fields`] : []),
  ]);
  return amiss.length > SHOWN.objects ? [...lines, `  and ${amiss.length - SHOWN.objects} more objects`] : lines;
}

function archiveLines(archives: NonNullable<Printed['archives']>): string[] {
  return table(
    archives.map(({ path, name, version, active, reason }) => [
      `  ${name === null ? 'cannot be opened' : plain(`${name} ${version}`)}`,
      active ? 'active' : '',
      reason === undefined ? plain(path) : plain(`${path}: ${reason}`),
    ]),
  );
}

function briefly(value: unknown): string {
  const text = plain(value === undefined ? 'nothing' : exactJson(value));
  return text.length > SHOWN.characters ? `${text.slice(0, SHOWN.characters - 1)}…` : text;
}
