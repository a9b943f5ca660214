import type { Inspection } from '../../../lib/index.ts';
import { html } from './markup.ts';
import type { PageSection } from './page.ts';
import { bulletList, factList } from './parts.ts';

type Relations = NonNullable<Inspection['relations']>;

/** Shows what has to be there before it is installed, and what it offers others. */
export function relationsSection(inspection: Inspection): PageSection {
  const { kubernetes, relations = {}, closure, externalImages = [], components } = inspection;
  const left = components.filter(({ kind, render }) => kind === 'plugin' || render === 'install');
  const proved = closure?.kubernetes.length
    ? `Kubernetes ${closure.kubernetes.join(', ')}`
    : 'the Kubernetes version of Helm';
  const but = left.length === 0 ? '' : `, except ${left.map(({ name }) => name).join(', ')}`;
  return {
    id: 'requires',
    title: 'What it requires',
    body: factList(
      [
        ['Kubernetes', kubernetes ?? 'any version'],
        [
          'Closed',
          closure === undefined
            ? 'it is not proven that it holds everything it needs'
            : `it holds everything that its objects need, in ${proved}${but}`,
        ],
        ['Images that sites provide', externalImages.length === 0 ? undefined : bulletList(externalImages)],
        ...factsOfRelations(relations),
      ],
      'wide',
    ),
  };
}

function factsOfRelations({ requires, anyOf, recommends, provides, exclusive, conflicts, replaces }: Relations) {
  const ranges = (of: Readonly<Record<string, string>> | undefined) =>
    of === undefined ? undefined : bulletList(Object.entries(of).map(([name, range]) => html`${name} ${range}`));
  return [
    ['Other Solutions or capabilities', ranges(requires)],
    [
      'At least one of',
      anyOf === undefined
        ? undefined
        : bulletList(
            anyOf.map((one) =>
              Object.entries(one)
                .map((pair) => pair.join(' '))
                .join(' or '),
            ),
          ),
    ],
    ['Better with', ranges(recommends)],
    ['Not together with', ranges(conflicts)],
    ['Replaces', ranges(replaces)],
    ['Offers', ranges(provides)],
    ['Offers alone', exclusive === undefined ? undefined : bulletList(exclusive)],
  ] as const;
}
