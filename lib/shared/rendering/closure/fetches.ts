import { fetchesIn } from '../../../../formats/manifest/fetches.ts';
import { fieldName } from '../../../../formats/manifest/references.ts';
import type { Flow } from '../../../kernel/events/index.ts';
import type { Examination } from './examine.ts';
import type { ClosureFinding } from './findings.ts';
import { objectName, type PlacedStatement } from './statements.ts';

/** An address that a container of a component seems to fetch from. */
export interface StatedFetch {
  readonly component: string;
  /** `Kind/namespace/name`; the middle is empty outside of namespaces. */
  readonly object: string;
  /** Names of fields and numbers of entries, with dots between. */
  readonly path: string;
  readonly address: string;
}

/** Lists the addresses that containers seem to fetch from, of what was rendered and of what is proven, each once. */
export function examinedFetches({ versions, proven }: Examination): StatedFetch[] {
  const found = [
    ...versions.flatMap(({ statements }) => statements.flatMap(fetchesOf)),
    ...[...proven].flatMap(([component, { fetches = [] }]) =>
      fetches.map(([address, object, path]) => ({ component, object, path, address })),
    ),
  ];
  return [...new Map(found.map((one) => [JSON.stringify(one), one])).values()];
}

/** Lists the addresses that containers of an object seem to fetch from. */
export function fetchesOf(statement: PlacedStatement): StatedFetch[] {
  const place = { component: statement.component, object: objectName(statement) };
  return fetchesIn(statement.object).map(({ address, path }) => ({ ...place, path: fieldName(path), address }));
}

/** Makes the finding about an address, for those to whom what is likely is too much. */
export function fetchFinding(
  { address, ...place }: StatedFetch,
  source: string | undefined,
): Omit<ClosureFinding, 'kubernetes'> {
  const message = `seems to fetch from ${address}; add what it fetches to the Solution, or disable this by a value of the chart`;
  return { code: 'address-fetched', ...place, source, message };
}

/** Reports addresses that containers seem to fetch from. */
export function tellFetches(fetches: readonly StatedFetch[], flow: Flow): void {
  for (const { component, object, path, address } of fetches) {
    const message = `seems to be fetched by component ${component} (${object}, ${path}), which a cluster without that network cannot do`;
    flow.onEvent({ type: 'notice', subject: address, message });
  }
}
