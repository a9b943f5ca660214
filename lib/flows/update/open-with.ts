import { SolpackError } from '../../kernel/events/index.ts';
import type { UpdatedInput } from './results.ts';

/**
 * Makes of `solution-open` an error that says which versions were tried, because the definition as it is may well be
 * closed. Returns any other error as it is, and also `solution-open` if no version was to change.
 */
export function openWith(error: unknown, inputs: readonly UpdatedInput[]): unknown {
  if (!(error instanceof SolpackError) || error.code !== 'solution-open') return error;
  const tried = inputs.filter(({ change, to }) => to !== undefined && !['none', 'removed'].includes(change));
  if (tried.length === 0) return error;
  const versions = tried.map(({ name, from, to }) =>
    from === undefined || from === to ? `${name} ${to}` : `${name} ${to} instead of ${from}`,
  );
  return new SolpackError('solution-open', error.subject, `${error.message}, with ${versions.join(', ')}`, {
    hint: 'nothing was written: name only what can be raised (--only NAME), or pin a version in the definition and run "solpack update --follow"',
    findings: error.findings,
    cause: error,
  });
}
