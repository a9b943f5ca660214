import { Option } from 'commander';
import { repeated } from './arguments.ts';

/** Makes the option that says what clusters serve besides what Kubernetes and the Solution bring. */
export function apiVersionsOption(): Option {
  return new Option(
    '--api-versions <versions>',
    'what else the cluster serves, with commas between: GROUP/VERSION, GROUP/VERSION/KIND; may be repeated',
  ).argParser(repeated);
}

/** Reads what the option was given. */
export function givenApiVersions(given: readonly string[] | undefined): string[] {
  return (given ?? []).flatMap((list) => list.split(',')).filter((one) => one !== '');
}
